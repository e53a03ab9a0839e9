//! Layouts with run-time leaves: only the arithmetic on unknown numbers remains.

use crate::split;
use layout_core::ops::{col_major, row_major};
use layout_core::{Int, Layout, Strided, make_layout};
use core::num::NonZeroUsize;

#[unsafe(no_mangle)]
pub fn mixed_layout(m: usize, ld: usize, i: usize, j: usize) -> usize {
    make_layout((m, Int::<64>), (Int::<1>, ld)).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn mixed_hand(m: usize, ld: usize, i: usize, j: usize) -> usize {
    i + j * ld
}

#[unsafe(no_mangle)]
pub fn mixed_linear_layout(m: usize, ld: usize, i: usize) -> usize {
    make_layout((m, Int::<64>), (Int::<1>, ld)).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn mixed_linear_hand(m: usize, ld: usize, i: usize) -> usize {
    let (column, row) = split(i, m);
    row + column * ld
}

#[unsafe(no_mangle)]
pub fn mixed_nonzero_layout(m: NonZeroUsize, ld: usize, i: usize) -> usize {
    make_layout((m, Int::<64>), (Int::<1>, ld)).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn mixed_nonzero_hand(m: NonZeroUsize, ld: usize, i: usize) -> usize {
    i % m + i / m * ld
}

#[unsafe(no_mangle)]
pub fn mixed_half_layout(m: usize, ld: usize, i: usize) -> usize {
    make_layout((m, Int::<64>), (Int::<1>, ld)).crd2idx((i, Int::<5>))
}

#[unsafe(no_mangle)]
pub fn mixed_half_hand(m: usize, ld: usize, i: usize) -> usize {
    i + 5 * ld
}

#[unsafe(no_mangle)]
pub fn rows_layout(m: usize, n: usize, ld: usize, i: usize, j: usize) -> usize {
    make_layout((m, n), (ld, Int::<1>)).crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn rows_hand(m: usize, n: usize, ld: usize, i: usize, j: usize) -> usize {
    i * ld + j
}

#[unsafe(no_mangle)]
pub fn rows_3d_layout(n: usize, p: usize, i: usize, j: usize, k: usize) -> usize {
    row_major((Int::<16>, n, p)).crd2idx((i, j, k))
}

#[unsafe(no_mangle)]
pub fn rows_3d_hand(n: usize, p: usize, i: usize, j: usize, k: usize) -> usize {
    (i * n + j) * p + k
}

#[unsafe(no_mangle)]
pub fn rows_linear_layout(m: NonZeroUsize, n: usize, i: usize) -> usize {
    row_major((m, n)).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn rows_linear_hand(m: NonZeroUsize, n: usize, i: usize) -> usize {
    i % m * n + i / m
}

#[unsafe(no_mangle)]
pub fn columns_linear_layout(m: usize, n: usize, i: usize) -> usize {
    col_major((m, n)).crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn columns_linear_hand(m: usize, n: usize, i: usize) -> usize {
    i
}

#[unsafe(no_mangle)]
pub fn channels_last_layout(h: usize, w: usize, b: usize, y: usize, x: usize, c: usize) -> usize {
    row_major((Int::<8>, h, w, Int::<64>)).crd2idx((b, y, x, c))
}

#[unsafe(no_mangle)]
pub fn channels_last_hand(h: usize, w: usize, b: usize, y: usize, x: usize, c: usize) -> usize {
    ((b * h + y) * w + x) * 64 + c
}

pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub row_stride: usize,
    pub column_stride: usize,
}

#[unsafe(no_mangle)]
pub fn stored_layout(a: &Strided<(usize, usize), (usize, usize)>, i: usize, j: usize) -> usize {
    a.crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn stored_hand(a: &Matrix, i: usize, j: usize) -> usize {
    let &Matrix { rows, columns, row_stride, column_stride } = a;
    i * row_stride + j * column_stride
}

#[unsafe(no_mangle)]
pub fn stored_linear_layout(a: &Strided<(usize, usize), (usize, usize)>, i: usize) -> usize {
    a.crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn stored_linear_hand(a: &Matrix, i: usize) -> usize {
    let &Matrix { rows, columns, row_stride, column_stride } = a;
    let (column, row) = split(i, rows);
    row * row_stride + column * column_stride
}

#[unsafe(no_mangle)]
pub fn size_layout(m: usize, n: usize) -> usize {
    make_layout(((m, Int::<4>), n), ((Int::<4>, Int::<1>), Int::<100>)).size()
}

#[unsafe(no_mangle)]
pub fn size_hand(m: usize, n: usize) -> usize {
    4 * m * n
}

#[unsafe(no_mangle)]
pub fn extent_layout(m: usize, n: usize) -> usize {
    make_layout(((m, Int::<4>), n), ((Int::<4>, Int::<1>), Int::<100>)).mode_size::<0>()
}

#[unsafe(no_mangle)]
pub fn extent_hand(m: usize, n: usize) -> usize {
    4 * m
}

#[unsafe(no_mangle)]
pub fn checked_layout(m: usize, ld: usize, i: usize, j: usize) -> Option<usize> {
    make_layout((m, Int::<64>), (Int::<1>, ld)).checked_crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn checked_hand(m: usize, ld: usize, i: usize, j: usize) -> Option<usize> {
    if i < m && j < 64 { i.checked_add(j.checked_mul(ld)?) } else { None }
}

#[unsafe(no_mangle)]
pub fn checked_linear_layout(m: NonZeroUsize, ld: usize, i: usize) -> Option<usize> {
    make_layout((m, Int::<64>), (Int::<1>, ld)).checked_crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn checked_linear_hand(m: NonZeroUsize, ld: usize, i: usize) -> Option<usize> {
    let column = i / m;
    if column < 64 { (i % m).checked_add(column.checked_mul(ld)?) } else { None }
}

// An empty layout has no coordinates inside.
#[unsafe(no_mangle)]
pub fn checked_guarded_layout(m: usize, ld: usize, i: usize) -> Option<usize> {
    make_layout((m, Int::<64>), (Int::<1>, ld)).checked_crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn checked_guarded_hand(m: usize, ld: usize, i: usize) -> Option<usize> {
    let m = NonZeroUsize::new(m)?;
    let column = i / m;
    if column < 64 { (i % m).checked_add(column.checked_mul(ld)?) } else { None }
}

#[unsafe(no_mangle)]
pub fn checked_columns_layout(m: NonZeroUsize, n: usize, i: usize) -> Option<usize> {
    col_major((m, n)).checked_crd2idx(i)
}

#[unsafe(no_mangle)]
pub fn checked_columns_hand(m: NonZeroUsize, n: usize, i: usize) -> Option<usize> {
    if i / m < n { Some(i) } else { None }
}
