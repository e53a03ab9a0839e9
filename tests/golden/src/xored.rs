//! XOR strides: the shifts and exclusive-ors of the coordinates, without the index of a plain layout in between.

use layout_core::algebra::bits::BitMatrix;
use layout_core::algebra::memory::{Access, swizzle_for};
use layout_core::layouts::{BitMap, Bits, StaticSwizzle, Xored};
use layout_core::number::Keep;
use layout_core::{Dyn, Int, Layout, Strided, make_layout};

type Square = Strided<(Int<8>, Int<8>), (Int<8>, Int<1>)>;
type Tile = Xored<StaticSwizzle<3, 0, 3>, Square>;

// (8,8):(^9,^1)
#[unsafe(no_mangle)]
pub fn xored_modes_layout(i: usize, j: usize) -> usize {
    Tile::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn xored_modes_hand(i: usize, j: usize) -> usize {
    (i ^ (i << 3)) ^ j
}

#[unsafe(no_mangle)]
pub fn xored_linear_layout(x: usize) -> usize {
    Tile::default().crd2idx(x)
}

#[unsafe(no_mangle)]
pub fn xored_linear_hand(x: usize) -> usize {
    let (i, j) = (x & 7, x >> 3);
    (i ^ (i << 3)) ^ j
}

#[unsafe(no_mangle)]
pub fn const_xored_layout() -> usize {
    Tile::default().crd2idx((Int::<5>, Int::<2>))
}

#[unsafe(no_mangle)]
pub fn const_xored_hand() -> usize {
    5 ^ 40 ^ 2
}

// Tiles of 64 elements, one behind another. Bits above the map are summed.
#[unsafe(no_mangle)]
pub fn xored_stages_layout(stages: usize, i: usize, j: usize, k: usize) -> usize {
    Bits::<StaticSwizzle<3, 0, 3>>::NEW
        .composition(make_layout((Int::<8>, Int::<8>, stages), (Int::<8>, Int::<1>, Int::<64>)))
        .crd2idx((i, j, k))
}

#[unsafe(no_mangle)]
pub fn xored_stages_hand(stages: usize, i: usize, j: usize, k: usize) -> usize {
    ((i ^ (i << 3)) ^ j).wrapping_add(k * 64)
}

// The distance is a multiple of the tile.
#[unsafe(no_mangle)]
pub fn xored_pitch_layout(pitch: Dyn<64>, i: usize, j: usize, k: usize) -> usize {
    Bits::<StaticSwizzle<3, 0, 3>>::NEW
        .composition(make_layout((Int::<8>, Int::<8>, Int::<4>), (Int::<8>, Int::<1>, pitch)))
        .crd2idx((i, j, k))
}

#[unsafe(no_mangle)]
pub fn xored_pitch_hand(pitch: usize, i: usize, j: usize, k: usize) -> usize {
    ((i ^ (i << 3)) ^ j).wrapping_add(k * pitch)
}

// Half-precision tiles with rows of 128 bytes; vectors of eight stay whole.
#[unsafe(no_mangle)]
pub fn xored_vectors_layout(row: usize, vector: usize) -> usize {
    let rows = make_layout((Int::<8>, Int::<8>), (Int::<64>, Int::<8>));
    Bits::<StaticSwizzle<3, 3, 3>>::NEW.composition(rows).crd2idx((row, vector))
}

#[unsafe(no_mangle)]
pub fn xored_vectors_hand(row: usize, vector: usize) -> usize {
    ((row << 3) ^ (row << 6)) ^ (vector << 3)
}

/// A map of bits for a tile that is written by rows and read by columns.
#[derive(Clone, Copy, Default)]
pub struct Searched;

impl BitMap for Searched {
    const MATRIX: BitMatrix = swizzle_for("(32,32)", &[("32:32", Access::element(32)), ("32:1", Access::element(32))]).matrix;
}

// Every map that the search finds is shifts and exclusive-ors of a lane.
#[unsafe(no_mangle)]
pub fn const_xored_searched_layout() -> usize {
    Bits::<Searched>::NEW.composition(make_layout((Int::<32>, Int::<32>), (Int::<1>, Int::<32>))).crd2idx((Int::<3>, Int::<3>))
}

#[unsafe(no_mangle)]
pub fn const_xored_searched_hand() -> usize {
    const { Searched::MATRIX.apply(99) as usize }
}

#[unsafe(no_mangle)]
pub fn xored_gray_layout(t: usize) -> usize {
    Bits::<Gray>::NEW.composition(make_layout(Int::<16>, Int::<1>)).crd2idx(t)
}

#[unsafe(no_mangle)]
pub fn xored_gray_hand(t: usize) -> usize {
    t ^ (t << 1)
}

/// A map of bits under which neighbours differ by one bit or two.
#[derive(Clone, Copy, Default)]
pub struct Gray;

impl BitMap for Gray {
    const MATRIX: BitMatrix = match BitMatrix::from_columns(&[3, 6, 12, 24], 5) {
        Some(matrix) => matrix,
        None => panic!("five bits"),
    };
}

// The index of the fixed row is added before the exchange, so the map is applied to the whole index.
#[unsafe(no_mangle)]
pub fn xored_slice_layout(row: usize, j: usize) -> usize {
    Tile::default().slice((row, Keep)).crd2idx((j,))
}

#[unsafe(no_mangle)]
pub fn xored_slice_hand(row: usize, j: usize) -> usize {
    let x = row * 8 + j;
    x ^ ((x >> 3) & 7)
}

// Four quarters of a tile.
#[unsafe(no_mangle)]
pub fn xored_quarters_layout(i: usize, j: usize, a: usize, b: usize) -> usize {
    Tile::default().zipped_divide((Int::<4>, Int::<4>)).crd2idx(((i, j), (a, b)))
}

#[unsafe(no_mangle)]
pub fn xored_quarters_hand(i: usize, j: usize, a: usize, b: usize) -> usize {
    i ^ (i << 3) ^ j ^ (a << 2) ^ (a << 5) ^ (b << 2)
}
