//! A matrix product as fast libraries do it on a CPU: blocks that fit the caches, packed into panels that the kernel reads front to back, and a
//! tile of the result in registers: `cargo run --release --example packed_gemm`.

use crd2idx::prelude::*;
use crd2idx::{Align64, Aligned, Boxed, Tile, Window};
use multiversion::multiversion;
use multiversion::target::match_target;
use std::ops::{Add, AddAssign, Mul};

/// How much of the operands is packed at a time: a panel of B for the first cache, a block of A for the second, a block of B for the third.
#[derive(Clone, Copy)]
pub struct Blocking {
    /// Rows of A and C,
    pub rows: usize,
    /// columns of B and C,
    pub columns: usize,
    /// columns of A, rows of B.
    pub depth: usize,
}

/// Larger than any matrix: a mode that is not cut.
const WHOLE: usize = usize::MAX;

/// A number that can be multiplied, and the tile of the result that fits the registers.
pub trait Element: Copy + Default + Send + Sync + Add<Output = Self> + AddAssign + Mul<Output = Self> {
    /// Blocks for caches of 48 KiB, 2 MiB and some MiB: of the first a panel of B takes two thirds.
    const BLOCKING: Blocking;

    /// `self * b + c`, rounded once.
    fn fused(self, b: Self, c: Self) -> Self;

    /// `c += a b`, compiled for what the processor that runs can do; `c` is known to be injective.
    fn product<A: Layout, B: Layout, C: Layout>(blocking: Blocking, a: View<Self, A>, b: View<Self, B>, c: ViewMut<Self, C>);
}

macro_rules! element {
    ($type:ident, $product:ident, $half:literal $narrow:literal $wide:literal, $blocking:expr) => {
        #[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
        fn $product<A: Layout, B: Layout, C: Layout>(blocking: Blocking, a: View<$type, A>, b: View<$type, B>, c: ViewMut<$type, C>) {
            match_target! {
                "x86_64+avx512f" => blocked::<_, _, _, _, 12, $wide, $narrow, true>(blocking, a, b, c),
                "x86_64+avx2+fma" => blocked::<_, _, _, _, 6, $narrow, $half, true>(blocking, a, b, c),
                _ => blocked::<_, _, _, _, 6, $narrow, $half, false>(blocking, a, b, c),
            }
        }

        impl Element for $type {
            const BLOCKING: Blocking = $blocking;

            #[inline(always)]
            fn fused(self, b: $type, c: $type) -> $type {
                self.mul_add(b, c)
            }

            fn product<A: Layout, B: Layout, C: Layout>(blocking: Blocking, a: View<$type, A>, b: View<$type, B>, c: ViewMut<$type, C>) {
                $product(blocking, a, b, c)
            }
        }
    };
}

element!(f32, product_f32, 8 16 32, Blocking { rows: 192, columns: 4096, depth: 256 });
element!(f64, product_f64, 4 8 16, Blocking { rows: 192, columns: 2048, depth: 256 });

/// Steps of the depth that are packed together.
const STEPS: usize = 8;

/// The elements of a tile together, row by row, 0 where it has none.
type Packed<T, const R: usize, const C: usize> = Aligned<[[T; C]; R], Align64>;

// Inlined, so that a function is compiled for the processor of its caller; without optimisation that would only take stack.

/// Copies the tiles of `matrix`, `R` rows and `C` columns each, to `packed`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn pack<T: Element, L: Layout, const R: usize, const C: usize>(matrix: View<T, Window<L, (usize, usize)>>, packed: &mut [Packed<T, R, C>]) {
    for (packed, tile) in packed.iter_mut().zip(matrix.tiles((Int::<R>, Int::<C>))) {
        packed.vector = match tile {
            Tile::Full(tile) => rows_of(tile),
            Tile::Partial(tile) => rows_of(tile),
        };
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn rows_of<T: Element, L: Layout, const R: usize, const C: usize>(tile: View<T, L>) -> [[T; C]; R] {
    let mut rows = [[T::default(); C]; R];
    for (i, row) in rows.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            if let Some(element) = tile.get((i, j)) {
                *x = *element;
            }
        }
    }
    rows
}

