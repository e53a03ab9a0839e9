//! Folds, broadcasts and stencils.

use crate::several::Square;
use crate::tensors::{Plain, Rows};
use crate::walks::differ;
use crate::{at, at_mut};
use layout_core::number::Keep;
use layout_core::{Int, Strided, Tensor, View, ViewMut};
use core::ptr::NonNull;

pub type Line = Strided<(usize,), (Int<1>,)>;
pub type Eight = Strided<(Int<8>,), (Int<1>,)>;

const THREE: [[isize; 1]; 3] = [[-1], [0], [1]];
const FIVE: [[isize; 2]; 5] = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]];

#[unsafe(no_mangle)]
pub fn fold_rows_layout(t: &View<f32, Rows>) -> f32 {
    t.fold(0.0, |sum, x| sum + x)
}

#[unsafe(no_mangle)]
pub unsafe fn fold_rows_hand(t: &Plain<1>) -> f32 {
    sum!(i in 0..t.extents[0], j in 0..8 => unsafe { t.at(i * t.strides[0] + j) })
}

// A row broadcast to every row. The size of the result is checked once.
#[unsafe(no_mangle)]
pub fn broadcast_rows_layout(to: &mut ViewMut<f32, Rows>, row: &View<f32, Eight>) {
    let rows = to.layout().shape().0;
    to.zip_mut(&row.broadcast((rows, Keep)), |x, y| *x += y);
}

#[unsafe(no_mangle)]
pub unsafe fn broadcast_rows_hand(to: &mut Plain<1>, row: &NonNull<f32>) {
    if to.extents[0] > isize::MAX as usize / 8 {
        differ(to.extents[0], 8)
    }
    for i in 0..to.extents[0] {
        for j in 0..8 {
            unsafe { *at_mut(to.data, i * to.strides[0] + j) += at(*row, j) }
        }
    }
}

// Second differences of a line, except at its ends.
#[unsafe(no_mangle)]
pub fn stencil_line_layout(to: &mut ViewMut<f32, Line>, from: &View<f32, Line>) {
    to.interior_mut(&THREE).zip_mut(&from.neighbours(&THREE), |x, [a, b, c]| *x = a - 2.0 * b + c);
}

#[unsafe(no_mangle)]
pub unsafe fn stencil_line_hand(to: &mut Plain<1>, from: &Plain<1>) {
    let n = to.extents[0];
    if n != from.extents[0] {
        differ(n, from.extents[0])
    }
    for i in 1..n.saturating_sub(1) {
        unsafe { *at_mut(to.data, i) = from.at(i - 1) - 2.0 * from.at(i) + from.at(i + 1) }
    }
}

#[unsafe(no_mangle)]
pub fn stencil_static_layout(to: &mut [f32; 64], from: &[f32; 64]) {
    let (Ok(mut to), Ok(from)) = (Tensor::new(to, Square::default()), Tensor::new(from, Square::default())) else { return };
    to.interior_mut(&FIVE).zip_mut(&from.neighbours(&FIVE), |x, [here, up, down, left, right]| *x = here + (up + down + left + right));
}

#[unsafe(no_mangle)]
pub fn stencil_static_hand(to: &mut [f32; 64], from: &[f32; 64]) {
    let (to, from) = (NonNull::from(to).cast::<f32>(), NonNull::from(from).cast::<f32>());
    for j in 1..7 {
        for i in 1..7 {
            let k = i + 8 * j;
            unsafe { *at_mut(to, k) = at(from, k) + (at(from, k - 1) + at(from, k + 1) + at(from, k - 8) + at(from, k + 8)) }
        }
    }
}
