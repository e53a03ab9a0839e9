//! Run-time integers above `isize::MAX` in types of natural numbers: the algebra reads them as negative.

use crd2idx::{layouts::*, number::*, ops::*, tensor::*};
use std::num::NonZeroUsize;

/// Fewer numbers and fewer origins under Miri.
const TOO_HIGH: &[usize] =
    if cfg!(miri) { &[usize::MAX - 1] } else { &[usize::MAX, usize::MAX - 1, usize::MAX - 3, 1 << (usize::BITS - 1)] };
const ORIGINS: &[usize] = if cfg!(miri) { &[32] } else { &[0, 1, 32, 63, 64, usize::MAX] };

/// Requires that `result` is an error that names a number below the range of its type, or an overflow.
#[track_caller]
fn says<T, E: std::fmt::Display>(result: Result<T, E>) {
    let text = result.map(drop).map_err(|error| error.to_string()).unwrap_err();
    assert!(text.contains("as a signed number, but its type has none below 0") || text.contains("overflow"), "{text}");
}

/// Requires that no constructor makes a tensor of the layout, for any storage and origin.
#[track_caller]
fn refused<L: Layout + std::fmt::Debug>(layout: L) {
    let mut data = [7u8; 64];
    for &origin in ORIGINS {
        says(Tensor::with_origin(&data, origin, layout));
        says(Tensor::with_origin(&mut data, origin, layout));
        says(Tensor::with_origin(data.to_vec(), origin, layout));
    }
    let units: &[()] = &[(); 64];
    says(Tensor::with_origin(units, 32, layout));
    says(Boxed::filled(layout, ()));
    says(Packed::<_, _, 1>::new(&data, layout));
    says(layout.index_range());
    // Layouts that contain it are refused, too.
    if let Ok(layout) = Injective::new(layout) {
        says(Tensor::with_origin(&data, 32, layout));
    }
    says(Tensor::with_origin(&data, 32, Composed::of(Swizzle::new(1, 0, 2).unwrap(), layout)));
    says(Tensor::with_origin(&data, 32, Composed::new(Swizzle::new(1, 0, 2).unwrap(), Signed(-1), layout)));
    says(Tensor::with_origin(&data, 32, Window::clipped(layout, (1, 1))));
    says(Tensor::with_origin(&data, 32, Window::clipped(layout, (0, 1))));
    if let Ok(window) = Window::new(layout, (0, 0), (1, 1)) {
        says(Tensor::with_origin(&data, 32, window));
    }
}

#[test]
fn leaves() {
    for &number in TOO_HIGH {
        refused(make_layout((2, 2), (Int::<1>, number)));
        refused(make_layout((2, 2), (number, Int::<1>)));
        refused(make_layout((2, 2), (number, number)));
        refused(make_layout((Int::<2>, Int::<2>), (number, Signed(-1))));
        refused(make_layout((number, 2), (Int::<0>, Int::<1>)));
        refused(make_layout((2, number), (1, 0)));
        refused(make_layout((number, 0), (1, 1)));
        refused(make_layout((0, 2), (1, number)));
        refused(make_layout((1, 1), (1, number)));
        refused(make_layout((2, NonZeroUsize::new(number).unwrap()), (Int::<1>, 0)));
        refused(make_layout((2, 2), (NonZeroUsize::new(number).unwrap(), 1)));
        refused(make_layout((2, (2, 1)), (Int::<1>, (number, 2))));
        refused(make_layout((Int::<2>, 2), (Xor::<1>, number)));
        assert!(Dyn::<1>::new(number).is_err() && Dyn::<2>::new(number & !1).is_err());
    }
    // Strides that may be negative have the type `Signed`.
    let data = [1, 2, 3, 4];
    let t = Tensor::with_origin(&data, 2, make_layout((Int::<2>, Int::<2>), (Int::<1>, Signed(-2)))).unwrap();
    assert_eq!((t[(0, 0)], t[(0, 1)], t.vectors::<2>().unwrap()[(0, 1)]), (3, 1, [1, 2]));
}