/// `sums[i][j]` over the depth of `a[i] b[j]`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn kernel<T: Element, const MR: usize, const NR: usize, const LANES: usize, const FUSED: bool>(
    a: &[Packed<T, MR, STEPS>],
    b: &[Packed<T, STEPS, NR>],
) -> [[[T; LANES]; 2]; MR] {
    const { assert!(NR == 2 * LANES) };
    let step = |a: T, b: T, sum: &mut T| *sum = if FUSED { a.fused(b, *sum) } else { a * b + *sum };
    let mut sums = [[[T::default(); LANES]; 2]; MR];
    for (a, b) in a.iter().zip(b) {
        for (p, b) in b.vector.iter().enumerate() {
            let (low, high) = b.split_at(LANES);
            // The loop that becomes vectors is the outer one, and has both halves: the other way round, which loop the compiler takes for it depends on
            // opt-level and codegen-units.
            for lane in 0..LANES {
                for (sums, a) in sums.iter_mut().zip(&a.vector) {
                    step(a[p], low[lane], &mut sums[0][lane]);
                    step(a[p], high[lane], &mut sums[1][lane]);
                }
            }
        }
    }
    sums
}

/// Adds what the kernel has summed up to the elements that a tile has.
#[cfg_attr(not(debug_assertions), inline(always))]
fn add<T: Element, L: Layout, const LANES: usize>(mut tile: ViewMut<T, L>, sums: &[[[T; LANES]; 2]]) {
    for (i, row) in sums.iter().enumerate() {
        // All loads of a row before its stores, so that they become vectors.
        let mut total = *row;
        for (j, x) in total.as_flattened_mut().iter_mut().enumerate() {
            if tile.contains((i, j)) {
                *x += tile[(i, j)];
            }
        }
        for (j, x) in total.as_flattened().iter().enumerate() {
            if tile.contains((i, j)) {
                tile[(i, j)] = *x;
            }
        }
    }
}

/// `c += a b` for a tile of `c`, whose lines are fetched meanwhile.
#[cfg_attr(not(debug_assertions), inline(always))]
fn accumulate<T: Element, L: Layout, const MR: usize, const NR: usize, const LANES: usize, const FUSED: bool>(
    tile: ViewMut<T, L>,
    a: &[Packed<T, MR, STEPS>],
    b: &[Packed<T, STEPS, NR>],
) {
    for i in 0..MR {
        [0, LANES, NR - 1].into_iter().for_each(|j| tile.prefetch((i, j)));
    }
    add(tile, &kernel::<T, MR, NR, LANES, FUSED>(a, b));
}

/// `c += a b` by blocks, panels and tiles of `MR` by `NR` elements, in vectors of `LANES`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn blocked<T: Element, A: Layout, B: Layout, C: Layout, const MR: usize, const NR: usize, const LANES: usize, const FUSED: bool>(
    blocking: Blocking,
    a: View<T, A>,
    b: View<T, B>,
    mut c: ViewMut<T, C>,
) {
    let Blocking { rows, columns, depth } = blocking;
    let (m, n, k) = (a.layout().mode_size::<0>(), b.layout().mode_size::<1>(), b.layout().mode_size::<0>());
    let steps = depth.min(k).div_ceil(STEPS);
    let mut panels_a = vec![Packed::<T, MR, STEPS>::new([[T::default(); STEPS]; MR]); rows.min(m).div_ceil(MR) * steps];
    let mut panels_b = vec![Packed::<T, STEPS, NR>::new([[T::default(); NR]; STEPS]); columns.min(n).div_ceil(NR) * steps];
    for (b, mut c) in b.blocks((WHOLE, columns)).zip(c.blocks_mut((WHOLE, columns))) {
        for (b, a) in b.blocks((depth, WHOLE)).zip(a.blocks((WHOLE, depth))) {
            let steps = b.layout().mode_size::<0>().div_ceil(STEPS);
            for (panel, b) in panels_b.chunks_exact_mut(steps).zip(b.blocks((WHOLE, NR))) {
                pack(b, panel);
            }
            for (a, mut c) in a.blocks((rows, WHOLE)).zip(c.blocks_mut((rows, WHOLE))) {
                for (panel, a) in panels_a.chunks_exact_mut(steps).zip(a.blocks((MR, WHOLE))) {
                    pack(a, panel);
                }
                for (b, mut c) in panels_b.chunks_exact(steps).zip(c.blocks_mut((WHOLE, NR))) {
                    for (a, tile) in panels_a.chunks_exact(steps).zip(c.tiles_mut((Int::<MR>, Int::<NR>))) {
                        match tile {
                            Tile::Full(tile) => accumulate::<_, _, MR, NR, LANES, FUSED>(tile, a, b),
                            Tile::Partial(tile) => accumulate::<_, _, MR, NR, LANES, FUSED>(tile, a, b),
                        }
                    }
                }
            }
        }
    }
}

