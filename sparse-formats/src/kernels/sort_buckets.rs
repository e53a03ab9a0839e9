//! The second pass of a compression: sorts each bucket by rows and within rows, and merges duplicates, all in cache.

use super::Duplicates;
use super::Value;
use super::merge::EntryArrays;
use super::partition::{BucketPlan, EntrySource, RowStorage};
use super::sort_row::Sorter;
use alloc::vec::Vec;
use array_kernels::parallel;
use core::ops::Range;
use layout_levels::Index;

/// The number of high bits of the coordinate by which the entries of a bucket are distributed first. Rows are then
/// almost in order, and insertion sort finishes them.
///
/// The distribution replaces the copy back from working memory. For short rows, it takes three quarters of the time
/// of insertion sort alone.
const PRESORT: u32 = 8;

/// The arrays of a compression between the two passes.
pub(super) struct BucketArrays<'a, P, I, V> {
    /// The rows of the entries, if the plan stores them apart.
    pub rows: &'a mut [u32],
    /// The end of each row. All zeros at first.
    pub ends: &'a mut [P],
    /// The coordinates, or keys that contain the row as well.
    pub keys: &'a mut [I],
    pub values: &'a mut [V],
}

/// Sorts the buckets of `plan`, sets the end of each row, and merges duplicates. Returns the number of entries left.
/// The error is the row and the coordinate of a duplicate that is refused.
///
/// `source` is the input of the first pass. Without `sort`, the entries of each row must already be in order.
pub(super) fn finish<P: Index, I: Index, V: Value>(
    plan: &BucketPlan,
    source: &dyn EntrySource<I, V>,
    arrays: BucketArrays<'_, P, I, V>,
    sort: bool,
    duplicates: Duplicates<V>,
) -> Result<usize, (usize, I)> {
    let BucketArrays { rows, ends, keys, values } = arrays;
    let len = keys.len();
    let threads = parallel::threads(len);
    let room = room(plan, threads);
    let pieces = pieces(plan, if threads == 1 { 1 } else { 4 * threads });
    let (mut rest, mut parts) = ((rows, &mut *ends, &mut *keys, &mut *values), Vec::new());
    for &(first, last) in &pieces {
        let entries = plan.entries[last] - plan.entries[first];
        let arrays = BucketArrays {
            rows: parallel::carve(&mut rest.0, if plan.form == RowStorage::Apart { entries } else { 0 }),
            ends: parallel::carve(&mut rest.1, plan.rows[last] - plan.rows[first]),
            keys: parallel::carve(&mut rest.2, entries),
            values: parallel::carve(&mut rest.3, entries),
        };
        parts.push(BucketGroup { first, last, plan, source, arrays, sort, room });
    }
    let kept = parallel::map(parts, |piece| piece.finish(duplicates));
    let kept: Vec<usize> = kept.into_iter().collect::<Result<_, _>>()?;

    let (mut parts, mut lengths, mut rest, mut start) = (Vec::new(), Vec::new(), ends, 0);
    for (&(first, last), &kept) in pieces.iter().zip(&kept) {
        parts.push((start, parallel::carve(&mut rest, plan.rows[last] - plan.rows[first])));
        lengths.push((plan.entries[last] - plan.entries[first], kept));
        start += kept;
    }
    parallel::map(parts, |(start, ends)| shift(ends, start));
    if start < len {
        parallel::close_gaps(keys, &lengths);
        parallel::close_gaps(values, &lengths);
    }
    Ok(start)
}

/// Adds `by` to all ends.
fn shift<P: Index>(ends: &mut [P], by: usize) {
    if by > 0 {
        ends.iter_mut().for_each(|end| *end = Index::from_low_bits(end.to_u64() + by as u64));
    }
}

/// Returns the largest number of entries that a bucket may have to be sorted into working memory, at least 256. The
/// working memory of all threads together holds at most about a twelfth of all entries.
fn room(plan: &BucketPlan, threads: usize) -> usize {
    let len = plan.entries[plan.buckets()];
    let mut sizes: Vec<usize> = plan.entries.windows(2).map(|pair| pair[1] - pair[0]).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let all = if sizes.iter().take(threads).sum::<usize>() <= len / 12 { sizes[0] } else { len / 12 / threads };
    all.clamp(256, u32::MAX as usize)
}