/// Layouts that are computed from leaves above `isize::MAX` are refused, hoisted or not.
#[test]
fn derived() {
    for &number in TOO_HIGH {
        let layout = make_layout((2, 2), (Int::<1>, number));
        refused(layout.hoist::<4>());
        refused(layout.zipped_divide((Int::<1>, Int::<1>)));
        refused(layout.flatten());
        refused(layout.coalesce());
        refused(layout.logical_divide((Int::<1>, Int::<1>)).hoist::<8>());
        refused(col_major((number, 2)));
        refused(row_major((2, number)));
        refused(col_major((number, 2)).hoist::<8>());
    }
}

/// Layouts whose sizes or strides are products beyond `isize` are refused, although their leaves fit.
#[test]
fn products_of_leaves() {
    let big = 1usize << (usize::BITS / 2 + 1);
    refused(col_major((big, big)));
    refused(col_major((big, big, 1)).select((Int::<0>, Int::<2>)).flatten());
    refused(row_major((big, big)));
    refused(col_major((big, big)).hoist::<8>());
    refused(col_major((big, big)).zipped_divide((Int::<1>, Int::<1>)));
    // The stride of the last mode is `big * big`, which wraps around to a small number.
    let wrapped = col_major((big, big, 1));
    assert!(wrapped.index_range().is_err());
    assert!(Tensor::new(&[0; 64], wrapped).is_err());
}

/// Conversions to values, and operations that check promises at run time, refuse leaves above `isize::MAX`.
#[test]
fn values() {
    for &number in TOO_HIGH {
        let layout = make_layout((2, 2), (Int::<1>, number));
        assert!(layout.to_dyn::<4>().is_err() && try_make_layout((2, 2), (Int::<1>, number)).is_err());
        assert!(try_make_layout((number, 0), (1, 1)).is_err());
        assert!(<Strided<(usize, usize), (Int<1>, usize)> as TypedLayout>::PATTERN.instantiate(&[2, 2, number]).is_err());
        assert_ne!(layout.is_injective(), Some(true));
        assert!(Injective::new(layout).is_err());
        assert!(layout.try_logical_divide((Int::<2>, Int::<1>)).is_err());
        assert!(layout.try_complement(Int::<8>).is_err());
        assert!(make_layout(4, Int::<1>).try_zipped_divide((number,)).is_err());
    }
    // `instantiate` takes plain numbers, so it checks the divisor and the bounds of the type, too.
    type Even = Strided<(Dyn<2, 8>,), (Int<1>,)>;
    let of =
        |inputs: &[usize]| <Even as TypedLayout>::PATTERN.instantiate(inputs).map(|layout| layout.to_string()).map_err(|e| e.to_string());
    assert_eq!(of(&[4]), Ok("(4):(1)".into()));
    for wrong in [&[3][..], &[10], &[usize::MAX - 1], &[]] {
        assert!(of(wrong).is_err());
    }
}

/// Coordinates of any size are either inside or outside, and none wraps around.
#[test]
fn coordinates() {
    let data: Vec<usize> = (0..24).collect();
    let t = Tensor::new(&data, make_layout((4, 6), (Int::<1>, 4))).unwrap();
    let swizzled = Tensor::new(&data, Composed::of(Swizzle::new(1, 0, 2).unwrap(), t.layout())).unwrap();
    let dynamic = Tensor::new(&data, DynLayout::<4>::parse("(4,(2,3)):(1,(4,8))").unwrap()).unwrap();
    let window = t.window((1, 2), (2, 3)).unwrap();
    for far in TOO_HIGH.iter().copied().chain([24, 4, 6, usize::MAX / 4 + 1]) {
        assert_eq!((t.get((far, 0)), t.get((0, far)), t.get((far, far))), (None, if far == 4 { Some(&16) } else { None }, None));
        assert!(swizzled.get((far, 0)).is_none() && dynamic.get((far, 0)).is_none() && window.get((far, 0)).is_none());
        assert!(t.window((far, 0), (1, 1)).is_err() && t.window((0, 0), (far, 2)).is_err() == (far != 4));
        assert!(far == 4 || far == 6 || t.get(far).is_none() && swizzled.get(far).is_none() && dynamic.get(far).is_none());
        let sliced = std::panic::catch_unwind(|| t.slice((far, Keep)).size());
        assert!(sliced.is_err());
        let masked = t.masked((Int::<3>, Int::<4>));
        assert!(masked.get(((far, 0), (0, 0))).is_none() && masked.get(((0, 0), (0, far))).is_none());
    }
}
