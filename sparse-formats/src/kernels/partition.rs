//! The first pass of a compression: moves the entries to buckets of consecutive rows. A bucket is small enough to be
//! sorted in a first- or second-level cache (`sort_buckets.rs`).
//!
//! Writing every entry to its row directly would touch a cache line and a page per entry. Instead, this pass writes
//! entries to at most some thousand buckets, by whole lines, and the second pass sorts each bucket in cache. This is
//! faster, although everything is read and written twice.

use super::Value;
use crate::{ArrayName, SparseError};
use alloc::vec::Vec;
use array_kernels::parallel::{self, TILE};
use array_kernels::streaming_writes::{self, StreamedRuns};
use core::ops::Range;
use layout_levels::Index;

/// The base-2 logarithm of the largest number of cells. A cell is 2^k consecutive rows that share a counter, so that
/// the counters stay in the first-level cache.
const CELLS: u32 = 12;

/// The number of entries per bucket if entries are spread evenly over the rows. At 12 bytes each, a bucket is about
/// the size of a first-level cache, and so is its working memory.
const BUCKET: usize = 1 << 12;

/// The smallest and the largest number of buckets if entries are spread evenly over the rows. The smallest keeps the
/// working memory of a bucket small; the largest keeps the lines that are written to in the second-level cache.
const BUCKETS: [usize; 2] = [16, 2048];

/// A list of entries, each with a row, a coordinate within the row, and a value.
///
/// Kernels take it as a trait object and read a tile at a time, so they are compiled for each type of output, not for
/// each kind of input.
pub(super) trait EntrySource<I, V>: Sync {
    /// Returns the values of all entries.
    fn values(&self) -> &[V];

    /// Fills `out` with the rows of the entries from `start` on.
    fn rows(&self, start: usize, out: &mut [u64]);

    /// Fills `out` with the coordinates of the entries from `start` on.
    fn coordinates(&self, start: usize, out: &mut [I]);
}

impl<I: Index, V> dyn EntrySource<I, V> + '_ {
    /// Calls `each` for a range of entries, a tile at a time, with the position of the first entry of the tile, and its
    /// rows, coordinates and values.
    pub fn tiles(&self, range: Range<usize>, mut each: impl FnMut(usize, &[u64], &mut [I], &[V])) {
        let (mut rows, mut coordinates) = ([0; TILE], [I::default(); TILE]);
        for start in range.clone().step_by(TILE) {
            let end = range.end.min(start + TILE);
            let (rows, coordinates) = (&mut rows[..end - start], &mut coordinates[..end - start]);
            self.rows(start, rows);
            self.coordinates(start, coordinates);
            each(start, rows, coordinates, &self.values()[start..end]);
        }
    }

    /// Calls `each` for a range of entries, a tile at a time, with the position of the first entry of the tile and its rows.
    pub fn rows_of(&self, range: Range<usize>, mut each: impl FnMut(usize, &[u64])) {
        let mut rows = [0; TILE];
        for start in range.clone().step_by(TILE) {
            let rows = &mut rows[..(range.end - start).min(TILE)];
            self.rows(start, rows);
            each(start, rows);
        }
    }
}

/// The storage for the rows of the entries between the passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowStorage {
    /// The rows stay in the input: they never decrease, so entries keep their order.
    InOrder,
    /// The rows lie in the array of coordinates, in the bits above the coordinate, counted from the first row of the
    /// bucket. It saves writing a third array.
    Packed,
    /// The rows lie in an array of their own, counted from the first row of the bucket.
    Apart,
}

/// The division of rows into buckets: each bucket has consecutive rows.
pub(super) struct BucketPlan {
    /// The position in the output of the first entry of each bucket, and the number of entries at the end.
    pub entries: Vec<usize>,
    /// The first row of each bucket, and the number of rows at the end.
    pub rows: Vec<usize>,
    pub form: RowStorage,
    /// The number of bits of a coordinate.
    pub coordinate_bits: u32,
    /// The base-2 logarithm of the number of rows of a cell.
    shift: u32,
    /// The number of the bucket that contains each cell.
    bucket: Vec<u16>,
    /// For each block of the input, the number of its entries in each bucket.
    counts: Vec<Vec<usize>>,
}

