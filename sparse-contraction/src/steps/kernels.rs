//! Runs the kernels of `sparse-formats` on the operands of a step.

use super::spgemm::{self, permuted};
use super::{OfDense, dense, loops, sparse};
use crate::subscripts::Letter;
use crate::value::{Lettered, Sparse, Value};
use crate::{ContractionError, ContractionKernel};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use sparse_formats::{
    Dense, Elementwise, Format, Major, Scalar, Sddmm, SparseOperand, SparseTensor, Watched, elementwise, mttkrp, spmm, spmv, ttm, ttv,
};

/// Computes a step, whose result has these letters, by a kernel of `sparse-formats`.
pub(super) fn run<'v, T: Scalar>(
    kernel: ContractionKernel,
    extents: &[u64],
    inputs: &[Lettered<T>],
    out: &[Letter],
) -> Result<Value<'v, T>, ContractionError> {
    let (letters, a) = sparse(&inputs[0]);
    let axis = |letter: &Letter| letters.iter().position(|known| known == letter);
    // The axis of the first letter of a dense operand that the sparse operand has.
    let along = |of: &[Letter]| of.iter().find_map(axis).unwrap_or(0);
    let made = match kernel {
        ContractionKernel::Spmv => return Ok(Value::Dense(spmv(a, out[0] == letters[1], dense(&inputs[1]).1)?.into())),
        ContractionKernel::Spmm => {
            let b = dense(&inputs[1]);
            let inner = along(b.0);
            let major = if axis(&out[0]).is_none() { Major::Columns } else { Major::Rows };
            return Ok(Value::Dense(spmm(a, inner == 0, matrix(extents, b, letters[inner])?, major)?.into()));
        }
        ContractionKernel::Mttkrp => {
            let (mode, rank) = (axis(&out[0]).unwrap_or(0), extents[out[1]] as usize);
            let factors = factors(extents, letters, &inputs[1..], out[1])?;
            let mut of: Vec<&[T]> = vec![&[]; letters.len()];
            factors.iter().for_each(|(axis, data)| of[*axis] = data);
            return Ok(Value::Dense(mttkrp(a, mode, &of, rank)?.into()));
        }
        ContractionKernel::Ttm => {
            let b = dense(&inputs[1]);
            let mode = along(b.0);
            let column = out[mode];
            ttm(a, mode, &by_rows(extents, b, [letters[mode], column])?, extents[column] as usize)?
        }
        ContractionKernel::Ttv => {
            let modes: Vec<usize> = inputs[1..].iter().map(|b| along(&b.letters)).collect();
            let vectors: Vec<&[T]> = inputs[1..].iter().map(|b| dense(b).1).collect();
            let made = ttv(a, &modes, &vectors)?;
            if out.is_empty() {
                return Ok(Value::Dense(super::to_dense(&Sparse::Made(made))?.into()));
            }
            made
        }
        ContractionKernel::Sddmm => {
            let (left, right) = (dense(&inputs[1]), dense(&inputs[2]));
            let (left, right) = (matrix(extents, left, letters[0])?, matrix(extents, right, letters[1])?);
            a.check_whole()?;
            // Products that are 0 count as elements, but blocks cannot tell them from padding.
            let list = a.gathered(&Format::coo(2))?;
            Watched::like(&list, a).sddmm(left, right)?
        }
        ContractionKernel::Elementwise => {
            let (of_b, b) = sparse(&inputs[1]);
            let format = Format::coo(letters.len());
            if of_b == letters {
                elementwise(a, b, Elementwise::Mul, &format)?
            } else {
                let axes: Vec<usize> = letters.iter().filter_map(|letter| of_b.iter().position(|known| known == letter)).collect();
                elementwise(a, &Watched::like(&permuted(b, &axes)?, b), Elementwise::Mul, &format)?
            }
        }
        _ => spgemm::product(extents, (letters, a), sparse(&inputs[1]), out)?,
    };
    Ok(Value::Sparse(Sparse::Made(made)))
}

/// Returns a dense matrix whose rows have the letter `row`, in either order of its axes.
fn matrix<'m, T: Scalar>(extents: &[u64], (letters, data): OfDense<'m, T>, row: Letter) -> Result<Dense<'m, T>, ContractionError> {
    let (column, major) = if letters[0] == row { (letters[1], Major::Rows) } else { (letters[0], Major::Columns) };
    Ok(Dense::packed(data, [extents[row] as usize, extents[column] as usize], major)?)
}

/// Returns the elements of a dense matrix by rows.
fn by_rows<'m, T: Scalar>(extents: &[u64], b: OfDense<'m, T>, rows: [Letter; 2]) -> Result<Cow<'m, [T]>, ContractionError> {
    Ok(if b.0 == rows { Cow::Borrowed(b.1) } else { loops::multiply(extents, b, (&[], &[T::ONE]), &rows)?.into() })
}

/// Returns dense matrices by rows, each with the axis of the sparse operand that its rows stand for.
#[expect(clippy::type_complexity, reason = "pairs of an axis and a matrix")]
fn factors<'m, T: Scalar>(
    extents: &[u64],
    letters: &[Letter],
    inputs: &'m [Lettered<T>],
    column: Letter,
) -> Result<Vec<(usize, Cow<'m, [T]>)>, ContractionError> {
    let factor = |of: &'m Lettered<T>| {
        let b = dense(of);
        let axis = letters.iter().position(|letter| b.0.contains(letter)).unwrap_or(0);
        Ok((axis, by_rows(extents, b, [letters[axis], column])?))
    };
    inputs.iter().map(factor).collect()
}