/// `c += a b` for `a` of m x k, `b` of k x n and `c` of m x n, of any layouts, on as many threads: each has some rows of `a` and `c`.
///
/// Fails where elements of `c` share their place.
pub fn gemm<T: Element, A: Layout + Send + Sync, B: Layout + Send + Sync, C: Layout + Send>(
    threads: usize,
    a: View<T, A>,
    b: View<T, B>,
    c: ViewMut<T, C>,
) -> Result<(), TensorError> {
    let extents = |(m, n): (usize, usize)| [m, n];
    let ([m, k], [rows, columns], shape) = (extents(a.layout().shape()), extents(b.layout().shape()), extents(c.layout().shape()));
    assert_eq!((k, [m, columns]), (rows, shape), "the shapes of matrices do not fit");
    let mut c = c.injective()?;
    if threads < 2 {
        T::product(T::BLOCKING, a, b, c);
        return Ok(());
    }
    let rows = m.div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let mut parts = a.blocks((rows, WHOLE)).zip(c.blocks_mut((rows, WHOLE)));
        // The first one is this thread's.
        let first = parts.next();
        for (a, c) in parts {
            scope.spawn(move || T::product(T::BLOCKING, a, b, c));
        }
        if let Some((a, c)) = first {
            T::product(T::BLOCKING, a, b, c);
        }
    });
    Ok(())
}

/// Compares with the definition.
fn check<T: Element + PartialEq + From<u8>, A: Layout + Send + Sync, B: Layout + Send + Sync, C: Layout + Send>(
    threads: usize,
    (a, b, c): (A, B, C),
) -> Result<(), TensorError> {
    let numbers = |count: usize, modulus| (0..count).map(|x| T::from((x % modulus) as u8)).collect::<Vec<T>>();
    let (of_a, of_b) = (numbers(a.index_range()?.len(), 7), numbers(b.index_range()?.len(), 5));
    let (a, b) = (Tensor::new(&of_a, a)?, Tensor::new(&of_b, b)?);
    let mut product = Boxed::filled(c, T::from(1))?;
    gemm(threads, a, b, product.view_mut())?;
    let depth = a.layout().mode_size::<1>();
    product.for_each_at(|(i, j): (usize, usize), x| {
        // Small integers: the sums are exact in any order.
        let sum = (0..depth).fold(T::from(1), |sum, p| sum + a[(i, p)] * b[(p, j)]);
        assert!(*x == sum, "({i},{j})");
    });
    Ok(())
}

/// Multiplies matrices of several layouts, with tails, on one and on several threads.
pub fn main() -> Result<(), TensorError> {
    let columns = |m: usize, n: usize| make_layout((m, n), (Int::<1>, m));
    for (m, n, k) in [(4, 8, 16), (37, 21, 50), (1, 1, 1), (8, 3, 0), (50, 40, 400)] {
        check::<f32, _, _, _>(1, (row_major((m, k)), row_major((k, n)), row_major((m, n))))?;
        check::<f64, _, _, _>(2, (columns(m, k), row_major((k, n)), columns(m, n)))?;
        println!("{m} x {k} times {k} x {n}: right");
    }
    // Rows on rows of a swizzled tile, and a nested mode.
    let swizzled = StaticSwizzle::<3, 0, 3>.composition(layout!((64, 8) : (8, 1)));
    let nested = make_layout((8, (Int::<3>, 7)), (21, (Int::<7>, Int::<1>)));
    check::<f32, _, _, _>(3, (swizzled, nested, columns(64, 21)))?;
    println!("a swizzled matrix times a nested one on 3 threads: right");
    Ok(())
}
