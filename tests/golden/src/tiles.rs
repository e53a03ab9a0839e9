//! Tiles, full and partial, and slices of tensors.

use crate::tensors::{Matrix, Plain};
use crate::{at, at_mut};
use layout_core::layouts::Vectored;
use layout_core::number::Keep;
use layout_core::ops::Composition;
use layout_core::tensor::{Injective, Tile, Window};
use layout_core::{Dyn, Int, Layout, Strided, Tensor, View, ViewMut};
use core::ptr::NonNull;

pub type Tall = Composition<Matrix, (Int<8>, Int<4>)>;
pub type Rest = Window<Strided<(Int<8>, Int<4>), (Int<1>, usize)>, (usize, usize), ()>;

/// The kernel: returns the sum of the elements of a tile of any extents.
#[inline(always)]
fn weigh<L: Layout>(tile: View<f32, L>) -> f32 {
    let mut sum = 0.0;
    tile.for_each(|x| sum += x);
    sum
}

#[unsafe(no_mangle)]
pub fn tile_full_layout(tile: &View<f32, Tall>) -> f32 {
    weigh(*tile)
}

#[unsafe(no_mangle)]
pub unsafe fn tile_full_hand(tile: &Plain<2>) -> f32 {
    sum!(j in 0..4, i in 0..8 => unsafe { tile.at(i + j * tile.strides[1]) })
}

#[unsafe(no_mangle)]
pub fn tile_partial_layout(tile: &View<f32, Rest>) -> f32 {
    weigh(*tile)
}

#[unsafe(no_mangle)]
pub unsafe fn tile_partial_hand(tile: &Plain<2>) -> f32 {
    sum!(j in 0..tile.extents[1], i in 0..tile.extents[0] => unsafe { tile.at(i + j * tile.strides[1]) })
}

// The element at a coordinate of a partial tile, or `None`.
#[unsafe(no_mangle)]
pub fn partial_element_layout(tile: &View<f32, Rest>, i: usize, j: usize) -> Option<f32> {
    tile.get((i, j)).copied()
}

#[unsafe(no_mangle)]
pub unsafe fn partial_element_hand(tile: &Plain<2>, i: usize, j: usize) -> Option<f32> {
    let inside = i < tile.extents[0] && j < tile.extents[1];
    if inside { Some(unsafe { tile.at(i + j * tile.strides[1]) }) } else { None }
}

// The kernel on every tile; partial tiles have fewer elements.
#[unsafe(no_mangle)]
pub fn tiles_tail_layout(t: &mut ViewMut<f32, Injective<Matrix>>, value: f32) {
    t.tiles_mut((Int::<8>, Int::<4>)).for_each(|tile| match tile {
        Tile::Full(mut tile) => tile.fill(value),
        Tile::Partial(mut tile) => tile.fill(value),
    });
}

#[unsafe(no_mangle)]
pub unsafe fn tiles_tail_hand(t: &mut Plain<2>, value: f32) {
    let [m, n] = t.extents;
    for j in 0..n.div_ceil(4) {
        for i in 0..m.div_ceil(8) {
            let (rows, columns) = (8.min(m - i * 8), 4.min(n - j * 4));
            let tile = unsafe { t.data.add(i * 8 + j * 4 * t.strides[1]) };
            if rows == 8 && columns == 4 {
                for j in 0..4 {
                    for i in 0..8 {
                        unsafe { *at_mut(tile, i + j * t.strides[1]) = value }
                    }
                }
            } else {
                for j in 0..columns {
                    for i in 0..rows {
                        unsafe { *at_mut(tile, i + j * t.strides[1]) = value }
                    }
                }
            }
        }
    }
}

