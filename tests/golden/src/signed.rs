//! Negative strides, static and at run time.

use crate::split;
use layout_core::number::{Neg, Signed};
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, make_layout};

#[unsafe(no_mangle)]
pub fn reversed_layout(i: usize) -> isize {
    Strided::<Int<64>, Neg<Int<1>>>::default().offset(i)
}

#[unsafe(no_mangle)]
pub fn reversed_hand(i: usize) -> isize {
    -(i as isize)
}

#[unsafe(no_mangle)]
pub fn flipped_layout(m: usize, ld: isize, i: usize, j: usize) -> isize {
    make_layout((m, Int::<64>), (Signed(ld), Neg::<Int<1>>::new())).offset((i, j))
}

#[unsafe(no_mangle)]
pub fn flipped_hand(m: usize, ld: isize, i: usize, j: usize) -> isize {
    i as isize * ld - j as isize
}

#[unsafe(no_mangle)]
pub fn flipped_nested_layout(i: usize) -> isize {
    Strided::<(Int<4>, Int<8>), (Neg<Int<1>>, Neg<Int<16>>)>::default().offset(i)
}

#[unsafe(no_mangle)]
pub fn flipped_nested_hand(i: usize) -> isize {
    -((i % 4 + i / 4 * 16) as isize)
}

#[unsafe(no_mangle)]
pub fn signed_linear_layout(m: usize, s: isize, t: isize, i: usize) -> isize {
    make_layout((m, Int::<8>), (Signed(s), Signed(t))).offset(i)
}

#[unsafe(no_mangle)]
pub fn signed_linear_hand(m: usize, s: isize, t: isize, i: usize) -> isize {
    let (outer, inner) = split(i, m);
    inner as isize * s + outer as isize * t
}

#[unsafe(no_mangle)]
pub fn signed_divided_layout(n: Dyn<8>, s: isize, t: usize, b: usize) -> isize {
    make_layout((n,), (Signed(s),)).zipped_divide((Int::<8>,)).offset((t, b))
}

#[unsafe(no_mangle)]
pub fn signed_divided_hand(n: usize, s: isize, t: usize, b: usize) -> isize {
    (t + 8 * b) as isize * s
}

#[unsafe(no_mangle)]
pub fn signed_rows_layout(ld: isize, t: usize, b: usize) -> isize {
    make_layout((Int::<32>, Int::<16>), (Signed(ld), Int::<1>)).zipped_divide((Int::<8>, Int::<4>)).offset((t, b))
}

#[unsafe(no_mangle)]
pub fn signed_rows_hand(ld: isize, t: usize, b: usize) -> isize {
    (b % 4 * 8 + t % 8) as isize * ld + (b / 4 * 4 + t / 8) as isize
}

#[unsafe(no_mangle)]
pub fn const_signed_layout() -> isize {
    Strided::<(Int<4>, Int<8>), (Neg<Int<1>>, Int<16>)>::default().offset((Int::<3>, Int::<2>))
}

#[unsafe(no_mangle)]
pub fn const_signed_hand() -> isize {
    29
}
