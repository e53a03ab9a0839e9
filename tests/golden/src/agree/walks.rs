//! Walks over two tensors, and walks with coordinates.

use super::tensors::{ROUNDS, many, numbers, same};
use super::{Inputs, place, place_mut};
use crate::tensors::Plain;
use crate::walks::*;
use layout_core::{Int, Tensor, View, make_layout};

#[test]
fn zip_static() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (mut a, from) = (numbers(&mut inputs), numbers(&mut inputs));
        let mut b = a;
        zip_static_layout(&mut a, &from);
        zip_static_hand(&mut b, &from);
        assert_eq!(a, b);
    }
}

#[test]
fn near_static() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let data = numbers(&mut inputs);
        assert_eq!(near_static_layout(&data), near_static_hand(&data));
    }
}

#[test]
fn near_whole() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (mut a, value) = (numbers(&mut inputs), inputs.below(9) as f32);
        let mut b = a;
        near_whole_layout(&mut a, value);
        near_whole_hand(&mut b, value);
        assert_eq!(a, b);
    }
}

#[test]
fn zip_mixed() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, wide, tall) = (inputs.below(9), 8 + inputs.below(3), 8 + inputs.below(3));
        let (rows, columns) = (make_layout((m, Int), (wide, Int)), make_layout((m, Int), (Int, tall)));
        let (from, mut a) = (many(&mut inputs, rows), many(&mut inputs, columns));
        let mut b = a.clone();
        let from_view = Tensor::new(&from[..], rows).expect("long enough");
        zip_mixed_layout(&mut Tensor::new(&mut a[..], columns).expect("long enough"), &from_view);
        let plain = |data, stride| Plain { data, extents: [m], strides: [stride] };
        unsafe { zip_mixed_hand(&mut plain(place_mut(&mut b), tall), &plain(place(&from), wide)) };
        assert_eq!(a, b);
    }
}

#[test]
fn at_static() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (data, rows, columns) = (numbers(&mut inputs), numbers(&mut inputs), numbers(&mut inputs));
        assert_eq!(at_static_layout(&data, &rows, &columns), at_static_hand(&data, &rows, &columns));
    }
}

#[test]
fn at_mixed() {
    let columns = numbers(&mut Inputs::new());
    same(
        |[m], [ld]| make_layout((m, Int), (ld, Int)),
        |t: &View<f32, _>| at_mixed_layout(t, &columns),
        |t: &Plain<1>| unsafe { at_mixed_hand(t, &columns) },
    );
}

#[test]
fn at_runtime() {
    same(|e: [usize; 2], d| make_layout((e[0], e[1]), (Int, d[1])), |t| at_runtime_layout(t), |t| unsafe { at_runtime_hand(t) });
}

#[test]
fn write_mixed() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, ld) = (inputs.below(9), inputs.below(12));
        let layout = make_layout((m, Int), (ld, Int));
        let mut a = many(&mut inputs, layout);
        let mut b = a.clone();
        write_mixed_layout(&mut Tensor::new(&mut a[..], layout).expect("long enough"), 2.0);
        unsafe { write_mixed_hand(&mut Plain { data: place_mut(&mut b), extents: [m], strides: [ld] }, 2.0) };
        assert_eq!(a, b);
    }
}
