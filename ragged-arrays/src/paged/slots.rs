//! The relation of tokens and slots: slots, owners, pages of another size, and pairs of tokens.

use super::error::{PagedError, Result};
use super::shape::PagedShape;
use crate::{DynLevel, RaggedArray, RaggedError, RaggedShape};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory;
use core::ops::Range;
use layout_core::layouts::IntTuple;
use layout_levels::{Consecutive, Index, Level};

/// The tokens of a sequence that are in one page.
///
/// ```
/// use ragged_arrays::paged::{PagedShape, SlotRun};
/// let shape = PagedShape::from_rectangle(4, 8, &[6], 2, vec![5_u32, 2])?;
/// let runs: Vec<SlotRun> = shape.runs(0).collect();
/// assert_eq!(runs, [SlotRun { page: 5, tokens: 0..4 }, SlotRun { page: 2, tokens: 4..6 }]);
/// // Token 5 is in slot 1 of page 2.
/// assert_eq!(shape.slot(0, 5)?, runs[1].page * 4 + (5 - runs[1].tokens.start));
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotRun {
    /// The number of the page in the pool.
    pub page: usize,
    /// The numbers of the tokens in the sequence. They are in the slots from 0 on of the page.
    pub tokens: Range<usize>,
}

/// ```
/// use ragged_arrays::paged::PagedShape;
/// // Sequences of 6 and 5 tokens, in pages of 4 slots. Both begin with the four tokens of page 5.
/// let shape = PagedShape::from_rectangle(4, 8, &[6, 5], 2, vec![5_u32, 2, 5, 1])?;
/// assert_eq!((shape.slot(0, 5)?, shape.runs(1).len()), (2 * 4 + 1, 2));
/// assert_eq!(shape.slots()?, [20, 21, 22, 23, 8, 9, 20, 21, 22, 23, 4]);
/// assert_eq!(shape.new_slots(&[2, 1])?, [8, 9, 4]); // the slots that a kernel writes for 2 and 1 new tokens
/// assert_eq!(shape.uses()?, [0, 1, 1, 0, 0, 2, 0, 0]);
/// let error = shape.check_writable().unwrap_err();
/// assert_eq!(error.to_string(), "sequence 1: entry 0 is page 5, which sequence 0 also uses");
/// # Ok::<(), ragged_arrays::paged::PagedError>(())
/// ```
impl<'a, I: Index, P: IntTuple> PagedShape<'a, I, P> {
    /// Returns the slot of a token in the pool: `page * B + token % B` for `B` slots a page. Fails if there is no such token.
    #[inline]
    pub fn slot(&self, sequence: usize, token: usize) -> Result<usize> {
        let length = self.length(sequence)?;
        if token >= length {
            return Err(PagedError::NoSuchToken { sequence, token, length });
        }
        let (entry, slot) = self.page.split(token);
        let page = self.row(sequence).get(entry).map_or(0, |page| page.to_usize());
        Ok(self.page.begin(page) + slot)
    }

