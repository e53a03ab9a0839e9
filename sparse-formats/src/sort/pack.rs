//! Packs tuples of coordinates into words: only the bits that vary, above the number of the entry.

use crate::{Indices, with_indices};
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::parallel::{self, TILE};
use array_kernels::radix::Words;
use core::ops::Range;
use layout_levels::Index;

/// The bits of a column in a key: `((x >> shift) & ((1 << width) - 1)) << at` for the coordinate `x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub column: usize,
    pub shift: u32,
    pub width: u32,
    /// The position of the field from the low end of the key. A key may have more than 64 bits.
    pub at: u32,
    /// The bits outside the field, which are the same in all entries of the column.
    pub base: u64,
}

impl Field {
    /// Returns the coordinate whose varying bits lie in `key`.
    #[inline(always)]
    pub fn decode(&self, key: u64) -> u64 {
        self.base | ((key >> (self.at % 64)) & low(self.width)) << self.shift
    }

    /// Returns the bits of a key that hold `coordinate`.
    #[inline(always)]
    fn encode(&self, coordinate: u64) -> u64 {
        ((coordinate >> self.shift) & low(self.width)) << self.at
    }

    /// Returns the field of those bits of this field that lie in the range `bits` of the key. Bit `bits.start` of the key
    /// becomes bit `above`. Returns `None` if no bits lie there.
    fn cut(&self, bits: &Range<u32>, above: u32) -> Option<Field> {
        let (low, high) = (self.at.max(bits.start), (self.at + self.width).min(bits.end));
        (low < high).then(|| Field { shift: self.shift + low - self.at, width: high - low, at: low - bits.start + above, ..*self })
    }
}

/// Returns the field of each column, and the number of bits of the key. The first column has the highest bits. Sets
/// `most` to the greatest coordinate of each column.
pub(crate) fn fields(columns: &[Indices<'_>], most: &mut Vec<u64>) -> (Vec<Field>, u32) {
    let mut at = 0;
    most.resize(columns.len(), 0);
    let mut fields: Vec<Field> = (0..columns.len())
        .rev()
        .map(|column| {
            let (first, varying, greatest) = with_indices!(&columns[column], array => varying(array));
            most[column] = greatest;
            let shift = varying.trailing_zeros() % 64;
            let width = 64 - varying.leading_zeros() - if varying == 0 { 0 } else { shift };
            let mask = if width == 0 { 0 } else { (!0 >> (64 - width)) << shift };
            let field = Field { column, shift, width, at, base: first & !mask };
            at += width;
            field
        })
        .collect();
    fields.reverse();
    (fields, at)
}

/// Returns the first number, a mask of the bits that vary, and the greatest number.
fn varying<T: Index>(array: &[T]) -> (u64, u64, u64) {
    let first = array.first().copied().unwrap_or_default();
    let blocks = parallel::ranges(array.len(), parallel::threads(array.len()));
    let found = parallel::map(blocks, |block| {
        let tiles = array[block].chunks(TILE).map(|tile| {
            let differ = tile.iter().fold(0, |mask, x| mask | (x.to_u64() ^ first.to_u64()));
            (differ, tile.iter().copied().max().unwrap_or_default())
        });
        tiles.fold((0, first), |(mask, most), (differ, greatest)| (mask | differ, most.max(greatest)))
    });
    let (mask, most) = found.into_iter().fold((0, first), |(mask, most), (differ, greatest)| (mask | differ, most.max(greatest)));
    (first.to_u64(), mask, most.to_u64())
}

/// The words of all entries, computed on demand: a range of the bits of the key, above the number of the entry.
pub(crate) struct PackedKeys<'a> {
    columns: &'a [Indices<'a>],
    pieces: Vec<Field>,
    len: usize,
    index_bits: u32,
}

impl<'a> PackedKeys<'a> {
    /// Returns the words of the range `bits` of the key. With `index_bits` 0, words do not contain the number of the entry.
    pub fn new(columns: &'a [Indices<'a>], fields: &[Field], bits: Range<u32>, index_bits: u32) -> Self {
        let pieces = fields.iter().filter_map(|field| field.cut(&bits, index_bits)).collect();
        PackedKeys { columns, pieces, len: columns.first().map_or(0, Indices::len), index_bits }
    }

    /// Sets `words` to the words of the entries from `start` on.
    fn block(&self, start: usize, words: &mut [u64]) {
        if self.index_bits == 0 {
            words.fill(0);
        } else {
            words.iter_mut().enumerate().for_each(|(k, word)| *word = (start + k) as u64);
        }
        for piece in &self.pieces {
            with_indices!(&self.columns[piece.column], array => {
                let numbers = &array[start..start + words.len()];
                words.iter_mut().zip(numbers).for_each(|(word, &x)| *word |= piece.encode(x.to_u64()));
            });
        }
    }
}

impl Words for PackedKeys<'_> {
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn tiles(&self, range: Range<usize>, mut each: impl FnMut(&[u64])) {
        let mut words = [0; TILE];
        for start in range.clone().step_by(TILE) {
            let words = &mut words[..TILE.min(range.end - start)];
            self.block(start, words);
            each(words);
        }
    }
}

/// Returns the words of all entries.
pub(crate) fn all(packed: &PackedKeys<'_>) -> Vec<u64> {
    let mut words = memory::defaults(packed.len);
    parallel::each(&mut words, |start, words| {
        words.chunks_mut(TILE).enumerate().for_each(|(k, words)| packed.block(start + k * TILE, words));
    });
    words
}

/// Replaces the key bits of each word by the range `bits` of the key of its entry. The words may be in any order.
pub(crate) fn repack(words: &mut [u64], columns: &[Indices<'_>], fields: &[Field], bits: &Range<u32>, index_bits: u32) {
    let pieces: Vec<Field> = fields.iter().filter_map(|field| field.cut(bits, index_bits)).collect();
    parallel::each(words, |_, words| {
        for words in words.chunks_mut(TILE) {
            words.iter_mut().for_each(|word| *word &= low(index_bits));
            for piece in &pieces {
                with_indices!(&columns[piece.column], array => for word in words.iter_mut() {
                    *word |= piece.encode(array[(*word & low(index_bits)) as usize].to_u64());
                });
            }
        }
    });
}

/// Returns the number whose `bits` low bits are set.
#[inline(always)]
pub(crate) const fn low(bits: u32) -> u64 {
    if bits == 0 { 0 } else { !0 >> (64 - bits) }
}
