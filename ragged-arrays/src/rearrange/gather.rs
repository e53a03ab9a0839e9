//! Chooses elements on one axis, list by list. All operations that take, drop or reorder elements use this module.

use crate::structure::{RaggedShape, room};
use crate::{RaggedArray, RaggedError, Result, add_up};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::{DynLevel, RowLengths};
use core::ops::Range;

/// The picked elements of an axis, in order, as ranges. Adjacent ranges are joined. `len` is the number of elements.
#[derive(Default)]
pub(crate) struct Picks {
    ranges: Vec<Range<usize>>,
    len: usize,
}

impl Picks {
    fn of(range: Range<usize>) -> Picks {
        let mut picks = Picks::default();
        picks.push(range);
        picks
    }

    /// Appends a range of elements.
    #[inline]
    pub(crate) fn push(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        self.len = self.len.saturating_add(range.len());
        match self.ranges.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.ranges.push(range),
        }
    }
}

impl RaggedShape<'_> {
    /// Returns the levels below the picked elements of `axis`, and the leaves below them. Fails if memory is short.
    pub(crate) fn below(&self, axis: usize, picks: Picks) -> Result<(Vec<DynLevel<'static>>, Picks)> {
        let mut levels = Vec::with_capacity(self.levels().len().saturating_sub(axis));
        let mut open = picks;
        for q in axis..self.levels().len() {
            let (mut rows, mut next) = (RowLengths::with_capacity(open.len)?, Picks::default());
            for range in open.ranges {
                self.for_some_rows(q, range, |_, elements| {
                    rows.push(elements.len());
                    next.push(elements);
                });
            }
            levels.push(rows.finish()?);
            open = next;
        }
        Ok((levels, open))
    }
}

