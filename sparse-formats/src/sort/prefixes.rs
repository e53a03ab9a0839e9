//! Finds where the prefixes of sorted coordinates change. Levels are built from this, except by the faster ways for matrices.

use super::pack::Field;
use crate::kernels::Value;
use crate::kernels::check::{fits, same_length, same_lengths};
use crate::{Duplicates, Indices, SparseError, with_indices};
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::parallel;
use core::ops::Range;
use layout_levels::Index;

/// The number of entries that are compared at a time, column by column.
const BLOCK: usize = 4096;

/// The first column in which each entry of a sorted coordinate list differs from the entry before it. It is 0 for the
/// first entry, and the rank for a duplicate.
///
/// This number is the depth of the entry. An entry starts a new prefix of `length` coordinates exactly if its depth is
/// below `length`.
///
/// ```
/// use sparse_formats::{Duplicates, Indices, sort::Prefixes};
/// // The entries (0, 1), (0, 2), (0, 2) and (4, 0).
/// let prefixes = Prefixes::new(&[Indices::from(vec![0u8, 0, 0, 4]), vec![1u8, 2, 2, 0].into()])?;
/// assert_eq!((prefixes.len(), prefixes.is_empty()), (4, false));
/// assert_eq!((prefixes.duplicates(), prefixes.first_duplicate()), (1, Some(2)));
/// // No prefix of 0 coordinates, two rows, three distinct entries, four entries.
/// assert_eq!([0, 1, 2, 3].map(|length| prefixes.count(length)), [0, 2, 3, 4]);
/// assert_eq!(prefixes.starts(1).collect::<Vec<_>>(), [0, 3]);
/// // The arrays of `DC-S`: the rows, their ends, the columns, the sums of the values.
/// assert_eq!(prefixes.select(1, &[0u8, 0, 0, 4])?, [0, 4]);
/// assert_eq!(prefixes.pointers::<u8>(1, 2)?, [0, 2, 3]);
/// assert_eq!(prefixes.select(2, &[1u8, 2, 2, 0])?, [1, 2, 0]);
/// assert_eq!(prefixes.fold(vec![10, 20, 30, 40], 1, Duplicates::sum())?, [10, 50, 40]);
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prefixes {
    rank: u16,
    /// The depth of each entry.
    depth: Vec<u16>,
    /// `counts[length]` is the number of prefixes of `length` coordinates, from 0 to the rank.
    counts: Vec<usize>,
}

