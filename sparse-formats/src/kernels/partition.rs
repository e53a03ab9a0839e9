//! The first pass of a compression: entries into buckets of consecutive rows, small enough to be sorted in a first or second level of cache.
//!
//! Writing every entry to its row at once touches a cache line and a page per entry; writing it to one of at most some thousand buckets, by whole lines, and
//! then sorting each bucket where it is in cache, reads and writes everything twice and is still faster.

use super::Value;
use crate::{ArrayName, SparseError};
use alloc::vec::Vec;
use array_kernels::parallel::{self, TILE};
use array_kernels::streaming_writes::{self, Runs};
use core::ops::Range;
use layout_levels::Index;

/// Rows are counted in cells of 2^k consecutive ones, of which there are at most this many: the counters stay in a first-level cache.
const CELLS: u32 = 12;

/// How many entries a bucket has where rows are even: with 12 bytes each about what a first-level cache holds, and as much in working memory.
const BUCKET: usize = 1 << 12;

/// How many buckets there are where rows are even: at least so that one takes little working memory, at most so that their lines stay in a second-level cache.
const BUCKETS: [usize; 2] = [16, 2048];

/// Entries with a row, a coordinate within it, and a value.
///
/// Kernels take it as an object, asked for a tile at a time: they are compiled for what they write, not for every way to read it.
pub(super) trait EntrySource<I, V>: Sync {
    /// The values.
    fn values(&self) -> &[V];

    /// The rows of the entries from `start` on, as many as there is room for.
    fn rows(&self, start: usize, out: &mut [u64]);

    /// Their coordinates.
    fn coordinates(&self, start: usize, out: &mut [I]);
}

impl<I: Index, V> dyn EntrySource<I, V> + '_ {
    /// Calls `each` on some of the entries, a tile at a time: their rows, coordinates and values.
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

    /// Calls `each` on the rows of some of the entries, a tile at a time.
    pub fn rows_of(&self, range: Range<usize>, mut each: impl FnMut(usize, &[u64])) {
        let mut rows = [0; TILE];
        for start in range.clone().step_by(TILE) {
            let rows = &mut rows[..(range.end - start).min(TILE)];
            self.rows(start, rows);
            each(start, rows);
        }
    }
}

/// Where the row of an entry is kept between the passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowStorage {
    /// In the input: the rows of the entries rise, and entries stay where they are.
    InOrder,
    /// In the array of coordinates, above the coordinate: the row counted from the first of the bucket. It saves a third array to write to.
    Packed,
    /// In an array of its own, counted from the first of the bucket.
    Apart,
}

/// Buckets of consecutive rows.
pub(super) struct BucketPlan {
    /// Where in the output each bucket starts, and the number of entries.
    pub entries: Vec<usize>,
    /// The first row of each bucket, and the number of rows.
    pub rows: Vec<usize>,
    pub form: RowStorage,
    /// The bits of a coordinate.
    pub coordinate_bits: u32,
    shift: u32,
    /// The bucket of each cell.
    bucket: Vec<u16>,
    /// How many entries each block of the input has in each bucket.
    counts: Vec<Vec<usize>>,
}

/// The bits of the numbers below `extent`.
fn bits(extent: usize) -> u32 {
    usize::BITS - extent.saturating_sub(1).leading_zeros()
}

/// How many of some entries are in each of `cells` of 2^`shift` rows, and whether their rows rise.
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
            // They are counted at once, not each after the one before.
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
        Some((at, found)) => Err(SparseError::Range { array: ArrayName::Argument("rows"), at, found, extent: extent as u64 }),
    }
}

/// Divides the rows below `extent`, of which those of the entries are some; coordinates are below `width`.
pub(super) fn plan<I: Index, V>(source: &dyn EntrySource<I, V>, extent: usize, width: usize) -> Result<BucketPlan, SparseError> {
    let len = source.values().len();
    let blocks = parallel::ranges(len, parallel::threads(len));
    let shift = bits(extent).saturating_sub(CELLS);
    let cells = (extent.saturating_sub(1) >> shift) + 1;
    let counted = parallel::map(blocks, |block| count(source, block, extent, (cells, shift)));
    let counted: Vec<(Vec<usize>, bool)> = counted.into_iter().collect::<Result<_, _>>()?;
    let sorted = counted.iter().all(|(_, sorted)| *sorted);

    let target = BUCKET.min(len / BUCKETS[0]).max(len / BUCKETS[1]);
    // So many rows of a bucket can be told apart above a coordinate.
    let room = I::BITS.min(usize::BITS).saturating_sub(bits(width)).min(usize::BITS - 1);
    // A bucket costs some lines of working memory.
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
        // The last cell may go on beyond the numbers there are.
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
    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        self.entries.len() - 1
    }

    /// Moves the entries to their buckets, in the order of the input within each; the greatest coordinate.
    ///
    /// `rows` is as long as there are entries where rows are kept apart, else empty.
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

    /// The entries where they are.
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
            let scatter = |rows: &mut Runs<u32>, entries: &mut Runs<I, V>| {
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
            Runs::fill(if PACKED { Vec::new() } else { rows }, large[0], |rows| {
                Runs::fill_two((keys, values), (large[1], large[2]), |entries| scatter(rows, entries))
            });
            most
        });
        most.into_iter().max().flatten()
    }
}
