//! Tensors: accesses that check the coordinate, in loops over the shape, and walks over all elements.
//!
//! A twin receives the pointer, the extents and the strides of a checked tensor. It checks a coordinate only where the tensor must.

use crate::{at, at_mut};
use layout_core::layouts::{Hoisted, StaticSwizzle};
use layout_core::ops::ZippedDivide;
use layout_core::{Int, Layout, Owned, Strided, Tensor, View, ViewMut};
use core::ptr::NonNull;

pub type Padded = Strided<(Int<4>, Int<8>), (Int<9>, Int<1>)>;
pub type Rows = Strided<(usize, Int<8>), (usize, Int<1>)>;
pub type Matrix = Strided<(usize, usize), (Int<1>, usize)>;
pub type Cube = Strided<(Int<4>, usize, usize), (Int<1>, usize, usize)>;
pub type Box4 = Strided<(Int<2>, Int<3>, Int<4>, Int<5>), (Int<60>, Int<20>, Int<5>, Int<1>)>;
pub type Run4 = Strided<(usize, usize, usize, usize), (usize, usize, usize, usize)>;
pub type Quads = Hoisted<ZippedDivide<Strided<(Int<32>, usize), (Int<1>, usize)>, (Int<4>,)>, 4>;

/// A tensor of rank `N` as its twin receives it, with the fields in the memory order of a view.
#[repr(C)]
pub struct Plain<const N: usize> {
    pub data: NonNull<f32>,
    pub extents: [usize; N],
    pub strides: [usize; N],
}

impl<const N: usize> Plain<N> {
    #[inline(always)]
    pub unsafe fn at(&self, index: usize) -> f32 {
        unsafe { *at(self.data, index) }
    }
}

#[unsafe(no_mangle)]
pub fn proven_static_layout(data: &[f32; 35]) -> f32 {
    let Ok(t) = Tensor::new(data, Padded::default()) else { return 0.0 };
    sum!(i in 0..4, j in 0..8 => t[(i, j)])
}

#[unsafe(no_mangle)]
pub fn proven_static_hand(data: &[f32; 35]) -> f32 {
    let data = NonNull::from(data).cast::<f32>();
    sum!(i in 0..4, j in 0..8 => unsafe { *at(data, i * 9 + j) })
}

#[unsafe(no_mangle)]
pub fn checked_mixed_layout(t: &View<f32, Rows>) -> f32 {
    let (m, _) = t.layout().shape();
    sum!(i in 0..m, j in 0..8 => t[(i, j)])
}

#[unsafe(no_mangle)]
pub unsafe fn checked_mixed_hand(t: &Plain<1>) -> f32 {
    sum!(i in 0..t.extents[0], j in 0..8 => unsafe { t.at(i * t.strides[0] + j) })
}

#[unsafe(no_mangle)]
pub fn checked_runtime_layout(t: &View<f32, Matrix>) -> f32 {
    let t = *t;
    let (m, n) = t.layout().shape();
    sum!(j in 0..n, i in 0..m => t[(i, j)])
}

#[unsafe(no_mangle)]
pub unsafe fn checked_runtime_hand(t: &Plain<2>) -> f32 {
    sum!(j in 0..t.extents[1], i in 0..t.extents[0] => unsafe { t.at(i + j * t.strides[1]) })
}

#[unsafe(no_mangle)]
pub fn checked_hoisted_layout(t: &View<f32, Quads>) -> f32 {
    let (_, (_, n)): ((usize,), (usize, usize)) = Layout::shape(&t.layout());
    sum!(j in 0..n, b in 0..8, i in 0..4 => t[((i,), (b, j))])
}

#[unsafe(no_mangle)]
pub unsafe fn checked_hoisted_hand(t: &Plain<1>) -> f32 {
    sum!(j in 0..t.extents[0], b in 0..8, i in 0..4 => unsafe { t.at(i + b * 4 + j * t.strides[0]) })
}

#[unsafe(no_mangle)]
pub fn checked_swizzled_layout(data: &[f32; 64], column: usize) -> f32 {
    let layout = StaticSwizzle::<3, 0, 3>.composition(Strided::<(Int<8>, Int<8>), (Int<8>, Int<1>)>::default());
    let Ok(t) = Tensor::new(data, layout) else { return 0.0 };
    sum!(i in 0..8 => t[(i, column % 8)])
}

