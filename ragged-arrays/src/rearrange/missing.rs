//! Operations on leaves that may be missing, as `Option`: choices whose indices or masks may be missing, and padding.
//!
//! A list of a `RaggedArray` is never missing, only a leaf. An index or a mask may be missing where it chooses leaves, and nowhere else.
//! `OptionArray` has missing lists, too.

use super::gather::{Picks, pick};
use crate::structure::room;
use crate::{RaggedArray, RaggedError, Result, sum};
use alloc::vec::Vec;
use array_kernels::RowLengths;
use core::ops::Range;

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Returns the elements that [`RaggedArray::gather`] returns. The leaf of a missing index is missing.
    ///
    /// Fails as `gather` does, and if an index is missing on an axis before the last.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 1], vec!['a', 'b', 'c'])?;
    /// let indices = RaggedArray::from_lengths(vec![2, 1], vec![Some(1), None, Some(-1)])?;
    /// assert_eq!(a.gather_some(&indices)?.leaves(), [Some('b'), None, Some('c')]);
    /// let rows = RaggedArray::from_leaves(vec![Some(0), None])?;
    /// let error = a.gather_some(&rows).unwrap_err().to_string();
    /// assert_eq!(error, "axis 0: element 1 of the indices or the mask is missing, but only leaves may be missing");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn gather_some(&self, indices: &RaggedArray<'_, Option<isize>>) -> Result<RaggedArray<'static, Option<T>>> {
        let (a, indices) = (self.settled()?, indices.settled()?);
        let axis = a.shape().axis(indices.depth() - 1, 0)?;
        if axis + 1 < a.depth() {
            return a.gather(&indices.all_present(axis)?)?.map(|leaf| Some(leaf.clone()));
        }
        if axis > 0 {
            a.shape().same_above(indices.shape(), axis)?;
        }
        let mut out = room(indices.leaves().len())?;
        a.for_last_lists(|list, range| {
            let wanted = if axis == 0 { indices.leaves() } else { indices.row(list) };
            wanted.iter().try_for_each(|index| match index {
                None => {
                    out.push(None);
                    Ok(())
                }
                Some(index) => pick(axis, list, &range, *index, &mut |range| out.extend(a.leaves()[range].iter().cloned().map(Some))),
            })
        })?;
        indices.with_leaves(out)
    }

    /// Keeps the elements that [`RaggedArray::filter`] keeps. A leaf whose mask is missing is missing in the result.
    ///
    /// Fails as `filter` does, and if a mask is missing on an axis before the last.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 1], vec![1, 2, 3, 4])?;
    /// let mask = RaggedArray::from_lengths(vec![3, 1], vec![Some(true), None, Some(false), Some(true)])?;
    /// let kept = a.filter_some(&mask)?;
    /// assert_eq!((kept.shape().offsets(), kept.leaves()), (vec![vec![0, 2, 3]], &[Some(1), None, Some(4)][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn filter_some(&self, mask: &RaggedArray<'_, Option<bool>>) -> Result<RaggedArray<'static, Option<T>>> {
        let (a, mask) = (self.settled()?, mask.settled()?);
        let axis = a.shape().axis(mask.depth() - 1, 0)?;
        if axis + 1 < a.depth() {
            return a.filter(&mask.all_present(axis)?)?.map(|leaf| Some(leaf.clone()));
        }
        a.shape().same(mask.shape())?;
        let marked = |(leaf, mask): (&T, &Option<bool>)| mask.map(|_| leaf.clone());
        let kept = mask.map(|mask| mask.unwrap_or(true))?;
        a.with_leaves(a.leaves().iter().zip(mask.leaves()).map(marked).collect())?.filter(&kept)
    }

    /// Lengthens the lists of `axis` to at least `target` elements. New leaves of the last axis are missing; new elements of another
    /// axis are empty lists. With `clip`, longer lists are cut to `target` elements.
    ///
    /// Fails if there is no such axis, or if the result is too large for memory.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![1, 2, 3, 4])?;
    /// let padded = a.pad_to(1, 2, true)?;
    /// assert_eq!(padded.shape().offsets(), [[0, 2, 4, 6]]);
    /// assert_eq!(padded.leaves(), [Some(1), Some(2), None, None, Some(4), None]);
    /// assert_eq!(a.pad_to(1, 2, false)?.row(0), [Some(1), Some(2), Some(3)]);
    /// assert_eq!(a.pad_to(0, 5, false)?.shape().offsets(), [[0, 3, 3, 4, 4, 4]]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn pad_to(&self, axis: usize, target: usize, clip: bool) -> Result<RaggedArray<'static, Option<T>>> {
        let a = self.settled()?;
        let lists = a.shape().lists_of(axis)?;
        let new_length = |list: &Range<usize>| if clip { target } else { target.max(list.len()) };
        let kept = |list: &Range<usize>| list.start..list.start + list.len().min(new_length(list));
        let mut lengths = RowLengths::with_capacity(lists.len())?;
        lists.iter().for_each(|list| lengths.push(new_length(list)));
        let total = sum(&lists.iter().map(&new_length).collect::<Vec<_>>())?;
        let (outer, mut levels) = a.levels_to(axis, lengths)?;
        if axis + 1 == a.depth() {
            let mut out: Vec<Option<T>> = room(total)?;
            for list in &lists {
                let end = out.len() + new_length(list);
                out.extend(a.leaves().get(kept(list)).unwrap_or(&[]).iter().cloned().map(Some));
                out.resize(end, None);
            }
            return RaggedArray::new(outer, levels, out);
        }
        let (mut rows, mut picks) = (RowLengths::with_capacity(total)?, Picks::default());
        for list in &lists {
            a.shape().for_some_rows(axis, kept(list), |_, elements| {
                rows.push(elements.len());
                picks.push(elements);
            });
            (list.len()..new_length(list)).for_each(|_| rows.push(0));
        }
        levels.push(rows.finish()?);
        a.chosen(axis + 1, outer, levels, picks)?.map(|leaf| Some(leaf.clone()))
    }

    /// Calls `f` with the number and the elements of each list of the last axis, until `f` fails. Returns its error.
    fn for_last_lists(&self, mut f: impl FnMut(usize, Range<usize>) -> Result<()>) -> Result<()> {
        match self.depth() {
            1 => f(0, 0..self.len()),
            depth => self.shape().try_for_rows(depth - 2, f),
        }
    }
}

