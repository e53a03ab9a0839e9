//! A blocked matrix product without an index: `cargo run --release --example matmul_tiles`. `packed_gemm` is the fast one.

use crd2idx::prelude::*;

/// Tile extents along m, n and k, and that of a mode that is not cut.
const BM: usize = 32;
const BN: usize = 32;
const BK: usize = 16;
const ALL: usize = usize::MAX;

/// `c += a b` for `a` (m x k), `b` (k x n), `c` (m x n) of any layouts and extents.
fn matmul<A: Layout, B: Layout, C: Layout>(a: View<f32, A>, b: View<f32, B>, c: ViewMut<f32, C>) -> Result<(), TensorError> {
    for (a, mut c) in a.blocks((BM, ALL)).zip(c.injective()?.blocks_mut((BM, ALL))) {
        for (b, mut c) in b.blocks((ALL, BN)).zip(c.blocks_mut((ALL, BN))) {
            for (a, b) in a.blocks((ALL, BK)).zip(b.blocks((BK, ALL))) {
                let depth = 0..b.layout().mode_size::<0>();
                c.for_each_indexed_mut(|[i, j], sum| *sum += depth.clone().map(|p| a[(i, p)] * b[(p, j)]).sum::<f32>());
            }
        }
    }
    Ok(())
}

/// Compares every element with the sum of the definition.
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
