//! Slices matrices in compressed rows on several threads, row by row.

use super::descend::AxisSlice;
use crate::kernels::Value;
use crate::kernels::rows::{CompressedRows, in_width};
use crate::{Arrays, Format, Indices, LevelKind, SparseError, SparseTensor, SparsityPattern, Values, Width, with_indices};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::{merge_path, parallel};
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
    let compressed = format.kinds() == [LevelKind::Pointers, LevelKind::Indices] && format.dense_axes() == 0 && pattern.is_sorted();
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
        let mut ends = vec![0_u64];
        ends.extend((0..rows.count as usize).scan(0, |end, k| {
            *end += elements(k).len() as u64;
            Some(*end)
        }));
        let threads = parallel::threads(ends[ends.len() - 1] as usize);
        let tasks = merge_path::whole_rows(&merge_path::Offsets::new(&ends), threads);
        let tasks = tasks.into_iter().map(|task| (task.rows, task.entries.len())).collect();
        let whole = columns.start == 0 && columns.end() == pattern.level_extents()[1];
        let (pointers, indices, values): (_, Indices, _) = with_indices!(pattern.indices(1).ok_or_else(full)?, stored => {
            let made = parts(tasks, elements, stored, values, (!whole).then_some(columns)).ok_or_else(full)?;
            (made.pointers, made.columns.into(), made.values)
        });
        let counts = vec![pointers.len() - 1, values.len(), values.len()];
        let pointers = in_width(pointers.into(), Width::of(values.len() as u64)).ok_or_else(full)?;
        let indices = in_width(indices, Width::below(columns.count)).ok_or_else(full)?;
        let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, indices);
        let pattern = SparsityPattern::of(shape.to_vec(), to.clone(), arrays, counts);
        SparseTensor::new(pattern, values, tensor.fill().clone()).map_err(|rejected| rejected.error)
    };
    Some(made())
}

/// Copies the elements of each row, `elements` of its number, or those of them whose coordinate is in the slice `columns`. A task
/// is rows and the number of their elements. Returns `None` if memory has no room.
fn parts<I: Index, V: Value>(
    tasks: Vec<(Range<usize>, usize)>,
    elements: impl Fn(usize) -> Range<usize> + Sync,
    stored: &[I],
    values: &[V],
    columns: Option<AxisSlice>,
) -> Option<CompressedRows<I, V>> {
    let (first, end) = columns.map_or((0, 0), |columns| (columns.start, columns.end()));
    CompressedRows::of_tasks(tasks, |rows, places, out| {
        let mut count = 0;
        let copy = |k: usize| {
            let mut row = elements(k);
            if columns.is_some() {
                let among = &stored[row.clone()];
                row = row.start + before(among, first)..row.start + before(among, end);
            }
            let places = &mut places[count..count + row.len()];
            places.iter_mut().zip(&stored[row.clone()]).for_each(|(place, x)| *place = I::from_low_bits(x.to_u64() - first));
            out[count..count + row.len()].clone_from_slice(&values[row.clone()]);
            count += row.len();
            count
        };
        rows.map(copy).collect()
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
