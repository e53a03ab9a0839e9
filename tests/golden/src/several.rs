//! Walks over several tensors together, and over windows.

use crate::tensors::{Matrix, Padded, Plain};
use crate::walks::{Columns, Tall, differ};
use crate::{at, at_mut};
use layout_core::number::Keep;
use layout_core::{Int, Strided, Tensor, View, ViewMut};
use core::ptr::NonNull;

pub type Wide = Strided<(usize, usize), (usize, Int<1>)>;
pub type Square = Strided<(Int<8>, Int<8>), (Int<1>, Int<8>)>;
pub type Places = Strided<(Int<6>, Int<6>), (Int<1>, Int<6>)>;
pub type Taps = Strided<(Int<3>, Int<3>), (Int<1>, Int<3>)>;

#[unsafe(no_mangle)]
pub fn dot_static_layout(a: &[f32; 35], b: &[f32; 32]) -> f32 {
    let (Ok(a), Ok(b)) = (Tensor::new(a, Padded::default()), Tensor::new(b, Columns::default())) else { return 0.0 };
    let mut sum = 0.0;
    a.zip(&b, |x, y| sum += x * y);
    sum
}

#[unsafe(no_mangle)]
pub fn dot_static_hand(a: &[f32; 35], b: &[f32; 32]) -> f32 {
    let (a, b) = (NonNull::from(a).cast::<f32>(), NonNull::from(b).cast::<f32>());
    sum!(i in 0..4, j in 0..8 => unsafe { at(a, i * 9 + j) * at(b, i + j * 4) })
}

#[unsafe(no_mangle)]
pub fn three_static_layout(to: &mut [f32; 35], a: &[f32; 32], b: &[f32; 35]) {
    let (Ok(mut to), Ok(a), Ok(b)) =
        (Tensor::new(to, Padded::default()), Tensor::new(a, Columns::default()), Tensor::new(b, Padded::default()))
    else {
        return;
    };
    to.zip_mut((&a, &b), |x, (y, z)| *x += y * z);
}

#[unsafe(no_mangle)]
pub fn three_static_hand(to: &mut [f32; 35], a: &[f32; 32], b: &[f32; 35]) {
    let (to, a, b) = (NonNull::from(to).cast::<f32>(), NonNull::from(a).cast::<f32>(), NonNull::from(b).cast::<f32>());
    for i in 0..4 {
        for j in 0..8 {
            unsafe { *at_mut(to, i * 9 + j) += at(a, i + j * 4) * at(b, i * 9 + j) }
        }
    }
}

// A walk over rows and columns together with columns. The extents are compared once.
#[unsafe(no_mangle)]
pub fn three_runtime_layout(to: &mut ViewMut<f32, Matrix>, a: &View<f32, Wide>, b: &View<f32, Matrix>) {
    to.zip_mut((a, b), |x, (y, z)| *x += y * z);
}

#[unsafe(no_mangle)]
pub unsafe fn three_runtime_hand(to: &mut Plain<2>, a: &Plain<2>, b: &Plain<2>) {
    let [m, n] = to.extents;
    if a.extents != [m, n] || b.extents != [m, n] {
        differ(m, n)
    }
    for j in 0..n {
        for i in 0..m {
            unsafe { *at_mut(to.data, i + j * to.strides[1]) += a.at(i * a.strides[0] + j) * b.at(i + j * b.strides[1]) }
        }
    }
}

