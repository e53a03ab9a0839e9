//! Layouts cut into tiles. The run-time extents and strides of the rest follow from those of the whole.

use crate::split;
use layout_core::ops::{LogicalDivide, TiledDivide, ZippedDivide};
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, TypedLayout, make_layout};

pub type Columns = Strided<(Dyn<8>, Dyn<4>), (Int<1>, usize)>;
pub type Tile = (Int<8>, Int<4>);
type Static = Strided<(Int<32>, Int<16>), (Int<1>, Int<32>)>;

pub struct Matrix {
    pub m: usize,
    pub n: usize,
    pub ld: usize,
}

#[unsafe(no_mangle)]
pub fn logical_matched_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, i: usize, bi: usize, j: usize, bj: usize) -> usize {
    make_layout((m, n), (Int::<1>, ld)).logical_divide((Int::<8>, Int::<4>)).crd2idx(((i, bi), (j, bj)))
}

#[unsafe(no_mangle)]
pub fn logical_matched_hand(m: usize, n: usize, ld: usize, i: usize, bi: usize, j: usize, bj: usize) -> usize {
    8 * bi + i + (4 * bj + j) * ld
}

#[unsafe(no_mangle)]
pub fn logical_modes_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, i: usize, j: usize) -> usize {
    make_layout((m, n), (Int::<1>, ld)).logical_divide((Int::<8>, Int::<4>)).crd2idx((i, j))
}

// In each mode, the tiles continue one another.
#[unsafe(no_mangle)]
pub fn logical_modes_hand(m: usize, n: usize, ld: usize, i: usize, j: usize) -> usize {
    i + j * ld
}

#[unsafe(no_mangle)]
pub fn zipped_matched_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, i: usize, j: usize, bi: usize, bj: usize) -> usize {
    make_layout((m, n), (Int::<1>, ld)).zipped_divide((Int::<8>, Int::<4>)).crd2idx(((i, j), (bi, bj)))
}

#[unsafe(no_mangle)]
pub fn zipped_matched_hand(m: usize, n: usize, ld: usize, i: usize, j: usize, bi: usize, bj: usize) -> usize {
    8 * bi + i + (4 * bj + j) * ld
}

#[unsafe(no_mangle)]
pub fn zipped_modes_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, t: usize, b: usize) -> usize {
    make_layout((m, n), (Int::<1>, ld)).zipped_divide((Int::<8>, Int::<4>)).crd2idx((t, b))
}

#[unsafe(no_mangle)]
pub fn zipped_modes_hand(m: usize, n: usize, ld: usize, t: usize, b: usize) -> usize {
    let (bj, bi) = split(b, m / 8);
    8 * bi + t % 8 + (4 * bj + t / 8) * ld
}

#[unsafe(no_mangle)]
pub fn zipped_stored_layout(a: &ZippedDivide<Columns, Tile>, t: usize, b: usize) -> usize {
    a.crd2idx((t, b))
}

#[unsafe(no_mangle)]
pub fn zipped_stored_hand(a: &Matrix, t: usize, b: usize) -> usize {
    let &Matrix { m, n, ld } = a;
    let (bj, bi) = split(b, m / 8);
    8 * bi + t % 8 + (4 * bj + t / 8) * ld
}

#[unsafe(no_mangle)]
pub fn zipped_hoisted_layout(a: &ZippedDivide<Columns, Tile>, t: usize, b: usize) -> usize {
    a.hoist::<8>().crd2idx((t, b))
}

#[unsafe(no_mangle)]
pub fn zipped_hoisted_hand(a: &Matrix, t: usize, b: usize) -> usize {
    let &Matrix { m, n, ld } = a;
    let (bj, bi) = split(b, m / 8);
    8 * bi + t % 8 + (4 * bj + t / 8) * ld
}

#[unsafe(no_mangle)]
pub fn zipped_block_layout(a: &ZippedDivide<Columns, Tile>, t: usize, bi: usize, bj: usize) -> usize {
    a.crd2idx((t, (bi, bj)))
}

#[unsafe(no_mangle)]
pub fn zipped_block_hand(a: &Matrix, t: usize, bi: usize, bj: usize) -> usize {
    let &Matrix { m, n, ld } = a;
    8 * bi + t % 8 + (4 * bj + t / 8) * ld
}