impl<T: Clone + 'static> RaggedArray<'_, Option<T>> {
    /// Returns whether each leaf is missing, in the same lists. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![1, 2], vec![Some(1), None, Some(3)])?;
    /// assert_eq!(a.is_none()?.leaves(), [false, true, false]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn is_none(&self) -> Result<RaggedArray<'static, bool>> {
        self.map(Option::is_none)
    }

    /// Replaces missing leaves by `fill`. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![1, 2], vec![Some(1), None, Some(3)])?;
    /// assert_eq!(a.fill_none(&0)?.leaves(), [1, 0, 3]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn fill_none(&self, fill: &T) -> Result<RaggedArray<'static, T>> {
        self.map(|leaf| leaf.as_ref().unwrap_or(fill).clone())
    }

    /// Removes missing leaves from their lists. Lists stay, also if they become empty. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![1, 2], vec![None, Some(2), Some(3)])?;
    /// let present = a.drop_none()?;
    /// assert_eq!((present.shape().offsets(), present.leaves()), (vec![vec![0, 0, 2]], &[2, 3][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn drop_none(&self) -> Result<RaggedArray<'static, T>> {
        let present = self.filter(&self.map(Option::is_some)?)?;
        present.with_leaves(present.leaves().iter().flatten().cloned().collect())
    }

    /// Returns the leaves, which choose elements of `axis` and must all be present. Fails with the number of the first missing one.
    fn all_present(&self, axis: usize) -> Result<RaggedArray<'static, T>> {
        match self.leaves().iter().position(Option::is_none) {
            Some(element) => Err(RaggedError::Missing { axis, element }),
            None => self.drop_none(),
        }
    }
}
