//! Products of two sparse matrices, and of larger tensors as such: their axes are joined to rows, to columns, and to the axis of
//! the sums.

use super::OfSparse;
use crate::ContractionError;
use crate::subscripts::Letter;
use crate::value::Sparse;
use alloc::vec::Vec;
use sparse_formats::{Format, OperationError, Scalar, SparseOperand, SparseTensor, Watched, spgemm};

/// Returns the product of two sparse tensors, which has the letters `out`: letters of the first operand, then of the second. The
/// common letters are summed over.
pub(super) fn product<T: Scalar>(
    extents: &[u64],
    (of_a, a): OfSparse<T>,
    (of_b, b): OfSparse<T>,
    out: &[Letter],
) -> Result<SparseTensor<'static, T>, ContractionError> {
    if (of_a.len(), of_b.len()) != (2, 2) {
        return joined(extents, (of_a, a), (of_b, b), out);
    }
    let right = if of_b[1] == out[1] { None } else { Some(permuted(b, &[1, 0])?) };
    let right = right.as_ref().map(|right| Watched::like(right, b));
    let times = |left: &Sparse<T>| match &right {
        Some(right) => spgemm(left, right),
        None => spgemm(left, b),
    };
    let stored: usize = a.tensors().iter().map(|(_, tensor)| tensor.stored()).sum();
    let made = if extents[out[0]] > 8 * stored as u64 + (1 << 16) {
        // There are many more rows than elements: store only rows with elements.
        a.check_whole()?;
        let rows =
            a.gathered(&Format::dcsr().with_axis_order(if of_a[0] == out[0] { &[0, 1] } else { &[1, 0] }).map_err(OperationError::from)?)?;
        let rows = if of_a[0] == out[0] { rows } else { rows.permute(&[1, 0])? };
        times(&Sparse::Given(&Watched::like(&rows, a)))?
    } else if of_a[0] == out[0] {
        times(a)?
    } else {
        times(&Sparse::Given(&Watched::like(&permuted(a, &[1, 0])?, a)))?
    };
    b.report();
    Ok(made)
}

/// Returns the product of two tensors of any rank. Their groups of axes have at most 2^64 coordinates.
fn joined<T: Scalar>(
    extents: &[u64],
    (of_a, a): OfSparse<T>,
    (of_b, b): OfSparse<T>,
    out: &[Letter],
) -> Result<SparseTensor<'static, T>, ContractionError> {
    let [rows, columns] = [of_a, of_b].map(|of| out.iter().copied().filter(|letter| of.contains(letter)).collect::<Vec<Letter>>());
    let summed: Vec<Letter> = of_a.iter().copied().filter(|letter| of_b.contains(letter)).collect();
    let size = |letters: &[Letter]| letters.iter().fold(1, |size, letter| size * extents[*letter]);
    let matrix = |(of, operand): OfSparse<T>, letters: [&[Letter]; 2]| -> Result<SparseTensor<'static, T>, ContractionError> {
        let axes: Vec<usize> = letters.concat().iter().filter_map(|letter| of.iter().position(|known| known == letter)).collect();
        Ok(permuted(operand, &axes)?.reshape(&letters.map(size), &Format::dcsr())?)
    };
    let (left, right) = (matrix((of_a, a), [&rows, &summed])?, matrix((of_b, b), [&summed, &columns])?);
    let product = spgemm(&left, &right)?;
    [a, b].iter().for_each(|operand| operand.report());
    let shape: Vec<u64> = out.iter().map(|letter| extents[*letter]).collect();
    Ok(product.reshape(&shape, &Format::coo(out.len()))?)
}

/// Returns an operand with its axes in another order.
pub(super) fn permuted<'p, T: Scalar>(a: &'p Sparse<T>, axes: &[usize]) -> Result<SparseTensor<'p, T>, ContractionError> {
    a.check_whole()?;
    Ok(match a.tensors()[..] {
        [(None, tensor)] => tensor.view().permute(axes)?,
        _ => a.gathered(&Format::coo(axes.len()))?.permute(axes)?,
    })
}