#[unsafe(no_mangle)]
pub fn tiled_modes_layout(a: &TiledDivide<Columns, Tile>, t: usize, bi: usize, bj: usize) -> usize {
    a.crd2idx((t, bi, bj))
}

#[unsafe(no_mangle)]
pub fn tiled_modes_hand(a: &Matrix, t: usize, bi: usize, bj: usize) -> usize {
    let &Matrix { m, n, ld } = a;
    8 * bi + t % 8 + (4 * bj + t / 8) * ld
}

#[unsafe(no_mangle)]
pub fn flat_divided_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, i: usize, j: usize, bi: usize, bj: usize) -> usize {
    make_layout((m, n), (Int::<1>, ld)).flat_divide((Int::<8>, Int::<4>)).crd2idx((i, j, bi, bj))
}

#[unsafe(no_mangle)]
pub fn flat_divided_hand(m: usize, n: usize, ld: usize, i: usize, j: usize, bi: usize, bj: usize) -> usize {
    8 * bi + i + (4 * bj + j) * ld
}

#[unsafe(no_mangle)]
pub fn rows_divided_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, t: usize, b: usize) -> usize {
    make_layout((m, n), (ld, Int::<1>)).zipped_divide((Int::<8>, Int::<4>)).crd2idx((t, b))
}

#[unsafe(no_mangle)]
pub fn rows_divided_hand(m: usize, n: usize, ld: usize, t: usize, b: usize) -> usize {
    let (bj, bi) = split(b, m / 8);
    (8 * bi + t % 8) * ld + 4 * bj + t / 8
}

#[unsafe(no_mangle)]
pub fn vector_divided_layout(n: Dyn<128>, t: usize, b: usize) -> usize {
    make_layout((n,), (Int::<1>,)).zipped_divide((Int::<128>,)).crd2idx((t, b))
}

#[unsafe(no_mangle)]
pub fn vector_divided_hand(n: usize, t: usize, b: usize) -> usize {
    t + 128 * b
}

#[unsafe(no_mangle)]
pub fn static_logical_layout(i: usize, j: usize) -> usize {
    LogicalDivide::<Static, Tile>::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn static_logical_hand(i: usize, j: usize) -> usize {
    i + 32 * j
}

#[unsafe(no_mangle)]
pub fn static_zipped_layout(t: usize, b: usize) -> usize {
    ZippedDivide::<Static, Tile>::default().crd2idx((t, b))
}

#[unsafe(no_mangle)]
pub fn static_zipped_hand(t: usize, b: usize) -> usize {
    t % 8 + t / 8 * 32 + b % 4 * 8 + b / 4 * 128
}

#[unsafe(no_mangle)]
pub fn const_divided_layout() -> usize {
    ZippedDivide::<Static, Tile>::default().crd2idx(((Int::<3>, Int::<2>), Int::<7>))
}

#[unsafe(no_mangle)]
pub fn const_divided_hand() -> usize {
    3 + 2 * 32 + 3 * 8 + 128
}

// Every fourth element belongs to a tile; the elements between are the first digit of the rest.
#[unsafe(no_mangle)]
pub fn strided_tile_layout(t: usize, b: usize) -> usize {
    make_layout(Int::<256>, Int::<1>).logical_divide(make_layout(Int::<8>, Int::<4>)).crd2idx((t, b))
}

#[unsafe(no_mangle)]
pub fn strided_tile_hand(t: usize, b: usize) -> usize {
    4 * t + b % 4 + b / 4 * 32
}

#[unsafe(no_mangle)]
pub fn divided_twice_layout(m: Dyn<64>, ld: usize, w: usize, t: usize, b: usize) -> usize {
    let tiles = make_layout((m, Int::<32>), (Int::<1>, ld)).tiled_divide((Int::<64>, Int::<32>));
    tiles.mode(Int::<0>).zipped_divide((Int::<16>, Int::<8>)).crd2idx((t, w)) + tiles.crd2idx((0, b, 0))
}

#[unsafe(no_mangle)]
pub fn divided_twice_hand(m: usize, ld: usize, w: usize, t: usize, b: usize) -> usize {
    64 * b + w % 4 * 16 + t % 16 + (w / 4 * 8 + t / 16) * ld
}
