//! Compresses coordinate lists to rows, and turns compressed rows into compressed columns.

use super::Duplicates;
use super::Value;
use super::check::{below, fits, same_length};
use super::in_cache;
use super::linear::Linear;
use super::partition::{EntrySource, RowStorage, plan};
use super::pointers::check_pointers;
use super::sort_buckets::{BucketArrays, finish, fold};
use crate::{ArrayName, SparseError};
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::merge_path::{Offsets, part_of};
use array_kernels::spread::repeat_part;
use layout_levels::Index;

/// A matrix by rows (CSR) or by columns (CSC). Row `r` has the entries `pointers[r]..pointers[r + 1]`.
///
/// ```
/// use sparse_formats::{Duplicates, kernels::{CompressedRows, compress}};
/// let CompressedRows { pointers, indices, values } =
///     compress::<_, _, usize, _>(&[2u32, 0, 2], &[1u32, 1, 0], &['a', 'b', 'c'], (3, 2), Duplicates::Refuse)?;
/// let row = |r: usize| indices[pointers[r]..pointers[r + 1]].iter().zip(&values[pointers[r]..]).collect::<Vec<_>>();
/// assert_eq!((row(0), row(1).len(), row(2)), (vec![(&1, &'b')], 0, vec![(&0, &'c'), (&1, &'a')]));
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct CompressedRows<P, I, V> {
    /// The position of the first entry of each row, and the number of entries at the end.
    pub pointers: Vec<P>,
    /// The coordinate of each entry within its row, that is, its column.
    pub indices: Vec<I>,
    /// The value of each entry.
    pub values: Vec<V>,
}

/// Compresses a coordinate list by rows. The columns of each row come out in increasing order.
///
/// With `rows` and `columns` exchanged, it compresses by columns. The working memory beside input and output (before
/// duplicates are merged) is at most a quarter of their size, for indices of one width and values of 8 bytes.
///
/// ```
/// use sparse_formats::{Duplicates, kernels::compress};
/// let matrix = compress::<_, _, u32, _>(&[2u32, 0, 2, 2], &[1u32, 1, 0, 1], &[1.0, 2.0, 3.0, 4.0], (3, 2), Duplicates::sum())?;
/// assert_eq!((matrix.pointers, matrix.indices, matrix.values), (vec![0, 1, 1, 3], vec![1, 0, 1], vec![2.0, 3.0, 5.0]));
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// # Errors
/// Returns an error if the arrays have different lengths, if a coordinate lies outside `extents`, if duplicates occur
/// and are refused, if `P` cannot count the entries, or if memory has no room for the rows.
pub fn compress<A: Index, I: Index, P: Index, V: Value>(
    rows: &[A],
    columns: &[I],
    values: &[V],
    extents: (usize, usize),
    duplicates: Duplicates<V>,
) -> Result<CompressedRows<P, I, V>, SparseError> {
    same_length("columns", columns.len(), rows.len())?;
    same_length("values", values.len(), rows.len())?;
    if I::SIGNED {
        // A signed maximum would miss negative numbers, so check them here.
        below("columns", columns, extents.1 as u64)?;
    }
    build(&ListEntries { rows, columns, values }, extents, true, duplicates)
}

/// Compresses entries whose rows and columns are linear indices, as [`compress`] does. Columns are truncated to the bits
/// of `I`. Without `sort`, the entries of each row must already be in order. `extents` are the numbers of rows and columns.
pub(crate) fn compress_columns<I: Index, P: Index, V: Value>(
    rows: Linear<'_>,
    columns: Linear<'_>,
    values: &[V],
    extents: (usize, usize),
    sort: bool,
    duplicates: Duplicates<V>,
) -> Result<CompressedRows<P, I, V>, SparseError> {
    build(&LinearEntries { rows, columns, values }, extents, sort, duplicates)
}

/// Turns compressed rows into compressed columns, or back. The matrix has `columns` columns, and the entries of a
/// column keep the order of their rows.
///
/// ```
/// use sparse_formats::kernels::transpose;
/// let matrix = transpose::<_, _, u32, u32, _>(&[0u32, 1, 1, 3], &[1u32, 0, 1], &['a', 'b', 'c'], 2)?;
/// assert_eq!((matrix.pointers, matrix.indices, matrix.values), (vec![0, 1, 3], vec![2, 0, 2], vec!['b', 'a', 'c']));
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// # Errors
/// Returns an error if the pointers do not begin at 0, decrease, or do not end at the number of entries, if the
/// arrays have different lengths, if an index is not below `columns`, if `Q` cannot count the entries or `J` not hold the
/// rows, or if memory has no room for the result.
pub fn transpose<P: Index, I: Index, Q: Index, J: Index, V: Value>(
    pointers: &[P],
    indices: &[I],
    values: &[V],
    columns: usize,
) -> Result<CompressedRows<Q, J, V>, SparseError> {
    same_length("values", values.len(), indices.len())?;
    check_pointers(pointers, indices.len())?;
    fits("rows", (pointers.len() - 1).saturating_sub(1) as u64, J::MOST as u64)?;
    let extents = (columns, pointers.len() - 1);
    build(&TransposedEntries { pointers, indices, values }, extents, false, Duplicates::Keep)
}

