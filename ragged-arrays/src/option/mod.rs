//! Ragged arrays in which lists may be missing, as well as leaves.
//!
//! A missing list is stored as an empty one, with a mark in its level. An operation on an axis works on the numbers of the elements of
//! that axis ([`RaggedArray`] has all of these operations), and `OptionArray::below` brings the lists, marks and leaves below them.
//! `nest` converts vectors, `choose` has the operations on one array, `combine` those on several, and `reduce` the reductions.

mod choose;
mod combine;
mod nest;
mod reduce;

pub use nest::OptionNest;

use crate::structure::room;
use crate::{RaggedArray, RaggedError, RaggedShape, Result, add_up};
use alloc::vec::Vec;
use array_kernels::RowLengths;
use core::ops::Range;

/// A ragged array with missing leaves and lists, on any level. A missing list differs from an empty one.
///
/// The leaves are `Option`s, as in [`RaggedArray::gather_some`]. Missing lists have no elements, and a mark for each list says which of
/// the empty lists are missing. A [`RaggedArray`] has no such marks, so no operation can mistake a missing list for an empty one.
///
/// ```
/// use ragged_arrays::OptionArray;
/// // [[1, None], None, []]
/// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), None]), None, Some(vec![])])?;
/// assert_eq!((a.missing(0), a.array().shape().offsets()), (&[false, true, false][..], vec![vec![0, 2, 2, 2]]));
/// assert_eq!(a.sum(1)?.leaves(), [Some(1), None, Some(0)]); // the sum of a missing list is missing
/// assert_eq!(a.sum(0)?.leaves(), [Some(1), Some(0)]); // the columns skip it
/// assert_eq!(a.is_none(0)?.leaves(), [Some(false), Some(true), Some(false)]);
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OptionArray<'a, T: Clone + 'static> {
    /// The array with consecutive lists. Missing lists are empty.
    array: RaggedArray<'a, Option<T>>,
    /// For each level, whether each list is missing. It is empty for a level without missing lists.
    missing: Vec<Vec<bool>>,
}

/// All lists are present.
impl<'a, T: Clone + 'static> TryFrom<RaggedArray<'a, Option<T>>> for OptionArray<'a, T> {
    type Error = RaggedError;

    fn try_from(array: RaggedArray<'a, Option<T>>) -> Result<Self> {
        let levels = array.depth() - 1;
        OptionArray::new(array, alloc::vec![Vec::new(); levels])
    }
}

