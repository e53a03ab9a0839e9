//! Merges matrices in compressed rows on several threads, row by row, and single rows for merges of any levels.

use crate::kernels::Value;
use crate::kernels::rows::CompressedRows;
use crate::{Format, Indices, OperationError, SparseError, SparseTensor, SparsityPattern, Width};
use alloc::vec::Vec;
use array_kernels::{merge_path, parallel, with_width};
use core::hint::select_unpredictable;
use core::ops::Range;
use layout_levels::Index;

/// The number of tasks per thread. Several tasks even out rows of different cost.
const TASKS: usize = 4;

/// The elements of one of the two tensors of a merge.
pub(super) struct MergeOperand<'m, T, V> {
    /// The coordinates of the elements in the last level.
    pub last: &'m [T],
    pub values: &'m [V],
    /// The stride from the value of one element to the next: 1, or 0 if all elements have one value.
    pub unit: usize,
    pub fill: &'m V,
}

impl<'m, T, V: Clone> MergeOperand<'m, T, V> {
    pub fn new(tensor: &'m SparseTensor<'_, V>, last: &'m [T]) -> Result<Self, OperationError> {
        let (values, unit) = tensor.values().strided()?;
        Ok(MergeOperand { last, values, unit, fill: tensor.fill() })
    }
}

/// Merges a row of the left tensor, elements `rows[0]`, and a row of the right tensor, elements `rows[1]`. Writes the coordinates
/// and the values to the front of `columns` and `values`, which must have room for them. Returns the number of elements.
#[inline(always)]
pub(super) fn row<T: Index, V, W, U>(
    left: &MergeOperand<T, V>,
    right: &MergeOperand<T, W>,
    union: bool,
    rows: [Range<usize>; 2],
    columns: &mut [T],
    values: &mut [U],
    f: &mut impl FnMut(&V, &W) -> U,
) -> usize {
    match union {
        true => either(left, right, rows, columns, values, f),
        false => both(left, right, rows, columns, values, f),
    }
}

/// Stores the union of two rows, without a branch that depends on coordinates. Each step takes the lesser coordinate; a
/// tensor without it contributes its fill value.
#[inline]
fn either<T: Index, V, W, U>(
    left: &MergeOperand<T, V>,
    right: &MergeOperand<T, W>,
    [a, b]: [Range<usize>; 2],
    columns: &mut [T],
    values: &mut [U],
    f: &mut impl FnMut(&V, &W) -> U,
) -> usize {
    let (x, y) = (&left.last[a.clone()], &right.last[b.clone()]);
    let (u, t) = (left.unit, right.unit);
    let (v, w) = (&left.values[a.start * u..], &right.values[b.start * t..]);
    let (columns, values) = (&mut columns[..x.len() + y.len()], &mut values[..x.len() + y.len()]);
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (p, q) = (x[i], y[j]);
        let (has, other) = (p <= q, q <= p);
        let value = select_unpredictable(has, &v[i * u], left.fill);
        let with = select_unpredictable(other, &w[j * t], right.fill);
        columns[n] = p.min(q);
        values[n] = f(value, with);
        (i, j, n) = (i + usize::from(has), j + usize::from(other), n + 1);
    }
    for i in i..x.len() {
        columns[n] = x[i];
        values[n] = f(&v[i * u], right.fill);
        n += 1;
    }
    for j in j..y.len() {
        columns[n] = y[j];
        values[n] = f(left.fill, &w[j * t]);
        n += 1;
    }
    n
}

/// Stores the intersection of two rows.
#[inline]
fn both<T: Index, V, W, U>(
    left: &MergeOperand<T, V>,
    right: &MergeOperand<T, W>,
    [a, b]: [Range<usize>; 2],
    columns: &mut [T],
    values: &mut [U],
    f: &mut impl FnMut(&V, &W) -> U,
) -> usize {
    let (x, y) = (&left.last[a.clone()], &right.last[b.clone()]);
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (p, q) = (x[i], y[j]);
        if p == q {
            columns[n] = p;
            values[n] = f(&left.values[(a.start + i) * left.unit], &right.values[(b.start + j) * right.unit]);
            n += 1;
        }
        (i, j) = (i + usize::from(p <= q), j + usize::from(q <= p));
    }
    n
}

/// Tests whether a merge of two tensors to `format` is one of compressed rows, for [`merged_rows`].
pub(super) fn has_rows<V: Clone, W: Clone>(left: &SparseTensor<V>, right: &SparseTensor<W>, format: &Format) -> bool {
    [format, left.format(), right.format()].iter().all(|format| format.has_compressed_rows())
}

/// Returns the pattern and the values of the merge of two matrices in compressed rows, as `coiterate::merged` does. Each thread
/// merges some of the rows.
pub(super) fn merged_rows<V: Value, W: Value, U: Value>(
    left: &SparseTensor<V>,
    right: &SparseTensor<W>,
    union: bool,
    format: &Format,
    f: &(impl Fn(&V, &W) -> U + Sync),
) -> Result<(SparsityPattern<'static>, Vec<U>), OperationError> {
    let full = || SparseError::Memory { elements: left.stored().saturating_add(right.stored()) };
    let begins = |pattern: &SparsityPattern| Some(pattern.pointers(0)?.cast::<u64>()?.into_owned());
    let (a, b) = (begins(left.pattern()).ok_or_else(full)?, begins(right.pattern()).ok_or_else(full)?);
    let both: Vec<u64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let threads = parallel::threads(left.stored().saturating_add(right.stored()));
    let shares = merge_path::whole_rows(&merge_path::Offsets::new(&both), if threads == 1 { 1 } else { TASKS * threads });
    let range = |pointers: &[u64], rows: &Range<usize>| pointers[rows.start] as usize..pointers[rows.end] as usize;
    let room = |rows: &Range<usize>| {
        let (a, b) = (range(&a, rows).len(), range(&b, rows).len());
        if union { a + b } else { a.min(b) }
    };
    let tasks = shares.into_iter().map(|share| (share.rows.clone(), room(&share.rows))).collect();
    let (shape, extent) = (left.shape(), left.pattern().level_extents()[1]);
    with_width!(Width::below(extent), T => {
        let (x, y) = (left.pattern().indices(1), right.pattern().indices(1));
        let (Some(x), Some(y)) = (x.and_then(Indices::cast::<T>), y.and_then(Indices::cast::<T>)) else { return Err(full().into()) };
        let (left, right) = (MergeOperand::new(left, &x)?, MergeOperand::new(right, &y)?);
        let made = CompressedRows::<T, U>::of_tasks(tasks, U::default(), |rows, columns, values| {
            let mut end = 0;
            let merge = |k: usize| {
                let pair = [range(&a, &(k..k + 1)), range(&b, &(k..k + 1))];
                end += row(&left, &right, union, pair, &mut columns[end..], &mut values[end..], &mut |x: &V, y: &W| f(x, y));
                end
            };
            rows.map(merge).collect()
        });
        let CompressedRows { pointers, columns, values } = made.ok_or_else(full)?;
        Ok((SparsityPattern::of_rows(shape, format, pointers, columns.into()).ok_or_else(full)?, values))
    })
}
