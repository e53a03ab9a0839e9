//! Reductions of arrays with missing lists and leaves. Missing leaves are skipped.

use super::OptionArray;
use crate::{Number, RaggedArray, RaggedError, Result};
use alloc::vec::Vec;

impl<T: Clone + 'static> OptionArray<'_, T> {
    /// Folds the present leaves over `axis`, which the result does not have, by `f(accumulator, leaf, place)`. `place` is the coordinate
    /// of the leaf on that axis. The result without leaves is `init`.
    ///
    /// The result for a missing list of the last axis is missing. Over another axis, missing lists are skipped as empty ones are, and a
    /// list of the result is missing if the list that holds the folded ones is. Fails if there is no such axis, or if memory is short.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<3, _>(vec![Some(vec![Some(vec![Some(1), Some(2)]), None, Some(vec![Some(3)])]), None])?;
    /// let sums = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(3), None, Some(3)]), None])?;
    /// assert_eq!(a.fold(2, 0, |sum, x, _| *sum += x)?, sums);
    /// let columns = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(4), Some(2)]), None])?;
    /// assert_eq!(a.fold(1, 0, |sum, x, _| *sum += x)?, columns);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn fold<A: Clone + 'static>(&self, axis: usize, init: A, mut f: impl FnMut(&mut A, &T, usize)) -> Result<OptionArray<'static, A>> {
        let folded = self.array.fold(axis, init, |folded, leaf, place| leaf.iter().for_each(|leaf| f(folded, leaf, place)))?;
        self.folded(axis, folded.map(|leaf| Some(leaf.clone()))?)
    }

    /// Marks the missing lists and leaves of a fold over `axis`.
    fn folded<A: Clone + 'static>(&self, axis: usize, array: RaggedArray<'static, Option<A>>) -> Result<OptionArray<'static, A>> {
        let levels = array.depth() - 1;
        if axis > 0 && axis + 1 == self.depth() && !self.missing(axis - 1).is_empty() {
            let found = array.leaves().iter().zip(self.missing(axis - 1)).map(|(leaf, missing)| leaf.clone().filter(|_| !missing));
            let array = array.with_leaves(found.collect())?;
            return Ok(OptionArray { array, missing: self.missing_above(axis - 1) });
        }
        let mut missing = self.missing_above(axis.min(levels));
        missing.resize(levels, Vec::new());
        Ok(OptionArray { array, missing })
    }

    /// Counts the present leaves along an axis. Fails as [`OptionArray::fold`] does.
    pub fn count(&self, axis: usize) -> Result<OptionArray<'static, usize>> {
        self.fold(axis, 0, |count, _, _| *count += 1)
    }

    /// Tests for each list of `axis` whether `holds` is true for any present leaf; false without leaves. Fails as `fold` does.
    pub fn any(&self, axis: usize, holds: impl Fn(&T) -> bool) -> Result<OptionArray<'static, bool>> {
        self.fold(axis, false, |found, leaf, _| *found = *found || holds(leaf))
    }

    /// Tests for each list of `axis` whether `holds` is true for all present leaves; true without leaves. Fails as `fold` does.
    pub fn all(&self, axis: usize, holds: impl Fn(&T) -> bool) -> Result<OptionArray<'static, bool>> {
        self.fold(axis, true, |kept, leaf, _| *kept = *kept && holds(leaf))
    }
}

