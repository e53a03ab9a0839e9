//! Kernels on buffers: the functions of every pair write, or sum, the same elements.

use super::{Inputs, place, place_mut};
use crate::loops::*;
use layout_core::{Int, LayoutAlgebra, make_layout};
use std::num::NonZeroUsize;
use std::ptr::NonNull;

/// Fewer rounds than for single indices, because each round visits many elements.
const ROUNDS: usize = 40;

/// Returns small whole numbers, whose sums are exact in any order.
fn numbers(inputs: &mut Inputs, len: usize) -> Vec<f32> {
    (0..len).map(|_| inputs.below(16) as f32).collect()
}

/// Runs both kernels on copies of one output of `len` elements, and compares all elements.
fn same(len: usize, layout: impl Fn(NonNull<f32>), hand: impl Fn(NonNull<f32>)) {
    let (mut a, mut b) = (vec![-1.0; len], vec![-1.0; len]);
    layout(place_mut(&mut a));
    hand(place_mut(&mut b));
    assert_eq!(a, b);
}

#[test]
fn tile_copy() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let ld = 8 + inputs.below(9);
        let from = numbers(&mut inputs, 4 * ld);
        let from = place(&from);
        same(32, |to| unsafe { tile_copy_layout(from, to, ld) }, |to| unsafe { tile_copy_hand(from, to, ld) });
    }
}

#[test]
fn tile_gather() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let ld = 8 + inputs.below(9);
        let from = numbers(&mut inputs, 4 * ld);
        let from = place(&from);
        same(32, |to| unsafe { tile_gather_layout(from, to, ld) }, |to| unsafe { tile_gather_hand(from, to, ld) });
    }
}

#[test]
fn row_sum() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, n) = (1 + inputs.below(20), inputs.below(40));
        let (ld, i) = (n + inputs.below(3), inputs.below(m));
        let a = numbers(&mut inputs, m * ld);
        assert_eq!(unsafe { row_sum_layout(place(&a), m, n, ld, i) }, unsafe { row_sum_hand(place(&a), m, n, ld, i) });
    }
}

#[test]
fn column_sum() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, n) = (inputs.below(40), 1 + inputs.below(20));
        let (ld, j) = (n + inputs.below(3), inputs.below(n));
        let a = numbers(&mut inputs, m * ld);
        assert_eq!(unsafe { column_sum_layout(place(&a), m, n, ld, j) }, unsafe { column_sum_hand(place(&a), m, n, ld, j) });
    }
}

#[test]
fn transpose() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, n) = (inputs.below(20), inputs.below(20));
        let (lda, ldb) = (n + inputs.below(3), m + inputs.below(3));
        let from = numbers(&mut inputs, m * lda);
        let from = place(&from);
        same(n * ldb, |to| unsafe { transpose_layout(from, to, m, n, lda, ldb) }, |to| unsafe { transpose_hand(from, to, m, n, lda, ldb) });
    }
}

#[test]
fn product() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let [m, n, k] = std::array::from_fn(|_| inputs.below(12));
        let ld = n.max(k) + inputs.below(3);
        let (a, b) = (numbers(&mut inputs, m * ld), numbers(&mut inputs, k * ld));
        let (a, b) = (place(&a), place(&b));
        same(m * ld, |c| unsafe { product_layout(a, b, c, m, n, k, ld) }, |c| unsafe { product_hand(a, b, c, m, n, k, ld) });
    }
}

#[test]
fn stencil() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, n) = (2 + inputs.below(20), 2 + inputs.below(20));
        let ld = n + inputs.below(3);
        let from = numbers(&mut inputs, m * ld);
        let from = place(&from);
        same(m * ld, |to| unsafe { stencil_layout(from, to, m, n, ld) }, |to| unsafe { stencil_hand(from, to, m, n, ld) });
    }
}

/// Compares sums over the tiles of matrices of every small size, including empty ones.
fn same_sums(layout: impl Fn(&Tiled, NonNull<f32>, usize) -> f32, hand: impl Fn(&Tiles, NonNull<f32>, usize) -> f32) {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (rows, columns) = (inputs.below(4), inputs.below(4));
        let (m, n) = (8 * rows, 4 * columns);
        let ld = m + inputs.below(3);
        let data = numbers(&mut inputs, n * ld);
        let extents = (layout_core::Dyn::new(m).expect("rows"), layout_core::Dyn::new(n).expect("columns"));
        let a = make_layout(extents, (Int, ld)).zipped_divide((Int, Int));
        let (data, tiles) = (place(&data), rows * columns);
        assert_eq!(layout(&a, data, tiles), hand(&Tiles { m, n, ld }, data, tiles));
    }
}

#[test]
fn tiles_sum() {
    same_sums(|a, data, tiles| unsafe { tiles_sum_layout(a, data, tiles) }, |a, data, tiles| unsafe { tiles_sum_hand(a, data, tiles) });
}

#[test]
fn tiles_hoisted() {
    same_sums(
        |a, data, tiles| unsafe { tiles_hoisted_layout(a, data, tiles) },
        |a, data, tiles| unsafe { tiles_hoisted_hand(a, data, tiles) },
    );
}

#[test]
fn tiles_sliced() {
    same_sums(
        |a, data, tiles| unsafe { tiles_sliced_layout(a, data, tiles) },
        |a, data, tiles| unsafe { tiles_sliced_hand(a, data, tiles) },
    );
}

#[test]
fn position_copy() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let m = NonZeroUsize::MIN.saturating_add(inputs.below(20));
        let (lda, ldb) = (m.get() + inputs.below(3), 16 + inputs.below(3));
        let from = numbers(&mut inputs, 16 * lda);
        let from = place(&from);
        same(
            m.get() * ldb,
            |to| unsafe { position_copy_layout(from, to, m, lda, ldb) },
            |to| unsafe { position_copy_hand(from, to, m, lda, ldb) },
        );
    }
}
