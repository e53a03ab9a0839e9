//! Operations on one array with missing lists. Missing lists stay missing where the result has them.

use super::OptionArray;
use crate::rearrange::pick;
use crate::structure::room;
use crate::{Number, RaggedArray, RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::RowLengths;
use core::ops::Range;

impl<T: Clone + 'static> OptionArray<'_, T> {
    /// Returns an array in which each present list of `axis` has the elements that `choose(list, elements, out)` appends to `out`: their
    /// numbers, or `None` for a missing element. Fails if `choose` does.
    pub(super) fn relist(
        &self,
        axis: usize,
        mut choose: impl FnMut(usize, Range<usize>, &mut Vec<Option<usize>>) -> Result<()>,
    ) -> Result<OptionArray<'static, T>> {
        let shape = self.shape();
        let mut out = Vec::new();
        if shape.axis(axis, 0)? == 0 {
            choose(0, 0..self.len(), &mut out)?;
            return self.below(0, &RaggedArray::from_leaves(out)?, Vec::new());
        }
        let mut rows = RowLengths::with_capacity(shape.count(axis - 1))?;
        shape.try_for_rows(axis - 1, |list, range| -> Result<()> {
            let before = out.len();
            if !self.is_missing(axis - 1, list) {
                choose(list, range, &mut out)?;
            }
            rows.push(out.len() - before);
            Ok(())
        })?;
        let mut levels = shape.packed_levels(axis - 1)?;
        levels.push(rows.finish()?);
        self.below(axis, &RaggedArray::new(self.len(), levels, out)?, self.missing_above(axis))
    }

    /// Returns the array of the elements that `work` chooses by their numbers. Lists of axes above `axis` stay as they are.
    fn along(
        &self,
        axis: usize,
        work: impl FnOnce(&RaggedArray<'_, usize>) -> Result<RaggedArray<'static, usize>>,
    ) -> Result<OptionArray<'static, T>> {
        let found = work(&self.numbers(axis)?)?.map(|number| Some(*number))?;
        self.below(axis, &found, self.missing_above(axis))
    }

    /// Returns the elements `start..stop` in steps of `step` of every list of `axis`, as [`RaggedArray::slice`] does, and fails like it.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), Some(2)]), None])?;
    /// let first = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1)]), None])?;
    /// assert_eq!(a.slice(1, None, Some(1), 1)?, first);
    /// assert_eq!(a.slice(0, None, None, -1)?.missing(0), [true, false]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn slice(&self, axis: usize, start: Option<isize>, stop: Option<isize>, step: isize) -> Result<OptionArray<'static, T>> {
        self.along(axis, |numbers| numbers.slice(axis, start, stop, step))
    }

    /// Reverses the order of the elements in every list of `axis`. Fails if there is no such axis.
    pub fn reverse(&self, axis: usize) -> Result<OptionArray<'static, T>> {
        self.along(axis, |numbers| numbers.reverse(axis))
    }

    /// Returns element `index` of every list of `axis`, without this axis. The element of a missing list is missing. A negative index
    /// counts from the end.
    ///
    /// Fails if a present list has no such element, and if an outer row is chosen that is missing.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), Some(2)]), None])?;
    /// assert_eq!((a.index(1, -1)?.leaves(), a.index(0, 0)?.leaves()), (&[Some(2), None][..], &[Some(1), Some(2)][..]));
    /// assert!(a.index(0, 1).is_err());
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn index(&self, axis: usize, index: isize) -> Result<OptionArray<'static, T>> {
        let shape = self.shape();
        if shape.axis(axis, 0)? > 0 {
            let mut found = room(shape.count(axis - 1))?;
            shape.try_for_rows(axis - 1, |list, range| {
                let element = if self.is_missing(axis - 1, list) { Ok(None) } else { element(axis, list, &range, index).map(Some) };
                element.map(|element| found.push(element))
            })?;
            return self.below(axis, &self.array.above(axis, found)?, self.missing_above(axis - 1));
        }
        let row = element(0, 0, &(0..self.len()), index)?;
        if self.depth() == 1 {
            return self.elements(0, &[Some(row)]);
        }
        if self.is_missing(0, row) {
            return Err(RaggedError::MissingList { axis: 0, element: row });
        }
        self.elements(1, &shape.row(0, row).map(Some).collect::<Vec<_>>())
    }

    /// Returns the elements with these indices of every list of `axis`, in this order. An element without an index is missing, and
    /// negative indices count from the end. Fails if a present list has no such element.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), Some(2)]), None])?;
    /// let rows = a.take_along(0, &[Some(1), Some(0), None])?;
    /// assert_eq!((rows.missing(0), rows.leaves()), (&[true, false, true][..], &[Some(1), Some(2)][..]));
    /// assert_eq!(a.take_along(1, &[Some(-1)])?.missing(0), [false, true]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn take_along(&self, axis: usize, indices: &[Option<isize>]) -> Result<OptionArray<'static, T>> {
        self.relist(axis, |list, range, out| {
            indices.iter().try_for_each(|index| {
                out.push(index.map(|index| element(axis, list, &range, index)).transpose()?);
                Ok(())
            })
        })
    }

    /// Lengthens the present lists of `axis` to at least `target` elements by missing ones. With `clip`, longer lists are cut to `target`
    /// elements. Fails if there is no such axis, or if the result is too large for memory.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1)]), None])?;
    /// assert_eq!((a.pad_to(0, 3, false)?.missing(0), a.pad_to(1, 2, false)?.leaves()), (&[false, true, true][..], &[Some(1), None][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn pad_to(&self, axis: usize, target: usize, clip: bool) -> Result<OptionArray<'static, T>> {
        self.relist(axis, |_, range, out| {
            let kept = if clip { range.len().min(target) } else { range.len() };
            let added = target.saturating_sub(kept);
            out.try_reserve(kept.saturating_add(added)).map_err(|_| RaggedError::Overflow)?;
            out.extend((range.start..range.start + kept).map(Some));
            out.extend(core::iter::repeat_n(None, added));
            Ok(())
        })
    }

    /// Removes the missing elements of `axis` from their lists. Fails if there is no such axis.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), None]), None])?;
    /// assert_eq!(a.drop_none(0)?.array().shape().offsets(), [[0, 2]]);
    /// assert_eq!((a.drop_none(1)?.missing(0), a.drop_none(1)?.leaves()), (&[false, true][..], &[Some(1)][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn drop_none(&self, axis: usize) -> Result<OptionArray<'static, T>> {
        let gone = self.gone(axis)?;
        self.relist(axis, |_, range, out| {
            out.extend(range.filter(|element| !gone[*element]).map(Some));
            Ok(())
        })
    }

    /// Returns all combinations of `count` elements of every present list of `axis`, as [`RaggedArray::combinations`] does.
    pub fn combinations(&self, axis: usize, count: usize, replacement: bool) -> Result<OptionArray<'static, T>> {
        let found = self.numbers(axis)?.combinations(axis, count, replacement)?.map(|number| Some(*number))?;
        let mut missing = self.missing_above(axis);
        missing.push(Vec::new());
        self.below(axis, &found, missing)
    }

    /// Merges `axis` with the axis before it, as [`RaggedArray::flatten`] does. Missing lists of `axis` have no elements, so they are
    /// dropped. Fails for axis 0.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<3, _>(vec![Some(vec![Some(vec![Some(1)]), None]), None])?;
    /// let rows = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1)]), None])?;
    /// assert_eq!((a.flatten(1)?, a.flatten(2)?), (rows.clone(), rows));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn flatten(&self, axis: usize) -> Result<OptionArray<'static, T>> {
        let array = self.array.flatten(axis)?;
        let mut missing = self.missing.clone();
        missing.remove(axis - 1);
        Ok(OptionArray { array, missing })
    }

    /// Groups the elements of `axis` by these sizes into lists of a new axis, as [`RaggedArray::unflatten`] does. Fails like it, and if a
    /// group of size 0 would belong to a missing list.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1)]), None, Some(vec![])])?;
    /// let pairs = a.unflatten(0, &[2, 1])?;
    /// assert_eq!((pairs.missing(0), pairs.missing(1)), (&[][..], &[false, true, false][..]));
    /// assert_eq!(pairs.flatten(1)?, a);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn unflatten(&self, axis: usize, sizes: &[usize]) -> Result<OptionArray<'static, T>> {
        let array = self.array.unflatten(axis, sizes)?;
        if let Some(q) = axis.checked_sub(1)
            && let Some(list) =
                (0..array.shape().count(q)).find(|list| self.is_missing(q, *list) && !array.shape().row(q, *list).is_empty())
        {
            return Err(RaggedError::MissingList { axis: q, element: list });
        }
        let mut missing = self.missing.clone();
        missing.insert(axis, Vec::new());
        Ok(OptionArray { array, missing })
    }

    /// Returns the length of every list of `axis`, nested as the lists are; one number for axis 0. The length of a missing list is
    /// missing. Fails without such an axis.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), None]), None])?;
    /// assert_eq!((a.num(0)?.leaves(), a.num(1)?.leaves()), (&[Some(2)][..], &[Some(2), None][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn num(&self, axis: usize) -> Result<OptionArray<'static, usize>> {
        let lengths = self.array.num(axis)?;
        let found = |(list, len): (usize, &usize)| (axis == 0 || !self.is_missing(axis - 1, list)).then_some(*len);
        let found: Vec<Option<usize>> = lengths.leaves().iter().enumerate().map(found).collect();
        Ok(OptionArray { array: lengths.with_leaves(found)?, missing: self.missing_above(axis.saturating_sub(1)) })
    }

    /// Returns the local index of every element of `axis` in its list, as an array of the axes `0..=axis`. Fails beyond the last.
    pub fn local_index(&self, axis: usize) -> Result<OptionArray<'static, usize>> {
        let array = self.array.local_index(axis)?.map(|index| Some(*index))?;
        Ok(OptionArray { array, missing: self.missing_above(axis) })
    }
}