/// Returns the number of bits that the numbers below `extent` need.
fn bits(extent: usize) -> u32 {
    usize::BITS - extent.saturating_sub(1).leading_zeros()
}

/// Counts the entries of a range in each of `cells` cells of 2^`shift` rows. Also returns whether the rows never
/// decrease, starting from the entry before the range. Returns an error if a row is not below `extent`.
fn count<I: Index, V>(
    source: &dyn EntrySource<I, V>,
    range: Range<usize>,
    extent: usize,
    (cells, shift): (usize, u32),
) -> Result<(Vec<usize>, bool), SparseError> {
    let mut counts = alloc::vec![0usize; cells];
    let (mut before, mut sorted, mut beyond) = (0, true, None);
    source.rows_of(range.start.saturating_sub(1)..range.start, |_, rows| before = rows[0]);
    source.rows_of(range, |start, rows| {
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        sorted &= before <= first && rows.is_sorted();
        before = last;
        if sorted && first >> shift == last >> shift && last < extent as u64 {
            // All rows lie in one cell, so one addition counts them.
            counts[(first >> shift) as usize] += rows.len();
            return;
        }
        for (k, &row) in rows.iter().enumerate() {
            if row >= extent as u64 {
                beyond = beyond.or(Some((start + k, row)));
                return;
            }
            counts[(row >> shift) as usize] += 1;
        }
    });
    match beyond {
        None => Ok((counts, sorted)),
        Some((at, found)) => Err(rows_beyond(at, found, extent)),
    }
}

/// Returns the error for the row `found` of entry `at`, which is not below `extent`.
pub(super) fn rows_beyond(at: usize, found: u64, extent: usize) -> SparseError {
    SparseError::Range { array: ArrayName::Argument("rows"), at, found, extent: extent as u64 }
}

/// Plans the buckets for entries with rows below `extent` and coordinates below `width`. Returns an error if a row is
/// not below `extent`.
pub(super) fn plan<I: Index, V>(source: &dyn EntrySource<I, V>, extent: usize, width: usize) -> Result<BucketPlan, SparseError> {
    let len = source.values().len();
    let blocks = parallel::ranges(len, parallel::threads(len));
    let shift = bits(extent).saturating_sub(CELLS);
    let cells = (extent.saturating_sub(1) >> shift) + 1;
    let counted = parallel::map(blocks, |block| count(source, block, extent, (cells, shift)));
    let counted: Vec<(Vec<usize>, bool)> = counted.into_iter().collect::<Result<_, _>>()?;
    let sorted = counted.iter().all(|(_, sorted)| *sorted);

    let target = BUCKET.min(len / BUCKETS[0]).max(len / BUCKETS[1]);
    // The number of bits above a coordinate that can hold a row of a bucket.
    let room = I::BITS.min(usize::BITS).saturating_sub(bits(width)).min(usize::BITS - 1);
    // A bucket needs a few lines of working memory, so short inputs get few buckets.
    let buckets = BUCKETS[1].min(len / 64).max(BUCKETS[0]);
    let (form, most) = match sorted {
        true => (RowStorage::InOrder, extent),
        false if room > 0 && room >= shift && extent.div_ceil(1 << room) <= buckets => (RowStorage::Packed, 1 << room),
        false => (RowStorage::Apart, usize::try_from(u32::MAX).unwrap_or(extent)),
    };
    let (entries, starts) = (alloc::vec![0], alloc::vec![0]);
    let mut plan = BucketPlan {
        entries,
        rows: starts,
        form,
        coordinate_bits: bits(width),
        shift,
        bucket: Vec::with_capacity(cells),
        counts: Vec::new(),
    };
    let (mut first, mut end, mut size) = (0, 0, 0);
    for cell in 0..cells {
        let count: usize = counted.iter().map(|(counts, _)| counts[cell]).sum();
        let start = cell << shift;
        // The end of the last cell may overflow.
        if size > 0 && size + count > target || start.saturating_add(1 << shift) - first > most {
            plan.entries.push(end);
            plan.rows.push(start);
            (first, size) = (start, 0);
        }
        plan.bucket.push(plan.entries.len() as u16 - 1);
        size += count;
        end += count;
    }
    plan.entries.push(end);
    plan.rows.push(extent);
    plan.counts = counted
        .into_iter()
        .map(|(counts, _)| {
            let mut buckets = alloc::vec![0; plan.buckets()];
            counts.iter().zip(&plan.bucket).for_each(|(count, &bucket)| buckets[bucket as usize] += count);
            buckets
        })
        .collect();
    Ok(plan)
}

