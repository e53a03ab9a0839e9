//! XOR strides as leaves of a type: operations of the algebra give shifts, masks and exclusive-ors of the coordinates, without a table.

use layout_core::number::{Keep, Xor};
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, make_layout};

/// `S<3,0,3> o 0 o (8,8):(8,1)`.
type Tile = Strided<(Int<8>, Int<8>), (Xor<9>, Xor<1>)>;

#[unsafe(no_mangle)]
pub fn xor_tile_layout(i: usize, j: usize) -> usize {
    Tile::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn xor_tile_hand(i: usize, j: usize) -> usize {
    (i ^ (i << 3)) ^ j
}

#[unsafe(no_mangle)]
pub fn xor_linear_layout(x: usize) -> usize {
    Tile::default().crd2idx(x)
}

#[unsafe(no_mangle)]
pub fn xor_linear_hand(x: usize) -> usize {
    let (i, j) = (x & 7, x >> 3);
    (i ^ (i << 3)) ^ j
}

#[unsafe(no_mangle)]
pub fn const_xor_layout() -> usize {
    Tile::default().crd2idx((Int::<5>, Int::<2>))
}

#[unsafe(no_mangle)]
pub fn const_xor_hand() -> usize {
    5 ^ 40 ^ 2
}

// S<2,3,3> o 0 o (8,32):(32,1): the lower bits of the row are also shifted down by three, next to the columns.
#[unsafe(no_mangle)]
pub fn xor_swizzle_layout(i: usize, j: usize) -> usize {
    make_layout(((Int::<2>, Int::<4>), Int::<32>), ((Xor::<40>, Xor::<64>), Xor::<1>)).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn xor_swizzle_hand(i: usize, j: usize) -> usize {
    let (low, high) = (i & 1, i >> 1);
    (low << 3) ^ (low << 5) ^ (high << 6) ^ j
}

// A run-time number of tiles at a run-time distance: exchanged inside the tile, summed beyond it.
#[unsafe(no_mangle)]
pub fn xor_ring_layout(stages: usize, pitch: usize, i: usize, j: usize, k: usize) -> usize {
    make_layout((Int::<8>, Int::<8>, stages), (Xor::<9>, Xor::<1>, pitch)).crd2idx((i, j, k))
}

#[unsafe(no_mangle)]
pub fn xor_ring_hand(stages: usize, pitch: usize, i: usize, j: usize, k: usize) -> usize {
    ((i ^ (i << 3)) ^ j).wrapping_add(k.wrapping_mul(pitch))
}

#[unsafe(no_mangle)]
pub fn xor_ring_linear_layout(stages: usize, pitch: usize, x: usize) -> usize {
    make_layout((Int::<8>, Int::<8>, stages), (Xor::<9>, Xor::<1>, pitch)).crd2idx(x)
}

#[unsafe(no_mangle)]
pub fn xor_ring_linear_hand(stages: usize, pitch: usize, x: usize) -> usize {
    let (i, j, k) = (x & 7, (x >> 3) & 7, x >> 6);
    ((i ^ (i << 3)) ^ j).wrapping_add(k.wrapping_mul(pitch))
}

// Two levels of rows; the outer one has a run-time extent.
#[unsafe(no_mangle)]
pub fn xor_rows_layout(rows: Dyn<8>, i: usize, j: usize, k: usize) -> usize {
    make_layout(((Int::<8>, rows), Int::<8>), ((Xor::<9>, Int::<64>), Xor::<1>)).crd2idx(((i, k), j))
}

#[unsafe(no_mangle)]
pub fn xor_rows_hand(rows: usize, i: usize, j: usize, k: usize) -> usize {
    ((i ^ (i << 3)) ^ j).wrapping_add(k << 6)
}

#[unsafe(no_mangle)]
pub fn xor_quarters_layout(i: usize, j: usize, a: usize, b: usize) -> usize {
    Tile::default().zipped_divide((Int::<4>, Int::<4>)).crd2idx(((i, j), (a, b)))
}

#[unsafe(no_mangle)]
pub fn xor_quarters_hand(i: usize, j: usize, a: usize, b: usize) -> usize {
    i ^ (i << 3) ^ j ^ (a << 2) ^ (a << 5) ^ (b << 2)
}

// The index of thread t's element when the tile is read by columns.
#[unsafe(no_mangle)]
pub fn xor_composed_layout(t: usize) -> usize {
    Tile::default().composition(make_layout((Int::<8>, Int::<8>), (Int::<8>, Int::<1>))).crd2idx(t)
}

#[unsafe(no_mangle)]
pub fn xor_composed_hand(t: usize) -> usize {
    let (j, i) = (t & 7, t >> 3);
    j ^ (i ^ (i << 3))
}

// The coordinate that an index belongs to.
#[unsafe(no_mangle)]
pub fn xor_inverse_layout(x: usize) -> usize {
    Tile::default().right_inverse().crd2idx(x)
}

#[unsafe(no_mangle)]
pub fn xor_inverse_hand(x: usize) -> usize {
    let (low, high) = (x & 7, x >> 3);
    (low << 3) ^ (high ^ (high << 3))
}

// One stage of the ring. The bits of the other stages are separate.
#[unsafe(no_mangle)]
pub fn xor_stage_layout(stages: usize, i: usize, j: usize, k: usize) -> usize {
    let ring = make_layout((Int::<8>, Int::<8>, stages), (Xor::<9>, Xor::<1>, Int::<64>));
    let (stage, offset) = ring.slice((Keep, Keep, k));
    stage.crd2idx((i, j)).wrapping_add(offset)
}

#[unsafe(no_mangle)]
pub fn xor_stage_hand(stages: usize, i: usize, j: usize, k: usize) -> usize {
    ((i ^ (i << 3)) ^ j).wrapping_add(k << 6)
}

// The index inside the tile, or 64 outside.
#[unsafe(no_mangle)]
pub fn xor_checked_layout(i: usize, j: usize) -> usize {
    Tile::default().checked_crd2idx((i, j)).unwrap_or(64)
}

#[unsafe(no_mangle)]
pub fn xor_checked_hand(i: usize, j: usize) -> usize {
    if (i < 8) & (j < 8) { (i ^ (i << 3)) ^ j } else { 64 }
}

// An element in 8 rows of 8 vectors of 8; vectors stay whole.
#[unsafe(no_mangle)]
pub unsafe fn xor_load_layout(data: *const f32, row: usize, vector: usize, k: usize) -> f32 {
    let tile = make_layout((Int::<8>, Int::<8>, Int::<8>), (Xor::<72>, Xor::<8>, Int::<1>));
    unsafe { *data.add(tile.crd2idx((row, vector, k))) }
}

#[unsafe(no_mangle)]
pub unsafe fn xor_load_hand(data: *const f32, row: usize, vector: usize, k: usize) -> f32 {
    unsafe { *data.add((((row << 3) ^ (row << 6)) ^ (vector << 3)) + k) }
}
