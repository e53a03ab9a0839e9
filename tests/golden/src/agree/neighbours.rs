//! Folds, broadcasts and stencils.

use super::tensors::{ROUNDS, many, numbers, same};
use super::{Inputs, place, place_mut};
use crate::neighbours::*;
use crate::tensors::Plain;
use layout_core::{Int, Tensor, make_layout};

#[test]
fn fold_rows() {
    same(|[m], [ld]| make_layout((m, Int), (ld, Int)), |t| fold_rows_layout(t), |t| unsafe { fold_rows_hand(t) });
}

#[test]
fn broadcast_rows() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, ld) = (inputs.below(9), 8 + inputs.below(5));
        let rows = make_layout((m, Int), (ld, Int));
        let (mut to, row) = (many(&mut inputs, rows), numbers::<8>(&mut inputs));
        let mut hand = to.clone();
        let of_row = Tensor::new(&row[..], Eight::default()).expect("long enough");
        broadcast_rows_layout(&mut Tensor::new(&mut to[..], rows).expect("long enough"), &of_row);
        unsafe { broadcast_rows_hand(&mut Plain { data: place_mut(&mut hand), extents: [m], strides: [ld] }, &place(&row)) };
        assert_eq!(to, hand);
    }
}

#[test]
fn stencil_line() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let n = inputs.below(40);
        let line = make_layout((n,), (Int,));
        let (mut to, from) = (many(&mut inputs, line), many(&mut inputs, line));
        let mut hand = to.clone();
        let of_from = Tensor::new(&from[..], line).expect("long enough");
        stencil_line_layout(&mut Tensor::new(&mut to[..], line).expect("long enough"), &of_from);
        let plain = |data| Plain { data, extents: [n], strides: [1] };
        unsafe { stencil_line_hand(&mut plain(place_mut(&mut hand)), &plain(place(&from))) };
        assert_eq!(to, hand);
    }
}

#[test]
fn stencil_static() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (mut to, from) = (numbers::<64>(&mut inputs), numbers::<64>(&mut inputs));
        let mut hand = to;
        stencil_static_layout(&mut to, &from);
        stencil_static_hand(&mut hand, &from);
        assert_eq!(to, hand);
    }
}
