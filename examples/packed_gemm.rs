//! A matrix product as fast CPU libraries compute it: blocks that fit the caches are packed into panels, which the
//! kernel reads front to back. A tile of the result stays in registers: `cargo run --release --example packed_gemm`.

use crd2idx::Boxed;
use crd2idx::parallel::IntoParallel;
use crd2idx::prelude::*;
use crd2idx::tensor::{Align64, AlignedVector, Tile, Window};
use multiversion::multiversion;
use multiversion::target::match_target;
use rayon::prelude::*;
use std::ops::{Add, AddAssign, Mul};

/// The sizes of packed blocks, in elements: a panel of B fits the first cache, a block of A the second, and a block of B
/// the third.
#[derive(Clone, Copy)]
pub struct Blocking {
    /// The number of rows of a block of A and C.
    pub rows: usize,
    /// The number of columns of a block of B and C.
    pub columns: usize,
    /// The number of columns of a block of A and of rows of a block of B.
    pub depth: usize,
}

/// An extent that exceeds every matrix, for a mode that is not divided.
const WHOLE: usize = usize::MAX;

/// A number type, with the tile of the result that fits the registers.
pub trait Element: Copy + Default + Send + Sync + Add<Output = Self> + AddAssign + Mul<Output = Self> {
    /// The blocks for caches of 48 KiB, 2 MiB and some MiB. A panel of B takes two thirds of the first cache.
    const BLOCKING: Blocking;

    /// Returns `self * b + c`, rounded once.
    fn fused(self, b: Self, c: Self) -> Self;

    /// Computes `c += a b` with the best instructions of the processor that runs the program. `c` is injective.
    fn product<A: Matrix, B: Matrix, C: Matrix>(blocking: Blocking, a: View<Self, A>, b: View<Self, B>, c: ViewMut<Self, C>);
}

/// The layout of a matrix that threads share.
pub trait Matrix: Layout + Send + Sync {}
impl<L: Layout + Send + Sync> Matrix for L {}

macro_rules! element {
    ($type:ident, $product:ident, $half:literal $narrow:literal $wide:literal, $blocking:expr) => {
        #[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
        fn $product<A: Matrix, B: Matrix, C: Matrix>(blocking: Blocking, a: View<$type, A>, b: View<$type, B>, c: ViewMut<$type, C>) {
            // The tiles are as large as the registers allow.
            match_target! {
                "x86_64+avx512f" => blocked(blocking, a, b, c, |b, packed| pack(b, packed), |a, rows, b, c| multiply::<_, _, _, 12, $wide, $narrow, true>(a, rows, b, c)),
                "x86_64+avx2+fma" => blocked(blocking, a, b, c, |b, packed| pack(b, packed), |a, rows, b, c| multiply::<_, _, _, 6, $narrow, $half, true>(a, rows, b, c)),
                _ => blocked(blocking, a, b, c, |b, packed| pack(b, packed), |a, rows, b, c| multiply::<_, _, _, 6, $narrow, $half, false>(a, rows, b, c)),
            }
        }

        impl Element for $type {
            const BLOCKING: Blocking = $blocking;

            #[inline(always)]
            fn fused(self, b: $type, c: $type) -> $type {
                self.mul_add(b, c)
            }

            fn product<A: Matrix, B: Matrix, C: Matrix>(blocking: Blocking, a: View<$type, A>, b: View<$type, B>, c: ViewMut<$type, C>) {
                $product(blocking, a, b, c)
            }
        }
    };
}

element!(f32, product_f32, 8 16 32, Blocking { rows: 192, columns: 4096, depth: 256 });
element!(f64, product_f64, 4 8 16, Blocking { rows: 192, columns: 2048, depth: 256 });

/// The number of steps of the depth that are packed together.
pub const STEPS: usize = 8;

/// A block of a matrix of the layout `L`.
pub type Block<L> = Window<L, (usize, usize)>;

/// A block of a block of a block of a matrix of the layout `L`.
pub type Inner<L> = Block<Block<Block<L>>>;

/// The elements of a tile in contiguous memory, row by row; 0 for elements that the tile lacks.
pub type Packed<T, const R: usize, const C: usize> = AlignedVector<[[T; C]; R], Align64>;