impl Prefixes {
    /// Finds the prefixes of a sorted coordinate list. Coordinate `k` of the entries is in `columns[k]`.
    ///
    /// ```
    /// use sparse_formats::{Indices, sort::Prefixes};
    /// let (rows, columns) = (Indices::from(vec![0u8, 0, 4]), Indices::from(vec![1u8, 2, 0]));
    /// let prefixes = Prefixes::new(&[rows, columns])?;
    /// assert_eq!(prefixes.select(1, &[0u8, 0, 4])?, [0, 4]);
    /// assert_eq!(prefixes.pointers::<u8>(1, 2)?, [0, 2, 3]);
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the columns have different lengths, if the entries are not in order, or if the rank
    /// exceeds 65534.
    pub fn new(columns: &[Indices<'_>]) -> Result<Prefixes, SparseError> {
        fits("columns", columns.len() as u64, u16::MAX as u64 - 1)?;
        let len = same_lengths(columns)?;
        let mut depth = memory::defaults(len);
        match blocks(&mut depth, |start, depth| compare(columns, start, depth)).into_iter().flatten().next() {
            Some(position) => Err(SparseError::Descending { at: position }),
            None => Ok(Prefixes::of(columns.len() as u16, depth)),
        }
    }

    /// Tests whether the entries are in order. All columns must have the same length.
    pub(crate) fn is_sorted(columns: &[Indices<'_>]) -> bool {
        let len = columns.first().map_or(0, Indices::len);
        let parts = parallel::ranges(len, parallel::threads(len));
        let in_order = |part: Range<usize>| {
            let mut depth = [0; BLOCK];
            part.clone().step_by(BLOCK).all(|start| compare(columns, start, &mut depth[..BLOCK.min(part.end - start)]).is_none())
        };
        // Most unsorted lists differ from a sorted one early, so test the first block alone first.
        in_order(0..len.min(BLOCK)) && parallel::map(parts, in_order).into_iter().all(|sorted| sorted)
    }

    /// Finds the prefixes of sorted words. Each word holds all coordinates of an entry, coordinate `k` at the bits
    /// `fields[k]`, above `index_bits` bits that are ignored.
    pub(crate) fn of_words(words: &[u64], fields: &[Field], index_bits: u32) -> Prefixes {
        let rank = fields.len() as u16;
        let mut column = [rank; 64];
        for (k, field) in fields.iter().enumerate() {
            column[field.at as usize..][..field.width as usize].fill(k as u16);
        }
        let mut depth = memory::defaults(words.len());
        blocks(&mut depth, |start, depth| {
            let mut before = if start == 0 { !words[0] } else { words[start - 1] };
            for (depth, &word) in depth.iter_mut().zip(&words[start..]) {
                let differ = (before ^ word) >> index_bits;
                *depth = if differ == 0 { rank } else { column[63 - differ.leading_zeros() as usize] };
                before = word;
            }
        });
        if let Some(first) = depth.first_mut() {
            *first = 0;
        }
        Prefixes::of(rank, depth)
    }

    /// Returns the prefixes for these depths, and counts them.
    fn of(rank: u16, depth: Vec<u16>) -> Prefixes {
        let blocks = parallel::ranges(depth.len(), parallel::threads(depth.len()));
        let counted = parallel::map(blocks, |block| {
            let mut counts = alloc::vec![0; usize::from(rank) + 1];
            for depth in depth[block].chunks(BLOCK) {
                counts.iter_mut().enumerate().for_each(|(length, count)| *count += below(depth, length));
            }
            counts
        });
        let count = |length: usize| counted.iter().map(|counts| counts[length]).sum();
        let counts = (0..=usize::from(rank)).map(count).collect();
        Prefixes { rank, depth, counts }
    }

    /// Returns the number of entries of the coordinate list.
    pub fn len(&self) -> usize {
        self.depth.len()
    }

    /// Tests whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.depth.is_empty()
    }

    /// Returns the number of entries that have the coordinates of the entry before them.
    pub fn duplicates(&self) -> usize {
        self.len() - self.count(self.rank as usize)
    }

    /// Returns the position of the first entry that has the coordinates of the entry before it, or `None`.
    pub fn first_duplicate(&self) -> Option<usize> {
        if self.duplicates() == 0 { None } else { self.depth.iter().position(|&depth| depth == self.rank) }
    }

    /// Returns the number of prefixes of `length` coordinates: 0 if `length` is 0, and the number of entries if `length`
    /// exceeds the rank.
    pub fn count(&self, length: usize) -> usize {
        self.counts.get(length).copied().unwrap_or(self.len())
    }

    /// Iterates over the positions of entries that start a prefix of `length` coordinates, or of all entries if `length`
    /// exceeds the rank.
    pub fn starts(&self, length: usize) -> impl Iterator<Item = usize> + '_ {
        self.depth.iter().enumerate().filter(move |(_, depth)| (**depth as usize) < length).map(|(k, _)| k)
    }

    /// Returns the element of `array` at each start of a prefix of `length` coordinates. For a sorted column, these
    /// are the coordinates of a level.
    ///
    /// # Errors
    /// Returns an error if `array` does not have one element per entry.
    pub fn select<T: Value>(&self, length: usize, array: &[T]) -> Result<Vec<T>, SparseError> {
        same_length("array", array.len(), self.len())?;
        let mut out: Vec<T> = memory::defaults(self.count(length));
        self.update(length, &mut out, array, |slot, x| slot.clone_from(x));
        Ok(out)
    }