#[unsafe(no_mangle)]
pub fn checked_swizzled_hand(data: &[f32; 64], column: usize) -> f32 {
    let (data, column) = (NonNull::from(data).cast::<f32>(), column % 8);
    sum!(i in 0..8 => unsafe { *at(data, i * 8 + (column ^ i)) })
}

#[unsafe(no_mangle)]
pub fn element_layout(t: &View<f32, Rows>, i: usize, j: usize) -> Option<f32> {
    t.get((i, j)).copied()
}

#[unsafe(no_mangle)]
pub unsafe fn element_hand(t: &Plain<1>, i: usize, j: usize) -> Option<f32> {
    if i < t.extents[0] && j < 8 { Some(unsafe { t.at(i * t.strides[0] + j) }) } else { None }
}

#[unsafe(no_mangle)]
pub fn walk_static_layout(data: &[f32; 35]) -> f32 {
    let Ok(t) = Tensor::new(data, Padded::default()) else { return 0.0 };
    let mut sum = 0.0;
    t.for_each(|x| sum += x);
    sum
}

#[unsafe(no_mangle)]
pub fn walk_static_hand(data: &[f32; 35]) -> f32 {
    let data = NonNull::from(data).cast::<f32>();
    sum!(i in 0..4, j in 0..8 => unsafe { *at(data, i * 9 + j) })
}

#[unsafe(no_mangle)]
pub fn walk_mixed_layout(t: &View<f32, Rows>) -> f32 {
    let mut sum = 0.0;
    t.for_each(|x| sum += x);
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn walk_mixed_hand(t: &Plain<1>) -> f32 {
    sum!(i in 0..t.extents[0], j in 0..8 => unsafe { t.at(i * t.strides[0] + j) })
}

#[unsafe(no_mangle)]
pub fn walk_cube_layout(t: &View<f32, Cube>) -> f32 {
    let mut sum = 0.0;
    t.for_each(|x| sum += x);
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn walk_cube_hand(t: &Plain<3>) -> f32 {
    let [_, mut m, mut n] = t.extents;
    let [_, mut near, mut far] = t.strides;
    // Make the loop of the shorter run-time step the inner one.
    if far.wrapping_sub(1) < near.wrapping_sub(1) {
        (m, n, near, far) = (n, m, far, near);
    }
    sum!(k in 0..n, j in 0..m, i in 0..4 => unsafe { t.at(i + j * near + k * far) })
}

#[unsafe(no_mangle)]
pub fn walk_four_layout(t: &View<f32, Run4>) -> f32 {
    let mut sum = 0.0;
    t.for_each(|x| sum += x);
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn walk_four_hand(t: &Plain<4>) -> f32 {
    sum!(l in 0..t.extents[3], k in 0..t.extents[2], j in 0..t.extents[1], i in 0..t.extents[0] => unsafe { t.at(l * t.strides[3] + k * t.strides[2] + j * t.strides[1] + i * t.strides[0]) })
}

#[unsafe(no_mangle)]
pub fn sum_static_layout(t: &Owned<f32, Box4, 120>) -> f32 {
    t.iter().fold(0.0, |sum, x| sum + x)
}

#[unsafe(no_mangle)]
pub fn sum_static_hand(data: &[f32; 120]) -> f32 {
    let data = NonNull::from(data).cast::<f32>();
    sum!(l in 0..5, k in 0..4, j in 0..3, i in 0..2 => unsafe { *at(data, i * 60 + j * 20 + k * 5 + l) })
}

#[unsafe(no_mangle)]
pub fn sum_mixed_layout(t: &View<f32, Matrix>) -> f32 {
    t.iter().fold(0.0, |sum, x| sum + x)
}

#[unsafe(no_mangle)]
pub unsafe fn sum_mixed_hand(t: &Plain<2>) -> f32 {
    sum!(j in 0..t.extents[1], i in 0..t.extents[0] => unsafe { t.at(i + j * t.strides[1]) })
}

#[unsafe(no_mangle)]
pub fn fill_mixed_layout(t: &mut ViewMut<f32, Matrix>, value: f32) {
    t.fill(value);
}

#[unsafe(no_mangle)]
pub unsafe fn fill_mixed_hand(t: &mut Plain<2>, value: f32) {
    for j in 0..t.extents[1] {
        for i in 0..t.extents[0] {
            unsafe { *at_mut(t.data, i + j * t.strides[1]) = value }
        }
    }
}