/// ```
/// use ragged_arrays::OptionArray;
/// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(3), None, Some(8)]), None, Some(vec![])])?;
/// assert_eq!((a.sum(1)?.leaves(), a.prod(1)?.leaves()), (&[Some(11), None, Some(0)][..], &[Some(24), None, Some(1)][..]));
/// assert_eq!((a.min(1)?.leaves(), a.max(1)?.leaves()), (&[Some(3), None, None][..], &[Some(8), None, None][..]));
/// assert_eq!((a.argmin(1)?.leaves(), a.argmax(1)?.leaves()), (&[Some(0), None, None][..], &[Some(2), None, None][..]));
/// assert_eq!((a.mean(1)?.leaves()[0], a.count(1)?.leaves()), (Some(5.5), &[Some(2), None, Some(0)][..]));
/// assert_eq!(a.max(0)?.leaves(), [Some(3), None, Some(8)]);
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
impl<T: Number> OptionArray<'_, T> {
    /// Sums along an axis; 0 without leaves. Fails as [`OptionArray::fold`] does, and if an integer overflows.
    pub fn sum(&self, axis: usize) -> Result<OptionArray<'static, T>> {
        self.checked(axis, T::ZERO, T::plus)
    }

    /// Multiplies along an axis; 1 without leaves. Fails as [`OptionArray::sum`] does.
    pub fn prod(&self, axis: usize) -> Result<OptionArray<'static, T>> {
        self.checked(axis, T::ONE, T::times)
    }

    fn checked(&self, axis: usize, init: T, f: impl Fn(T, T) -> Option<T>) -> Result<OptionArray<'static, T>> {
        let found = self.array.fold(axis, Some(init), |folded, leaf, _| {
            leaf.iter().for_each(|leaf| *folded = folded.and_then(|folded| f(folded, *leaf)));
        })?;
        if found.leaves().contains(&None) { Err(RaggedError::Overflow) } else { self.folded(axis, found) }
    }

    /// Averages along an axis in `f64`; NaN without leaves. Fails as [`OptionArray::fold`] does.
    pub fn mean(&self, axis: usize) -> Result<OptionArray<'static, f64>> {
        let add = |folded: &mut (f64, f64), leaf: &T, _| *folded = (folded.0 + leaf.to_f64(), folded.1 + 1.0);
        self.fold(axis, (0.0, 0.0), add)?.map(|(sum, count)| sum / count)
    }

    /// Returns the least leaf along an axis, missing without leaves. NaN is the greatest number. Fails as [`OptionArray::fold`] does.
    pub fn min(&self, axis: usize) -> Result<OptionArray<'static, T>> {
        Ok(self.first(axis, |leaf, best| leaf.order(best).is_lt())?.0)
    }

    /// Returns the greatest leaf along an axis, missing without leaves. Fails as [`OptionArray::fold`] does.
    pub fn max(&self, axis: usize) -> Result<OptionArray<'static, T>> {
        Ok(self.first(axis, |leaf, best| leaf.order(best).is_gt())?.0)
    }

    /// Returns the coordinate on `axis` of the first least leaf, missing without leaves. Missing elements count. Fails as `fold` does.
    pub fn argmin(&self, axis: usize) -> Result<OptionArray<'static, usize>> {
        Ok(self.first(axis, |leaf, best| leaf.order(best).is_lt())?.1)
    }

    /// Returns the coordinate on `axis` of the first greatest leaf, missing without leaves. Missing elements count. Fails as `fold` does.
    pub fn argmax(&self, axis: usize) -> Result<OptionArray<'static, usize>> {
        Ok(self.first(axis, |leaf, best| leaf.order(best).is_gt())?.1)
    }

    /// Returns the first leaf along an axis that is better than all others, and its coordinate.
    fn first(&self, axis: usize, better: impl Fn(T, T) -> bool) -> Result<(OptionArray<'static, T>, OptionArray<'static, usize>)> {
        let found = self.array.fold(axis, None, |best: &mut Option<(T, usize)>, leaf, place| {
            if let Some(leaf) = leaf.filter(|leaf| best.is_none_or(|(best, _)| better(*leaf, best))) {
                *best = Some((leaf, place));
            }
        })?;
        let leaves = self.folded(axis, found.map(|best| best.map(|(leaf, _)| leaf))?)?;
        Ok((leaves, self.folded(axis, found.map(|best| best.map(|(_, place)| place))?)?))
    }
}