    /// Iterates over the pages of a sequence with their tokens, in order. There are none if the sequence does not exist.
    pub fn runs(&self, sequence: usize) -> impl ExactSizeIterator<Item = SlotRun> + '_ {
        let (size, length) = (self.page_size(), self.lengths().get(sequence).copied().unwrap_or(0));
        self.pages(sequence).iter().enumerate().map(move |(k, page)| {
            let begin = k * size;
            SlotRun { page: page.to_usize(), tokens: begin..length.min(begin + size) }
        })
    }

    /// Returns the slot in the pool of each token, sequence by sequence. Fails if memory is short.
    pub fn slots(&self) -> Result<Vec<usize>> {
        let tokens = self.lengths().iter().sum();
        let mut out = memory::room(tokens).ok_or(PagedError::Overflow)?;
        for sequence in 0..self.len() {
            for SlotRun { page, tokens } in self.runs(sequence) {
                let begin = self.page.begin(page);
                out.extend(begin..begin + tokens.len());
            }
        }
        Ok(out)
    }

    /// Returns, for each page of the pool, the number of entries with tokens that name it. Fails if memory is short.
    pub fn uses(&self) -> Result<Vec<u32>> {
        let mut out: Vec<u32> = memory::filled(self.pool(), 0).ok_or(PagedError::Overflow)?;
        for page in (0..self.len()).flat_map(|sequence| self.pages(sequence)) {
            if let Some(uses) = out.get_mut(page.to_usize()) {
                *uses = uses.saturating_add(1);
            }
        }
        Ok(out)
    }

    /// Checks that no page is used twice, so that tokens may be written. Fails with the second use.
    pub fn check_writable(&self) -> Result<()> {
        let mut users: Vec<usize> = memory::filled(self.pool(), usize::MAX).ok_or(PagedError::Overflow)?;
        for sequence in 0..self.len() {
            for (entry, page) in self.pages(sequence).iter().map(|page| page.to_usize()).enumerate() {
                let other = core::mem::replace(&mut users[page], sequence);
                if other != usize::MAX {
                    return Err(PagedError::SharedWrite { sequence, entry, page, other });
                }
            }
        }
        Ok(())
    }

    /// Returns the owners of each slot of the pool, ordered by sequence: the sequence and the token of each. Shared pages have
    /// several owners. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::paged::PagedShape;
    /// let a = PagedShape::from_rectangle(2, 3, &[3, 2], 2, vec![2_u32, 0, 2, 1])?;
    /// let owners: Vec<Vec<[usize; 2]>> = a.owners()?.to_nested::<2, _>()?;
    /// assert_eq!(owners, [vec![[0, 2]], vec![], vec![], vec![], vec![[0, 0], [1, 0]], vec![[0, 1], [1, 1]]]);
    /// # Ok::<(), ragged_arrays::paged::PagedError>(())
    /// ```
    pub fn owners(&self) -> Result<RaggedArray<'static, [usize; 2]>> {
        let slots = self.slots()?;
        let pool = self.page.size(self.pool()).map_err(|_| PagedError::Overflow)?;
        let mut counts: Vec<usize> = memory::filled(pool, 0).ok_or(PagedError::Overflow)?;
        slots.iter().for_each(|slot| counts[*slot] += 1);
        let mut next: Vec<usize> = memory::room(pool).ok_or(PagedError::Overflow)?;
        next.extend(counts.iter().scan(0, |end, count| Some(core::mem::replace(end, *end + count))));
        let mut owners = memory::filled(slots.len(), [0; 2]).ok_or(PagedError::Overflow)?;
        let tokens = self.lengths().iter().enumerate().flat_map(|(sequence, length)| (0..*length).map(move |token| [sequence, token]));
        for (slot, owner) in slots.iter().zip(tokens) {
            owners[next[*slot]] = owner;
            next[*slot] += 1;
        }
        Ok(RaggedArray::from_lengths(counts, owners)?)
    }

    /// Returns the slots in the pool of the last `new[i]` tokens of each sequence `i`. Fails if one has fewer tokens.
    pub fn new_slots(&self, new: &[usize]) -> Result<Vec<usize>> {
        self.check_new(new)?;
        let mut out = Vec::new();
        for (sequence, (new, length)) in new.iter().zip(self.lengths()).enumerate() {
            for token in length - new..*length {
                out.push(self.slot(sequence, token)?);
            }
        }
        Ok(out)
    }

    /// Returns the pairs of the last `new[i]` tokens of each sequence `i` with all of its tokens, as two ragged axes. Fails if a
    /// sequence has fewer tokens.
    ///
    /// ```
    /// use ragged_arrays::paged::PagedShape;
    /// let a = PagedShape::from_rectangle(4, 2, &[3, 4], 1, vec![0_u32, 1])?;
    /// assert_eq!(a.pairs(&[2, 1])?.offsets(), [vec![0, 2, 3], vec![0, 3, 6, 10]]);
    /// assert_eq!(a.causal_pairs(&[2, 1])?.offsets(), [vec![0, 2, 3], vec![0, 2, 5, 9]]);
    /// # Ok::<(), ragged_arrays::paged::PagedError>(())
    /// ```
    pub fn pairs(&self, new: &[usize]) -> Result<RaggedShape<'static>> {
        self.pairs_of(new, |length, _| length)
    }

    /// Returns the pairs of each new token with the tokens up to itself, as [`PagedShape::pairs`] does, and fails like it.
    ///
    /// ```
    /// use ragged_arrays::paged::PagedShape;
    /// // A prompt of three new tokens: token 0 sees itself, and token 2 sees all three.
    /// let prompt = PagedShape::from_rectangle(4, 1, &[3], 1, vec![0_u32])?;
    /// let pairs = prompt.causal_pairs(&[3])?;
    /// assert_eq!(pairs.coordinates(), [[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 2, 0], [0, 2, 1], [0, 2, 2]]);
    /// # Ok::<(), ragged_arrays::paged::PagedError>(())
    /// ```
    pub fn causal_pairs(&self, new: &[usize]) -> Result<RaggedShape<'static>> {
        self.pairs_of(new, |length, after| length - after)
    }

    /// Returns the pairs of new tokens. `seen` returns the number of tokens that a new token sees, from the length of the
    /// sequence and the number of tokens after the new one. Fails if a sequence has fewer than `new[i]` tokens.
    fn pairs_of(&self, new: &[usize], seen: impl Fn(usize, usize) -> usize) -> Result<RaggedShape<'static>> {
        self.check_new(new)?;
        let below = new.iter().zip(self.lengths()).flat_map(|(new, length)| (0..*new).rev().map(|after| seen(*length, after)));
        let below: Vec<usize> = below.collect();
        let pairs = below.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n)).ok_or(PagedError::Overflow)?;
        let levels = [new, &below[..]].map(DynLevel::of_lengths);
        let levels = levels.into_iter().collect::<core::result::Result<_, _>>().map_err(RaggedError::from)?;
        Ok(RaggedShape::new(self.len(), levels, pairs)?)
    }

    fn check_new(&self, new: &[usize]) -> Result<()> {
        if new.len() != self.len() {
            return Err(PagedError::Rows { rows: new.len(), sequences: self.len() });
        }
        match new.iter().zip(self.lengths()).position(|(new, length)| new > length) {
            Some(sequence) => Err(PagedError::NewTokens { sequence, new: new[sequence], length: self.lengths()[sequence] }),
            None => Ok(()),
        }
    }

    /// Returns this structure with pages of `1 / parts` of the slots. All tokens stay in their slots of the pool. Each sequence
    /// has only the pages that its tokens need. Fails if `parts` does not divide the slots of a page, or if a number overflows.
    ///
    /// ```
    /// use ragged_arrays::paged::PagedShape;
    /// let a = PagedShape::from_rectangle(4, 8, &[6, 4], 2, vec![5_u32, 2, 7, 0])?;
    /// let halves = a.split_pages(2)?;
    /// assert_eq!((halves.pages(0), halves.pages(1)), (&[10, 11, 4][..], &[14, 15][..]));
    /// assert_eq!(halves.slots()?, a.slots()?);
    /// # Ok::<(), ragged_arrays::paged::PagedError>(())
    /// ```
    pub fn split_pages(&self, parts: usize) -> Result<PagedShape<'static, I>> {
        let size = self.page_size();
        if parts == 0 || !size.is_multiple_of(parts) {
            return Err(PagedError::PageSize { page: size, parts });
        }
        let (size, pool) = (size / parts, self.pool().checked_mul(parts).ok_or(PagedError::Overflow)?);
        let counts: Vec<usize> = self.lengths().iter().map(|length| length.div_ceil(size)).collect();
        let mut table = Vec::new();
        for (sequence, count) in counts.iter().enumerate() {
            let numbers = self.pages(sequence).iter().flat_map(|page| (0..parts).map(move |part| page.to_usize() * parts + part));
            for number in numbers.take(*count) {
                table.push(I::from_usize(number).ok_or(PagedError::Overflow)?);
            }
        }
        PagedShape::new(size, pool, self.lengths(), DynLevel::of_lengths(&counts).map_err(RaggedError::from)?, Cow::Owned(table))
    }
}
