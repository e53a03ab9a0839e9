//! A matrix product by tiles, with partial tiles at the ends: `cargo run --release --example matmul_tiles`. For
//! large matrices, see `packed_gemm`.

use crd2idx::prelude::*;

/// The rows `MR` and columns `NR` of the tile of the result that a kernel keeps in registers.
const MR: usize = 4;
const NR: usize = 16;

/// Returns the sums over `k` of `a(row, k) b(k, column)` for a tile of `rows` by `columns`.
#[inline(always)]
fn products(rows: usize, columns: usize, k: usize, a: impl Fn(usize, usize) -> f32, b: impl Fn(usize, usize) -> f32) -> [[f32; NR]; MR] {
    let mut sums = [[0.0; NR]; MR];
    for p in 0..k {
        for (i, sums) in sums.iter_mut().enumerate().take(rows) {
            for (j, sum) in sums.iter_mut().enumerate().take(columns) {
                *sum += a(i, p) * b(j, p);
            }
        }
    }
    sums
}

/// Computes `c += a b` for a full tile, whose extents are static. It is a function of its own, so that all registers are
/// free for the sums.
#[inline(never)]
fn full<A: Layout, B: Layout, C: Layout>(k: usize, a: View<f32, A>, b: View<f32, B>, mut c: ViewMut<f32, C>) {
    let sums = products(MR, NR, k, |i, p| a[(i, p)], |j, p| b[(j, p)]);
    c.for_each_indexed_mut(|[i, j], x| *x += sums[i][j]);
}

/// Computes `c += a b` for `a` (m x k), `b` (k x n), `c` (m x n) of any layouts and extents. Fails if a layout has no such
/// tiles, or if elements of `c` share an index.
fn matmul<A, B, C>(a: View<f32, A>, b: View<f32, B>, c: ViewMut<f32, C>) -> Result<(), TensorError>
where
    A: TypedLayout,
    B: TypedLayout,
    C: TypedLayout,
{
    let (k, b, mut c) = (a.layout().mode_size::<1>(), b.select(shape!(1, 0)), c.injective()?);
    // Tiles come with the first mode fastest. The shape of the second tiler does not name the mode k, which stays whole.
    let mut tiles = c.try_tiles_mut(shape!(MR, NR))?;
    for b in b.try_tiles(shape!(NR,))? {
        for (a, c) in a.try_tiles(shape!(MR,))?.zip(tiles.by_ref()) {
            match (&a, &b, c) {
                (Tile::Full(a), Tile::Full(b), Tile::Full(c)) => full(k, a.view(), b.view(), c),
                (a, b, mut c) => {
                    let (rows, columns) = c.shape();
                    let sums = products(rows, columns, k, |i, p| a[(i, p)], |j, p| b[(j, p)]);
                    c.for_each_indexed_mut(|[i, j], x| *x += sums[i][j]);
                }
            }
        }
    }
    Ok(())
}

/// Compares every element of a product with the sum in its definition.
pub fn main() -> Result<(), TensorError> {
    for (m, n, k) in [(128, 96, 64), (129, 35, 17), (1, 1, 0)] {
        let a: Vec<f32> = (0..m * k).map(|i| (i % 7) as f32).collect();
        let b: Vec<f32> = (0..k * n).map(|i| (i % 5) as f32).collect();
        let mut c = vec![0.0; m * n];
        let (a, b) = (Tensor::new(&a, row_major((m, k)))?, Tensor::new(&b, col_major((k, n)))?);
        matmul(a, b, Tensor::new(&mut c, row_major((m, n)))?)?;
        let c = Tensor::new(&c, row_major((m, n)))?;
        c.for_each_indexed(|[i, j], sum| assert_eq!(*sum, (0..k).map(|p| a[(i, p)] * b[(p, j)]).sum::<f32>()));
        println!("{m} x {k} times {k} x {n}: right");
    }
    Ok(())
}
