//! Inverses and complements of static layouts, at a run-time index.

use layout_core::ops::{Complement, Composition, LeftInverse, RightInverse};
use layout_core::{Int, Layout, LayoutAlgebra, Strided, make_layout};

type Permutation = Strided<(Int<4>, Int<8>, Int<2>), (Int<16>, Int<2>, Int<1>)>;
type Rows = Strided<(Int<8>, Int<16>), (Int<16>, Int<1>)>;
type Square = Strided<(Int<8>, Int<8>), (Int<8>, Int<1>)>;

// (2,8,4):(32,4,1)
#[unsafe(no_mangle)]
pub fn right_inverse_layout(i: usize) -> usize {
    RightInverse::<Permutation>::default().crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn right_inverse_hand(i: usize) -> usize {
    i % 2 * 32 + i / 2 % 8 * 4 + i / 16
}

// The inverse of a row-major layout: the last digit has stride 1, and the first digits together are one shift.
#[unsafe(no_mangle)]
pub fn transposed_layout(i: usize) -> usize {
    RightInverse::<Rows>::default().crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn transposed_hand(i: usize) -> usize {
    i % 16 * 8 + i / 16
}

// Columns of 4 in steps of 5: element 4 of each is padding.
#[unsafe(no_mangle)]
pub fn left_inverse_layout(i: usize) -> usize {
    LeftInverse::<Strided<(Int<4>, Int<8>), (Int<1>, Int<5>)>>::default().crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn left_inverse_hand(i: usize) -> usize {
    i % 5 + i / 5 * 4
}

// From an index of one layout to the index of the same element in another.
#[unsafe(no_mangle)]
pub fn reindexed_layout(ld: usize, i: usize) -> usize {
    let to = make_layout((Int::<8>, Int::<16>), (Int::<1>, ld));
    to.composition(RightInverse::<Rows>::default()).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn reindexed_hand(ld: usize, i: usize) -> usize {
    i % 16 * ld + i / 16
}

#[unsafe(no_mangle)]
pub fn reindexed_static_layout(i: usize) -> usize {
    Composition::<Permutation, RightInverse<Square>>::default().crd2idx(i)
}

// Row r = i / 8 and column c = i % 8 are at position r + 8 c of the square, so the digits of the permutation are those of r, then of c.
#[unsafe(no_mangle)]
pub fn reindexed_static_hand(i: usize) -> usize {
    let (c, r) = (i % 8, i / 8);
    r % 4 * 16 + r / 4 * 2 + c % 4 * 4 + c / 4
}

// The complement of (4,8):(1,16) in 0..256 is (4,2):(4,128).
#[unsafe(no_mangle)]
pub fn complement_layout(i: usize) -> usize {
    Complement::<Strided<(Int<4>, Int<8>), (Int<1>, Int<16>)>, Int<256>>::default().crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn complement_hand(i: usize) -> usize {
    i % 4 * 4 + i / 4 * 128
}

#[unsafe(no_mangle)]
pub fn const_inverse_layout() -> usize {
    RightInverse::<Permutation>::default().crd2idx(Int::<21>)
}

#[unsafe(no_mangle)]
pub fn const_inverse_hand() -> usize {
    32 + 2 * 4 + 1
}