impl<'a, T: Clone + 'static> OptionArray<'a, T> {
    /// Creates an array from its lists, and for each level a bool for each list, true if it is missing. A level without missing lists
    /// may have no bools. Elements of missing lists are dropped.
    ///
    /// Fails unless there are bools for each level and each list, or if memory is short.
    ///
    /// ```
    /// use ragged_arrays::{OptionArray, RaggedArray};
    /// let rows = RaggedArray::from_lengths(vec![2, 1, 1], vec![Some(1), Some(2), Some(3), None])?;
    /// let a = OptionArray::new(rows.view(), vec![vec![false, true, false]])?;
    /// assert_eq!(a.to_nested::<2, Vec<Option<Vec<Option<i32>>>>>()?, [Some(vec![Some(1), Some(2)]), None, Some(vec![None])]);
    /// assert!(OptionArray::new(rows.view(), vec![vec![true]]).is_err());
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn new(array: RaggedArray<'a, Option<T>>, missing: Vec<Vec<bool>>) -> Result<Self> {
        add_up(missing.len(), array.depth() - 1)?;
        for (q, lists) in missing.iter().enumerate().filter(|(_, lists)| !lists.is_empty()) {
            add_up(lists.len(), array.shape().count(q))?;
        }
        let mut given = OptionArray { array, missing: missing.into_iter().map(marks).collect() };
        let shape = given.array.shape();
        let full = |q: usize, lists: &[bool]| lists.iter().enumerate().any(|(list, missing)| *missing && !shape.row(q, list).is_empty());
        if shape.is_consecutive() && !given.missing.iter().enumerate().any(|(q, lists)| full(q, lists)) {
            return Ok(given);
        }
        if given.missing.iter().all(Vec::is_empty) {
            given.array = given.array.pack()?;
            return Ok(given);
        }
        let rows: Vec<Option<usize>> = (0..given.len()).map(Some).collect();
        given.elements(0, &rows)
    }

    /// Returns the array in which missing lists are empty. Only [`OptionArray::missing`] tells them from empty lists.
    pub fn array(&self) -> &RaggedArray<'a, Option<T>> {
        &self.array
    }

    /// Returns whether each list of level `q` is missing, or no bools if all of them are present.
    pub fn missing(&self, q: usize) -> &[bool] {
        self.missing.get(q).map_or(&[], Vec::as_slice)
    }

    /// Returns the parts that [`OptionArray::new`] takes.
    pub fn into_parts(self) -> (RaggedArray<'a, Option<T>>, Vec<Vec<bool>>) {
        (self.array, self.missing)
    }

    /// Returns the array if no list is missing. Fails with the first missing list.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1)]), None])?;
    /// assert_eq!(a.clone().present().unwrap_err().to_string(), "axis 0: element 1 is missing: drop or fill missing lists before");
    /// assert_eq!(a.drop_none(0)?.present()?.leaves(), [Some(1)]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn present(self) -> Result<RaggedArray<'a, Option<T>>> {
        self.present_from(0)?;
        Ok(self.array)
    }

    /// Fails with the first list of level `least` or below that is missing.
    fn present_from(&self, least: usize) -> Result<()> {
        for (axis, lists) in self.missing.iter().enumerate().skip(least) {
            if let Some(element) = lists.iter().position(|missing| *missing) {
                return Err(RaggedError::MissingList { axis, element });
            }
        }
        Ok(())
    }

    /// Returns the number of axes, at least 1.
    pub fn depth(&self) -> usize {
        self.array.depth()
    }

    /// Returns the number of outer rows, missing ones included.
    pub fn len(&self) -> usize {
        self.array.len()
    }

    /// Tests whether the array has no outer row.
    pub fn is_empty(&self) -> bool {
        self.array.is_empty()
    }

    /// Returns the leaves of all lists, in order.
    pub fn leaves(&self) -> &[Option<T>] {
        self.array.leaves()
    }

    fn shape(&self) -> &RaggedShape<'a> {
        self.array.shape()
    }

    /// Tests whether list `list` of level `q` is missing.
    fn is_missing(&self, q: usize, list: usize) -> bool {
        self.missing(q).get(list).copied().unwrap_or(false)
    }

    /// Returns the marks of the first `levels` levels.
    fn missing_above(&self, levels: usize) -> Vec<Vec<bool>> {
        self.missing.iter().take(levels).cloned().collect()
    }

    /// Returns the elements of `axis` with these numbers as outer rows: lists, or leaves for the last axis. Elements are numbered through
    /// all lists of the axis, and an element without a number is missing.
    ///
    /// Fails if there is no such axis or element, or if memory is short.
    ///
    /// ```
    /// use ragged_arrays::{OptionArray, RaggedArray};
    /// let a: OptionArray<char> = RaggedArray::from_lengths(vec![2, 1], vec![Some('a'), None, Some('c')])?.try_into()?;
    /// let rows = a.elements(0, &[Some(1), None, Some(0)])?;
    /// assert_eq!((rows.missing(0), rows.leaves()), (&[false, true, false][..], &[Some('c'), Some('a'), None][..]));
    /// assert_eq!(a.elements(1, &[None, Some(2)])?.leaves(), [None, Some('c')]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn elements(&self, axis: usize, numbers: &[Option<usize>]) -> Result<OptionArray<'static, T>> {
        let count = self.shape().count(self.shape().axis(axis, 0)?);
        if let Some(beyond) = numbers.iter().flatten().find(|number| **number >= count) {
            return Err(RaggedError::OutOfRange { axis, index: isize::try_from(*beyond).unwrap_or(isize::MAX), len: count, list: 0 });
        }
        self.below(axis, &RaggedArray::from_leaves(numbers)?, Vec::new())
    }

    /// Replaces the leaves of `numbers`, which are numbers of elements of `axis`, by these elements. `missing` has the marks of the lists
    /// of `numbers`. Fails if memory is short.
    fn below(&self, axis: usize, numbers: &RaggedArray<'_, Option<usize>>, mut missing: Vec<Vec<bool>>) -> Result<OptionArray<'static, T>> {
        let shape = self.shape();
        if axis + 1 == self.depth() {
            let leaves = self.leaves();
            let array = numbers.map(|number| number.and_then(|number| leaves.get(number).cloned().flatten()))?;
            return Ok(OptionArray { array, missing });
        }
        let mut levels = numbers.shape().packed_levels(numbers.depth() - 1)?;
        let mut open: Vec<Range<usize>> = Vec::new();
        let (mut rows, mut lists) = (RowLengths::with_capacity(numbers.leaves().len())?, room(numbers.leaves().len())?);
        for number in numbers.leaves() {
            let found = number.filter(|list| !self.is_missing(axis, *list));
            let elements = found.map_or(0..0, |list| shape.row(axis, list));
            rows.push(elements.len());
            lists.push(found.is_none());
            push(&mut open, elements);
        }
        levels.push(rows.finish()?);
        missing.push(marks(lists));
        for q in axis + 1..shape.levels().len() {
            let count = open.iter().fold(0, |sum: usize, range| sum.saturating_add(range.len()));
            let (mut rows, mut lists, mut next) = (RowLengths::with_capacity(count)?, room(count)?, Vec::new());
            for range in open {
                shape.for_some_rows(q, range, |list, elements| {
                    let gone = self.is_missing(q, list);
                    let elements = if gone { 0..0 } else { elements };
                    rows.push(elements.len());
                    lists.push(gone);
                    push(&mut next, elements);
                });
            }
            levels.push(rows.finish()?);
            missing.push(marks(lists));
            open = next;
        }
        let mut leaves = room(open.iter().fold(0, |sum: usize, range| sum.saturating_add(range.len())))?;
        open.into_iter().for_each(|range| leaves.extend_from_slice(self.leaves().get(range).unwrap_or(&[])));
        Ok(OptionArray { array: RaggedArray::new(numbers.len(), levels, leaves)?, missing })
    }

    /// Returns the numbers of the elements of `axis`, in the lists of the axes above. Fails if there is no such axis.
    fn numbers(&self, axis: usize) -> Result<RaggedArray<'static, usize>> {
        let count = self.shape().count(self.shape().axis(axis, 0)?);
        self.array.above(axis + 1, (0..count).collect())
    }

    /// Returns this array with empty lists in place of the missing lists that are elements of `axis`. Fails for the last axis.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1)]), None])?;
    /// assert_eq!(a.fill_empty(0)?.present()?.shape().offsets(), [[0, 1, 1]]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn fill_empty(&self, axis: usize) -> Result<OptionArray<'a, T>> {
        if axis + 1 >= self.depth() {
            return Err(RaggedError::Axis { axis, least: 0, depth: self.depth() - 1 });
        }
        let mut filled = self.clone();
        filled.missing[axis].clear();
        Ok(filled)
    }

    /// Applies `f` to every present leaf, and returns the results in the same structure. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), None]), None])?;
    /// assert_eq!(a.map(|x| x + 1)?.leaves(), [Some(2), None]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn map<U: Clone + 'static>(&self, mut f: impl FnMut(&T) -> U) -> Result<OptionArray<'static, U>> {
        Ok(OptionArray { array: self.array.map(|leaf| leaf.as_ref().map(&mut f))?, missing: self.missing.clone() })
    }

    /// Returns whether each element of `axis` is missing, as an array of the axes `0..=axis`. Fails if there is no such axis.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), None]), None])?;
    /// assert_eq!(a.is_none(0)?.leaves(), [Some(false), Some(true)]);
    /// assert_eq!(a.is_none(1)?.to_nested::<2, Vec<Option<Vec<Option<bool>>>>>()?, [Some(vec![Some(false), Some(true)]), None]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn is_none(&self, axis: usize) -> Result<OptionArray<'static, bool>> {
        let found: Vec<Option<bool>> = self.gone(axis)?.into_iter().map(Some).collect();
        Ok(OptionArray { array: self.array.above(axis + 1, found)?, missing: self.missing_above(axis) })
    }

    /// Returns whether each element of `axis` is missing, in order. Fails if there is no such axis.
    fn gone(&self, axis: usize) -> Result<Vec<bool>> {
        let count = self.shape().count(self.shape().axis(axis, 0)?);
        if axis + 1 == self.depth() {
            return Ok(self.leaves().iter().map(Option::is_none).collect());
        }
        Ok((0..count).map(|list| self.is_missing(axis, list)).collect())
    }
}

/// Two arrays are equal if their lists and leaves are, missing ones included.
impl<T: Clone + PartialEq + 'static> PartialEq for OptionArray<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.array == other.array && self.missing == other.missing
    }
}

/// Returns the marks of a level, which has none if no list is missing.
fn marks(lists: Vec<bool>) -> Vec<bool> {
    if lists.contains(&true) { lists } else { Vec::new() }
}

/// Appends a range of elements, joined with the range before it if both are adjacent.
fn push(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        _ if range.is_empty() => {}
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}
