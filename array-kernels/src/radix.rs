//! Radix sort of 64-bit words.

use super::parallel::{self, TILE};
use super::streaming_writes::{self, StreamedRuns};
use crate::memory;
use alloc::vec::Vec;
use core::ops::Range;

/// The widest digit in bits. The 2^10 write positions take a twelfth of a first-level cache; the 2^10 lines
/// of large sorts take a little more than all of it.
const DIGIT: u32 = 10;

/// The number of words below which comparisons are cheaper than counting digits.
const FEW: usize = 1024;

/// The number of words in a bucket of `sorted`, if the words are spread evenly. With working memory they fill a first-level cache.
const BUCKET: usize = 1 << 12;

/// A sequence of words, stored or computed on demand.
///
/// ```
/// use array_kernels::parallel::TILE;
/// use array_kernels::radix::{Words, sorted};
/// use std::ops::Range;
///
/// /// Some bits of the words `row << 16 | column`.
/// struct Keys<'a> {
///     rows: &'a [u16],
///     columns: &'a [u16],
///     bits: Range<u32>,
/// }
///
/// impl Words for Keys<'_> {
///     fn len(&self) -> usize {
///         self.rows.len()
///     }
///
///     fn tiles(&self, range: Range<usize>, mut each: impl FnMut(&[u64])) {
///         let mask = (1 << self.bits.len()) - 1;
///         let word = |(row, column): (&u16, &u16)| (u64::from(*row) << 16 | u64::from(*column)) >> self.bits.start & mask;
///         for (rows, columns) in self.rows[range.clone()].chunks(TILE).zip(self.columns[range].chunks(TILE)) {
///             each(&rows.iter().zip(columns).map(word).collect::<Vec<_>>());
///         }
///     }
/// }
///
/// let (rows, columns) = ([2, 0, 1, 0], [5, 1, 0, 7]);
/// let keys = |bits| Keys { rows: &rows, columns: &columns, bits };
/// assert_eq!(sorted(&keys(0..32), keys, 16..32), [1, 7, 1 << 16, 2 << 16 | 5]);
/// ```
#[allow(clippy::len_without_is_empty, reason = "sorts need only the number of words")]
pub trait Words: Sync {
    /// Returns the number of words.
    fn len(&self) -> usize;

    /// Calls `each` on the words in `range`, in order, with at most [`TILE`] words at a time.
    fn tiles(&self, range: Range<usize>, each: impl FnMut(&[u64]));
}

impl Words for &[u64] {
    fn len(&self) -> usize {
        <[u64]>::len(self)
    }

    #[inline(always)]
    fn tiles(&self, range: Range<usize>, each: impl FnMut(&[u64])) {
        self[range].chunks(TILE).for_each(each);
    }
}

/// Stably sorts `words` by the bits in `bits`, the lowest digit first. Returns true if the result is in `spare` and false
/// if it is in `words`. Both must have one length.
///
/// ```
/// use array_kernels::radix::sort;
/// // The bits from 8 on are a key, the bits below a number that is carried along.
/// let (mut words, mut spare) = ([0x301, 0x102, 0x103, 0x204], [0; 4]);
/// let sorted = if sort(&mut words, &mut spare, 8..16) { spare } else { words };
/// assert_eq!(sorted, [0x102, 0x103, 0x204, 0x301]);
/// ```
pub fn sort(words: &mut [u64], spare: &mut [u64], bits: Range<u32>) -> bool {
    if bits.is_empty() || words.len() < 2 {
        return false;
    }
    let size = bits.end - bits.start;
    if words.len() < FEW {
        words.sort_by_key(|word| (word >> bits.start) & (!0 >> (64 - size)));
        return false;
    }
    let passes = size.div_ceil(DIGIT);
    let width = size.div_ceil(passes);
    let pass = if parallel::threads(words.len()) == 1 && size_of_val(words) < streaming_writes::LARGE { pass_in_cache } else { pass };
    let (mut from, mut to, mut moved) = (words, spare, false);
    for low in bits.clone().step_by(width as usize) {
        if pass(from, to, low..bits.end.min(low + width)) {
            core::mem::swap(&mut from, &mut to);
            moved = !moved;
        }
    }
    moved
}

/// Writes the words to `to`, stably sorted by the bits `digit`. Returns false and writes nothing if all words agree in these bits.
fn pass(from: &[u64], to: &mut [u64], digit: Range<u32>) -> bool {
    let counts = count(&from, digit.clone());
    if (0..counts[0].len()).any(|bucket| counts.iter().map(|counts| counts[bucket]).sum::<usize>() == from.len()) {
        return false;
    }
    scatter(&from, &counts, to, digit);
    true
}

/// Writes the words to `to` as [`pass`] does, on one thread, and stores each word directly at its target.
fn pass_in_cache(from: &[u64], to: &mut [u64], digit: Range<u32>) -> bool {
    // The modulus shows the compiler that the digit is in bounds, so no store needs a check.
    let of = |word: u64| of(word, &digit) % (1 << DIGIT);
    let mut places = [0u32; 1 << DIGIT];
    from.iter().for_each(|word| places[of(*word)] += 1);
    let mut sum = 0;
    for place in &mut places[..1 << digit.len()] {
        let count = core::mem::replace(place, sum);
        if count as usize == from.len() {
            return false;
        }
        sum += count;
    }
    for word in from {
        let place = &mut places[of(*word)];
        to[*place as usize] = *word;
        *place += 1;
    }
    true
}

