//! Walks over two tensors together, and over elements with their coordinates.

use crate::tensors::{Box4, Matrix, Padded, Plain, Rows};
use crate::{at, at_mut};
use layout_core::{Int, Strided, Tensor, View, ViewMut};
use core::ptr::NonNull;

pub type Columns = Strided<(Int<4>, Int<8>), (Int<1>, Int<4>)>;
pub type Tall = Strided<(usize, Int<8>), (Int<1>, usize)>;

/// Panics for tensors of two shapes.
#[cold]
#[inline(never)]
pub fn differ(ours: usize, theirs: usize) -> ! {
    panic!("{ours} rows and {theirs}")
}

#[unsafe(no_mangle)]
pub fn zip_static_layout(to: &mut [f32; 35], from: &[f32; 32]) {
    let (Ok(mut to), Ok(from)) = (Tensor::new(to, Padded::default()), Tensor::new(from, Columns::default())) else { return };
    to.zip_mut(&from, |x, y| *x += y);
}

#[unsafe(no_mangle)]
pub fn zip_static_hand(to: &mut [f32; 35], from: &[f32; 32]) {
    let (to, from) = (NonNull::from(to).cast::<f32>(), NonNull::from(from).cast::<f32>());
    for i in 0..4 {
        for j in 0..8 {
            unsafe { *at_mut(to, i * 9 + j) += *at(from, i + j * 4) }
        }
    }
}

// In the order of memory, the modes change places.
#[unsafe(no_mangle)]
pub fn near_static_layout(data: &[f32; 35]) -> f32 {
    let Ok(t) = Tensor::new(data, Padded::default()) else { return 0.0 };
    let mut sum = 0.0;
    t.for_each(|x| sum += x);
    sum
}

#[unsafe(no_mangle)]
pub fn near_static_hand(data: &[f32; 35]) -> f32 {
    let data = NonNull::from(data).cast::<f32>();
    sum!(i in 0..4, j in 0..8 => unsafe { *at(data, i * 9 + j) })
}

// Contiguous elements are visited by one loop.
#[unsafe(no_mangle)]
pub fn near_whole_layout(data: &mut [f32; 120], value: f32) {
    let Ok(mut t) = Tensor::new(data, Box4::default()) else { return };
    t.for_each_mut(|x| *x *= value);
}

#[unsafe(no_mangle)]
pub fn near_whole_hand(data: &mut [f32; 120], value: f32) {
    let data = NonNull::from(data).cast::<f32>();
    for k in 0..120 {
        unsafe { *at_mut(data, k) *= value }
    }
}

// Copies columns to rows. The extents are compared once.
#[unsafe(no_mangle)]
pub fn zip_mixed_layout(to: &mut ViewMut<f32, Tall>, from: &View<f32, Rows>) {
    to.zip_mut(from, |x, y| *x = *y);
}

#[unsafe(no_mangle)]
pub unsafe fn zip_mixed_hand(to: &mut Plain<1>, from: &Plain<1>) {
    if to.extents[0] != from.extents[0] {
        differ(to.extents[0], from.extents[0])
    }
    for j in 0..8 {
        for i in 0..to.extents[0] {
            unsafe { *at_mut(to.data, i + j * to.strides[0]) = from.at(i * from.strides[0] + j) }
        }
    }
}

// Elements with their coordinates, which select weights.
#[unsafe(no_mangle)]
pub fn at_static_layout(data: &[f32; 35], rows: &[f32; 4], columns: &[f32; 8]) -> f32 {
    let Ok(t) = Tensor::new(data, Padded::default()) else { return 0.0 };
    let mut sum = 0.0;
    t.for_each_at(|(i, j): (usize, usize), x| sum += x * rows[i] * columns[j]);
    sum
}

#[unsafe(no_mangle)]
pub fn at_static_hand(data: &[f32; 35], rows: &[f32; 4], columns: &[f32; 8]) -> f32 {
    let data = NonNull::from(data).cast::<f32>();
    sum!(i in 0..4, j in 0..8 => unsafe { *at(data, i * 9 + j) } * rows[i] * columns[j])
}

#[unsafe(no_mangle)]
pub fn at_mixed_layout(t: &View<f32, Rows>, columns: &[f32; 8]) -> f32 {
    let mut sum = 0.0;
    t.for_each_at(|(_, j): (usize, usize), x| sum += x * columns[j]);
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn at_mixed_hand(t: &Plain<1>, columns: &[f32; 8]) -> f32 {
    sum!(i in 0..t.extents[0], j in 0..8 => unsafe { t.at(i * t.strides[0] + j) } * columns[j])
}

// The sum above the diagonal.
#[unsafe(no_mangle)]
pub fn at_runtime_layout(t: &View<f32, Matrix>) -> f32 {
    let mut sum = 0.0;
    t.for_each_at(|(i, j): (usize, usize), x| {
        if i < j {
            sum += x;
        }
    });
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn at_runtime_hand(t: &Plain<2>) -> f32 {
    let mut sum = 0.0;
    for j in 0..t.extents[1] {
        for i in 0..t.extents[0] {
            if i < j {
                sum += unsafe { t.at(i + j * t.strides[1]) };
            }
        }
    }
    sum
}

// Writes elements at coordinates that the loops prove to be inside.
#[unsafe(no_mangle)]
pub fn write_mixed_layout(t: &mut ViewMut<f32, Rows>, value: f32) {
    let (m, _) = t.layout().shape();
    for i in 0..m {
        for j in 0..8 {
            t[(i, j)] *= value;
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn write_mixed_hand(t: &mut Plain<1>, value: f32) {
    for i in 0..t.extents[0] {
        for j in 0..8 {
            unsafe { *at_mut(t.data, i * t.strides[0] + j) *= value }
        }
    }
}
