//! Sorts coordinate lists lexicographically by a radix sort of packed words.

use super::pack::{self, Field, PackedKeys, low};
use super::prefixes::Prefixes;
use crate::kernels::check::{below, fits, same_length, same_lengths};
use crate::kernels::{Value, linear_fits};
use crate::{ArrayName, Indices, SparseError, with_indices};
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::parallel;
use array_kernels::radix;
use core::ops::Range;
use layout_levels::Index;

/// The stable lexicographic order of the entries of a coordinate list.
///
/// Each entry is a 64-bit word: its number in the low bits, and the bits of its coordinates that vary above them. One
/// array is both key and permutation, a pass of the sort moves 8 bytes per entry, and sorted coordinates are decoded
/// from the words in sequence instead of being gathered. If a tuple has more bits than a word has left, the words are
/// sorted by one range of the bits after the other, the lowest first.
///
/// ```
/// use sparse_formats::{Indices, sort::order};
/// // The entries (2, 0), (0, 7) and (2, 1).
/// let columns: [Indices; 2] = [vec![2u8, 0, 2].into(), vec![0u8, 7, 1].into()];
/// let order = order(&columns)?;
/// assert_eq!((order.len(), order.is_empty(), order.is_identity()), (3, false, false));
/// assert_eq!(order.iter().collect::<Vec<_>>(), [1, 0, 2]);
/// assert_eq!(order.gather(&['a', 'b', 'c'], 1)?, ['b', 'a', 'c']);
/// assert_eq!(order.columns(&columns)?, [vec![0u8, 2, 2].into(), vec![7u8, 0, 1].into()]);
/// // The first level has the rows 0 and 2.
/// let prefixes = order.prefixes(&columns)?;
/// assert_eq!(order.select::<u8>(0, &columns, &prefixes, 1)?, [0, 2]);
/// assert_eq!(prefixes.pointers::<u8>(1, 2)?, [0, 1, 3]);
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EntryOrder {
    rank: usize,
    len: usize,
    /// The words in order. Empty if the input is in order.
    words: Vec<u64>,
    index_bits: u32,
    /// The field of each column in a word above the number of the entry, or `None` if a word does not hold all fields.
    fields: Option<Vec<Field>>,
    /// The greatest coordinate of each column. Empty if the input is in order.
    most: Vec<u64>,
}

