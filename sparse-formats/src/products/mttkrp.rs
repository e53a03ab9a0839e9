//! MTTKRP: a matricised tensor times the Khatri-Rao product of matrices.

use super::row_product::{FactorMatrix, OutputRow, RowProduct};
use super::{Scalar, SparseOperand, operand, schedule, streams};
use crate::OperationError;
use alloc::vec::Vec;

/// Computes `out[i][r] = sum over elements with coordinate i in axis mode of value * product over the other axes n of
/// factors[n][x_n][r]` (MTTKRP).
///
/// Each factor is row-major with `rank` columns and one row per coordinate of its axis. `factors[mode]` is ignored.
/// The result is row-major too, with one row per coordinate of `mode`. Only stored elements count, whatever the fill
/// value. Sums have the type of the elements and do not depend on the number of threads (Bader, Kolda, 2007).
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, mttkrp};
/// let columns: [Indices; 3] = [vec![0u8, 1].into(), vec![1u8, 1].into(), vec![0u8, 1].into()];
/// let a = Builder::new(Format::csf(3), 0).build(&[2, 2, 2], &columns, vec![2, 3])?;
/// let (b, c) = ([1, 2, 3, 4], [5, 6, 7, 8]);
/// assert_eq!(mttkrp(&a, 0, &[&[], &b, &c], 2)?, [2 * 3 * 5, 2 * 4 * 6, 3 * 3 * 7, 3 * 4 * 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the tensor has no axis `mode`, if it stores no values or one triangle for both, if there is not
/// exactly one factor per axis, if a factor other than `factors[mode]` has the wrong number of elements, or if memory has
/// no room for the result.
pub fn mttkrp<T: Scalar>(a: &impl SparseOperand<T>, mode: usize, factors: &[&[T]], rank: usize) -> Result<Vec<T>, OperationError> {
    let shape = a.shape();
    if mode >= shape.len() {
        return Err(OperationError::Mode { mode, rank: shape.len() });
    }
    if factors.len() != shape.len() {
        return Err(OperationError::Operand {
            what: "factors",
            found: Vec::from([factors.len() as u64]),
            expected: Vec::from([shape.len() as u64]),
        });
    }
    let mut matrices = Vec::with_capacity(shape.len() - 1);
    for (axis, factor) in factors.iter().enumerate().filter(|(axis, _)| *axis != mode) {
        let extents = [shape[axis], rank as u64];
        operand("factor", &extents, factor.len(), &extents)?;
        matrices.push((axis, FactorMatrix { data: factor, stride: rank }));
    }
    let product = RowProduct { factors: matrices, output: OutputRow::Axis(mode), width: rank };
    schedule::products(&streams(a)?, &product, shape[mode] as usize, &[shape[mode], rank as u64])
}
