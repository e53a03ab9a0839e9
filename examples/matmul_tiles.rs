//! A blocked matrix product whose index arithmetic is three layouts: `cargo run --release --example matmul_tiles`.

use crd2idx::prelude::*;

/// Tile extents along m, n and k.
const BM: usize = 32;
const BN: usize = 32;
const BK: usize = 16;

/// `c += a b` for row-major `a` (m x k), `b` (k x n), `c` (m x n); the extents are multiples of the tiles.
fn matmul(m: usize, n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) -> Result<(), LayoutError> {
    let at = make_layout((m, k), (k, Int::<1>)).try_zipped_divide(shape!(BM, BK))?;
    let bt = make_layout((k, n), (n, Int::<1>)).try_zipped_divide(shape!(BK, BN))?;
    let ct = make_layout((m, n), (n, Int::<1>)).try_zipped_divide(shape!(BM, BN))?;
    let (at, bt, ct) = (at.hoist::<8>(), bt.hoist::<8>(), ct.hoist::<8>());
    for tm in 0..m / BM {
        for tn in 0..n / BN {
            for tk in 0..k / BK {
                for i in 0..BM {
                    for p in 0..BK {
                        let x = a[at.crd2idx(((i, p), (tm, tk)))];
                        for j in 0..BN {
                            c[ct.crd2idx(((i, j), (tm, tn)))] += x * b[bt.crd2idx(((p, j), (tk, tn)))];
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// Compares an element with the sum of the definition.
pub fn main() -> Result<(), LayoutError> {
    let (m, n, k) = (128, 96, 64);
    let a: Vec<f32> = (0..m * k).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..k * n).map(|i| (i % 5) as f32).collect();
    let mut c = vec![0.0; m * n];
    matmul(m, n, k, &a, &b, &mut c)?;
    let expected: f32 = (0..k).map(|p| a[3 * k + p] * b[p * n + 5]).sum();
    assert_eq!(c[3 * n + 5], expected);
    println!("c[3,5] = {}, expected {expected}", c[3 * n + 5]);
    if let Err(error) = matmul(m + 1, n, k, &a, &b, &mut c) {
        println!("129 rows: {error}");
    }
    Ok(())
}