/// Returns about `count` ranges `first..last` of consecutive buckets with about the same number of entries.
fn pieces(plan: &BucketPlan, count: usize) -> Vec<(usize, usize)> {
    let len = plan.entries[plan.buckets()];
    let (mut pieces, mut first) = (Vec::new(), 0);
    for last in 1..=plan.buckets() {
        if last == plan.buckets() || plan.entries[last] - plan.entries[first] >= len / count {
            pieces.push((first, last));
            first = last;
        }
    }
    pieces
}

/// A range of consecutive buckets that one thread sorts.
struct BucketGroup<'a, P, I, V> {
    first: usize,
    last: usize,
    plan: &'a BucketPlan,
    source: &'a dyn EntrySource<I, V>,
    arrays: BucketArrays<'a, P, I, V>,
    sort: bool,
    room: usize,
}

/// The working memory of a thread, kept from one bucket to the next.
struct Workspace<I, V> {
    rows: Vec<u32>,
    keys: Vec<I>,
    values: Vec<V>,
    starts: Vec<u32>,
    sorter: Sorter<V>,
}

impl<P: Index, I: Index, V: Value> BucketGroup<'_, P, I, V> {
    /// Sorts each bucket, and closes the gaps that merged duplicates leave. Returns the number of entries left. Row ends
    /// count from the first entry of this group. The error is the row and the coordinate of a refused duplicate.
    fn finish(self, duplicates: Duplicates<V>) -> Result<usize, (usize, I)> {
        let (plan, first, sort) = (self.plan, self.first, self.sort);
        let mut spare = Workspace { rows: Vec::new(), keys: Vec::new(), values: Vec::new(), starts: Vec::new(), sorter: Sorter::new() };
        let mut kept = 0;
        for bucket in first..self.last {
            let entries = plan.entries[bucket] - plan.entries[first]..plan.entries[bucket + 1] - plan.entries[first];
            let first_row = plan.rows[bucket];
            let ends = &mut self.arrays.ends[first_row - plan.rows[first]..plan.rows[bucket + 1] - plan.rows[first]];
            let (keys, values) = (&mut self.arrays.keys[entries.clone()], &mut self.arrays.values[entries.clone()]);
            match plan.form {
                // The bucket is a single row, so its entries are in place and its keys are coordinates.
                _ if !sort && ends.len() == 1 => ends[0] = Index::from_low_bits(entries.len() as u64),
                RowStorage::InOrder => {
                    let (begin, end) = (plan.entries[bucket], plan.entries[bucket + 1]);
                    self.source.rows_of(begin..end, |start, rows| {
                        // Each entry stores its end, and the last one of a row remains: no store depends on an
                        // earlier one.
                        rows.iter()
                            .enumerate()
                            .for_each(|(k, row)| ends[*row as usize - first_row] = Index::from_low_bits((start - begin + k + 1) as u64));
                    });
                    carry(ends);
                }
                RowStorage::Apart => {
                    let rows = &mut self.arrays.rows[entries.clone()];
                    if entries.len() > self.room {
                        EntryArrays { rows: &mut *rows, coordinates: &mut *keys, values: &mut *values }.sort(self.room);
                        rows.iter().for_each(|row| count(ends, *row as usize));
                        sum(ends);
                    } else {
                        let split = |row, key| (row as usize, key);
                        spare.sort(rows, keys, values, ends, split, sort.then_some(plan.coordinate_bits));
                    }
                }
                RowStorage::Packed => {
                    let bits = plan.coordinate_bits;
                    // Capture `bits` by value, so that the compiler knows that no store in the loops changes it.
                    let split = move |key: I| ((key.to_u64() >> bits) as usize, Index::from_low_bits(key.to_u64() & !(!0 << bits)));
                    if entries.len() > self.room {
                        let mut rows = alloc::vec![(); entries.len()];
                        EntryArrays { rows: &mut rows, coordinates: &mut *keys, values: &mut *values }.sort(self.room);
                        keys.iter().for_each(|key| count(ends, split(*key).0));
                        sum(ends);
                        keys.iter_mut().for_each(|key| *key = split(*key).1);
                    } else {
                        spare.sort(&mut [], keys, values, ends, move |_, key| split(key), sort.then_some(bits));
                    }
                }
            }
            if sort {
                // The coordinates of a row are in order if shifted right by this number of bits.
                let sorted = if plan.form == RowStorage::InOrder { u64::BITS } else { plan.coordinate_bits.saturating_sub(PRESORT) };
                let mut start = 0;
                for end in ends.iter() {
                    let row = start..end.to_usize();
                    start = row.end;
                    spare.sorter.sort(&mut keys[row.clone()], &mut values[row], sorted, self.room);
                }
            }
            let left = fold(ends, keys, values, duplicates).map_err(|(row, at)| (first_row + row, at))?;
            if kept < entries.start {
                slide(self.arrays.keys, self.arrays.values, entries.start..entries.start + left, kept);
            }
            shift(ends, kept);
            kept += left;
        }
        Ok(kept)
    }
}