// The functions are inlined, so that they are compiled for the processor of their caller. Without optimisation,
// inlining would only cost stack.

/// Appends the tiles of `matrix`, of `R` rows and `C` columns each, to `packed`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn pack<T: Element, L: Layout, const R: usize, const C: usize>(matrix: View<T, Block<L>>, packed: &mut Vec<Packed<T, R, C>>) {
    let tiles = matrix.tiles((Int::<R>, Int::<C>));
    packed.reserve(tiles.len());
    // A loop, not `for_each`: its closure would be compiled for any processor, because this generic function is.
    for tile in tiles {
        packed.push(Packed::new(match tile {
            Tile::Full(tile) => rows_of(tile),
            Tile::Partial(tile) => rows_of(tile),
        }));
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

/// Returns `sums[i][j]`: the sum over the depth of `a[i] b[j]`, for the packed rows `a` and the packed columns `b`.
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
            // The outer loop becomes vectors, and its body covers both halves. In the other order, opt-level and
            // codegen-units decide which loop the compiler vectorises.
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

/// Adds the sums of the kernel to the elements that the tile has; other sums are dropped.
#[cfg_attr(not(debug_assertions), inline(always))]
fn add<T: Element, L: Layout, const LANES: usize>(mut tile: ViewMut<T, L>, sums: &[[[T; LANES]; 2]]) {
    for (i, row) in sums.iter().enumerate() {
        // All loads of a row come before its stores, so that they become vectors.
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

/// Computes `c += a b` for a tile of `c`. The cache lines of the tile are prefetched during the sums.
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

/// Computes `c += a b` for the rows of the block `a`, which it packs into `rows`, and for the packed columns `b`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn multiply<T: Element, A: Layout, C: Layout, const MR: usize, const NR: usize, const LANES: usize, const FUSED: bool>(
    a: View<T, A>,
    rows: &mut Vec<Packed<T, MR, STEPS>>,
    columns: &[Vec<Packed<T, STEPS, NR>>],
    mut c: ViewMut<T, C>,
) {
    rows.clear();
    for a in a.blocks((MR, WHOLE)) {
        pack(a, rows);
    }
    for (b, mut c) in columns.iter().zip(c.blocks_mut((WHOLE, NR))) {
        for (a, tile) in rows.chunks_exact(b.len()).zip(c.tiles_mut((Int::<MR>, Int::<NR>))) {
            match tile {
                Tile::Full(tile) => accumulate::<_, _, MR, NR, LANES, FUSED>(tile, a, b),
                Tile::Partial(tile) => accumulate::<_, _, MR, NR, LANES, FUSED>(tile, a, b),
            }
        }
    }
}

/// Computes `c += a b` by blocks, panels and tiles, on the threads of the current pool. `pack_columns` must call
/// [`pack`], and `multiply_rows` must call [`multiply`]. Both are closures, because a closure is compiled for the
/// processor of the function around it.
pub fn blocked<T: Element, A: Matrix, B: Matrix, C: Matrix, const MR: usize, const NR: usize>(
    blocking: Blocking,
    a: View<T, A>,
    b: View<T, B>,
    mut c: ViewMut<T, C>,
    pack_columns: impl Fn(View<T, Inner<B>>, &mut Vec<Packed<T, STEPS, NR>>) + Sync,
    multiply_rows: impl Fn(View<T, Inner<A>>, &mut Vec<Packed<T, MR, STEPS>>, &[Vec<Packed<T, STEPS, NR>>], ViewMut<T, Inner<C>>) + Sync,
) {
    let (m, n) = (a.layout().mode_size::<0>(), b.layout().mode_size::<1>());
    // Each thread gets the same number of rows, and so does each of its blocks. Both are whole numbers of tiles.
    let share = m.div_ceil(rayon::current_num_threads()).next_multiple_of(MR).max(MR);
    let rows = share.div_ceil(share.div_ceil(blocking.rows)).next_multiple_of(MR);
    let mut packed_rows = vec![Vec::new(); m.div_ceil(share)];
    let mut packed_columns = vec![Vec::new(); n.min(blocking.columns).div_ceil(NR)];
    for (b, mut c) in b.blocks((WHOLE, blocking.columns)).zip(c.blocks_mut((WHOLE, blocking.columns))) {
        for (b, a) in b.blocks((blocking.depth, WHOLE)).zip(a.blocks((WHOLE, blocking.depth))) {
            b.blocks((WHOLE, NR)).into_parallel().zip(&mut packed_columns).for_each(|(b, packed)| {
                packed.clear();
                pack_columns(b, packed);
            });
            let shares = a.blocks((share, WHOLE)).into_parallel().zip(c.blocks_mut((share, WHOLE)).into_parallel());
            shares.zip(&mut packed_rows).for_each(|((a, mut c), packed)| {
                for (a, c) in a.blocks((rows, WHOLE)).zip(c.blocks_mut((rows, WHOLE))) {
                    multiply_rows(a, packed, &packed_columns, c);
                }
            });
        }
    }
}

/// Computes `c += a b` for `a` of m x k, `b` of k x n and `c` of m x n, of any layouts, on the threads of the
/// current rayon pool.
///
/// Fails if two elements of `c` share an index.
pub fn gemm<T: Element, A: Matrix, B: Matrix, C: Matrix>(a: View<T, A>, b: View<T, B>, c: ViewMut<T, C>) -> Result<(), TensorError> {
    let extents = |(m, n): (usize, usize)| [m, n];
    let ([m, k], [rows, columns], shape) = (extents(a.layout().shape()), extents(b.layout().shape()), extents(c.layout().shape()));
    assert_eq!((k, [m, columns]), (rows, shape), "the shapes of matrices do not fit");
    T::product(T::BLOCKING, a, b, c.injective()?);
    Ok(())
}

/// Multiplies matrices of these layouts on `threads` threads and compares the product with its definition. Fails if a
/// layout does not fit.
fn check<T: Element + PartialEq + From<u8>, A: Matrix, B: Matrix, C: Matrix>(
    threads: usize,
    (a, b, c): (A, B, C),
) -> Result<(), TensorError> {
    let numbers = |count: usize, modulus| (0..count).map(|x| T::from((x % modulus) as u8)).collect::<Vec<T>>();
    let (of_a, of_b) = (numbers(a.index_range()?.len(), 7), numbers(b.index_range()?.len(), 5));
    let (a, b) = (Tensor::new(&of_a, a)?, Tensor::new(&of_b, b)?);
    let mut product = Boxed::filled(c, T::from(1))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| gemm(a, b, product.view_mut()))?;
    let depth = a.layout().mode_size::<1>();
    product.for_each_at(|(i, j): (usize, usize), x| {
        // The numbers are small integers, so the sums are exact in any order.
        let sum = (0..depth).fold(T::from(1), |sum, p| sum + a[(i, p)] * b[(p, j)]);
        assert!(*x == sum, "({i},{j})");
    });
    Ok(())
}

/// Multiplies matrices of several layouts, with partial tiles, on one thread and on several.
pub fn main() -> Result<(), TensorError> {
    let columns = |m: usize, n: usize| make_layout((m, n), (Int::<1>, m));
    for (m, n, k) in [(4, 8, 16), (37, 21, 50), (1, 1, 1), (8, 3, 0), (50, 40, 400)] {
        check::<f32, _, _, _>(1, (row_major((m, k)), row_major((k, n)), row_major((m, n))))?;
        check::<f64, _, _, _>(2, (columns(m, k), row_major((k, n)), columns(m, n)))?;
        println!("{m} x {k} times {k} x {n}: right");
    }
    // The rows of a swizzled tile, and a matrix with a nested mode.
    let swizzled = StaticSwizzle::<3, 0, 3>.composition(layout!((64, 8) : (8, 1)));
    let nested = make_layout((8, (Int::<3>, 7)), (21, (Int::<7>, Int::<1>)));
    check::<f32, _, _, _>(3, (swizzled, nested, columns(64, 21)))?;
    println!("a swizzled matrix times a nested one on 3 threads: right");
    Ok(())
}
