//! Static layouts: the constants fold into shifts, masks and multiplications, or into the answer.

use layout_core::layouts::Const;
use layout_core::ops::crd2idx;
use layout_core::{Int, Layout, Owned, Strided};

type Flat = Strided<(Int<32>, Int<16>), (Int<1>, Int<32>)>;
type Packed = Strided<(Int<3>, Int<4>, Int<5>), (Int<20>, Int<5>, Int<1>)>;
type Nested = Strided<((Int<2>, Int<4>), (Int<3>, Int<5>)), ((Int<3>, Int<6>), (Int<1>, Int<24>))>;
type Empty = Strided<((Int<13>, Int<0>), (Int<14>, Int<0>)), ((Int<14>, Int<182>), (Int<1>, Int<154>))>;

#[unsafe(no_mangle)]
pub fn const_33_layout() -> usize {
    Packed::default().crd2idx((Int::<1>, Int::<2>, Int::<3>))
}

#[unsafe(no_mangle)]
pub fn const_33_hand() -> usize {
    33
}

#[unsafe(no_mangle)]
pub fn const_129_layout() -> usize {
    Nested::default().crd2idx((Int::<11>, Int::<12>))
}

#[unsafe(no_mangle)]
pub fn const_129_hand() -> usize {
    129
}

#[unsafe(no_mangle)]
pub fn const_590_layout() -> usize {
    Empty::default().crd2idx((20, 30))
}

#[unsafe(no_mangle)]
pub fn const_590_hand() -> usize {
    590
}

// Only the literals are static here.
#[unsafe(no_mangle)]
pub fn const_192_layout() -> usize {
    crd2idx((0, 12), (((13, 13), (14, 14)), ((15, 15), (16, 16))))
}

#[unsafe(no_mangle)]
pub fn const_192_hand() -> usize {
    192
}

#[unsafe(no_mangle)]
pub fn const_size_layout() -> usize {
    Nested::default().size()
}

#[unsafe(no_mangle)]
pub fn const_size_hand() -> usize {
    120
}

#[unsafe(no_mangle)]
pub fn const_type_layout() -> usize {
    Const::<Nested, (Int<7>, (Int<2>, Int<4>))>::VALUE
}

#[unsafe(no_mangle)]
pub fn const_type_hand() -> usize {
    3 + 18 + 2 + 96
}

#[unsafe(no_mangle)]
pub fn flat_static_layout(i: usize, j: usize) -> usize {
    Flat::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn flat_static_hand(i: usize, j: usize) -> usize {
    i + 32 * j
}

#[unsafe(no_mangle)]
pub fn packed_static_layout(i: usize, j: usize, k: usize) -> usize {
    Packed::default().crd2idx((i, j, k))
}

#[unsafe(no_mangle)]
pub fn packed_static_hand(i: usize, j: usize, k: usize) -> usize {
    (i * 4 + j) * 5 + k
}

#[unsafe(no_mangle)]
pub fn nested_static_layout(i: usize, j: usize) -> usize {
    Nested::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn nested_static_hand(i: usize, j: usize) -> usize {
    3 * i + j % 3 + j / 3 * 24
}

#[unsafe(no_mangle)]
pub fn matched_static_layout(a: usize, b: usize, c: usize, d: usize) -> usize {
    Nested::default().crd2idx(((a, b), (c, d)))
}

#[unsafe(no_mangle)]
pub fn matched_static_hand(a: usize, b: usize, c: usize, d: usize) -> usize {
    3 * (a + 2 * b + 8 * d) + c
}

#[unsafe(no_mangle)]
pub fn linear_static_layout(i: usize) -> usize {
    Nested::default().crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn linear_static_hand(i: usize) -> usize {
    i % 8 * 3 + i / 8 % 3 + i / 24 * 24
}

#[unsafe(no_mangle)]
pub fn half_static_layout(i: usize) -> usize {
    Nested::default().crd2idx((i, Int::<13>))
}

#[unsafe(no_mangle)]
pub fn half_static_hand(i: usize) -> usize {
    3 * i + 97
}

#[unsafe(no_mangle)]
pub fn empty_static_layout(i: usize, j: usize) -> usize {
    Empty::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn empty_static_hand(i: usize, j: usize) -> usize {
    14 * i + j % 14 + j / 14 * 154
}

// Modes that continue one another need no digit.
#[unsafe(no_mangle)]
pub fn compact_static_layout(i: usize) -> usize {
    Strided::<((Int<2>, Int<3>), Int<4>), ((Int<1>, Int<2>), Int<6>)>::default().crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn compact_static_hand(i: usize) -> usize {
    i
}

#[unsafe(no_mangle)]
pub fn compact_modes_layout(i: usize, j: usize) -> usize {
    Strided::<((Int<2>, Int<4>), (Int<3>, Int<5>)), ((Int<1>, Int<2>), (Int<9>, Int<27>))>::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn compact_modes_hand(i: usize, j: usize) -> usize {
    i + 9 * j
}

#[unsafe(no_mangle)]
pub fn broadcast_static_layout(i: usize, j: usize) -> usize {
    Strided::<(Int<4>, (Int<2>, Int<8>)), (Int<0>, (Int<1>, Int<0>))>::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn broadcast_static_hand(i: usize, j: usize) -> usize {
    j % 2
}

#[unsafe(no_mangle)]
pub fn checked_static_layout(i: usize, j: usize) -> Option<usize> {
    Flat::default().checked_crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn checked_static_hand(i: usize, j: usize) -> Option<usize> {
    if i < 32 && j < 16 { Some(i + 32 * j) } else { None }
}

/// Rows padded to 9.
pub type Padded = Strided<(Int<4>, Int<8>), (Int<9>, Int<1>)>;

// Outside the shape it panics with the coordinate.
#[unsafe(no_mangle)]
pub fn indexed_layout(tile: &Owned<f32, Padded, 35>, i: usize, j: usize) -> f32 {
    tile[(i, j)]
}

#[unsafe(no_mangle)]
pub fn indexed_hand(tile: &[f32; 35], i: usize, j: usize) -> f32 {
    if i < 4 && j < 8 { tile[i * 9 + j] } else { outside(i, j) }
}

/// Panics. The function is public, so that it receives the location of its caller.
#[cold]
#[inline(never)]
#[track_caller]
pub fn outside(i: usize, j: usize) -> ! {
    panic!("({i},{j}) is outside")
}

#[unsafe(no_mangle)]
pub fn indexed_at_layout(tile: &Owned<f32, Padded, 35>, i: usize, j: usize) -> f32 {
    *tile.at((i, j))
}

#[unsafe(no_mangle)]
pub fn indexed_at_hand(tile: &[f32; 35], i: usize, j: usize) -> f32 {
    tile[i * 9 + j]
}

// The loops prove the bounds.
#[unsafe(no_mangle)]
pub fn indexed_loop_layout(tile: &Owned<f32, Padded, 35>) -> f32 {
    let mut sum = 0.0;
    for j in 0..8 {
        for i in 0..4 {
            sum += tile[(i, j)];
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub fn indexed_loop_hand(tile: &[f32; 35]) -> f32 {
    let mut sum = 0.0;
    for j in 0..8 {
        for i in 0..4 {
            sum += tile[i * 9 + j];
        }
    }
    sum
}
