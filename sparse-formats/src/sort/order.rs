//! The lexicographic order of coordinate lists.

use super::pack::{self, Field, Packed, low};
use super::prefixes::Prefixes;
use super::radix;
use crate::kernels::error::{Error, below, fits, same_length};
use crate::kernels::{linear, linear_fits, tasks};
use crate::{Indices, with_indices};
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::level::Index;

/// The stable lexicographic order of the entries of a coordinate list.
///
/// A word is an entry: its number in the low bits, the bits of its coordinates that vary above them. One array is key and permutation in one, a pass of
/// the sort moves 8 bytes an entry, and sorted coordinates are read off the words in sequence instead of being gathered. Where a tuple has more bits than
/// are left in a word, the words are sorted by one part of the bits after the other, the lowest first.
#[derive(Clone, Debug)]
pub struct Order {
    rank: usize,
    len: usize,
    /// The entries in order; none where the input is in order.
    words: Vec<u64>,
    index_bits: u32,
    /// Where the coordinates lie in a word, where all of them do.
    fields: Option<Vec<Field>>,
}

/// The order of the entries whose coordinate number `k` lies in `columns[k]`; none of the numbers has to be below an extent.
///
/// ```
/// use sparse_formats::{Indices, sort::order};
/// let order = order(&[Indices::from(vec![2u32, 0, 2]), Indices::from(vec![0u8, 7, 0])])?;
/// assert_eq!(order.iter().collect::<Vec<_>>(), [1, 0, 2]);
/// # Ok::<(), sparse_formats::kernels::Error>(())
/// ```
///
/// # Errors
/// Columns of different lengths.
pub fn order(columns: &[Indices<'_>]) -> Result<Order, Error> {
    order_known(columns, &[])
}

/// The same for entries that are already in the lexicographic order of the columns `known[0]`, `known[1]`, ...: only what that order leaves open is sorted.
///
/// Where they are not in that order, nor in the one asked for, the order of the result is unspecified.
///
/// # Errors
/// Columns of different lengths.
pub fn order_known(columns: &[Indices<'_>], known: &[usize]) -> Result<Order, Error> {
    let len = columns.first().map_or(0, Indices::len);
    for column in columns {
        same_length("column", column.len(), len)?;
    }
    let index_bits = bits(len);
    fits("entries", len as u64, 1 << 48)?;
    let mut order = Order { rank: columns.len(), len, words: Vec::new(), index_bits, fields: None };
    if Prefixes::is_sorted(columns) {
        return Ok(order);
    }
    let (fields, total) = pack::fields(columns);
    let room = 64 - index_bits;
    if total <= room {
        let words = Packed::new(columns, &fields, 0..total, index_bits);
        let (same, through) = open(columns.len(), known);
        // The bits of the columns before number `k` start here.
        let from = |k: usize| if k == 0 { total } else { fields[k - 1].at } + index_bits;
        let bits = from(through)..from(same);
        if same == 0 {
            let digits = |digit: Range<u32>| Packed::new(columns, &fields, digit.start - index_bits..digit.end - index_bits, 0);
            order.words = radix::sorted(&words, digits, bits);
        } else {
            order.words = pack::all(&words);
            sort_segments(&mut order.words, from(same), bits);
        }
        order.fields = Some(fields);
    } else {
        let mut spare = alloc::vec![0; len];
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

/// The bits of the numbers below `len`.
fn bits(len: usize) -> u32 {
    usize::BITS - len.saturating_sub(1).leading_zeros()
}

/// How many leading columns are in order, and through which one sorting is enough: ties of the columns before it are in the order of the rest already.
fn open(rank: usize, known: &[usize]) -> (usize, usize) {
    let same = known.iter().enumerate().take(rank).take_while(|(k, axis)| *k == **axis).count();
    // Column `k` is in order among ties of the columns before it where, without those, it is the first one known.
    let settled = |k: usize| known.iter().find(|&&axis| axis >= k) == Some(&k);
    let through = (same..rank).rev().take_while(|&k| settled(k)).last().unwrap_or(rank);
    (same, through)
}

/// Sorts words by the bits `by` where they agree in the bits from `segment` on, in which they are in order.
fn sort_segments(words: &mut [u64], segment: u32, by: Range<u32>) {
    let same = |a: &u64, b: &u64| segment >= 64 || (a ^ b) >> segment == 0;
    let blocks = tasks::ranges(words.len(), tasks::threads(words.len()));
    let (mut parts, mut rest) = (Vec::new(), words);
    for block in blocks {
        // A block ends where a segment does.
        let end = block.len().min(rest.len());
        let end = (end..rest.len()).find(|&k| k == 0 || !same(&rest[k - 1], &rest[k])).unwrap_or(rest.len());
        parts.push(tasks::carve(&mut rest, end));
    }
    parts.push(rest);
    tasks::map(parts, |part| {
        let mut spare = Vec::new();
        part.chunk_by_mut(same).for_each(|words| radix::sort_distinct(words, &mut spare, by.clone()));
    });
}

impl Order {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the input is in order.
    pub fn is_identity(&self) -> bool {
        self.words.is_empty()
    }

    /// The number in the input of entry `k` of the order.
    fn index(&self, k: usize) -> usize {
        if self.is_identity() { k } else { (self.words[k] & low(self.index_bits)) as usize }
    }

    /// The numbers in the input, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len).map(|k| self.index(k))
    }

    /// `values` in order.
    ///
    /// # Errors
    /// Another number of values than of entries.
    pub fn gather<V: Copy + Default + Send + Sync>(&self, values: &[V]) -> Result<Vec<V>, Error> {
        same_length("values", values.len(), self.len)?;
        if self.is_identity() {
            return Ok(values.to_vec());
        }
        Ok(self.fill(|word| values[(word & low(self.index_bits)) as usize]))
    }

    /// `of` each word in order.
    fn fill<V: Copy + Default + Send + Sync>(&self, of: impl Fn(u64) -> V + Sync + Send) -> Vec<V> {
        let mut out = alloc::vec![V::default(); self.len];
        let (mut rest, mut blocks) = (&mut out[..], Vec::new());
        for range in tasks::ranges(self.len, tasks::threads(self.len)) {
            blocks.push((tasks::carve(&mut rest, range.len()), &self.words[range]));
        }
        tasks::map(blocks, |(out, words)| out.iter_mut().zip(words).for_each(|(slot, &word)| *slot = of(word)));
        out
    }

    /// The columns that were ordered, in order: themselves, where they are.
    ///
    /// # Errors
    /// Columns of another length.
    pub fn columns<'a>(&self, columns: &'a [Indices<'a>]) -> Result<Vec<Indices<'a>>, Error> {
        self.check(columns)?;
        (0..columns.len()).map(|k| self.column(k, columns)).collect()
    }

    /// That `columns` have the shape of those that were ordered.
    fn check(&self, columns: &[Indices<'_>]) -> Result<(), Error> {
        same_length("columns", columns.len(), self.rank)?;
        columns.iter().try_for_each(|column| same_length("column", column.len(), self.len))
    }

    /// Column `k` of them in order.
    fn column<'a>(&self, k: usize, columns: &'a [Indices<'a>]) -> Result<Indices<'a>, Error> {
        Ok(match &self.fields {
            _ if self.is_identity() => columns[k].view(),
            Some(fields) => with_indices!(&columns[k], array => Indices::from(self.fill(self.decoder(fields[k], array)))),
            None => with_indices!(&columns[k], array => Indices::from(self.gather(array)?)),
        })
    }

    /// What reads the coordinate in a column like `array` off a word.
    fn decoder<T: Index>(&self, field: Field, _: &[T]) -> impl Fn(u64) -> T + use<T> {
        let shift = self.index_bits % 64;
        move |word| T::from_usize(field.decode(word >> shift) as usize).unwrap_or_default()
    }

    /// Column `k` where prefixes of `length` coordinates start: the coordinates of a level. `prefixes` are those of this order.
    ///
    /// # Errors
    /// Columns or prefixes of another length.
    pub fn select(&self, k: usize, columns: &[Indices<'_>], prefixes: &Prefixes, length: usize) -> Result<Indices<'static>, Error> {
        self.check(columns)?;
        same_length("prefixes", prefixes.len(), self.len)?;
        let column = columns.get(k).ok_or(Error::Length { array: "columns", found: columns.len(), expected: k.saturating_add(1) })?;
        Ok(with_indices!(column, array => match &self.fields {
            _ if self.is_identity() => Indices::from(prefixes.select(length, array)?),
            Some(fields) => Indices::from(prefixes.select_by(length, &self.words, self.decoder(fields[k], array))),
            None => Indices::from(prefixes.select_by(length, &self.words, |word| array[(word & low(self.index_bits)) as usize])),
        }))
    }

    /// The row-major linear index, in `extents`, of the ordered coordinates in the columns from `first` on, as many as extents.
    ///
    /// # Errors
    /// As of [`linear`].
    pub fn linear<T: Index>(&self, columns: &[Indices<'_>], first: usize, extents: &[u64]) -> Result<Vec<T>, Error> {
        self.check(columns)?;
        let end = first.saturating_add(extents.len());
        let all = columns;
        let columns = all.get(first..end).ok_or(Error::Length { array: "columns", found: all.len(), expected: end })?;
        match &self.fields {
            // The index is read off the word: no column is made.
            Some(fields) if !columns.is_empty() => {
                for (k, column) in columns.iter().enumerate() {
                    with_indices!(column, array => below("column", array, extents[k]))?;
                }
                linear_fits::<T>(extents)?;
                let fields = &fields[first..];
                let index = |word| fields.iter().zip(extents).fold(0, |index, (field, extent)| index * extent + field.decode(word));
                Ok(self.fill(|word| T::from_usize(index(word >> self.index_bits) as usize).unwrap_or_default()))
            }
            _ if self.is_identity() => linear(columns, extents),
            _ => linear(&self.columns(all)?[first..end], extents),
        }
    }

    /// Where the prefixes of the ordered coordinates change.
    ///
    /// # Errors
    /// Other columns than were ordered.
    pub fn prefixes(&self, columns: &[Indices<'_>]) -> Result<Prefixes, Error> {
        self.check(columns)?;
        match &self.fields {
            _ if self.is_identity() => Prefixes::new(columns),
            Some(fields) => Ok(Prefixes::of_words(&self.words, fields, self.index_bits)),
            None => Prefixes::new(&self.columns(columns)?),
        }
    }
}