/// Adds 1 to `ends[row]`, which counts the entries of the row.
#[inline(always)]
fn count<P: Index>(ends: &mut [P], row: usize) {
    ends[row] = Index::from_low_bits(ends[row].to_u64() + 1);
}

/// Replaces the number of entries of each row by the end of the row.
fn sum<P: Index>(ends: &mut [P]) {
    let mut sum = 0;
    for end in ends {
        sum += end.to_usize();
        *end = Index::from_low_bits(sum as u64);
    }
}

/// Sets the end of each empty row to the end of the row before it.
fn carry<P: Index>(ends: &mut [P]) {
    let mut most = P::default();
    for end in ends {
        most = most.max(*end);
        *end = most;
    }
}

impl<I: Index, V: Value> Workspace<I, V> {
    /// Sorts a bucket by rows, replaces keys by coordinates, and sets the end of each row. With `coordinate_bits`, it
    /// also puts the entries of each row in the order of the high [`PRESORT`] bits of their coordinates.
    ///
    /// `split` maps a stored row (0 if rows are not stored) and a key to the row in the bucket and the coordinate.
    fn sort<P: Index>(
        &mut self,
        rows: &mut [u32],
        keys: &mut [I],
        values: &mut [V],
        ends: &mut [P],
        split: impl Fn(u32, I) -> (usize, I),
        coordinate_bits: Option<u32>,
    ) {
        let len = keys.len();
        self.keys.resize(len.max(self.keys.len()), I::default());
        self.values.resize(len.max(self.values.len()), V::default());
        self.rows.resize(rows.len().max(self.rows.len()), 0);
        let row = |rows: &[u32], k: usize| rows.get(k).copied().unwrap_or_default();
        let sort = coordinate_bits.is_some();
        let shift = coordinate_bits.unwrap_or(0).saturating_sub(PRESORT);
        let digit = move |coordinate: I| (coordinate.to_u64() >> shift) as usize;
        self.starts.clear();
        self.starts.resize(1 << PRESORT, 0);
        for (k, &key) in keys.iter().enumerate() {
            let (row, coordinate) = split(row(rows, k), key);
            count(ends, row);
            if sort {
                self.starts[digit(coordinate)] += 1;
            }
        }
        // Replace the counts by the start of each row. Every entry advances the start of its row, so that it is the
        // end at last.
        let mut sum = 0;
        for end in ends.iter_mut() {
            let start = sum;
            sum += end.to_usize();
            *end = Index::from_low_bits(start as u64);
        }
        if sort {
            let mut sum = 0;
            for start in &mut self.starts {
                let count = *start;
                *start = sum;
                sum += count;
            }
            for (k, (&key, value)) in keys.iter().zip(&*values).enumerate() {
                let start = &mut self.starts[digit(split(row(rows, k), key).1)];
                let at = *start as usize;
                *start += 1;
                self.keys[at] = key;
                self.values[at].clone_from(value);
                if let Some(&row) = rows.get(k) {
                    self.rows[at] = row;
                }
            }
        } else {
            self.keys[..len].copy_from_slice(keys);
            self.values[..len].clone_from_slice(values);
            self.rows[..rows.len()].copy_from_slice(rows);
        }
        let stored = &self.rows[..rows.len()];
        for (k, (&key, value)) in self.keys[..len].iter().zip(&self.values[..len]).enumerate() {
            let (row, coordinate) = split(row(stored, k), key);
            let at = ends[row].to_usize();
            ends[row] = Index::from_low_bits(at as u64 + 1);
            keys[at] = coordinate;
            values[at].clone_from(value);
        }
    }
}

