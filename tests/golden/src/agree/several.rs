//! Walks over several tensors, and over windows.

use super::tensors::{ROUNDS, many, numbers, same};
use super::{Inputs, place, place_mut};
use crate::several::*;
use crate::tensors::Plain;
use layout_core::{Int, Tensor, make_layout};

/// Compares the results of both functions of a pair on the same numbers. The functions may write the first array.
macro_rules! on_numbers {
    ($($name:ident: $layout:ident $hand:ident, |$($data:ident: $count:literal),+|;)*) => { $(
        #[test]
        fn $name() {
            let mut inputs = Inputs::new();
            for _ in 0..ROUNDS {
                let ($(mut $data,)+) = ($(numbers::<$count>(&mut inputs),)+);
                let before = ($($data,)+);
                let layout = ($layout($(&mut $data),+), $($data),+);
                ($($data,)+) = before;
                let hand = ($hand($(&mut $data),+), $($data),+);
                assert_eq!(layout, hand);
            }
        }
    )* };
}

on_numbers! {
    dot_static: dot_static_layout dot_static_hand, |a: 35, b: 32|;
    three_static: three_static_layout three_static_hand, |to: 35, a: 32, b: 35|;
    five_static: five_static_layout five_static_hand, |to: 35, a: 32, b: 35, c: 32, d: 35|;
    windows_static: windows_static_layout windows_static_hand, |to: 36, from: 64|;
}

#[test]
fn three_runtime() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let [m, n] = [inputs.below(9), inputs.below(9)];
        let (wide, [tall, other]) = (n + inputs.below(3), [m + inputs.below(3), inputs.below(30)]);
        let (of_a, of_b, of_to) = (make_layout((m, n), (wide, Int)), make_layout((m, n), (Int, other)), make_layout((m, n), (Int, tall)));
        let (a, b, mut to) = (many(&mut inputs, of_a), many(&mut inputs, of_b), many(&mut inputs, of_to));
        let mut hand = to.clone();
        let (a_view, b_view) = (Tensor::new(&a[..], of_a).expect("long enough"), Tensor::new(&b[..], of_b).expect("long enough"));
        three_runtime_layout(&mut Tensor::new(&mut to[..], of_to).expect("long enough"), &a_view, &b_view);
        let plain = |data, strides| Plain { data, extents: [m, n], strides };
        unsafe {
            three_runtime_hand(&mut plain(place_mut(&mut hand), [1, tall]), &plain(place(&a), [wide, 1]), &plain(place(&b), [1, other]))
        };
        assert_eq!(to, hand);
    }
}

#[test]
fn dot_three_runtime() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let extents = [inputs.below(9), inputs.below(9)];
        let layouts: [_; 3] = std::array::from_fn(|_| make_layout((extents[0], extents[1]), (Int, inputs.below(30))));
        let data = layouts.map(|layout| many(&mut inputs, layout));
        let [a, b, c] = [0, 1, 2].map(|k| Tensor::new(&data[k][..], layouts[k]).expect("long enough"));
        let [x, y, z] = [0, 1, 2].map(|k| Plain { data: place(&data[k]), extents, strides: [1, layouts[k].stride().1] });
        assert_eq!(dot_three_runtime_layout(&a, &b, &c), unsafe { dot_three_runtime_hand(&x, &y, &z) });
    }
}

#[test]
fn windows_walk() {
    same(|[m], [ld]| make_layout((m, Int), (Int, ld)), |t| windows_walk_layout(t), |t| unsafe { windows_walk_hand(t) });
}

#[test]
fn windows_taps() {
    let taps = numbers(&mut Inputs::new());
    same(|[m], [ld]| make_layout((m, Int), (Int, ld)), |t| windows_taps_layout(t, &taps), |t| unsafe { windows_taps_hand(t, &taps) });
}
