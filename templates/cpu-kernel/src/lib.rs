//! A kernel over tensors of any layout.

use crd2idx::prelude::*;

/// Computes `out[i, j] = factor * a[j, i]`, tile by tile. Fails if the extents do not fit, or if elements of `out` share an index.
///
/// ```
/// use cpu_kernel::scaled_transpose;
/// use crd2idx::prelude::*;
///
/// let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let mut out = [0.0; 6];
/// scaled_transpose(10.0, Tensor::new(&a, row_major((2, 3)))?, Tensor::new(&mut out, row_major((3, 2)))?)?;
/// assert_eq!(out, [10.0, 40.0, 20.0, 50.0, 30.0, 60.0]);
/// # Ok::<(), TensorError>(())
/// ```
pub fn scaled_transpose<A, C>(factor: f32, a: View<f32, A>, out: ViewMut<f32, C>) -> Result<(), TensorError>
where
    A: TypedLayout,
    C: TypedLayout,
{
    let a = a.select(shape!(1, 0));
    let mut out = out.injective()?;
    assert_eq!(a.shape::<(usize, usize)>(), out.shape(), "the extents of the result are those of the operand, exchanged");
    // The tiles at the ends are partial.
    for (a, mut out) in a.try_tiles(shape!(32, 32))?.zip(out.try_tiles_mut(shape!(32, 32))?) {
        out.for_each_indexed_mut(|[i, j], x| *x = factor * a[(i, j)]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_that_of_the_definition() -> Result<(), TensorError> {
        for (m, n) in [(64, 64), (33, 70), (1, 5), (0, 3)] {
            let a: Vec<f32> = (0..m * n).map(|k| k as f32).collect();
            let mut out = vec![0.0; m * n];
            scaled_transpose(2.0, Tensor::new(&a[..], row_major((m, n)))?, Tensor::new(&mut out[..], row_major((n, m)))?)?;
            for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
                assert_eq!(out[i * m + j], 2.0 * a[j * n + i], "({i}, {j}) of {n} x {m}");
            }
        }
        Ok(())
    }
}