impl<T: Number> OptionArray<'_, T> {
    /// Returns, for each leaf of the array sorted along `axis`, the number of the leaf that it comes from, as
    /// [`RaggedArray::order_along`] does. Missing leaves come last.
    ///
    /// Fails if there is no such axis, and if an element of `axis` or of an axis between it and the last is a missing list: lists would
    /// have to change their places.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(3), None, Some(1)]), None])?;
    /// assert_eq!((a.order_along(1, false)?, a.sort_along(1, false)?.leaves()), (vec![2, 0, 1], &[Some(1), Some(3), None][..]));
    /// assert!(a.order_along(0, false).is_err());
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn order_along(&self, axis: usize, descending: bool) -> Result<Vec<usize>> {
        let fibers = self.shape().fibers(axis)?;
        self.present_from(axis)?;
        let leaves = self.leaves();
        let order = |x: &usize, y: &usize| match (leaves[*x], leaves[*y]) {
            (Some(x), Some(y)) if descending => y.order(x),
            (Some(x), Some(y)) => x.order(y),
            (x, y) => x.is_none().cmp(&y.is_none()),
        };
        let mut out = alloc::vec![0; leaves.len()];
        for list in 0..fibers.len() {
            let mut sorted = fibers.row(list).to_vec();
            sorted.sort_by(order);
            fibers.row(list).iter().zip(sorted).for_each(|(to, from)| out[*to] = from);
        }
        Ok(out)
    }

    /// Sorts along `axis` in the order of [`OptionArray::order_along`], and fails like it.
    pub fn sort_along(&self, axis: usize, descending: bool) -> Result<OptionArray<'static, T>> {
        let leaves = self.order_along(axis, descending)?.into_iter().map(|leaf| self.leaves()[leaf]).collect();
        Ok(OptionArray { array: self.array.with_leaves(leaves)?, missing: self.missing.clone() })
    }
}

/// Returns the number of element `index` of list `list` with the elements `range`. Fails if there is none.
fn element(axis: usize, list: usize, range: &Range<usize>, index: isize) -> Result<usize> {
    let mut found = 0;
    pick(axis, list, range, index, &mut |element| found = element.start)?;
    Ok(found)
}