/// Sorts the entries of a coordinate list. Coordinate `k` of the entries is in `columns[k]`, and need not be below
/// any extent.
///
/// ```
/// use sparse_formats::{Indices, sort::order};
/// let order = order(&[Indices::from(vec![2u32, 0, 2]), Indices::from(vec![0u8, 7, 0])])?;
/// assert_eq!(order.iter().collect::<Vec<_>>(), [1, 0, 2]);
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// # Errors
/// Returns an error if the columns have different lengths, or if there are more than 2^48 entries.
pub fn order(columns: &[Indices<'_>]) -> Result<EntryOrder, SparseError> {
    order_known(columns, &[])
}

/// Sorts entries that are already in the lexicographic order of the columns `known[0]`, `known[1]`, ... If the tuples
/// fit the words, the sort skips the bits whose order follows from that. The result equals the result of [`order`].
///
/// If the entries are neither in the order of the columns `known` nor in that of all columns, the result is unspecified.
///
/// ```
/// use sparse_formats::{Indices, sort::{order, order_known}};
/// // The rows are in order already; the columns within a row are not.
/// let columns: [Indices; 2] = [vec![0u8, 0, 2, 2].into(), vec![7u8, 1, 5, 3].into()];
/// let known = order_known(&columns, &[0])?;
/// assert_eq!(known.iter().collect::<Vec<_>>(), [1, 0, 3, 2]);
/// assert!(known.iter().eq(order(&columns)?.iter()));
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// # Errors
/// Returns an error if the columns have different lengths, or if there are more than 2^48 entries.
pub fn order_known(columns: &[Indices<'_>], known: &[usize]) -> Result<EntryOrder, SparseError> {
    let len = same_lengths(columns)?;
    let index_bits = bits(len);
    fits("entries", len as u64, 1 << 48)?;
    let mut order = EntryOrder { rank: columns.len(), len, words: Vec::new(), index_bits, fields: None, most: Vec::new() };
    if Prefixes::is_sorted(columns) {
        return Ok(order);
    }
    let (fields, total) = pack::fields(columns, &mut order.most);
    let room = 64 - index_bits;
    if total <= room {
        let words = PackedKeys::new(columns, &fields, 0..total, index_bits);
        let (same, through) = open(columns.len(), known);
        // The lowest bit of the columns before column `k`.
        let from = |k: usize| if k == 0 { total } else { fields[k - 1].at } + index_bits;
        let bits = from(through)..from(same);
        if same == 0 {
            let digits = |digit: Range<u32>| PackedKeys::new(columns, &fields, digit.start - index_bits..digit.end - index_bits, 0);
            order.words = radix::sorted(&words, digits, bits);
        } else {
            order.words = pack::all(&words);
            sort_segments(&mut order.words, from(same), bits);
        }
        order.fields = Some(fields);
    } else {
        let mut spare = memory::defaults(len);
        order.words = (0..len as u64).collect();
        for start in (0..total).step_by(room as usize) {
            let part = start..total.min(start + room);
            pack::repack(&mut order.words, columns, &fields, &part, index_bits);
            if radix::sort(&mut order.words, &mut spare, index_bits..index_bits + part.len() as u32) {
                core::mem::swap(&mut order.words, &mut spare);
            }
        }
    }
    Ok(order)
}

/// Returns the number of bits that the numbers below `len` need.
fn bits(len: usize) -> u32 {
    usize::BITS - len.saturating_sub(1).leading_zeros()
}

/// Returns the number of leading columns that are in order, and the number of leading columns that the sort must
/// cover. Ties of the covered columns are already in the order of the rest.
fn open(rank: usize, known: &[usize]) -> (usize, usize) {
    let same = known.iter().enumerate().take(rank).take_while(|(k, axis)| *k == **axis).count();
    // Column `k` is in order among ties of the columns before it if it is the first known column other than those.
    let settled = |k: usize| known.iter().find(|&&axis| axis >= k) == Some(&k);
    let through = (same..rank).rev().take_while(|&k| settled(k)).last().unwrap_or(rank);
    (same, through)
}

/// Sorts each segment of words by the bits `by`. A segment is a run of words that agree in the bits from `segment`
/// on; all words are already in the order of these bits.
fn sort_segments(words: &mut [u64], segment: u32, by: Range<u32>) {
    let same = |a: &u64, b: &u64| segment >= 64 || (a ^ b) >> segment == 0;
    let blocks = parallel::ranges(words.len(), parallel::threads(words.len()));
    let (mut parts, mut rest) = (Vec::new(), words);
    for block in blocks {
        // End each block at the end of a segment.
        let end = block.len().min(rest.len());
        let end = (end..rest.len()).find(|&k| k == 0 || !same(&rest[k - 1], &rest[k])).unwrap_or(rest.len());
        parts.push(parallel::carve(&mut rest, end));
    }
    parts.push(rest);
    parallel::map(parts, |part| {
        let mut spare = Vec::new();
        part.chunk_by_mut(same).for_each(|words| radix::sort_distinct(words, &mut spare, by.clone()));
    });
}

impl EntryOrder {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Tests whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Tests whether the input was already in order.
    pub fn is_identity(&self) -> bool {
        self.words.is_empty()
    }

    /// Tests whether the sort has shown that all coordinates are below the extents. Returns false if the input was
    /// already in order, because the sort then does not compute the greatest coordinates.
    pub(crate) fn is_below(&self, extents: impl IntoIterator<Item = u64>) -> bool {
        self.most.len() == self.rank && self.most.iter().zip(extents).all(|(most, extent)| *most < extent)
    }

    /// Returns the number in the input of entry `k` of the order.
    pub(crate) fn index(&self, k: usize) -> usize {
        if self.is_identity() { k } else { (self.words[k] & low(self.index_bits)) as usize }
    }

    /// Iterates over the entries in order. Each item is the number of the entry in the input.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len).map(|k| self.index(k))
    }

    /// Returns the values of the input in the sorted order. Each entry has a block of `block` consecutive values.
    ///
    /// # Errors
    /// Returns an error if there are not `block` values per entry.
    pub fn gather<V: Value>(&self, values: &[V], block: usize) -> Result<Vec<V>, SparseError> {
        same_length("values", values.len(), self.len.saturating_mul(block))?;
        let mut out: Vec<V> = memory::defaults(values.len());
        if self.is_identity() {
            parallel::each(&mut out, |start, out| out.clone_from_slice(&values[start..start + out.len()]));
            return Ok(out);
        }
        let (mut rest, mut parts) = (&mut out[..], Vec::new());
        for range in parallel::ranges(self.len, parallel::threads(self.len)) {
            parts.push((parallel::carve(&mut rest, range.len() * block), &self.words[range]));
        }
        parallel::map(parts, |(out, words)| match block {
            0 => {}
            1 => out.iter_mut().zip(words).for_each(|(slot, word)| slot.clone_from(&values[self.entry(*word)])),
            _ => {
                out.chunks_mut(block).zip(words).for_each(|(out, word)| out.clone_from_slice(&values[self.entry(*word) * block..][..block]))
            }
        });
        Ok(out)
    }

    /// Returns the sorted columns, or borrows them if the input was already in order. `columns` must be the columns that were
    /// sorted.
    ///
    /// # Errors
    /// Returns an error if the number of columns or their lengths differ from the ones that were sorted.
    pub fn columns<'a>(&self, columns: &'a [Indices<'a>]) -> Result<Vec<Indices<'a>>, SparseError> {
        self.check(columns)?;
        let ordered = |(k, column): (usize, &'a Indices<'a>)| match &self.fields {
            _ if self.is_identity() => Ok(column.view()),
            Some(fields) => Ok(with_indices!(column, array => self.decode(fields[k], array).into())),
            None => Ok(with_indices!(column, array => self.gather(array, 1)?.into())),
        };
        columns.iter().enumerate().map(ordered).collect()
    }

    /// Fails unless `columns` have the number and the length of the sorted columns.
    fn check(&self, columns: &[Indices<'_>]) -> Result<(), SparseError> {
        same_length("columns", columns.len(), self.rank)?;
        columns.iter().try_for_each(|column| same_length("column", column.len(), self.len))
    }

    /// Returns the number of the entry in a word.
    #[inline(always)]
    fn entry(&self, word: u64) -> usize {
        (word & low(self.index_bits)) as usize
    }

    /// Decodes the coordinates of a field from the words, to the type of `_column`.
    fn decode<T: Index>(&self, field: Field, _column: &[T]) -> Vec<T> {
        let mut out: Vec<T> = memory::defaults(self.len);
        parallel::each(&mut out, |start, out| {
            out.iter_mut()
                .zip(&self.words[start..])
                .for_each(|(slot, word)| *slot = Index::from_low_bits(field.decode(word >> self.index_bits)));
        });
        out
    }

    /// Returns column `k` at the start of each prefix of `length` coordinates: the coordinates of a level. `T` must
    /// hold them, and `prefixes` must belong to this order.
    ///
    /// # Errors
    /// Returns an error if columns or prefixes have another length, or if there is no column `k`.
    pub fn select<T: Index>(&self, k: usize, columns: &[Indices<'_>], prefixes: &Prefixes, length: usize) -> Result<Vec<T>, SparseError> {
        let mut out = memory::defaults(prefixes.count(length));
        self.update(k, columns, prefixes, length, &mut out, |_, x| x)?;
        Ok(out)
    }

    /// Replaces the slot in `out` of each prefix of `length` coordinates by `next(slot, x)`, for the coordinate `x` in column
    /// `k` at the start of the prefix. Fails as `EntryOrder::select` does.
    fn update<T: Index>(
        &self,
        k: usize,
        columns: &[Indices<'_>],
        prefixes: &Prefixes,
        length: usize,
        out: &mut [T],
        next: impl Fn(u64, u64) -> u64 + Sync,
    ) -> Result<(), SparseError> {
        self.check(columns)?;
        same_length("prefixes", prefixes.len(), self.len)?;
        let column = columns.get(k).ok_or(SparseError::Length {
            array: ArrayName::Argument("columns"),
            found: columns.len(),
            expected: k.saturating_add(1),
        })?;
        let set = |slot: &mut T, x: u64| *slot = Index::from_low_bits(next(slot.to_u64(), x));
        match &self.fields {
            _ if self.is_identity() => with_indices!(column, array => prefixes.update(length, out, array, |slot, x| set(slot, x.to_u64()))),
            Some(fields) => {
                let field = fields[k];
                prefixes.update(length, out, &self.words, |slot, word| set(slot, field.decode(word >> self.index_bits)));
            }
            None => with_indices!(column, array => {
                prefixes.update(length, out, &self.words, |slot, word| set(slot, array[self.entry(*word)].to_u64()));
            }),
        }
        Ok(())
    }

    /// Returns, for each prefix of `length` coordinates, its entry in dense levels with these extents. The
    /// coordinates of these levels are in the columns from `first` on. The entry is their row-major linear index
    /// within the prefix of `first` coordinates.
    ///
    /// ```
    /// use sparse_formats::{Indices, sort::order};
    /// let columns: [Indices; 2] = [vec![2u8, 0, 2].into(), vec![0u8, 7, 1].into()];
    /// let order = order(&columns)?;
    /// let prefixes = order.prefixes(&columns)?;
    /// // Positions in a dense matrix of 3 rows and 8 columns.
    /// assert_eq!(order.linear::<u16>(&columns, &prefixes, 2, 0, &[3, 8])?, [7, 16, 17]);
    /// // Positions in dense rows of 8, of which only the rows 0 and 2 are stored.
    /// assert_eq!(order.linear::<u16>(&columns, &prefixes, 2, 1, &[8])?, [7, 8, 9]);
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if columns or prefixes have another length, if there is not one column from `first` on for each
    /// extent, if an entry does not fit `T`, or if a coordinate is not below its extent.
    pub fn linear<T: Index>(
        &self,
        columns: &[Indices<'_>],
        prefixes: &Prefixes,
        length: usize,
        first: usize,
        extents: &[u64],
    ) -> Result<Vec<T>, SparseError> {
        let mut out: Vec<T> = prefixes.parents(first, length)?;
        let parents = if first == 0 { 1 } else { prefixes.count(first) as u64 };
        if !out.is_empty() {
            linear_fits::<T>(&[&[parents], extents].concat())?;
        }
        let end = first.saturating_add(extents.len());
        let those = columns.get(first..end).ok_or(SparseError::Length {
            array: ArrayName::Argument("columns"),
            found: columns.len(),
            expected: end,
        })?;
        for ((k, column), &extent) in (first..).zip(those).zip(extents) {
            with_indices!(column, array => below("column", array, extent))?;
            self.update(k, columns, prefixes, length, &mut out, |entry, x| entry * extent + x)?;
        }
        Ok(out)
    }

    /// Returns the prefixes of the sorted coordinates. `columns` must be the columns that were sorted.
    ///
    /// # Errors
    /// Returns an error if the number of columns or their lengths differ from the ones that were sorted.
    pub fn prefixes(&self, columns: &[Indices<'_>]) -> Result<Prefixes, SparseError> {
        self.check(columns)?;
        match &self.fields {
            _ if self.is_identity() => Prefixes::new(columns),
            Some(fields) => Ok(Prefixes::of_words(&self.words, fields, self.index_bits)),
            None => Prefixes::new(&self.columns(columns)?),
        }
    }
}
