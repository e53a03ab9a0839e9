//! Transfers between places that lie in one storage on each side: pages of a pool, chunks, blocks of an allocation.

use super::checked_copy::{CheckedCopy, CopyBody};
use super::{Result, Transfer, TransferError};
use crate::descriptors::{CachedBegins, TransferEnd};
use crate::plan::{self, Place, Plan};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

impl<T: Copy> Transfer<T> {
    /// Creates a transfer from a plan between places that lie in one storage on each side: pages of a pool, chunks,
    /// blocks of an allocation.
    ///
    /// `begin` returns the element of the storage at which offset 0 of a place lies; it is called once for each place
    /// and side. Places of the source may share elements. Places of the target may lie in any order, but the ranges
    /// written in any two of them must not overlap.
    ///
    /// Fails if such ranges overlap, for example if a page is used twice, and if an offset in bytes does not fit a pointer.
    ///
    /// ```
    /// use relayout::{Plan, Side, Transfer, TransferEnd};
    /// // Eight numbers move from pages of two to pages of four. Two tables give the pages of the sequence in each pool.
    /// let plan = Plan::new(&Side::parse("(2,4):(1@0,1@1)")?, &Side::parse("(4,2):(1@0,1@1)")?)?;
    /// let (source, target) = ([3, 0, 4, 2], [1, 0]);
    /// let begin = |end, page: usize| if end == TransferEnd::Source { 2 * source[page] } else { 4 * target[page] };
    /// let transfer = Transfer::of_places(&plan, |end, place| begin(end, place.numbers()[0] as usize))?;
    /// let mut pool = [0; 8];
    /// transfer.run(&[3, 4, 0, 0, 7, 8, 1, 2, 5, 6], &mut pool)?;
    /// assert_eq!(pool, [5, 6, 7, 8, 1, 2, 3, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_places(plan: &Plan, begin: impl Fn(TransferEnd, &Place) -> usize) -> Result<Self> {
        // The cached result decides both whether places overlap and where elements go, so the two cannot disagree.
        let mut begins = CachedBegins::new(begin);
        let mut parts = Vec::with_capacity(plan.copies().count());
        let mut written: BTreeMap<&Place, (i64, i64)> = BTreeMap::new();
        for (from, to, copy) in plan.copies() {
            let mut of = |end: TransferEnd, place| i64::try_from(begins.of(end, place)).map_err(|_| TransferError::Overflow);
            let copy = moved(copy, of(TransferEnd::Source, from)?, of(TransferEnd::Target, to)?).ok_or(TransferError::Overflow)?;
            let Some(part) = CheckedCopy::new(CopyBody::Copy(copy), size_of::<T>())? else { continue };
            let (first, last) = part.target();
            written.entry(to).and_modify(|all| *all = (all.0.min(first), all.1.max(last))).or_insert((first, last));
            parts.push(part);
        }
        let mut written: Vec<(i64, i64, &Place)> = written.into_iter().map(|(place, (first, last))| (first, last, place)).collect();
        written.sort_unstable();
        match written.windows(2).find(|pair| pair[1].0 <= pair[0].1) {
            Some(&[(_, end, place), (first, last, other)]) => {
                Err(TransferError::Shared { place: place.clone(), other: other.clone(), first, last: last.min(end) })
            }
            _ => Ok(Transfer::of_parts(parts)),
        }
    }
}

/// Returns the copy with `source` and `target` added to its offsets, or `None` if a sum exceeds 64 bits.
pub(super) fn moved(copy: &plan::Copy, source: i64, target: i64) -> Option<plan::Copy> {
    Some(plan::Copy { source: copy.source.checked_add(source)?, target: copy.target.checked_add(target)?, ..copy.clone() })
}