    /// Calls `set` for each prefix of `length` coordinates, with its slot in `out` and the element of `array` at its start.
    /// `out` has one slot per prefix, `array` one element per entry.
    pub(crate) fn update<T: Send, U: Sync>(&self, length: usize, out: &mut [T], array: &[U], set: impl Fn(&mut T, &U) + Sync) {
        self.visit(length, 0, out, |range, depth, _, mut out| {
            for (depth, array) in depth.chunks(CHUNK).zip(array[range].chunks(CHUNK)) {
                let starts = starts(depth, length);
                let slots = parallel::carve(&mut out, starts.count_ones() as usize);
                if let (Some(slots), Some(array)) = (slots.first_chunk_mut::<CHUNK>(), array.first_chunk::<CHUNK>()) {
                    for (slot, x) in slots.iter_mut().zip(array) {
                        set(slot, x);
                    }
                } else {
                    for (slot, k) in slots.iter_mut().zip(ones(starts)) {
                        set(slot, &array[k]);
                    }
                }
            }
        });
    }

    /// Returns, for each prefix of `to` coordinates, the number of its prefix of `from` coordinates, counted from 0.
    /// All numbers are 0 if `from` is 0.
    ///
    /// # Errors
    /// Returns an error if the numbers do not fit `P`.
    pub(crate) fn parents<P: Index>(&self, from: usize, to: usize) -> Result<Vec<P>, SparseError> {
        fits("parents", self.count(from) as u64, P::MOST as u64)?;
        let mut out = memory::defaults(self.count(to));
        if from > 0 {
            self.visit(to, from, &mut out, |_, depth, before, out| {
                // A prefix that starts after its parent has the parent counted in `before`, so the number of the
                // parent is one less.
                for_starts(depth, to, from, before, out, |k, before, slot| {
                    *slot = Index::from_low_bits((before - usize::from(depth[k] as usize >= from)) as u64);
                });
            });
        }
        Ok(out)
    }

    /// Makes some entries start a new prefix of `level + 1` coordinates, so that each of these has at most `most`
    /// prefixes of `children` coordinates.
    pub(crate) fn split(&mut self, level: usize, most: usize, children: usize) {
        let (mut count, mut all) = (0, core::mem::take(&mut self.depth));
        for depth in &mut all {
            if (*depth as usize) <= level {
                count = 1;
            } else if (*depth as usize) < children {
                count += 1;
                if count > most {
                    *depth = level as u16;
                    count = 1;
                }
            }
        }
        *self = Prefixes::of(self.rank, all);
    }

    /// Returns, for each prefix of `from` coordinates, the first of its prefixes of `to` coordinates, and the number
    /// of all prefixes of `to` coordinates at the end.
    ///
    /// The only prefix of 0 coordinates is the root. With a length above the rank, the prefixes are the entries,
    /// duplicates included.
    ///
    /// # Errors
    /// Returns an error if the pointers do not fit `P`.
    pub fn pointers<P: Index>(&self, from: usize, to: usize) -> Result<Vec<P>, SparseError> {
        let total = self.count(to);
        fits("children", total as u64, P::MOST as u64)?;
        let parents = if from == 0 { 1 } else { self.count(from) };
        let mut out = memory::defaults(parents + 1);
        if from > 0 {
            self.visit(from, to, &mut out[..parents], |_, depth, before, out| {
                for_starts(depth, from, to, before, out, |_, children, slot| *slot = Index::from_low_bits(children as u64));
            });
        }
        out[parents] = Index::from_low_bits(total as u64);
        Ok(out)
    }