impl<'a, T: Clone + 'static> RaggedArray<'a, T> {
    /// Returns this array with consecutive lists: borrowed, or packed if it has views. Fails if memory is short.
    pub(crate) fn settled(&self) -> Result<Cow<'_, RaggedArray<'a, T>>> {
        if self.shape().is_consecutive() { Ok(Cow::Borrowed(self)) } else { Ok(Cow::Owned(self.pack()?)) }
    }

    /// Packs the array: offsets start at 0, lists are consecutive, and no leaf is unused. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let views = RaggedArray::from_views(vec![2, 0, 1], vec![2, 1, 2], vec!['a', 'b', 'c', 'd'])?;
    /// let packed = views.pack()?;
    /// assert_eq!((packed.shape().offsets(), packed.leaves()), (vec![vec![0, 2, 3, 5]], &['c', 'd', 'a', 'b', 'c'][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn pack(&self) -> Result<RaggedArray<'static, T>> {
        if self.shape().is_consecutive() {
            return self.with_leaves(self.leaves().to_vec());
        }
        self.chosen(0, self.len(), Vec::new(), Picks::of(0..self.len()))
    }

    /// Returns, for each leaf of the packed array, the number of the leaf that it comes from. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let weights = [0.1, 0.2, 0.3, 0.4]; // one for each leaf of `views`, packed or not
    /// let views = RaggedArray::from_views(vec![2, 0], vec![2, 1], vec!['a', 'b', 'c', 'd'])?;
    /// assert_eq!((views.pack()?.leaves(), views.sources()?), (&['c', 'd', 'a'][..], vec![2, 3, 0]));
    /// let packed: Vec<f64> = views.sources()?.into_iter().map(|leaf| weights[leaf]).collect();
    /// assert_eq!(packed, [0.3, 0.4, 0.1]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn sources(&self) -> Result<Vec<usize>> {
        let (_, leaves) = self.shape().below(0, Picks::of(0..self.len()))?;
        Ok(leaves.ranges.into_iter().flatten().collect())
    }

    /// Returns an array of `outer` rows with these levels above `axis` and the picked elements of it. Fails if memory is short.
    pub(crate) fn chosen(
        &self,
        axis: usize,
        outer: usize,
        mut levels: Vec<DynLevel<'static>>,
        picks: Picks,
    ) -> Result<RaggedArray<'static, T>> {
        let (below, leaves) = self.shape().below(axis, picks)?;
        levels.extend(below);
        let mut data = room(leaves.len)?;
        for range in leaves.ranges {
            data.extend_from_slice(self.leaves().get(range).unwrap_or(&[]));
        }
        RaggedArray::new(outer, levels, data)
    }

    /// Returns an array in which each list of `axis` has the elements that `choose(list, elements, keep)` keeps, in that order.
    pub(crate) fn rewrite(
        &self,
        axis: usize,
        choose: impl FnMut(usize, Range<usize>, &mut dyn FnMut(Range<usize>)) -> Result<()>,
    ) -> Result<RaggedArray<'static, T>> {
        let shape = self.shape();
        shape.axis(axis, 0)?;
        if axis + 1 < self.depth() {
            let mut picks = Picks::default();
            let (outer, levels) = self.choose(axis, choose, |range| picks.push(range))?;
            return self.chosen(axis, outer, levels, picks);
        }
        // The elements of the last axis are leaves: copy them at once, without a list of ranges.
        let (leaves, mut data) = (self.leaves(), Vec::new());
        let (outer, levels) = self.choose(axis, choose, |range| data.extend_from_slice(leaves.get(range).unwrap_or(&[])))?;
        RaggedArray::new(outer, levels, data)
    }

    /// Calls `choose` for each list of `axis`, and passes the elements that it keeps to `keep`. Returns the number of outer rows,
    /// and the levels above the kept elements. Fails if `choose` does.
    fn choose(
        &self,
        axis: usize,
        mut choose: impl FnMut(usize, Range<usize>, &mut dyn FnMut(Range<usize>)) -> Result<()>,
        mut keep: impl FnMut(Range<usize>),
    ) -> Result<(usize, Vec<DynLevel<'static>>)> {
        let shape = self.shape();
        let mut list = |list: usize, range: Range<usize>| -> Result<usize> {
            let mut len = 0_usize;
            choose(list, range, &mut |range| {
                len = len.saturating_add(range.len());
                keep(range);
            })?;
            Ok(len)
        };
        if axis == 0 {
            return Ok((list(0, 0..self.len())?, Vec::new()));
        }
        let mut rows = RowLengths::with_capacity(shape.count(axis - 1))?;
        shape.try_for_rows(axis - 1, |number, range| list(number, range).map(|len| rows.push(len)))?;
        let mut levels = shape.packed_levels(axis - 1)?;
        levels.push(rows.finish()?);
        Ok((self.len(), levels))
    }

    /// Returns the outer rows with these numbers, in this order. Fails if a row does not exist.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec!['a', 'b', 'c'])?;
    /// assert_eq!(a.take(&[2, 0, 2])?.to_nested::<2, Vec<Vec<char>>>()?, [vec!['c'], vec!['a', 'b'], vec!['c']]);
    /// assert_eq!(a.take(&[3]).unwrap_err().to_string(), "axis 0: index 3 is out of range for list 0, which has 3 elements");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn take(&self, rows: &[usize]) -> Result<RaggedArray<'static, T>> {
        self.settled()?.rewrite(0, |list, range, keep| rows.iter().try_for_each(|row| pick(0, list, &range, *row as isize, keep)))
    }

    /// Reverses the order of the elements in every list of `axis`. Fails if there is no such axis.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 3], vec![1, 2, 3, 4, 5])?;
    /// assert_eq!(a.reverse(1)?.leaves(), [2, 1, 5, 4, 3]);
    /// assert_eq!(a.reverse(0)?.shape().offsets(), [[0, 3, 3, 5]]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn reverse(&self, axis: usize) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        if axis + 1 == a.depth() {
            let mut leaves = a.leaves().to_vec();
            a.shape().for_last_rows(|range| leaves.get_mut(range).unwrap_or(&mut []).reverse());
            return a.with_leaves(leaves);
        }
        a.rewrite(axis, |_, range, keep| {
            range.rev().for_each(|k| keep(k..k + 1));
            Ok(())
        })
    }

    /// Returns the elements `start..stop` in steps of `step` of every list of `axis`, like Python slices. Ends below 0 count from
    /// the end of the list, positions outside the list are skipped, and a negative step goes backwards. Fails if `step` is 0, or
    /// if there is no such axis.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 3], vec![1, 2, 3, 4, 5])?;
    /// assert_eq!(a.slice(1, Some(-2), None, 1)?.leaves(), [1, 2, 4, 5]);
    /// assert_eq!(a.slice(1, None, None, -2)?.leaves(), [2, 5, 3]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn slice(&self, axis: usize, start: Option<isize>, stop: Option<isize>, step: isize) -> Result<RaggedArray<'static, T>> {
        if step == 0 {
            return Err(RaggedError::ZeroStep);
        }
        self.settled()?.rewrite(axis, |_, range, keep| {
            let len = range.len() as isize;
            // The range to which the ends are clamped, in the direction of the step.
            let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
            let bound = |end: Option<isize>, default| match end {
                None => default,
                Some(end) => (if end < 0 { end.saturating_add(len) } else { end }).clamp(low, high),
            };
            let (begin, end) = if step > 0 { (bound(start, low), bound(stop, high)) } else { (bound(start, high), bound(stop, low)) };
            if step == 1 && begin < end {
                keep(range.start + begin as usize..range.start + end as usize);
                return Ok(());
            }
            let mut at = begin;
            while if step > 0 { at < end } else { at > end } {
                let k = range.start + at as usize;
                keep(k..k + 1);
                at = at.saturating_add(step);
            }
            Ok(())
        })
    }

    /// Returns element `index` of every list of `axis`, without this axis. A negative index counts from the end. Fails
    /// if a list has no such element.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 1, 3], vec![1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.index(1, -1)?.leaves(), [2, 3, 6]);
    /// assert_eq!(a.index(0, 2)?.leaves(), [4, 5, 6]);
    /// assert_eq!(a.index(1, 1).unwrap_err().to_string(), "axis 1: index 1 is out of range for list 1, which has 1 elements");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn index(&self, axis: usize, index: isize) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        a.shape().axis(axis, 0)?;
        if axis == 0 {
            let mut row = 0..0;
            pick(0, 0, &(0..a.len()), index, &mut |found| row = found)?;
            if a.depth() == 1 {
                return RaggedArray::from_leaves(a.leaves()[row].to_vec());
            }
            let elements = a.shape().row(0, row.start);
            return a.chosen(1, elements.len(), Vec::new(), Picks::of(elements));
        }
        let mut picks = Picks::default();
        a.shape().try_for_rows(axis - 1, |list, range| pick(axis, list, &range, index, &mut |element| picks.push(element)))?;
        a.chosen(axis, a.len(), a.shape().packed_levels(axis - 1)?, picks)
    }

    /// Returns one element of every list of `axis`, without this axis: element `indices[i]` of list `i`. A negative index counts
    /// from the end. Axis 0 is one list.
    ///
    /// Fails unless there is one index for each list, and if a list has no such element.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 1, 3], vec![1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.index_each(1, &[1, 0, -1])?.leaves(), [2, 3, 6]);
    /// assert_eq!(a.index_each(1, &[0, 0]).unwrap_err().to_string(), "the lengths add up to 2, but there are 3 elements");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn index_each(&self, axis: usize, indices: &[isize]) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        a.shape().axis(axis, 0)?;
        if axis == 0 {
            add_up(indices.len(), 1)?;
            return a.index(0, indices[0]);
        }
        add_up(indices.len(), a.shape().count(axis - 1))?;
        let mut picks = Picks::default();
        a.shape().try_for_rows(axis - 1, |list, range| pick(axis, list, &range, indices[list], &mut |element| picks.push(element)))?;
        a.chosen(axis, a.len(), a.shape().packed_levels(axis - 1)?, picks)
    }

    /// Returns the elements with these indices of every list of `axis`, in this order. Negative indices count from the end. Each
    /// list of the result has as many elements as there are indices. Fails if a list has no such element.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 1, 3], vec![1, 2, 3, 4, 5, 6])?;
    /// let ends = a.take_along(1, &[0, -1])?;
    /// assert_eq!((ends.shape().offsets(), ends.leaves()), (vec![vec![0, 2, 4, 6]], &[1, 2, 3, 3, 4, 6][..]));
    /// let error = a.take_along(1, &[1]).unwrap_err();
    /// assert_eq!(error.to_string(), "axis 1: index 1 is out of range for list 1, which has 1 elements");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn take_along(&self, axis: usize, indices: &[isize]) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        a.rewrite(axis, |list, range, keep| indices.iter().try_for_each(|index| pick(axis, list, &range, *index, keep)))
    }

    /// Keeps the elements for which `mask` is true, on the last axis of `mask`. Fails unless both arrays have the same lists up
    /// to that axis.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 1, 3], vec![1, 2, 3, 4, 5, 6])?;
    /// let odd = a.filter(&a.map(|x| x % 2 == 1)?)?;
    /// assert_eq!((odd.shape().offsets(), odd.leaves()), (vec![vec![0, 1, 2, 3]], &[1, 3, 5][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn filter(&self, mask: &RaggedArray<'_, bool>) -> Result<RaggedArray<'static, T>> {
        let (a, mask) = (self.settled()?, mask.settled()?);
        let axis = mask.depth() - 1;
        a.shape().axis(axis, 0)?;
        a.shape().same_above(mask.shape(), axis + 1)?;
        a.rewrite(axis, |_, range, keep| {
            let kept = mask.leaves().get(range.clone()).unwrap_or(&[]);
            range.zip(kept).filter(|(_, keep)| **keep).for_each(|(k, _)| keep(k..k + 1));
            Ok(())
        })
    }

    /// Returns, for each list of the last axis of `indices`, the elements with these indices of the corresponding list
    /// of this array. Negative indices count from the end.
    ///
    /// Above that axis, both arrays must have the same lists; on it, lengths may differ. Fails if a list has no such
    /// element.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 1], vec!['a', 'b', 'c'])?;
    /// let indices = RaggedArray::from_lengths(vec![3, 0], vec![1, 1, -2])?;
    /// assert_eq!(a.gather(&indices)?.leaves(), ['b', 'b', 'a']);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn gather(&self, indices: &RaggedArray<'_, isize>) -> Result<RaggedArray<'static, T>> {
        let (a, indices) = (self.settled()?, indices.settled()?);
        let axis = indices.depth() - 1;
        a.shape().axis(axis, 0)?;
        if axis > 0 {
            a.shape().same_above(indices.shape(), axis)?;
        }
        a.rewrite(axis, |list, range, keep| {
            let wanted = if axis == 0 { indices.leaves() } else { indices.row(list) };
            wanted.iter().try_for_each(|index| pick(axis, list, &range, *index, keep))
        })
    }
}

/// Keeps element `index` of list `list` with the elements `range`; below 0, it counts from the end. Fails if there is none.
pub(crate) fn pick(axis: usize, list: usize, range: &Range<usize>, index: isize, keep: &mut dyn FnMut(Range<usize>)) -> Result<()> {
    let at = if index < 0 { range.len().checked_sub(index.unsigned_abs()) } else { Some(index as usize) };
    match at.filter(|at| *at < range.len()) {
        Some(at) => {
            keep(range.start + at..range.start + at + 1);
            Ok(())
        }
        None => Err(RaggedError::OutOfRange { axis, index, len: range.len(), list }),
    }
}
