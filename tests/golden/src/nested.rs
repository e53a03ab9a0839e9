//! Nested shapes: one integer for a tuple of modes, and coordinates computed from integers.

use crate::split;
use layout_core::{Int, Layout, Strided, make_layout};
use core::num::NonZeroUsize;

type Deep<M> = Strided<((M, (Int<2>, Int<4>)), Int<8>), ((Int<1>, (usize, Int<512>)), Int<4096>)>;

#[inline(always)]
fn deep<M: layout_core::layouts::IntTuple>(m: M, s: usize) -> Deep<M> {
    make_layout(((m, (Int, Int)), Int), ((Int, (s, Int)), Int))
}

#[unsafe(no_mangle)]
pub fn deep_matched_layout(m: usize, s: usize, a: usize, b: usize, c: usize, d: usize) -> usize {
    deep(m, s).crd2idx(((a, (b, c)), d))
}

#[unsafe(no_mangle)]
pub fn deep_matched_hand(m: usize, s: usize, a: usize, b: usize, c: usize, d: usize) -> usize {
    a + b * s + c * 512 + d * 4096
}

#[unsafe(no_mangle)]
pub fn deep_inner_layout(m: usize, s: usize, a: usize, b: usize, d: usize) -> usize {
    deep(m, s).crd2idx(((a, b), d))
}

#[unsafe(no_mangle)]
pub fn deep_inner_hand(m: usize, s: usize, a: usize, b: usize, d: usize) -> usize {
    a + b % 2 * s + b / 2 * 512 + d * 4096
}

#[unsafe(no_mangle)]
pub fn deep_modes_layout(m: usize, s: usize, i: usize, d: usize) -> usize {
    deep(m, s).crd2idx((i, d))
}

#[unsafe(no_mangle)]
pub fn deep_modes_hand(m: usize, s: usize, i: usize, d: usize) -> usize {
    let (b, a) = split(i, m);
    a + b % 2 * s + b / 2 * 512 + d * 4096
}

#[unsafe(no_mangle)]
pub fn deep_linear_layout(m: NonZeroUsize, s: usize, i: usize) -> usize {
    deep(m, s).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn deep_linear_hand(m: NonZeroUsize, s: usize, i: usize) -> usize {
    let (b, a) = (i / m, i % m);
    a + b % 2 * s + b / 2 % 4 * 512 + b / 8 * 4096
}

// Two divisions by run-time extents.
#[unsafe(no_mangle)]
pub fn volume_linear_layout(m: usize, n: usize, s: usize, t: usize, i: usize) -> usize {
    make_layout((m, n, Int::<8>), (Int::<1>, s, t)).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn volume_linear_hand(m: usize, n: usize, s: usize, t: usize, i: usize) -> usize {
    let (rest, x) = split(i, m);
    let (z, y) = split(rest, n);
    x + y * s + z * t
}

#[unsafe(no_mangle)]
pub fn volume_nonzero_layout(m: NonZeroUsize, n: NonZeroUsize, s: usize, t: usize, i: usize) -> usize {
    make_layout((m, n, Int::<8>), (Int::<1>, s, t)).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn volume_nonzero_hand(m: NonZeroUsize, n: NonZeroUsize, s: usize, t: usize, i: usize) -> usize {
    let (rest, x) = (i / m, i % m);
    x + rest % n * s + rest / n * t
}

#[unsafe(no_mangle)]
pub fn unravel_static_layout(i: usize) -> (usize, usize) {
    make_layout((Int::<8>, Int::<12>), (Int::<12>, Int::<1>)).idx2crd(i)
}

#[unsafe(no_mangle)]
pub fn unravel_static_hand(i: usize) -> (usize, usize) {
    (i % 8, i / 8)
}

#[unsafe(no_mangle)]
pub fn unravel_mixed_layout(m: usize, ld: usize, i: usize) -> (usize, usize) {
    make_layout((m, Int::<12>), (Int::<1>, ld)).idx2crd(i)
}

#[unsafe(no_mangle)]
pub fn unravel_mixed_hand(m: usize, ld: usize, i: usize) -> (usize, usize) {
    let (column, row) = split(i, m);
    (row, column)
}

#[unsafe(no_mangle)]
pub fn unravel_nested_layout(m: NonZeroUsize, i: usize) -> (usize, (usize, usize)) {
    make_layout((Int::<2>, (m, Int::<4>)), (Int::<1>, (Int::<2>, Int::<6>))).idx2crd(i)
}

#[unsafe(no_mangle)]
pub fn unravel_nested_hand(m: NonZeroUsize, i: usize) -> (usize, (usize, usize)) {
    let rest = i / 2;
    (i % 2, (rest % m, rest / m))
}

// From the position in one layout to the index in another.
#[unsafe(no_mangle)]
pub fn relayout_layout(m: NonZeroUsize, ld: usize, i: usize) -> usize {
    let a = make_layout((m, Int::<12>), (Int::<1>, m));
    let b = make_layout((m, Int::<12>), (ld, Int::<1>));
    b.crd2idx(a.idx2crd(i))
}

#[unsafe(no_mangle)]
pub fn relayout_hand(m: NonZeroUsize, ld: usize, i: usize) -> usize {
    i % m * ld + i / m
}