    /// Merges the values of duplicates: returns one block of `block` values for each distinct coordinate. `values`
    /// must be in the order of the entries, and duplicates are folded in this order.
    ///
    /// # Errors
    /// Returns an error if there are not `block` values per entry, or if `duplicates` refuses a duplicate. The error
    /// then names the positions of the first duplicate in the order; the caller adds its coordinate.
    pub fn fold<V: Value>(&self, mut values: Vec<V>, block: usize, duplicates: Duplicates<V>) -> Result<Vec<V>, SparseError> {
        same_length("values", values.len(), self.len().saturating_mul(block))?;
        if duplicates.keeps() || self.duplicates() == 0 {
            return Ok(values);
        }
        // Each part ends between two coordinates, so that one part folds all values of a coordinate.
        let (mut parts, mut lengths, mut rest, mut start) = (Vec::new(), Vec::new(), &mut values[..], 0);
        for part in parallel::ranges(self.len(), parallel::threads(self.len())) {
            let end = (part.end.max(start)..self.len()).find(|&k| self.depth[k] < self.rank).unwrap_or(self.len());
            parts.push((start, &self.depth[start..end], parallel::carve(&mut rest, (end - start) * block)));
            start = end;
        }
        let folded = parallel::map(parts, |(start, depth, values)| {
            let mut kept = 0;
            for (k, &depth) in depth.iter().enumerate() {
                if depth < self.rank {
                    (0..block).for_each(|j| parallel::set(values, kept * block + j, k * block + j));
                    kept += 1;
                } else {
                    let (before, after) = values.split_at_mut(k * block);
                    let pairs = before[(kept - 1) * block..].iter_mut().zip(&after[..block]);
                    for (first, next) in pairs {
                        if !duplicates.fold(first, next) {
                            return Err(start + k);
                        }
                    }
                }
            }
            Ok((depth.len() * block, kept * block))
        });
        for folded in folded {
            lengths.push(folded.map_err(|k| SparseError::Repeated { at: (k - 1, k), found: Vec::new() })?);
        }
        parallel::close_gaps(&mut values, &lengths);
        values.truncate(lengths.iter().map(|(_, kept)| kept).sum());
        Ok(values)
    }

    /// Returns, for each block of entries (one per thread), the number of prefixes of `length` coordinates that start in it.
    fn counts(&self, length: usize) -> Vec<usize> {
        let blocks = parallel::ranges(self.len(), parallel::threads(self.len()));
        if let [_] = blocks[..] {
            return alloc::vec![self.count(length)];
        }
        parallel::map(blocks, |block| below(&self.depth[block], length))
    }

    /// Calls `each` for each block of entries with four arguments: the range and depths of the block, the number of
    /// prefixes of `to` coordinates that start before it, and its part of `out`. `out` has one slot per prefix of
    /// `length` coordinates.
    fn visit<T: Send>(&self, length: usize, to: usize, out: &mut [T], each: impl Fn(Range<usize>, &[u16], usize, &mut [T]) + Sync) {
        let counts = self.counts(length);
        let (mut rest, mut parts, mut before) = (out, Vec::new(), 0);
        for ((range, count), children) in parallel::ranges(self.len(), counts.len()).into_iter().zip(counts).zip(self.counts(to)) {
            parts.push((range, before, parallel::carve(&mut rest, count)));
            before += children;
        }
        parallel::map(parts, |(range, before, out)| each(range.clone(), &self.depth[range], before, out));
    }
}

/// Returns the number of depths below `length`. Sums in 16 bits take half the time.
#[inline]
fn below(depth: &[u16], length: usize) -> usize {
    let length = length.min(u16::MAX.into()) as u16;
    depth.chunks(BLOCK).map(|block| block.iter().map(|&depth| u16::from(depth < length)).sum::<u16>() as usize).sum()
}

/// The number of entries that are processed together, one bit for each. Usually either all entries of a chunk start a
/// prefix (of the last levels) or none does (of the first levels).
const CHUNK: usize = u16::BITS as usize;

/// Returns a bit mask of the depths of a chunk that are below `length`.
#[inline(always)]
fn starts(depth: &[u16], length: usize) -> u16 {
    let length = length.min(u16::MAX.into()) as u16;
    let bit = |(k, &depth): (usize, &u16)| if depth < length { 1 << k } else { 0 };
    // Both arms are the same. With a constant length, the compiler emits straight-line code.
    match depth.first_chunk::<CHUNK>() {
        Some(depth) => depth.iter().enumerate().map(bit).fold(0, |all, bit| all | bit),
        None => depth.iter().enumerate().map(bit).fold(0, |all, bit| all | bit),
    }
}

