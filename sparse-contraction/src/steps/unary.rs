//! Steps of one tensor: another order of its axes, diagonals, and sums.

use super::accumulate::Sums;
use super::loops;
use crate::subscripts::Letter;
use crate::value::{Lettered, Sparse, Value};
use crate::{ContractionError, ContractionKernel};
use alloc::vec::Vec;
use sparse_formats::{Cells, Format, OperationError, Reduction, Scalar, SparseOperand, reduce, visit_columns};

/// Computes a step of one tensor, whose result has these letters.
pub(super) fn run<'v, T: Scalar>(
    kernel: ContractionKernel,
    extents: &[u64],
    a: Lettered<'v, T>,
    out: &[Letter],
) -> Result<Value<'v, T>, ContractionError> {
    match a.value {
        // An array times 1: the loops have strides for each letter, and read diagonals and other orders alike.
        Value::Dense(data) if a.letters != out => {
            Ok(Value::Dense(loops::multiply(extents, (&a.letters, &data), (&[], &[T::ONE]), out)?.into()))
        }
        Value::Dense(data) => Ok(Value::Dense(data)),
        Value::Sparse(sparse) => match kernel {
            ContractionKernel::Diagonal => diagonal(extents, &a.letters, &sparse, out),
            ContractionKernel::Reduce => {
                let axes: Vec<usize> = (0..a.letters.len()).filter(|axis| !out.contains(&a.letters[*axis])).collect();
                let sums = reduce(&sparse, &axes, Reduction::Sum, Cells::Stored)?;
                // The sum of all elements is a number, even if nothing is stored.
                Ok(if out.is_empty() {
                    Value::Dense(super::to_dense(&Sparse::Made(sums))?.into())
                } else {
                    Value::Sparse(Sparse::Made(sums))
                })
            }
            _ => permute(&a.letters, sparse, out),
        },
    }
}

/// Returns a sparse tensor with its axes in the order of the letters `out`.
fn permute<'v, T: Scalar>(letters: &[Letter], a: Sparse<'v, T>, out: &[Letter]) -> Result<Value<'v, T>, ContractionError> {
    a.check_whole()?;
    let axes: Vec<usize> = out.iter().filter_map(|letter| letters.iter().position(|known| known == letter)).collect();
    let tensor = match a {
        Sparse::Made(tensor) => tensor.permute(&axes)?,
        Sparse::Given(_) => {
            if a.tensors().iter().any(|(_, tensor)| matches!(tensor.values(), sparse_formats::Values::PatternOnly)) {
                return Err(OperationError::PatternOnly.into());
            }
            let tensor = match a.single() {
                Some(tensor) => tensor.view().permute(&axes)?.into_owned(),
                None => a.gathered(&Format::coo(axes.len()))?.permute(&axes)?,
            };
            a.report();
            tensor
        }
    };
    Ok(Value::Sparse(Sparse::Made(tensor)))
}

/// Returns the elements of a sparse tensor whose axes with one letter have one coordinate.
fn diagonal<'v, T: Scalar>(extents: &[u64], letters: &[Letter], a: &Sparse<T>, out: &[Letter]) -> Result<Value<'v, T>, ContractionError> {
    let first: Vec<usize> = letters.iter().map(|letter| letters.iter().position(|known| known == letter).unwrap_or(0)).collect();
    let places: Vec<usize> = out.iter().filter_map(|letter| letters.iter().position(|known| known == letter)).collect();
    let mut sums = Sums::sparse(extents, out);
    let mut failed = Ok(());
    visit_columns(a, |columns, values| {
        for (k, value) in values.iter().enumerate() {
            if failed.is_ok() && first.iter().zip(columns).all(|(first, column)| columns[*first][k] == column[k]) {
                failed = sums.push(places.iter().map(|place| columns[*place][k]), *value);
            }
        }
    })?;
    failed?;
    sums.finish()
}