impl BucketPlan {
    /// Returns the number of buckets.
    pub fn buckets(&self) -> usize {
        self.entries.len() - 1
    }

    /// Moves the entries to their buckets, in the order of the input within each bucket. Returns the greatest coordinate, or
    /// `None` without entries. `keys` gets the coordinates, with the row above them if `RowStorage::Packed`.
    ///
    /// `rows` has one number per entry for [`RowStorage::Apart`], and is empty otherwise.
    pub fn scatter<I: Index, V: Value>(
        &self,
        source: &dyn EntrySource<I, V>,
        rows: &mut [u32],
        keys: &mut [I],
        values: &mut [V],
    ) -> Option<I> {
        match self.form {
            RowStorage::InOrder => Self::copy(source, keys, values),
            RowStorage::Packed => self.scatter_as::<I, V, true>(source, rows, keys, values),
            RowStorage::Apart => self.scatter_as::<I, V, false>(source, rows, keys, values),
        }
    }

    /// Copies the entries in the order of the input. Returns the greatest coordinate, or `None` without entries.
    fn copy<I: Index, V: Value>(source: &dyn EntrySource<I, V>, keys: &mut [I], values: &mut [V]) -> Option<I> {
        parallel::each(values, |start, values| values.clone_from_slice(&source.values()[start..start + values.len()]));
        let most = parallel::each(keys, |start, keys| {
            let tiles = keys.chunks_mut(TILE).enumerate().map(|(k, keys)| {
                source.coordinates(start + k * TILE, keys);
                keys.iter().copied().max()
            });
            tiles.max().flatten()
        });
        most.into_iter().max().flatten()
    }

    /// Moves the entries to their buckets as `BucketPlan::scatter` does. `PACKED` selects `RowStorage::Packed`, otherwise
    /// it is `RowStorage::Apart`.
    fn scatter_as<I: Index, V: Value, const PACKED: bool>(
        &self,
        source: &dyn EntrySource<I, V>,
        rows: &mut [u32],
        keys: &mut [I],
        values: &mut [V],
    ) -> Option<I> {
        let blocks = parallel::ranges(source.values().len(), self.counts.len());
        let large = [size_of_val(rows), size_of_val(keys), size_of_val(values)].map(|bytes| bytes >= streaming_writes::LARGE);
        let (rows, keys, values) = (
            streaming_writes::cut(rows, &self.counts),
            streaming_writes::cut(keys, &self.counts),
            streaming_writes::cut(values, &self.counts),
        );
        let outs = rows.into_iter().zip(keys).zip(values);
        let most = parallel::map(blocks.into_iter().zip(outs).collect(), |(block, ((rows, keys), values))| {
            let (mut most, mut buckets, mut in_bucket) = (None, [0; TILE], [0; TILE]);
            let scatter = |rows: &mut StreamedRuns<u32>, entries: &mut StreamedRuns<I, V>| {
                source.tiles(block, |_, of_rows, coordinates, of_values| {
                    most = most.max(coordinates.iter().copied().max());
                    let buckets = &mut buckets[..of_rows.len()];
                    for (k, (&row, bucket)) in of_rows.iter().zip(&mut *buckets).enumerate() {
                        *bucket = self.bucket[(row >> self.shift) as usize];
                        let row = row - self.rows[usize::from(*bucket)] as u64;
                        if PACKED {
                            let key = row << self.coordinate_bits | coordinates[k].to_u64();
                            coordinates[k] = Index::from_low_bits(key);
                        } else {
                            in_bucket[k] = row as u32;
                        }
                    }
                    entries.push_two(buckets, (coordinates, of_values));
                    if !PACKED {
                        rows.push(buckets, &in_bucket);
                    }
                })
            };
            StreamedRuns::fill(if PACKED { Vec::new() } else { rows }, large[0], |rows| {
                StreamedRuns::fill_two((keys, values), (large[1], large[2]), |entries| scatter(rows, entries))
            });
            most
        });
        most.into_iter().max().flatten()
    }
}