/// Iterates over the positions of the set bits.
#[inline(always)]
fn ones(mut bits: u16) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let place = (bits != 0).then_some(bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        place
    })
}

/// Calls `set` for each entry whose depth is below `length`, with the number of the entry, the number of entries
/// before it whose depth is below `to` (plus `before`), and its slot in `out`.
#[inline(always)]
fn for_starts<T>(depth: &[u16], length: usize, to: usize, mut before: usize, out: &mut [T], mut set: impl FnMut(usize, usize, &mut T)) {
    let mut at = 0;
    for (chunk, depth) in depth.chunks(CHUNK).enumerate() {
        let start = chunk * CHUNK;
        let (starts, children) = (starts(depth, length), starts(depth, to));
        let slots = &mut out[at..at + starts.count_ones() as usize];
        if slots.len() == depth.len() && (children == starts || children == 0) {
            for (k, slot) in slots.iter_mut().enumerate() {
                set(start + k, before + if children == 0 { 0 } else { k }, slot);
            }
        } else {
            for (slot, k) in slots.iter_mut().zip(ones(starts)) {
                set(start + k, before + (children & ((1 << k) - 1)).count_ones() as usize, slot);
            }
        }
        at += slots.len();
        before += children.count_ones() as usize;
    }
}

/// Calls `run` on every block of `depth`, with the position of the first entry of the block, and returns the results in
/// order.
fn blocks<R: Send>(depth: &mut [u16], run: impl Fn(usize, &mut [u16]) -> R + Sync + Send) -> Vec<R> {
    let (len, mut rest, mut parts) = (depth.len(), depth, Vec::new());
    for range in parallel::ranges(len, parallel::threads(len)) {
        let mut start = range.start;
        for part in parallel::carve(&mut rest, range.len()).chunks_mut(BLOCK.max(range.len().div_ceil(64))) {
            parts.push((start, part));
            start += parts.last().map_or(0, |(_, part)| part.len());
        }
    }
    parallel::map(parts, |(start, part)| run(start, part))
}

/// Sets `depth` for the entries from position `start` on. Returns the position of the first of them that is less than the
/// entry before it, or `None`. If one is, the depths after its block are not set.
fn compare(columns: &[Indices<'_>], start: usize, depth: &mut [u16]) -> Option<usize> {
    let open = columns.len() as u16;
    for (k, depth) in depth.chunks_mut(BLOCK).enumerate() {
        let start = start + k * BLOCK;
        depth.fill(open);
        let mut falls = false;
        for (column, numbers) in columns.iter().enumerate() {
            falls |= with_indices!(numbers, array => compare_column(array, start, column as u16, open, depth));
        }
        if falls {
            let falls_at = |k: &usize| {
                let at = |k| columns.iter().map(move |column| column.get(k));
                *k > 0 && at(*k).lt(at(k - 1))
            };
            return (start..start + depth.len()).find(falls_at);
        }
    }
    None
}

/// Sets the depth to `column` for the entries that agree with the entry before them in all earlier columns, but not in this
/// one. Until a difference is found, the depth of an entry is `open`. Returns true if one of these entries is less than the
/// entry before it. `array` is the column, and `start` the position of the first entry of `depth`.
fn compare_column<T: Index>(array: &[T], start: usize, column: u16, open: u16, depth: &mut [u16]) -> bool {
    let (before, depth) = match (start, depth) {
        (0, [first, depth @ ..]) => {
            *first = 0;
            (0, depth)
        }
        (_, depth) => (start.saturating_sub(1), depth),
    };
    let mut falls = false;
    for ((depth, &a), &b) in depth.iter_mut().zip(&array[before..]).zip(array.get(before + 1..).unwrap_or_default()) {
        let equal_so_far = *depth == open;
        falls |= equal_so_far & (b < a);
        *depth = if equal_so_far & (a != b) { column } else { *depth };
    }
    falls
}