/// Merges neighbours that have the same coordinate and are in the same row. Returns the number of entries left. The error is
/// the row and the coordinate of a duplicate that is refused.
pub(super) fn fold<P: Index, I: Index, V: Value>(
    ends: &mut [P],
    indices: &mut [I],
    values: &mut [V],
    duplicates: Duplicates<V>,
) -> Result<usize, (usize, I)> {
    if duplicates.keeps() {
        return Ok(indices.len());
    }
    // The entries before `at` are processed, and `left` of them remain. Rows before `row`, which begins at `begin`, have
    // their new ends.
    let (mut at, mut left, mut row, mut begin, mut from) = (0, 0, 0, 0, 1);
    while let Some(second) = repeated(indices, from) {
        while ends[row].to_usize() <= second {
            begin = ends[row].to_usize();
            ends[row] = Index::from_low_bits((begin - (at - left)) as u64);
            row += 1;
        }
        // The first entry of a row may have the coordinate of the last entry of another row.
        if begin == second {
            from = second + 1;
            continue;
        }
        slide(indices, values, at..second, left);
        left += second - at;
        // The rest of the row may have more duplicates, so check all its entries.
        at = ends[row].to_usize();
        from = at + 1;
        for k in second..at {
            if indices[left - 1] == indices[k] {
                let (before, value) = values.split_at_mut(k);
                if !duplicates.fold(&mut before[left - 1], &value[0]) {
                    return Err((row, indices[k]));
                }
            } else {
                indices[left] = indices[k];
                parallel::set(values, left, k);
                left += 1;
            }
        }
    }
    let removed = at - left;
    if removed > 0 {
        slide(indices, values, at..indices.len(), left);
        ends[row..].iter_mut().for_each(|end| *end = Index::from_low_bits((end.to_usize() - removed) as u64));
    }
    Ok(indices.len() - removed)
}

/// Returns the position of the first index from position `from` on that equals the index before it, or `None`.
#[inline(always)]
fn repeated<I: Index>(indices: &[I], from: usize) -> Option<usize> {
    const CHUNK: usize = 16;
    let (before, after) = (indices.get(from - 1..)?, indices.get(from..)?);
    let equal = |a: &[I], b: &[I]| a.iter().zip(b).fold(false, |found, (a, b)| found | (a == b));
    // If duplicates are frequent, one of the next few entries is one.
    let near = after.iter().zip(before).take(CHUNK / 4).position(|(a, b)| a == b);
    near.or_else(|| {
        let chunk = after.chunks(CHUNK).zip(before.chunks(CHUNK)).position(|(a, b)| equal(a, b))? * CHUNK;
        Some(chunk + after[chunk..].iter().zip(&before[chunk..]).position(|(a, b)| a == b)?)
    })
    .map(|k| from + k)
}

/// Moves the entries at the positions `entries` down, so that the first is at position `to`. Overwrites the entries there.
#[inline(always)]
fn slide<I: Index, V: Clone>(indices: &mut [I], values: &mut [V], entries: Range<usize>, to: usize) {
    let by = entries.start - to;
    if by > 0 {
        parallel::move_down(&mut indices[to..entries.end], by);
        parallel::move_down(&mut values[to..entries.end], by);
    }
}
