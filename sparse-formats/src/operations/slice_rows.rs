//! Slices matrices in compressed rows on several threads, row by row.

use super::descend::AxisSlice;
use crate::kernels::Value;
use crate::kernels::rows::{CompressedRows, in_width};
use crate::{Format, Indices, SparseError, SparseTensor, SparsityPattern, Values, Width, with_indices};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::parallel;
use core::ops::Range;
use layout_levels::Index;

/// The number of elements of a row up to which all of them are compared. Longer rows are searched.
const SHORT: usize = 64;

/// Returns a slice of both axes of a matrix in compressed rows, in the sorted format `to`. `rows` and `columns` are the slices of the
/// axes of the two levels. Returns `None` unless each element has a value and the columns are neighbours. Fails if memory has no room.
pub(super) fn sliced_rows<V: Value>(
    tensor: &SparseTensor<'_, V>,
    [rows, columns]: [AxisSlice; 2],
    shape: &[u64],
    to: &Format,
) -> Option<Result<SparseTensor<'static, V>, SparseError>> {
    let (format, pattern) = (tensor.format(), tensor.pattern());
    let compressed = format.has_compressed_rows() && pattern.is_sorted();
    let (Values::Each(values), true) = (tensor.values(), compressed && rows.stays && columns.stays && columns.step == 1) else {
        return None;
    };
    let full = || SparseError::Memory { elements: tensor.stored() };
    let made = || {
        let pointers: Cow<[u64]> = pattern.pointers(0).and_then(Indices::cast).ok_or_else(full)?;
        let elements = |k: usize| {
            let row = rows.at(k as u64) as usize;
            pointers[row] as usize..pointers[row + 1] as usize
        };
        // An empty slice may begin anywhere.
        let end = columns.start + columns.count;
        let whole = columns.start == 0 && end == pattern.level_extents()[1];
        let (pointers, indices, values): (_, Indices, _) = with_indices!(pattern.indices(1).ok_or_else(full)?, stored => {
            let part = |k: usize| match elements(k) {
                row if whole => row,
                row => row.start + before(&stored[row.clone()], columns.start)..row.start + before(&stored[row], end),
            };
            let made = copied(rows.count as usize, tensor.stored(), part, stored, columns.start, values).ok_or_else(full)?;
            (made.pointers, made.columns.into(), made.values)
        });
        let indices = in_width(indices, Width::below(columns.count)).ok_or_else(full)?;
        let pattern = SparsityPattern::of_rows(shape, to, pointers, indices).ok_or_else(full)?;
        SparseTensor::new(pattern, values, tensor.fill().clone()).map_err(|rejected| rejected.error)
    };
    Some(made())
}

/// Copies the elements `part(k)` of each of `rows` rows, with coordinates less `first`. `work` is the number of elements among
/// which they are sought. Returns `None` if memory has no room.
fn copied<I: Index, V: Value>(
    rows: usize,
    work: usize,
    part: impl Fn(usize) -> Range<usize> + Sync,
    stored: &[I],
    first: u64,
    values: &[V],
) -> Option<CompressedRows<I, V>> {
    let shares = parallel::ranges(rows, parallel::threads(work));
    let parts: Vec<Vec<Range<usize>>> = parallel::map(shares.clone(), |rows| rows.map(&part).collect());
    let tasks = shares.iter().zip(&parts).map(|(rows, parts)| (rows.clone(), parts.iter().map(Range::len).sum())).collect();
    let parts: Vec<Range<usize>> = parts.into_iter().flatten().collect();
    CompressedRows::of_tasks(tasks, V::default(), |rows, places, out| {
        let mut end = 0;
        let copy = |row: &Range<usize>| {
            let (from, row) = (end, row.clone());
            end += row.len();
            places[from..end].iter_mut().zip(&stored[row.clone()]).for_each(|(place, x)| *place = I::from_low_bits(x.to_u64() - first));
            out[from..end].clone_from_slice(&values[row]);
            end
        };
        parts[rows].iter().map(copy).collect()
    })
}

/// Returns the number of elements of a sorted row that are less than `limit`.
#[inline(always)]
fn before<I: Index>(row: &[I], limit: u64) -> usize {
    match row.len() <= SHORT {
        true => row.iter().map(|x| usize::from(x.to_u64() < limit)).sum(),
        false => row.partition_point(|x| x.to_u64() < limit),
    }
}
