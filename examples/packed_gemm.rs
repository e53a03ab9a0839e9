//! A matrix product as fast libraries do it on a CPU: blocks that fit the caches, packed into panels that the kernel reads front to back, and a
//! tile of the result in registers: `cargo run --release --example packed_gemm`.

use crd2idx::Boxed;
use crd2idx::parallel::IntoParallel;
use crd2idx::prelude::*;
use crd2idx::tensor::{Align64, Aligned, Tile, Window};
use multiversion::multiversion;
use multiversion::target::match_target;
use rayon::prelude::*;
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
    fn product<A: Matrix, B: Matrix, C: Matrix>(blocking: Blocking, a: View<Self, A>, b: View<Self, B>, c: ViewMut<Self, C>);
}

/// The layout of a matrix that threads share.
pub trait Matrix: Layout + Send + Sync {}
impl<L: Layout + Send + Sync> Matrix for L {}

macro_rules! element {
    ($type:ident, $product:ident, $half:literal $narrow:literal $wide:literal, $blocking:expr) => {
        #[multiversion(targets("x86_64+avx512f+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
        fn $product<A: Matrix, B: Matrix, C: Matrix>(blocking: Blocking, a: View<$type, A>, b: View<$type, B>, c: ViewMut<$type, C>) {
            // Tiles as large as the registers have room for.
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

/// Steps of the depth that are packed together.
pub const STEPS: usize = 8;

/// A block of a matrix of the layout `L`,
pub type Block<L> = Window<L, (usize, usize)>;

/// and a block of a block of a block.
pub type Inner<L> = Block<Block<Block<L>>>;

/// The elements of a tile together, row by row, 0 where it has none.
pub type Packed<T, const R: usize, const C: usize> = Aligned<[[T; C]; R], Align64>;

// Inlined, so that a function is compiled for the processor of its caller; without optimisation that would only take stack.

/// Copies the tiles of `matrix`, `R` rows and `C` columns each, behind what is packed already.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn pack<T: Element, L: Layout, const R: usize, const C: usize>(matrix: View<T, Block<L>>, packed: &mut Vec<Packed<T, R, C>>) {
    let tiles = matrix.tiles((Int::<R>, Int::<C>));
    packed.reserve(tiles.len());
    // A loop, as the closure of `for_each` would be compiled for the processor that this generic function is compiled for: any.
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

/// `c += a b` for some rows of `a`, which are packed into `rows`, and packed columns of B.
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

/// `c += a b` by blocks, panels and tiles, on the threads of the current pool. `pack_columns` calls [`pack`] and `multiply_rows` calls [`multiply`]: a closure is
/// compiled for the processor that the function around it is compiled for, whoever calls it.
pub fn blocked<T: Element, A: Matrix, B: Matrix, C: Matrix, const MR: usize, const NR: usize>(
    blocking: Blocking,
    a: View<T, A>,
    b: View<T, B>,
    mut c: ViewMut<T, C>,
    pack_columns: impl Fn(View<T, Inner<B>>, &mut Vec<Packed<T, STEPS, NR>>) + Sync,
    multiply_rows: impl Fn(View<T, Inner<A>>, &mut Vec<Packed<T, MR, STEPS>>, &[Vec<Packed<T, STEPS, NR>>], ViewMut<T, Inner<C>>) + Sync,
) {
    let (m, n) = (a.layout().mode_size::<0>(), b.layout().mode_size::<1>());
    // As many rows for each thread, and in each of its blocks, of whole tiles.
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

/// `c += a b` for `a` of m x k, `b` of k x n and `c` of m x n, of any layouts, on the threads of the current pool of rayon.
///
/// Fails where elements of `c` share their place.
pub fn gemm<T: Element, A: Matrix, B: Matrix, C: Matrix>(a: View<T, A>, b: View<T, B>, c: ViewMut<T, C>) -> Result<(), TensorError> {
    let extents = |(m, n): (usize, usize)| [m, n];
    let ([m, k], [rows, columns], shape) = (extents(a.layout().shape()), extents(b.layout().shape()), extents(c.layout().shape()));
    assert_eq!((k, [m, columns]), (rows, shape), "the shapes of matrices do not fit");
    T::product(T::BLOCKING, a, b, c.injective()?);
    Ok(())
}

/// Compares with the definition.
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