// The full tiles.
#[unsafe(no_mangle)]
pub fn tiles_whole_layout(t: &View<f32, Matrix>) -> f32 {
    let mut sum = 0.0;
    t.tiles((Int::<8>, Int::<4>)).full().for_each(|tile| tile.for_each(|x| sum += x));
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn tiles_whole_hand(t: &Plain<2>) -> f32 {
    let mut sum = 0.0;
    for j in 0..t.extents[1] / 4 {
        for i in 0..t.extents[0] / 8 {
            let tile = unsafe { t.data.add(i * 8 + j * 4 * t.strides[1]) };
            for j in 0..4 {
                for i in 0..8 {
                    sum += unsafe { *at(tile, i + j * t.strides[1]) };
                }
            }
        }
    }
    sum
}

// Tiles that are all full: the last ones begin earlier. There are none if the tensor is smaller than one tile.
#[unsafe(no_mangle)]
pub fn tiles_shifted_layout(t: &View<f32, Matrix>) -> f32 {
    let mut sum = 0.0;
    if let Ok(tiles) = t.tiles((Int::<8>, Int::<4>)).shifted() {
        tiles.for_each(|tile| tile.for_each(|x| sum += x));
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn tiles_shifted_hand(t: &Plain<2>) -> f32 {
    let ([m, n], mut sum) = (t.extents, 0.0);
    if m < 8 || n < 4 {
        return sum;
    }
    for j in 0..n.div_ceil(4) {
        for i in 0..m.div_ceil(8) {
            let tile = unsafe { t.data.add((i * 8).min(m - 8) + (j * 4).min(n - 4) * t.strides[1]) };
            for j in 0..4 {
                for i in 0..8 {
                    sum += unsafe { *at(tile, i + j * t.strides[1]) };
                }
            }
        }
    }
    sum
}

// Fills all tiles, the last ones moved inward, one after the other. Returns whether there are any.
#[unsafe(no_mangle)]
pub fn shifted_fill_layout(t: &mut ViewMut<f32, Injective<Matrix>>, value: f32) -> bool {
    t.tiles_mut((Int::<8>, Int::<4>)).for_each_shifted(|mut tile| tile.fill(value)).is_ok()
}

#[unsafe(no_mangle)]
pub unsafe fn shifted_fill_hand(t: &mut Plain<2>, value: f32) -> bool {
    let [m, n] = t.extents;
    if m < 8 || n < 4 {
        return false;
    }
    for j in 0..n.div_ceil(4) {
        for i in 0..m.div_ceil(8) {
            let tile = unsafe { t.data.add((i * 8).min(m - 8) + (j * 4).min(n - 4) * t.strides[1]) };
            for j in 0..4 {
                for i in 0..8 {
                    unsafe { *at_mut(tile, i + j * t.strides[1]) = value }
                }
            }
        }
    }
    true
}

pub type Block = Window<Matrix, (usize, usize)>;

/// A window of a matrix as its twin receives it.
#[repr(C)]
pub struct Part {
    pub data: NonNull<f32>,
    pub ld: usize,
    pub corner: [usize; 2],
    pub extents: [usize; 2],
}

// A block at any position.
#[unsafe(no_mangle)]
pub fn window_walk_layout(t: &View<f32, Block>) -> f32 {
    weigh(*t)
}

#[unsafe(no_mangle)]
pub unsafe fn window_walk_hand(t: &Part) -> f32 {
    let ([first, column], [m, n]) = (t.corner, t.extents);
    sum!(j in 0..n, i in 0..m => unsafe { *at(t.data, first + column * t.ld + j * t.ld + i) })
}

// Each row as a tensor of its own, in a loop that proves that the row exists.
#[unsafe(no_mangle)]
pub fn row_slices_layout(t: &View<f32, Matrix>) -> f32 {
    let t = *t;
    let (m, n) = t.layout().shape();
    let mut sum = 0.0;
    for i in 0..m {
        let row = t.slice((i, Keep));
        for j in 0..n {
            sum += row[(j,)];
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn row_slices_hand(t: &Plain<2>) -> f32 {
    let mut sum = 0.0;
    for i in 0..t.extents[0] {
        let row = unsafe { t.data.add(i) };
        for j in 0..t.extents[1] {
            sum += unsafe { *at(row, j * t.strides[1]) };
        }
    }
    sum
}

/// Adds lane by lane.
#[inline(always)]
fn add(sums: [f32; 4], x: [f32; 4]) -> [f32; 4] {
    [sums[0] + x[0], sums[1] + x[1], sums[2] + x[2], sums[3] + x[3]]
}

// Vectors of a static layout leave nothing to check.
#[unsafe(no_mangle)]
pub fn vectors_static_layout(data: &[f32; 64], sums: &mut [f32; 4]) {
    let Ok(t) = Tensor::new(data, Strided::<(Int<8>, Int<8>), (Int<1>, Int<8>)>::default()) else { return };
    let Ok(vectors) = t.vectors::<4>() else { return };
    for j in 0..8 {
        for i in 0..2 {
            *sums = add(*sums, vectors[(i, j)]);
        }
    }
}

#[unsafe(no_mangle)]
pub fn vectors_static_hand(data: &[f32; 64], sums: &mut [f32; 4]) {
    let data = NonNull::from(data).cast::<[f32; 4]>();
    for j in 0..8 {
        for i in 0..2 {
            *sums = add(*sums, unsafe { *at(data, i + j * 2) });
        }
    }
}

pub type Lanes = Vectored<Strided<(Int<8>, usize), (Int<1>, usize)>, 4>;

#[unsafe(no_mangle)]
pub fn vectors_mixed_layout(t: &View<[f32; 4], Lanes>, sums: &mut [f32; 4]) {
    t.for_each(|x| *sums = add(*sums, *x));
}

#[unsafe(no_mangle)]
pub unsafe fn vectors_mixed_hand(t: &Plain<1>, sums: &mut [f32; 4]) {
    let (data, stride) = (t.data.cast::<[f32; 4]>(), t.strides[0] / 4);
    for j in 0..t.extents[0] {
        for i in 0..2 {
            *sums = add(*sums, unsafe { *at(data, i + j * stride) });
        }
    }
}

pub type Bundles = Vectored<Strided<(Dyn<4>, usize), (Int<1>, Dyn<4>)>, 4>;

#[unsafe(no_mangle)]
pub fn vectors_runtime_layout(t: &View<[f32; 4], Bundles>, sums: &mut [f32; 4]) {
    t.for_each(|x| *sums = add(*sums, *x));
}

#[unsafe(no_mangle)]
pub unsafe fn vectors_runtime_hand(t: &Plain<2>, sums: &mut [f32; 4]) {
    let (data, stride) = (t.data.cast::<[f32; 4]>(), t.strides[1] / 4);
    for j in 0..t.extents[1] {
        for i in 0..t.extents[0] / 4 {
            *sums = add(*sums, unsafe { *at(data, i + j * stride) });
        }
    }
}

// The longest vectors that both layouts allow, moved as a whole.
#[unsafe(no_mangle)]
pub fn vectors_copy_layout(from: &[f32; 64], to: &mut [f32; 92]) {
    let from = Tensor::new(from, Strided::<(Int<8>, Int<8>), (Int<1>, Int<8>)>::default());
    let to = Tensor::new(to, Strided::<(Int<8>, Int<8>), (Int<1>, Int<12>)>::default());
    let (Ok(from), Ok(mut to)) = (from, to) else { return };
    let (Ok(from), Ok(mut to)) = (from.vectors::<4>(), to.vectors_mut::<4>()) else { return };
    to.zip_mut(&from, |x, y| *x = *y);
}

#[unsafe(no_mangle)]
pub fn vectors_copy_hand(from: &[f32; 64], to: &mut [f32; 92]) {
    let (from, to) = (NonNull::from(from).cast::<[f32; 4]>(), NonNull::from(to).cast::<[f32; 4]>());
    for j in 0..8 {
        for i in 0..2 {
            unsafe { *at_mut(to, i + j * 3) = *at(from, i + j * 2) }
        }
    }
}

pub type Whole = Strided<(Dyn<8>, Int<4>), (Int<1>, usize)>;

// Whole tiles that facts prove to be full: the predicate needs no check.
#[unsafe(no_mangle)]
pub fn masked_exact_layout(t: &View<f32, Whole>, g: usize) -> f32 {
    let tiles = t.masked((Int::<8>, Int::<4>));
    sum!(j in 0..4, i in 0..8 => if tiles.in_bounds(((i, j), (g, 0))) { unsafe { *t.get_unchecked((8 * g + i, j)) } } else { 0.0 })
}

#[unsafe(no_mangle)]
pub unsafe fn masked_exact_hand(t: &Plain<2>, g: usize) -> f32 {
    sum!(j in 0..4, i in 0..8 => unsafe { t.at(8 * g + i + j * t.strides[1]) })
}

// One check for each element, of the only mode with partial tiles.
#[unsafe(no_mangle)]
pub fn masked_element_layout(t: &View<f32, Strided<(usize, Int<4>), (Int<1>, usize)>>, g: usize, i: usize) -> bool {
    t.masked((Int::<8>, Int::<4>)).in_bounds(((i, 1), (g, 0)))
}

#[unsafe(no_mangle)]
pub unsafe fn masked_element_hand(t: &Plain<2>, g: usize, i: usize) -> bool {
    8 * g + i < t.extents[0]
}

// The predicate depends on the row alone, so it is computed once for each row.
#[unsafe(no_mangle)]
pub fn masked_rows_layout(t: &View<f32, Strided<(usize, Int<4>), (Int<1>, usize)>>, g: usize) -> f32 {
    let (tiles, mut sum) = (t.masked((Int::<8>, Int::<4>)), 0.0);
    for i in 0..8 {
        if tiles.in_bounds(((i, 0), (g, 0))) {
            for j in 0..4 {
                sum += unsafe { *t.get_unchecked((8 * g + i, j)) };
            }
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn masked_rows_hand(t: &Plain<2>, g: usize) -> f32 {
    let mut sum = 0.0;
    for i in 0..8 {
        if 8 * g + i < t.extents[0] {
            for j in 0..4 {
                sum += unsafe { t.at(8 * g + i + j * t.strides[1]) };
            }
        }
    }
    sum
}

// Tiles that divide a static tensor: the predicate is a constant.
#[unsafe(no_mangle)]
pub fn const_in_bounds_layout(data: &[f32; 128], g: usize, i: usize) -> usize {
    let Ok(t) = Tensor::new(data, Strided::<(Int<16>, Int<8>), (Int<1>, Int<16>)>::default()) else { return 0 };
    t.masked((Int::<8>, Int::<4>)).in_bounds(((i, 1), (g, 1))).into()
}

#[unsafe(no_mangle)]
pub fn const_in_bounds_hand(data: &[f32; 128], g: usize, i: usize) -> usize {
    1
}