#[unsafe(no_mangle)]
pub fn dot_three_runtime_layout(a: &View<f32, Matrix>, b: &View<f32, Matrix>, c: &View<f32, Matrix>) -> f32 {
    let mut sum = 0.0;
    a.zip((b, c), |x, (y, z)| sum += x * y * z);
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn dot_three_runtime_hand(a: &Plain<2>, b: &Plain<2>, c: &Plain<2>) -> f32 {
    if a.extents != b.extents || a.extents != c.extents {
        differ(a.extents[0], b.extents[0])
    }
    sum!(j in 0..a.extents[1], i in 0..a.extents[0] => unsafe { a.at(i + j * a.strides[1]) * b.at(i + j * b.strides[1]) * c.at(i + j * c.strides[1]) })
}

#[unsafe(no_mangle)]
pub fn five_static_layout(to: &mut [f32; 35], a: &[f32; 32], b: &[f32; 35], c: &[f32; 32], d: &[f32; 35]) {
    let Ok(mut to) = Tensor::new(to, Padded::default()) else { return };
    let (Ok(a), Ok(b)) = (Tensor::new(a, Columns::default()), Tensor::new(b, Padded::default())) else { return };
    let (Ok(c), Ok(d)) = (Tensor::new(c, Columns::default()), Tensor::new(d, Padded::default())) else { return };
    to.zip_mut((&a, &b, &c, &d), |x, (p, q, r, s)| *x += p * q + r * s);
}

#[unsafe(no_mangle)]
pub fn five_static_hand(to: &mut [f32; 35], a: &[f32; 32], b: &[f32; 35], c: &[f32; 32], d: &[f32; 35]) {
    let (to, a, b) = (NonNull::from(to).cast::<f32>(), NonNull::from(a).cast::<f32>(), NonNull::from(b).cast::<f32>());
    let (c, d) = (NonNull::from(c).cast::<f32>(), NonNull::from(d).cast::<f32>());
    for i in 0..4 {
        for j in 0..8 {
            let (tall, wide) = (i + j * 4, i * 9 + j);
            unsafe { *at_mut(to, wide) += at(a, tall) * at(b, wide) + at(c, tall) * at(d, wide) }
        }
    }
}

// Means of the neighbourhoods.
#[unsafe(no_mangle)]
pub fn windows_static_layout(to: &mut [f32; 36], from: &[f32; 64]) {
    let (Ok(mut to), Ok(from)) = (Tensor::new(to, Places::default()), Tensor::new(from, Square::default())) else { return };
    let Ok(windows) = from.windows((Int::<3>, Int::<3>)) else { return };
    to.for_each_indexed_mut(|[x, y], mean| {
        let mut sum = 0.0;
        windows.slice(((Keep, Keep), (x, y))).for_each(|x| sum += x);
        *mean = sum;
    });
}

#[unsafe(no_mangle)]
pub fn windows_static_hand(to: &mut [f32; 36], from: &[f32; 64]) {
    let (to, from) = (NonNull::from(to).cast::<f32>(), NonNull::from(from).cast::<f32>());
    for y in 0..6 {
        for x in 0..6 {
            unsafe { *at_mut(to, x + y * 6) = sum!(j in 0..3, i in 0..3 => *at(from, x + y * 8 + i + j * 8)) }
        }
    }
}

// Every window, one after the other. There is none if the tensor is smaller.
#[unsafe(no_mangle)]
pub fn windows_walk_layout(t: &View<f32, Tall>) -> f32 {
    let mut sum = 0.0;
    if let Ok(windows) = t.windows((Int::<3>, Int::<3>)) {
        windows.for_each(|x| sum += x);
    }
    sum
}

/// Returns true if all windows of 3 by 3 together may have more coordinates than can be counted.
#[inline(always)]
fn too_many(rows: usize) -> bool {
    rows.wrapping_mul(8) > isize::MAX as usize / 9
}

#[unsafe(no_mangle)]
pub unsafe fn windows_walk_hand(t: &Plain<1>) -> f32 {
    if t.extents[0] < 3 || too_many(t.extents[0]) {
        return 0.0;
    }
    sum!(y in 0..6, j in 0..3, x in 0..t.extents[0] - 2, i in 0..3 => unsafe { t.at(i + j * t.strides[0] + x + y * t.strides[0]) })
}

// The energy of a convolution: each window is a slice at its position.
#[unsafe(no_mangle)]
pub fn windows_taps_layout(t: &View<f32, Tall>, taps: &[f32; 9]) -> f32 {
    let mut energy = 0.0;
    if let (Ok(windows), Ok(taps)) = (t.windows((Int::<3>, Int::<3>)), Tensor::new(taps, Taps::default())) {
        let (_, (m, _)): ((usize, usize), (usize, usize)) = windows.shape();
        for y in 0..6 {
            for x in 0..m {
                let mut sum = 0.0;
                windows.slice(((Keep, Keep), (x, y))).zip(&taps, |x, tap| sum += x * tap);
                energy += sum * sum;
            }
        }
    }
    energy
}

#[unsafe(no_mangle)]
pub unsafe fn windows_taps_hand(t: &Plain<1>, taps: &[f32; 9]) -> f32 {
    if t.extents[0] < 3 || too_many(t.extents[0]) {
        return 0.0;
    }
    let taps = NonNull::from(taps).cast::<f32>();
    let mut energy = 0.0;
    for y in 0..6 {
        for x in 0..t.extents[0] - 2 {
            let place = x + y * t.strides[0];
            let sum: f32 = sum!(j in 0..3, i in 0..3 => unsafe { t.at(place + i + j * t.strides[0]) * at(taps, i + j * 3) });
            energy += sum * sum;
        }
    }
    energy
}