/// Compresses the entries of `source`, whose rows are below `extent` and coordinates below `width`. Without `sort`, the
/// entries of each row must already be in order. Fails as `compress` does.
fn build<I: Index, P: Index, V: Value>(
    source: &dyn EntrySource<I, V>,
    (extent, width): (usize, usize),
    sort: bool,
    duplicates: Duplicates<V>,
) -> Result<CompressedRows<P, I, V>, SparseError> {
    let len = source.values().len();
    fits("entries", len as u64, P::MOST as u64)?;
    let mut pointers = Vec::new();
    let short = |_| SparseError::TooLarge { what: "rows", number: extent as u64, most: isize::MAX as u64 / size_of::<P>() as u64 };
    pointers.try_reserve_exact(extent.saturating_add(1)).map_err(short)?;
    pointers.resize(extent + 1, P::default());

    let (mut indices, mut values) = (memory::defaults(len), memory::defaults(len));
    let within = |most: Option<I>| match most {
        Some(most) if most.to_u64() >= width as u64 => Err(beyond(source, width)),
        _ => Ok(()),
    };
    let finished = if !sort && in_cache::fits::<I, V>(len, extent) {
        within(in_cache::place(source, &mut pointers[1..], &mut indices, &mut values)?)?;
        fold(&mut pointers[1..], &mut indices, &mut values, duplicates)
    } else {
        let plan = plan(source, extent, width)?;
        let mut rows = memory::defaults(if plan.form == RowStorage::Apart { len } else { 0 });
        within(plan.scatter(source, &mut rows, &mut indices, &mut values))?;
        let arrays = BucketArrays { rows: &mut rows, ends: &mut pointers[1..], keys: &mut indices, values: &mut values };
        finish(&plan, source, arrays, sort, duplicates)
    };
    let kept = finished.map_err(|(row, coordinate)| refused(source, row, coordinate))?;
    indices.truncate(kept);
    values.truncate(kept);
    if len - kept > kept / 8 {
        indices.shrink_to_fit();
        values.shrink_to_fit();
    }
    Ok(CompressedRows { pointers, indices, values })
}

/// Returns the error for a repeated coordinate of a row. It names the first two entries that have it.
fn refused<I: Index, V: Value>(source: &dyn EntrySource<I, V>, row: usize, coordinate: I) -> SparseError {
    let mut places = Vec::new();
    source.tiles(0..source.values().len(), |start, rows, coordinates, _| {
        let same = |k: &usize| rows[*k] == row as u64 && coordinates[*k] == coordinate;
        places.extend((0..rows.len()).filter(same).map(|k| start + k).take(2 - places.len()));
    });
    let at = (places.first().copied().unwrap_or(0), places.last().copied().unwrap_or(0));
    SparseError::Repeated { at, found: alloc::vec![row as u64, coordinate.to_u64()] }
}

/// Returns the error that names the first column that is not below `extent`.
fn beyond<I: Index, V: Value>(source: &dyn EntrySource<I, V>, extent: usize) -> SparseError {
    let mut wrong = None;
    source.tiles(0..source.values().len(), |start, _, coordinates, _| {
        let beyond = |coordinate: &I| coordinate.to_u64() >= extent as u64;
        wrong = wrong.or_else(|| coordinates.iter().position(beyond).map(|k| (start + k, coordinates[k].to_u64())));
    });
    let (at, found) = wrong.unwrap_or_default();
    SparseError::Range { array: ArrayName::Argument("columns"), at, found, extent: extent as u64 }
}

/// A coordinate list with an array each of rows, columns and values.
struct ListEntries<'a, A, I, V> {
    rows: &'a [A],
    columns: &'a [I],
    values: &'a [V],
}

impl<A: Index, I: Index, V: Value> EntrySource<I, V> for ListEntries<'_, A, I, V> {
    fn values(&self) -> &[V] {
        self.values
    }

    fn rows(&self, start: usize, out: &mut [u64]) {
        copy(self.rows, start, out);
    }

    fn coordinates(&self, start: usize, out: &mut [I]) {
        out.copy_from_slice(&self.columns[start..start + out.len()]);
    }
}

/// A coordinate list whose rows and columns are linear indices.
struct LinearEntries<'a, V> {
    rows: Linear<'a>,
    columns: Linear<'a>,
    values: &'a [V],
}

impl<I: Index, V: Value> EntrySource<I, V> for LinearEntries<'_, V> {
    fn values(&self) -> &[V] {
        self.values
    }

    fn rows(&self, start: usize, out: &mut [u64]) {
        self.rows.fill(start, out);
    }

    fn coordinates(&self, start: usize, out: &mut [I]) {
        self.columns.fill(start, out);
    }
}

/// Fills `out` with `indices` from position `start` on.
fn copy<I: Index>(indices: &[I], start: usize, out: &mut [u64]) {
    out.iter_mut().zip(&indices[start..]).for_each(|(out, index)| *out = index.to_u64());
}

/// A compressed matrix whose columns become the rows of the result.
struct TransposedEntries<'a, P, I, V> {
    pointers: &'a [P],
    indices: &'a [I],
    values: &'a [V],
}

impl<P: Index, I: Index, J: Index, V: Value> EntrySource<J, V> for TransposedEntries<'_, P, I, V> {
    fn values(&self) -> &[V] {
        self.values
    }

    fn rows(&self, start: usize, out: &mut [u64]) {
        copy(self.indices, start, out);
    }

    fn coordinates(&self, start: usize, out: &mut [J]) {
        let rows = Offsets::new(self.pointers);
        repeat_part(&rows, &part_of(&rows, start..start + out.len()), out, |row| Index::from_low_bits(row as u64));
    }
}
