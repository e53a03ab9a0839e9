//! The first pass of a compression: entries into buckets of consecutive rows, each about as large as a second-level cache.
//!
//! Writing every entry to its row at once touches a cache line and a page per entry; writing it to one of some hundred buckets, and then sorting each
//! bucket where it is in cache, reads and writes everything twice and is still faster.

use super::error::Error;
use super::{Value, tasks};
use alloc::vec::Vec;
use core::ops::Range;
use core::slice::IterMut;
use layout_core::level::Index;

/// Rows are counted in cells of 2^k consecutive ones, of which there are at most this many: the counters stay in a first-level cache.
const CELLS: u32 = 12;

/// How many entries a bucket has where rows are even: most of a second-level cache with 12 bytes each here and in working memory.
const BUCKET: usize = 1 << 16;

/// How many buckets there are where rows are even: at least so that one takes little working memory, at most so that cursors stay in cache.
const BUCKETS: [usize; 2] = [16, 512];

/// Entries with a row, a coordinate within it, and a value.
pub(super) trait Source<A, I, V>: Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// The rows.
    fn rows(&self) -> &[A];

    /// Calls `each` on the entries in `range`.
    fn visit(&self, range: Range<usize>, each: impl FnMut(A, I, &V));
}

/// Where the row of an entry is kept between the passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// In the input: the rows of the entries rise, and entries stay where they are.
    InOrder,
    /// In the array of coordinates, above the coordinate: the row counted from the first of the bucket. It saves a third array to write to.
    Packed,
    /// In an array of its own.
    Apart,
}

/// Buckets of consecutive rows.
pub(super) struct Plan {
    /// Where in the output each bucket starts, and the number of entries.
    pub entries: Vec<usize>,
    /// The first row of each bucket, and the number of rows.
    pub rows: Vec<usize>,
    pub form: Form,
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

/// Divides the rows below `extent`, of which `rows` are those of the entries; coordinates are below `width` and kept in `index_bits` bits.
pub(super) fn plan<A: Index>(rows: &[A], extent: usize, width: usize, index_bits: u32) -> Result<Plan, Error> {
    let len = rows.len();
    let blocks = tasks::ranges(len, tasks::threads(len));
    let shift = bits(extent).saturating_sub(CELLS);
    let cells = (extent.saturating_sub(1) >> shift) + 1;
    let counted = tasks::map(blocks, |block| {
        let mut counts = alloc::vec![0usize; cells];
        let mut before = rows[block.start.saturating_sub(1)..].first().map_or(0, |row| row.to_u64());
        let mut sorted = true;
        for (k, row) in rows[block.clone()].iter().enumerate() {
            let row = row.to_u64();
            if row >= extent as u64 {
                return Err(Error::OutOfRange { array: "rows", position: block.start + k, coordinate: row, extent: extent as u64 });
            }
            counts[row as usize >> shift] += 1;
            sorted &= before <= row;
            before = row;
        }
        Ok((counts, sorted))
    });
    let counted: Vec<(Vec<usize>, bool)> = counted.into_iter().collect::<Result<_, _>>()?;
    let sorted = counted.iter().all(|(_, sorted)| *sorted);

    let target = BUCKET.min(len / BUCKETS[0]).max(len / BUCKETS[1]);
    // So many rows of a bucket can be told apart above a coordinate.
    let room = index_bits.saturating_sub(bits(width)).min(usize::BITS - 1);
    let (form, most) = match sorted {
        true => (Form::InOrder, extent),
        false if room > 0 && room >= shift && extent.div_ceil(1 << room) <= BUCKETS[1] => (Form::Packed, 1 << room),
        false => (Form::Apart, extent),
    };
    let (entries, starts) = (alloc::vec![0], alloc::vec![0]);
    let mut plan =
        Plan { entries, rows: starts, form, coordinate_bits: bits(width), shift, bucket: Vec::with_capacity(cells), counts: Vec::new() };
    let (mut first, mut end, mut size) = (0, 0, 0);
    for cell in 0..cells {
        let count: usize = counted.iter().map(|(counts, _)| counts[cell]).sum();
        if size > 0 && size + count > target || ((cell + 1) << shift) - first > most {
            plan.entries.push(end);
            plan.rows.push(cell << shift);
            (first, size) = (cell << shift, 0);
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

/// Where the next entry of a bucket goes. Iterators know their ends: no bounds are checked, and threads are known to write to different places.
struct Cursor<'a, A, I, V> {
    row: IterMut<'a, A>,
    key: IterMut<'a, I>,
    value: IterMut<'a, V>,
    first_row: usize,
}

impl Plan {
    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        self.entries.len() - 1
    }

    /// Moves the entries to their buckets, in the order of the input within each; the greatest coordinate.
    ///
    /// `rows` is as long as there are entries where rows are kept apart, else empty.
    pub fn scatter<A: Index, I: Index, V: Value>(
        &self,
        source: &impl Source<A, I, V>,
        rows: &mut [A],
        keys: &mut [I],
        values: &mut [V],
    ) -> Option<I> {
        match self.form {
            Form::Packed => self.scatter_as::<A, I, V, true>(source, rows, keys, values),
            _ => self.scatter_as::<A, I, V, false>(source, rows, keys, values),
        }
    }

    fn scatter_as<A: Index, I: Index, V: Value, const PACKED: bool>(
        &self,
        source: &impl Source<A, I, V>,
        rows: &mut [A],
        keys: &mut [I],
        values: &mut [V],
    ) -> Option<I> {
        let blocks = tasks::ranges(source.len(), self.counts.len());
        let mut cursors: Vec<Vec<Cursor<'_, A, I, V>>> = blocks.iter().map(|_| Vec::with_capacity(self.buckets())).collect();
        let (mut rows, mut keys, mut values) = (rows, keys, values);
        for bucket in 0..self.buckets() {
            for (cursors, counts) in cursors.iter_mut().zip(&self.counts) {
                let count = counts[bucket];
                cursors.push(Cursor {
                    row: tasks::carve(&mut rows, count).iter_mut(),
                    key: tasks::carve(&mut keys, count).iter_mut(),
                    value: tasks::carve(&mut values, count).iter_mut(),
                    first_row: self.rows[bucket],
                });
            }
        }
        let most = tasks::map(blocks.into_iter().zip(cursors).collect(), |(block, mut cursors)| {
            let mut most = None;
            source.visit(block, |row: A, coordinate: I, value| {
                let cursor = &mut cursors[self.bucket[row.to_usize() >> self.shift] as usize];
                let key = if PACKED {
                    let above = ((row.to_usize() - cursor.first_row) as u64) << self.coordinate_bits;
                    I::from_usize((above | coordinate.to_u64()) as usize).unwrap_or_default()
                } else {
                    coordinate
                };
                if let Some(slot) = cursor.key.next() {
                    *slot = key;
                }
                if let Some(slot) = cursor.value.next() {
                    slot.clone_from(value);
                }
                if !PACKED && let Some(slot) = cursor.row.next() {
                    *slot = row;
                }
                most = most.max(Some(coordinate));
            });
            most
        });
        most.into_iter().max().flatten()
    }
}
