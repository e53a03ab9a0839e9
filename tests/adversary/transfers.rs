//! Transfers and reductions run on tensors whose layouts differ from the planned ones, and with functions that panic.

use crd2idx::relayout::{ReducingTransfer, Side, Transfer, TransferError};
use crd2idx::{number::*, ops::*, tensor::*};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn between_other_layouts() {
    let (rows, columns) = (make_layout((4, 4), (4, Int::<1>)), make_layout((4, 4), (Int::<1>, 4)));
    let transfer = Transfer::<u8>::between(rows, columns).unwrap();
    let (from, mut to): (Vec<u8>, _) = ((0..16).collect(), [0; 16]);
    transfer.run(&Tensor::new(&from, rows).unwrap(), &mut Tensor::new(&mut to, columns).unwrap()).unwrap();
    assert_eq!(to[1], 4);
    // The source is smaller than planned in one or both modes, or repeats its rows.
    for (small, large) in [((2, 2), (4, 1)), ((4, 3), (4, 1)), ((4, 4), (0, 1))].map(|(shape, stride)| (shape, stride)) {
        let other = make_layout(small, (large.0, Int::<1>));
        let refused = transfer.run(&Tensor::new(&from, other).unwrap(), &mut Tensor::new(&mut to, columns).unwrap());
        assert_eq!(refused.unwrap_err(), TransferError::Layouts);
    }
    let short = make_layout((4, 2), (Int::<1>, 4));
    let refused = transfer.run(&Tensor::new(&from, rows).unwrap(), &mut Tensor::new(&mut to[..8], short).unwrap());
    assert_eq!(refused.unwrap_err(), TransferError::Layouts);
    // Windows of one layout at different corners have the same extents and strides.
    let windows = [(0, 0), (2, 0)].map(|corner| Window::new(rows, corner, (2, 2)).unwrap());
    if let Ok(transfer) = Transfer::<u8>::between(windows[0], make_layout((2, 2), (Int::<1>, 2))) {
        let source = Tensor::new(&from, rows).unwrap();
        let mut out = [0; 4];
        let of = |corner, out: &mut [u8; 4]| {
            let target = &mut Tensor::new(&mut out[..], make_layout((2, 2), (Int::<1>, 2))).unwrap();
            transfer.run(&source.window(corner, (2, 2)).unwrap(), target)
        };
        assert_eq!((of((0, 0), &mut out), out), (Ok(()), [0, 4, 1, 5]));
        assert_eq!(of((2, 0), &mut out).unwrap_err(), TransferError::Layouts);
    }
    assert!(Transfer::<u8>::between(rows, make_layout((4, 4), (Int::<1>, Int::<0>))).is_err());
    assert!(Transfer::<u8>::between(make_layout((4, usize::MAX), (Int::<0>, 0)), make_layout((4, usize::MAX), (Int::<1>, 4))).is_err());
}

#[test]
fn lengths_and_bases() {
    let side = |text: &str, base: i64| Side::parse(text).map(|side| side.with_base(&[base]));
    for base in [i64::MIN, i64::MIN / 2, -1, 1, i64::MAX / 2, i64::MAX] {
        for text in ["(4):(1)", "(4):(-1)", "(4):(0)", "(2,2):(4611686018427387903,1)", "(4):(4611686018427387904)"] {
            for reduced in ["(4):(0)", "(4):(1)", "(2,2):(0,1)"] {
                let (source, target) = (side(text, base), side(reduced, base));
                let (Ok(source), Ok(target)) = (source, target) else { continue };
                let mut out = [0u8; 8];
                if let Ok(reduction) = ReducingTransfer::<u8>::new(&source, &target) {
                    _ = reduction.run(&[1; 8], &mut out, 0, |a, b| a.wrapping_add(b), u8::wrapping_add);
                }
                if let Ok(transfer) = Transfer::<u8>::new(&source, &target) {
                    _ = transfer.run(&[1; 8], &mut out);
                }
            }
        }
    }
}

#[test]
fn functions_that_panic() {
    let (source, target) = (Side::parse("(8,8):(8,1)").unwrap(), Side::parse("(8,8):(1,0)").unwrap());
    let numbers: Vec<u32> = (0..64).collect();
    for stop in [0, 1, 31, 63, 64] {
        let count = std::cell::Cell::new(0);
        let mut sums = [0; 8];
        let reduction = ReducingTransfer::<u32>::new(&source, &target).unwrap();
        let done = catch_unwind(AssertUnwindSafe(|| {
            reduction.run(
                &numbers,
                &mut sums,
                0,
                |sum, x| {
                    assert!(count.replace(count.get() + 1) != stop, "stop");
                    sum + x
                },
                |a, b| a + b,
            )
        }));
        assert_eq!(done.is_err(), stop < 64);
        let copy = Transfer::<u32>::new(&source, &Side::parse("(8,8):(1,8)").unwrap()).unwrap();
        let (count, mut out) = (std::cell::Cell::new(0), vec![String::new(); 64]);
        let done = catch_unwind(AssertUnwindSafe(|| {
            copy.transform(&numbers, &mut out, |to, from| {
                assert!(count.replace(count.get() + 1) != stop, "stop");
                *to = from.to_string();
            })
        }));
        assert_eq!(done.is_err(), stop < 64);
        assert_eq!(out.iter().filter(|text| !text.is_empty()).count(), stop.min(64));
    }
}
