//! Functions of layouts in memory, and of arrays of coordinates.

use super::{Inputs, ROUNDS};
use crate::{divided, many_leaves, mixed, sliced, static_};
use layout_core::ops::{TiledDivide, ZippedDivide};
use layout_core::{Int, LayoutAlgebra, Owned, Strided, make_layout};

type Pair = (usize, usize);

fn matrix(inputs: &mut Inputs) -> (Strided<Pair, Pair>, mixed::Matrix) {
    let [rows, columns, row_stride, column_stride] = std::array::from_fn(|_| inputs.any());
    (make_layout((rows, columns), (row_stride, column_stride)), mixed::Matrix { rows, columns, row_stride, column_stride })
}

#[test]
fn stored() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (a, b) = matrix(&mut inputs);
        let (i, j) = (inputs.any(), inputs.any());
        assert_eq!(mixed::stored_layout(&a, i, j), mixed::stored_hand(&b, i, j));
    }
}

#[test]
fn stored_linear() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (a, b) = matrix(&mut inputs);
        let i = inputs.any();
        assert_eq!(mixed::stored_linear_layout(&a, i), mixed::stored_linear_hand(&b, i));
    }
}

type Tiled = ZippedDivide<divided::Columns, divided::Tile>;

fn tiled(inputs: &mut Inputs) -> (Tiled, divided::Matrix) {
    let (m, n, ld) = (inputs.times::<8>(), inputs.times::<4>(), inputs.any());
    let a = make_layout((m, n), (Int::<1>, ld)).zipped_divide((Int, Int));
    (a, divided::Matrix { m: m.get(), n: n.get(), ld })
}

#[test]
fn zipped_stored() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (a, b) = tiled(&mut inputs);
        let (t, x) = (inputs.any(), inputs.any());
        assert_eq!(divided::zipped_stored_layout(&a, t, x), divided::zipped_stored_hand(&b, t, x));
    }
}

#[test]
fn zipped_hoisted() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (a, b) = tiled(&mut inputs);
        let (t, x) = (inputs.any(), inputs.any());
        assert_eq!(divided::zipped_hoisted_layout(&a, t, x), divided::zipped_hoisted_hand(&b, t, x));
    }
}

#[test]
fn zipped_block() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (a, b) = tiled(&mut inputs);
        let (t, x, y) = (inputs.any(), inputs.any(), inputs.any());
        assert_eq!(divided::zipped_block_layout(&a, t, x, y), divided::zipped_block_hand(&b, t, x, y));
    }
}

#[test]
fn tiled_modes() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (a, b) = tiled(&mut inputs);
        let (a, _) = a.operands();
        let a: TiledDivide<divided::Columns, divided::Tile> = a.tiled_divide((Int, Int));
        let (t, x, y) = (inputs.any(), inputs.any(), inputs.any());
        assert_eq!(divided::tiled_modes_layout(&a, t, x, y), divided::tiled_modes_hand(&b, t, x, y));
    }
}

#[test]
fn mode_of() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let [m, n, s, t, j] = std::array::from_fn(|_| inputs.any());
        let a = make_layout(((m, Int), (n, Int)), ((Int, s), (Int, t)));
        assert_eq!(sliced::mode_of_layout(&a, j), sliced::mode_of_hand(&sliced::Pairs { m, n, s, t }, j));
    }
}

#[test]
fn select() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let [n, p, s, t, i, k] = std::array::from_fn(|_| inputs.any());
        let a = make_layout((Int, n, p), (s, Int, t));
        assert_eq!(sliced::select_layout(&a, i, k), sliced::select_hand(&sliced::Volume { n, p, s, t }, i, k));
    }
}

#[test]
fn nine_matched() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let c = std::array::from_fn(|_| inputs.any());
        assert_eq!(many_leaves::nine_matched_layout(&c), many_leaves::nine_matched_hand(&c));
    }
}

#[test]
fn twelve_dynamic() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let [s, t, u]: [[usize; 4]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| inputs.any()));
        let a = make_layout(Default::default(), (s.into(), t.into(), u.into()));
        let b = many_leaves::Strides { s, t, u };
        let [i, j, k] = std::array::from_fn(|_| inputs.any());
        assert_eq!(many_leaves::twelve_dynamic_layout(&a, i, j, k), many_leaves::twelve_dynamic_hand(&b, i, j, k));
    }
}

#[test]
fn sixteen_matched() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let c = std::array::from_fn(|_| inputs.any());
        let (s, t) = (inputs.any(), inputs.any());
        assert_eq!(many_leaves::sixteen_matched_layout(&c, s, t), many_leaves::sixteen_matched_hand(&c, s, t));
    }
}

fn tiles() -> (Owned<f32, static_::Padded, 35>, [f32; 35]) {
    let b = std::array::from_fn(|k| k as f32);
    (Owned::from_array(static_::Padded::default(), b), b)
}

#[test]
fn indexed() {
    let (a, b) = tiles();
    for (i, j) in (0..4).flat_map(|i| (0..8).map(move |j| (i, j))) {
        assert_eq!(static_::indexed_layout(&a, i, j), static_::indexed_hand(&b, i, j));
    }
}

#[test]
fn indexed_at() {
    let (a, b) = tiles();
    for (i, j) in (0..3).flat_map(|i| (0..12).map(move |j| (i, j)).filter(|(i, j)| i * 9 + j < 35)) {
        assert_eq!(static_::indexed_at_layout(&a, i, j), static_::indexed_at_hand(&b, i, j));
    }
}

#[test]
fn indexed_loop() {
    let (a, b) = tiles();
    assert_eq!(static_::indexed_loop_layout(&a), static_::indexed_loop_hand(&b));
}