/// Sorts words in ascending order by the bits in `bits`. Precondition: the words agree in all higher bits, and
/// words that agree in `bits` are already in ascending order.
///
/// ```
/// use array_kernels::radix::sort_distinct;
/// // Words of one bucket agree above bit 8.
/// let (mut words, mut spare) = ([0x709, 0x702, 0x7ff, 0x700], Vec::new());
/// sort_distinct(&mut words, &mut spare, 0..8);
/// assert_eq!(words, [0x700, 0x702, 0x709, 0x7ff]);
/// ```
pub fn sort_distinct(words: &mut [u64], spare: &mut Vec<u64>, bits: Range<u32>) {
    if words.len() < FEW {
        words.sort_unstable();
    } else if !bits.is_empty() {
        spare.resize(words.len().max(spare.len()), 0);
        let spare = &mut spare[..words.len()];
        if sort(words, spare, bits) {
            words.copy_from_slice(spare);
        }
    }
}

/// Returns the words of `words` sorted by the bits in `bits`. `digits(range)` returns the bits in `range` of each
/// word, shifted down to bit 0. Precondition: as for [`sort_distinct`].
///
/// The words are first written to buckets by their highest digit; then each bucket is sorted in cache.
/// Memory is read and written twice, not twice for every digit, and no second array is needed.
///
/// ```
/// use array_kernels::parallel::TILE;
/// use array_kernels::radix::{Words, sorted};
/// use std::ops::Range;
///
/// /// Some bits of each word of a slice.
/// struct Digits<'a>(&'a [u64], Range<u32>);
///
/// impl Words for Digits<'_> {
///     fn len(&self) -> usize {
///         self.0.len()
///     }
///
///     fn tiles(&self, range: Range<usize>, mut each: impl FnMut(&[u64])) {
///         let digit = |word: &u64| word >> self.1.start & ((1 << self.1.len()) - 1);
///         self.0[range].chunks(TILE).for_each(|tile| each(&tile.iter().map(digit).collect::<Vec<_>>()));
///     }
/// }
///
/// let words: Vec<u64> = (0..100_003).rev().collect();
/// let result = sorted(&&words[..], |bits| Digits(&words, bits), 0..17);
/// assert!(result.into_iter().eq(0..100_003));
/// ```
pub fn sorted<D: Words>(words: &impl Words, digits: impl Fn(Range<u32>) -> D, bits: Range<u32>) -> Vec<u64> {
    let mut out = memory::defaults(words.len());
    let size = (words.len() / BUCKET).max(1).ilog2().min(DIGIT).min(bits.end - bits.start);
    let digit = bits.end - size..bits.end;
    let counts = count(&digits(digit.clone()), 0..size);
    scatter(words, &counts, &mut out, digit.clone());

    let mut sizes = alloc::vec![0; 1 << size];
    counts.iter().for_each(|counts| sizes.iter_mut().zip(counts).for_each(|(size, count)| *size += count));
    let (threads, mut parts, mut rest) = (parallel::threads(out.len()), Vec::new(), &mut out[..]);
    let most = words.len() / (4 * threads);
    let mut sizes = sizes.into_iter().peekable();
    while sizes.peek().is_some() {
        let (mut part, mut total) = (Vec::new(), 0);
        while let Some(size) = sizes.next_if(|_| total <= most) {
            part.push(parallel::carve(&mut rest, size));
            total += size;
        }
        parts.push(part);
    }
    parallel::map(parts, |part| {
        let mut spare = Vec::new();
        part.into_iter().for_each(|words| sort_distinct(words, &mut spare, bits.start..digit.start));
    });
    out
}

/// Returns `counts[block][value]`: the number of words of each block, one a thread, whose bits `digit` have this value.
fn count(words: &impl Words, digit: Range<u32>) -> Vec<Vec<usize>> {
    let size = digit.end - digit.start;
    let blocks = parallel::ranges(words.len(), parallel::threads(words.len()));
    parallel::map(blocks, |block| {
        let mut counts = alloc::vec![0usize; 1 << size];
        words.tiles(block, |words| words.iter().for_each(|word| counts[of(*word, &digit)] += 1));
        counts
    })
}

/// Returns the bits `digit` of a word, shifted down to bit 0.
#[inline(always)]
fn of(word: u64, digit: &Range<u32>) -> usize {
    (word >> (digit.start % 64)) as usize & ((1 << (digit.end - digit.start)) - 1)
}

/// Writes the words to `out`, stably sorted by the bits `digit`. `counts` must be the result of `count` for these bits.
///
/// Every block of the input has its own run in every bucket. Blocks are therefore written on several threads, and
/// the result is the same for any number of them.
fn scatter(words: &impl Words, counts: &[Vec<usize>], out: &mut [u64], digit: Range<u32>) {
    let (large, runs) = (size_of_val(out) >= streaming_writes::LARGE, streaming_writes::cut(out, counts));
    let blocks = parallel::ranges(words.len(), counts.len());
    parallel::map(blocks.into_iter().zip(runs).collect(), |(block, runs)| {
        let mut buckets = [0; TILE];
        StreamedRuns::fill(runs, large, |runs| {
            words.tiles(block, |words| {
                buckets.iter_mut().zip(words).for_each(|(bucket, word)| *bucket = of(*word, &digit) as u16);
                runs.push(&buckets[..words.len()], words);
            });
        });
    });
}
