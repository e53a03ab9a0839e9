//! Kernels: values that a layout does not change must be computed before the loop.

use crate::{at, at_mut, split};
use layout_core::number::Keep;
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, TypedLayout, make_layout};
use core::num::NonZeroUsize;
use core::ptr::NonNull;

#[unsafe(no_mangle)]
pub unsafe fn tile_copy_layout(from: NonNull<f32>, to: NonNull<f32>, ld: usize) {
    let a = make_layout((Int::<8>, Int::<4>), (Int::<1>, ld));
    let b = Strided::<(Int<8>, Int<4>), (Int<1>, Int<8>)>::default();
    for j in 0..4 {
        for i in 0..8 {
            unsafe { *at_mut(to, b.crd2idx((i, j))) = *at(from, a.crd2idx((i, j))) }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn tile_copy_hand(from: NonNull<f32>, to: NonNull<f32>, ld: usize) {
    for j in 0..4 {
        for i in 0..8 {
            unsafe { *at_mut(to, i + 8 * j) = *at(from, i + j * ld) }
        }
    }
}

// One loop over the positions of a tile, as in a copy engine.
#[unsafe(no_mangle)]
pub unsafe fn tile_gather_layout(from: NonNull<f32>, to: NonNull<f32>, ld: usize) {
    let a = make_layout((Int::<8>, Int::<4>), (Int::<1>, ld));
    for t in 0..32 {
        unsafe { *at_mut(to, t) = *at(from, a.crd2idx(t)) }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn tile_gather_hand(from: NonNull<f32>, to: NonNull<f32>, ld: usize) {
    for t in 0..32 {
        unsafe { *at_mut(to, t) = *at(from, t % 8 + t / 8 * ld) }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn row_sum_layout(a: NonNull<f32>, m: usize, n: usize, ld: usize, i: usize) -> f32 {
    let (row, start) = make_layout((m, n), (ld, Int::<1>)).slice((i, Keep));
    let mut sum = 0.0;
    for j in 0..n {
        sum += unsafe { *at(a, start + row.crd2idx((j,))) };
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn row_sum_hand(a: NonNull<f32>, m: usize, n: usize, ld: usize, i: usize) -> f32 {
    let row = unsafe { a.add(i * ld) };
    let mut sum = 0.0;
    for j in 0..n {
        sum += unsafe { *at(row, j) };
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn column_sum_layout(a: NonNull<f32>, m: usize, n: usize, ld: usize, j: usize) -> f32 {
    let layout = make_layout((m, n), (ld, Int::<1>));
    let mut sum = 0.0;
    for i in 0..m {
        sum += unsafe { *at(a, layout.crd2idx((i, j))) };
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn column_sum_hand(a: NonNull<f32>, m: usize, n: usize, ld: usize, j: usize) -> f32 {
    let mut sum = 0.0;
    for i in 0..m {
        sum += unsafe { *at(a, i * ld + j) };
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn transpose_layout(from: NonNull<f32>, to: NonNull<f32>, m: usize, n: usize, lda: usize, ldb: usize) {
    let a = make_layout((m, n), (lda, Int::<1>));
    let b = make_layout((m, n), (Int::<1>, ldb));
    for i in 0..m {
        for j in 0..n {
            unsafe { *at_mut(to, b.crd2idx((i, j))) = *at(from, a.crd2idx((i, j))) }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn transpose_hand(from: NonNull<f32>, to: NonNull<f32>, m: usize, n: usize, lda: usize, ldb: usize) {
    for i in 0..m {
        for j in 0..n {
            unsafe { *at_mut(to, i + j * ldb) = *at(from, i * lda + j) }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn product_layout(a: NonNull<f32>, b: NonNull<f32>, c: NonNull<f32>, m: usize, n: usize, k: usize, ld: usize) {
    let la = make_layout((m, k), (ld, Int::<1>));
    let lb = make_layout((k, n), (ld, Int::<1>));
    let lc = make_layout((m, n), (ld, Int::<1>));
    for i in 0..m {
        for j in 0..n {
            let mut sum = 0.0;
            for p in 0..k {
                sum += unsafe { *at(a, la.crd2idx((i, p))) * *at(b, lb.crd2idx((p, j))) };
            }
            unsafe { *at_mut(c, lc.crd2idx((i, j))) = sum }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn product_hand(a: NonNull<f32>, b: NonNull<f32>, c: NonNull<f32>, m: usize, n: usize, k: usize, ld: usize) {
    for i in 0..m {
        for j in 0..n {
            let mut sum = 0.0;
            for p in 0..k {
                sum += unsafe { *at(a, i * ld + p) * *at(b, p * ld + j) };
            }
            unsafe { *at_mut(c, i * ld + j) = sum }
        }
    }
}

// A layout is linear in each coordinate, so the distance to a neighbour is the same everywhere.
#[unsafe(no_mangle)]
pub unsafe fn stencil_layout(from: NonNull<f32>, to: NonNull<f32>, m: usize, n: usize, ld: usize) {
    let a = make_layout((m, n), (ld, Int::<1>));
    let (down, right) = (a.crd2idx((1, 0)), a.crd2idx((0, 1)));
    for i in 1..m - 1 {
        for j in 1..n - 1 {
            let x = a.crd2idx((i, j));
            unsafe {
                *at_mut(to, x) =
                    *at(from, x - down) + *at(from, x + down) + *at(from, x - right) + *at(from, x + right) - 4.0 * *at(from, x)
            }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn stencil_hand(from: NonNull<f32>, to: NonNull<f32>, m: usize, n: usize, ld: usize) {
    for i in 1..m - 1 {
        for j in 1..n - 1 {
            let x = i * ld + j;
            unsafe { *at_mut(to, x) = *at(from, x - ld) + *at(from, x + ld) + *at(from, x - 1) + *at(from, x + 1) - 4.0 * *at(from, x) }
        }
    }
}

/// A matrix, and the number of tiles to visit.
pub struct Tiles {
    pub m: usize,
    pub n: usize,
    pub ld: usize,
}

pub type Columns = Strided<(Dyn<8>, Dyn<4>), (Int<1>, usize)>;
pub type Tiled = layout_core::ops::ZippedDivide<Columns, (Int<8>, Int<4>)>;

// The index of every element from its tile and position, without `hoist`.
#[unsafe(no_mangle)]
pub unsafe fn tiles_sum_layout(a: &Tiled, data: NonNull<f32>, tiles: usize) -> f32 {
    let mut sum = 0.0;
    for b in 0..tiles {
        for t in 0..32 {
            sum += unsafe { *at(data, a.crd2idx((t, b))) };
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn tiles_sum_hand(a: &Tiles, data: NonNull<f32>, tiles: usize) -> f32 {
    let &Tiles { m, n, ld } = a;
    let mut sum = 0.0;
    for b in 0..tiles {
        for t in 0..32 {
            let (bj, bi) = split(b, m / 8);
            sum += unsafe { *at(data, 8 * bi + t % 8 + (4 * bj + t / 8) * ld) };
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn tiles_hoisted_layout(a: &Tiled, data: NonNull<f32>, tiles: usize) -> f32 {
    let a = a.hoist::<8>();
    let mut sum = 0.0;
    for b in 0..tiles {
        for t in 0..32 {
            sum += unsafe { *at(data, a.crd2idx((t, b))) };
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn tiles_hoisted_hand(a: &Tiles, data: NonNull<f32>, tiles: usize) -> f32 {
    let &Tiles { m, n, ld } = a;
    let rows = m / 8;
    let mut sum = 0.0;
    for b in 0..tiles {
        for t in 0..32 {
            let (bj, bi) = split(b, rows);
            sum += unsafe { *at(data, 8 * bi + t % 8 + (4 * bj + t / 8) * ld) };
        }
    }
    sum
}

// One tile at a time: its start is computed before the loop over its elements.
#[unsafe(no_mangle)]
pub unsafe fn tiles_sliced_layout(a: &Tiled, data: NonNull<f32>, tiles: usize) -> f32 {
    let mut sum = 0.0;
    for b in 0..tiles {
        let (tile, start) = a.slice((Keep, b));
        for j in 0..4 {
            for i in 0..8 {
                sum += unsafe { *at(data, start + tile.crd2idx(((i, j),))) };
            }
        }
    }
    sum
}

#[unsafe(no_mangle)]
pub unsafe fn tiles_sliced_hand(a: &Tiles, data: NonNull<f32>, tiles: usize) -> f32 {
    let &Tiles { m, n, ld } = a;
    let mut sum = 0.0;
    for b in 0..tiles {
        let (bj, bi) = split(b, m / 8);
        let tile = unsafe { data.add(8 * bi + 4 * bj * ld) };
        for j in 0..4 {
            for i in 0..8 {
                sum += unsafe { *at(tile, i + j * ld) };
            }
        }
    }
    sum
}

// A copy between two layouts by position.
#[unsafe(no_mangle)]
pub unsafe fn position_copy_layout(from: NonNull<f32>, to: NonNull<f32>, m: NonZeroUsize, lda: usize, ldb: usize) {
    let a = make_layout((m, Int::<16>), (Int::<1>, lda)).hoist::<8>();
    let b = make_layout((m, Int::<16>), (ldb, Int::<1>)).hoist::<8>();
    for x in 0..m.get() * 16 {
        unsafe { *at_mut(to, b.crd2idx(x)) = *at(from, a.crd2idx(x)) }
    }
}

#[unsafe(no_mangle)]
pub unsafe fn position_copy_hand(from: NonNull<f32>, to: NonNull<f32>, m: NonZeroUsize, lda: usize, ldb: usize) {
    for x in 0..m.get() * 16 {
        let (i, j) = (x % m, x / m);
        unsafe { *at_mut(to, i * ldb + j) = *at(from, i + j * lda) }
    }
}
