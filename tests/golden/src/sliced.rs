//! Slices of layouts: some coordinates are fixed, and some modes selected.

use crate::split;
use layout_core::number::Keep;
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, make_layout};

#[unsafe(no_mangle)]
pub fn row_of_layout(m: usize, ld: usize, i: usize, j: usize) -> usize {
    let (row, start) = make_layout((m, Int::<64>), (Int::<1>, ld)).slice((i, Keep));
    start + row.crd2idx((j,))
}

#[unsafe(no_mangle)]
pub fn row_of_hand(m: usize, ld: usize, i: usize, j: usize) -> usize {
    i + j * ld
}

#[unsafe(no_mangle)]
pub fn thread_of_layout(t: usize, v: usize) -> usize {
    let a = make_layout(((Int::<4>, Int::<8>), (Int::<2>, Int::<16>)), ((Int::<32>, Int::<1>), (Int::<16>, Int::<128>)));
    let (values, start) = a.slice((t, Keep));
    start + values.crd2idx((v,))
}

#[unsafe(no_mangle)]
pub fn thread_of_hand(t: usize, v: usize) -> usize {
    t % 4 * 32 + t / 4 + v % 2 * 16 + v / 2 * 128
}

// The index of element (i, j) of the tile (bi, bj) of a matrix.
#[unsafe(no_mangle)]
pub fn tile_of_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, bi: usize, bj: usize, i: usize, j: usize) -> usize {
    let tiles = make_layout((m, n), (Int::<1>, ld)).zipped_divide((Int::<8>, Int::<4>));
    let (tile, start) = tiles.slice((Keep, (bi, bj)));
    start + tile.crd2idx(((i, j),))
}

#[unsafe(no_mangle)]
pub fn tile_of_hand(m: usize, n: usize, ld: usize, bi: usize, bj: usize, i: usize, j: usize) -> usize {
    8 * bi + i + (4 * bj + j) * ld
}

#[unsafe(no_mangle)]
pub fn fixed_part_layout(m: Dyn<8>, n: Dyn<4>, ld: usize, b: usize) -> usize {
    make_layout((m, n), (Int::<1>, ld)).zipped_divide((Int::<8>, Int::<4>)).slice((Keep, b)).1
}

#[unsafe(no_mangle)]
pub fn fixed_part_hand(m: usize, n: usize, ld: usize, b: usize) -> usize {
    let (bj, bi) = split(b, m / 8);
    8 * bi + 4 * bj * ld
}

type Grouped = Strided<((usize, Int<4>), (usize, Int<2>)), ((Int<1>, usize), (Int<128>, usize))>;

pub struct Pairs {
    pub m: usize,
    pub n: usize,
    pub s: usize,
    pub t: usize,
}

#[unsafe(no_mangle)]
pub fn mode_of_layout(a: &Grouped, j: usize) -> usize {
    a.mode(Int::<1>).crd2idx(j)
}

#[unsafe(no_mangle)]
pub fn mode_of_hand(a: &Pairs, j: usize) -> usize {
    let &Pairs { m, n, s, t } = a;
    let (outer, inner) = split(j, n);
    inner * 128 + outer * t
}

#[unsafe(no_mangle)]
pub fn select_layout(a: &Strided<(Int<4>, usize, usize), (usize, Int<1>, usize)>, i: usize, k: usize) -> usize {
    a.select((Int::<2>, Int::<0>)).crd2idx((k, i))
}

pub struct Volume {
    pub n: usize,
    pub p: usize,
    pub s: usize,
    pub t: usize,
}

#[unsafe(no_mangle)]
pub fn select_hand(a: &Volume, i: usize, k: usize) -> usize {
    let &Volume { n, p, s, t } = a;
    k * t + i * s
}

#[unsafe(no_mangle)]
pub fn grouped_layout(s: usize, t: usize, i: usize, j: usize) -> usize {
    make_layout((Int::<4>, Int::<8>, Int::<3>), (s, Int::<1>, t)).group(Int::<0>, Int::<2>).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn grouped_hand(s: usize, t: usize, i: usize, j: usize) -> usize {
    i % 4 * s + i / 4 + j * t
}

#[unsafe(no_mangle)]
pub fn appended_layout(ld: usize, batch: usize, i: usize, j: usize, b: usize) -> usize {
    let a = make_layout((Int::<16>, Int::<16>), (ld, Int::<1>));
    a.append(make_layout(Int::<4>, batch)).crd2idx((i, j, b))
}

#[unsafe(no_mangle)]
pub fn appended_hand(ld: usize, batch: usize, i: usize, j: usize, b: usize) -> usize {
    i * ld + j + b * batch
}

#[unsafe(no_mangle)]
pub fn dice_layout(m: usize, ld: usize, j: usize) -> usize {
    make_layout((m, Int::<64>), (Int::<1>, ld)).dice((Keep, Int::<0>)).crd2idx((j,))
}

#[unsafe(no_mangle)]
pub fn dice_hand(m: usize, ld: usize, j: usize) -> usize {
    j * ld
}
