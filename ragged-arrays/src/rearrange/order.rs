//! Sorts lists: in a network up to `WIDEST` numbers, by comparisons below `LONG`, and by radix from there on.

use crate::structure::with_lists;
use crate::{Number, RaggedArray, Result};
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::merge_path::{self, carved};
use array_kernels::network::{self, WIDEST};
use array_kernels::parallel;
use array_kernels::radix;

/// The minimum length of a list for which a radix sort is cheaper than comparisons.
const LONG: usize = 1024;

impl<T: Number> RaggedArray<'_, T> {
    /// Sorts every list of the last axis in ascending order, NaN last. Equal numbers keep their order. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 2], vec![2.5, f32::NAN, -1.0, 4.0, 0.5])?;
    /// let sorted = a.sort()?;
    /// assert_eq!((&sorted.row(0)[..2], sorted.row(2)), (&[-1.0, 2.5][..], &[0.5, 4.0][..]));
    /// assert!(sorted.row(0)[2].is_nan());
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn sort(&self) -> Result<RaggedArray<'static, T>> {
        self.ordered(T::ZERO, |x, _| x)
    }

    /// Returns, for every list of the last axis, the local indices of its elements in ascending order of the elements.
    /// Equal elements keep their order. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![7, 1, 7, 4])?;
    /// assert_eq!((a.argsort()?.leaves(), a.sort()?.leaves()), (&[1, 0, 2, 0][..], &[1, 7, 7, 4][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn argsort(&self) -> Result<RaggedArray<'static, usize>> {
        self.ordered(0, |_, place| place)
    }

    /// Sorts each list of the last axis. Leaves become `pick(element, local index)`, in order. Fails if memory is short.
    fn ordered<U: Copy + Send + 'static>(&self, zero: U, pick: impl Fn(T, usize) -> U + Sync + Send) -> Result<RaggedArray<'static, U>> {
        let a = self.settled()?;
        let leaves = a.leaves();
        let mut out = memory::repeated(zero, leaves.len());
        with_lists!(&a.shape().last_lists(), rows => {
            let parts = merge_path::whole_rows(rows, merge_path::tasks_of(rows));
            parallel::map(carved(parts, &mut out), |(part, mut out)| {
                let mut sorter = Sorter::default();
                part.each(rows, |_, entries| {
                    let list = leaves.get(entries).unwrap_or(&[]);
                    sorter.sort(list, parallel::carve(&mut out, list.len()), &pick);
                });
            });
        });
        a.with_leaves(out)
    }
}

/// The working memory for sorting lists, reused from list to list.
#[derive(Default)]
struct Sorter {
    words: Vec<u64>,
    spare: Vec<u64>,
}

impl Sorter {
    #[inline(always)]
    fn sort<T: Number, U>(&mut self, list: &[T], out: &mut [U], pick: impl Fn(T, usize) -> U) {
        match list {
            [] => (),
            [one] => out.iter_mut().for_each(|slot| *slot = pick(*one, 0)),
            _ if list.len() <= WIDEST => {
                let mut words = [u64::MAX; WIDEST];
                let packing = Packing::of(list, WIDEST.ilog2());
                words.iter_mut().zip(list).zip(0..).for_each(|((word, leaf), place)| *word = packing.word(*leaf, place));
                network::sort(&mut words, list.len());
                let Some(words) = words.get_mut(..list.len()) else { return };
                packing.settle(words, list);
                packing.write(words, list, out, pick);
            }
            _ => self.sort_long(list).write(&self.words, list, out, pick),
        }
    }

    /// Writes the sorted words of a list to `self.words`, and returns their format.
    #[inline(never)]
    fn sort_long<T: Number>(&mut self, list: &[T]) -> Packing {
        let packing = Packing::of(list, usize::BITS - (list.len() - 1).leading_zeros());
        self.words.clear();
        self.words.extend(list.iter().zip(0..).map(|(leaf, place)| packing.word(*leaf, place)));
        if list.len() < LONG {
            self.words.sort_unstable();
        } else {
            self.spare.resize(list.len(), 0);
            if radix::sort(&mut self.words, &mut self.spare, packing.places..packing.places + packing.width) {
                core::mem::swap(&mut self.words, &mut self.spare);
            }
        }
        packing.settle(&mut self.words, list);
        packing
    }
}

/// The format of a sort word: the highest bits of the key's excess over the least key of the list, above the local index.
struct Packing {
    least: u64,
    /// Number of lowest bits of keys that do not fit a word and are left out.
    dropped: u32,
    /// Number of key bits in a word.
    width: u32,
    /// Number of bits of a local index.
    places: u32,
}

impl Packing {
    #[inline(always)]
    fn of<T: Number>(list: &[T], places: u32) -> Packing {
        let ends = |(least, most): (u64, u64), leaf: &T| (leaf.key().min(least), leaf.key().max(most));
        let (least, most) = list.iter().fold((u64::MAX, 0), ends);
        let width = 64 - (most - least).leading_zeros();
        let dropped = (width + places).saturating_sub(64);
        Packing { least, dropped, width: width - dropped, places }
    }

    #[inline(always)]
    fn word<T: Number>(&self, leaf: T, place: u64) -> u64 {
        (leaf.key() - self.least) >> self.dropped << self.places | place
    }

    #[inline(always)]
    fn mask(&self) -> u64 {
        (1 << self.places) - 1
    }

    /// Sorts runs of words with equal key bits by the numbers themselves, unless keys decide alone. `words` are sorted already.
    #[inline(always)]
    fn settle<T: Number>(&self, words: &mut [u64], list: &[T]) {
        let mask = self.mask();
        if T::EXACT_KEY && self.dropped == 0 {
            return;
        }
        if words.windows(2).fold(false, |ties, pair| ties | (pair[0] ^ pair[1] <= mask)) {
            settle_runs(words, list, mask);
        }
    }

    #[inline(always)]
    fn write<T: Number, U>(&self, words: &[u64], list: &[T], out: &mut [U], pick: impl Fn(T, usize) -> U) {
        for (slot, word) in out.iter_mut().zip(words) {
            let place = (word & self.mask()) as usize;
            if let Some(leaf) = list.get(place) {
                *slot = pick(*leaf, place);
            }
        }
    }
}

#[cold]
#[inline(never)]
fn settle_runs<T: Number>(words: &mut [u64], list: &[T], mask: u64) {
    let at = |word: u64| list.get((word & mask) as usize).copied().unwrap_or(T::ZERO);
    for run in words.chunk_by_mut(|a, b| a ^ b <= mask) {
        if !run.is_sorted_by(|a, b| !at(*b).below(at(*a))) {
            // Local indices ascend here, so a stable sort keeps the order of equal numbers.
            run.sort_by(|a, b| at(*a).order(at(*b)));
        }
    }
}
