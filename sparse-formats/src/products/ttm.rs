//! TTM: a tensor times a matrix along one axis.

use super::row_product::{FactorMatrix, OutputRow, RowProduct};
use super::stream::Stream;
use super::{Scalar, SparseOperand, operand, schedule, whole, zeros};
use crate::{Arrays, Format, LevelKind, OperationError, SparseTensor, SparsityPattern};
use alloc::vec;
use alloc::vec::Vec;

/// Computes `out[.., r, ..] = sum of a[.., x, ..] * matrix[x][r]` (TTM). Axis `mode` becomes a dense axis of extent
/// `rank`.
///
/// The result stores a row of `rank` values for each coordinate in the other axes that has a stored element. Its
/// format is `DC-..-S-D`, with the other axes in their order. The matrix is row-major, with one row per coordinate of
/// axis `mode`. A tensor in another format than `DC-..-DC-S` with `mode` as its last level is converted first.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, ttm};
/// let columns: [Indices; 2] = [vec![0u8, 0, 2].into(), vec![1u8, 2, 0].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[3, 3], &columns, vec![2, 3, 4])?;
/// let y = ttm(&a, 1, &[1, 2, 10, 20, 100, 200], 2)?;
/// assert_eq!(y.format().to_string(), "S-D-R");
/// assert_eq!((y.shape(), y.values()), (&[3, 2][..], &vec![320, 640, 4, 8].into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the tensor has no axis `mode`, if it stores no values or one triangle for both, if the matrix has
/// the wrong number of elements, or if memory has no room for the result.
pub fn ttm<T: Scalar>(
    a: &impl SparseOperand<T>,
    mode: usize,
    matrix: &[T],
    rank: usize,
) -> Result<SparseTensor<'static, T>, OperationError> {
    let axes = a.shape().len();
    if mode >= axes {
        return Err(OperationError::Mode { mode, rank: axes });
    }
    let extents = [a.shape()[mode], rank as u64];
    operand("matrix", &extents, matrix.len(), &extents)?;
    whole(a)?;
    let order: Vec<usize> = (0..axes).filter(|axis| *axis != mode).chain([mode]).collect();
    let sorted = Format::csf(axes).with_axis_order(&order)?;
    let fits = |(map, tensor): &(Option<_>, &SparseTensor<T>)| map.is_none() && *tensor.format() == sorted;
    let gathered;
    let tensor = match &a.tensors()[..] {
        [one] if fits(one) => one.1,
        _ => {
            gathered = a.gathered(&sorted)?;
            &gathered
        }
    };
    let (stream, pattern) = (Stream::new(None, tensor, a.watcher())?, tensor.pattern());
    let fibers = if axes == 1 { 1 } else { pattern.entries(axes - 2) };
    let mut out = zeros(&[fibers as u64, rank as u64], 0)?;
    let factors = vec![(mode, FactorMatrix { data: matrix, stride: rank })];
    schedule::accumulate(&[stream], &RowProduct { factors, output: OutputRow::Fiber, width: rank }, fibers, &mut out);
    // The levels above the leaf stay as they are: each fiber is now a stored row.
    let mut arrays = Arrays::new();
    for level in 0..axes - 1 {
        arrays =
            pattern.indices(level).into_iter().fold(arrays, |arrays, indices| arrays.with_indices(level, indices.clone().into_owned()));
        if level + 2 < axes {
            arrays = pattern
                .pointers(level)
                .into_iter()
                .fold(arrays, |arrays, pointers| arrays.with_pointers(level, pointers.clone().into_owned()));
        }
    }
    let mut kinds = vec![LevelKind::IndexedPointers; axes - 1];
    kinds.iter_mut().last().into_iter().for_each(|last| *last = LevelKind::Indices);
    let mut shape = a.shape().to_vec();
    shape[mode] = rank as u64;
    let pattern = SparsityPattern::checked(&shape, Format::new(&kinds, &order)?, arrays, false).map_err(|rejected| rejected.error)?;
    Ok(SparseTensor::new(pattern, out, T::ZERO).map_err(|rejected| rejected.error)?)
}
