//! Operations on several arrays with missing lists: a list is missing in the result if it is missing in any of them.

use super::{OptionArray, marks};
use crate::rearrange::pick;
use crate::{RaggedArray, RaggedError, Result};
use alloc::vec::Vec;

impl<'a, T: Clone + 'static> OptionArray<'a, T> {
    /// Returns this array, in which the lists of level `q` are also missing where `gone` is true.
    fn without(self, q: usize, gone: &[bool]) -> Result<OptionArray<'a, T>> {
        if gone.iter().enumerate().all(|(list, gone)| !gone || self.is_missing(q, list)) {
            return Ok(self);
        }
        let mut number = 0..;
        let kept = self.array.above(q + 1, gone.iter().map(|gone| number.next().filter(|_| !gone)).collect())?;
        self.below(q, &kept, self.missing_above(q))
    }

    /// Returns both arrays with the same missing lists in the first `levels` levels: a list is missing if it is missing in either array.
    /// Fails unless both have the same number of lists there.
    fn meet<U: Clone + 'static>(self, other: OptionArray<'a, U>, levels: usize) -> Result<(OptionArray<'a, T>, OptionArray<'a, U>)> {
        let (mut a, mut b) = (self, other);
        for q in 0..levels {
            let (left, right) = (a.shape().count(q), b.shape().count(q));
            if left != right {
                return Err(RaggedError::DifferentCounts { axis: q, left, right });
            }
            let gone: Vec<bool> = (0..left).map(|list| a.is_missing(q, list) || b.is_missing(q, list)).collect();
            (a, b) = (a.without(q, &gone)?, b.without(q, &gone)?);
        }
        Ok((a, b))
    }

    /// Returns, for each list of the last axis of `indices`, the elements with these indices of the corresponding list, as
    /// [`RaggedArray::gather`] does. The element of a missing index is missing, and so is a list that is missing in either array.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some('a'), Some('b')]), None, Some(vec![Some('c')])])?;
    /// let indices = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(-1), None]), Some(vec![Some(9)]), None])?;
    /// let found = a.gather(&indices)?;
    /// assert_eq!((found.missing(0), found.leaves()), (&[false, true, true][..], &[Some('b'), None][..]));
    /// let rows = OptionArray::from_nested::<1, _>(vec![Some(2), None])?;
    /// assert_eq!(a.gather(&rows)?.missing(0), [false, true]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn gather(&self, indices: &OptionArray<'_, isize>) -> Result<OptionArray<'static, T>> {
        let axis = self.shape().axis(indices.depth() - 1, 0)?;
        let (a, indices) = self.view().meet(indices.view(), axis)?;
        if axis > 0 {
            a.shape().same_above(indices.shape(), axis)?;
        }
        a.relist(axis, |list, range, out| {
            let wanted = if axis == 0 { indices.leaves() } else { indices.array.row(list) };
            for index in wanted {
                out.push(None);
                if let (Some(index), Some(last)) = (index, out.last_mut()) {
                    pick(axis, list, &range, *index, &mut |element| *last = Some(element.start))?;
                }
            }
            Ok(())
        })
    }

    /// Keeps the elements for which `mask` is true, on the last axis of `mask`, as [`RaggedArray::filter`] does. An element whose mask is
    /// missing is missing, and so is a list that is missing in either array.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), Some(2)]), None, Some(vec![Some(3)])])?;
    /// let mask = OptionArray::from_nested::<1, _>(vec![Some(true), Some(true), None])?;
    /// assert_eq!(a.filter(&mask)?.missing(0), [false, true, true]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn filter(&self, mask: &OptionArray<'_, bool>) -> Result<OptionArray<'static, T>> {
        let axis = self.shape().axis(mask.depth() - 1, 0)?;
        let (a, mask) = self.view().meet(mask.view(), axis)?;
        a.shape().same_above(mask.shape(), axis + 1)?;
        a.relist(axis, |_, range, out| {
            let kept = mask.leaves().get(range.clone()).unwrap_or(&[]);
            out.extend(range.zip(kept).filter(|(_, keep)| **keep != Some(false)).map(|(element, keep)| keep.map(|_| element)));
            Ok(())
        })
    }

    /// Applies `f` to the corresponding leaves of two arrays. A leaf or a list that is missing in either is missing in the result. Fails
    /// unless the other lists are the same.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1), None]), None, Some(vec![Some(3)])])?;
    /// let b = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(4), Some(5)]), Some(vec![Some(6)]), None])?;
    /// let sums = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(5), None]), None, None])?;
    /// assert_eq!(a.zip_with(&b, |x, y| x + y)?, sums);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn zip_with<U: Clone + 'static, V: Clone + 'static>(
        &self,
        other: &OptionArray<'_, U>,
        mut f: impl FnMut(&T, &U) -> V,
    ) -> Result<OptionArray<'static, V>> {
        if self.depth() != other.depth() {
            return Err(RaggedError::Axis { axis: other.depth() - 1, least: 0, depth: self.depth() });
        }
        let (a, b) = self.view().meet(other.view(), self.depth() - 1)?;
        let array = a.array.zip_with(&b.array, |x, y| x.as_ref().zip(y.as_ref()).map(|(x, y)| f(x, y)))?;
        Ok(OptionArray { array, missing: a.missing })
    }

    /// Returns an array that borrows the levels and leaves of this one.
    pub fn view(&self) -> OptionArray<'_, T> {
        OptionArray { array: self.array.view(), missing: self.missing.clone() }
    }

    /// Joins corresponding lists of `axis`. A list that is missing in some of the arrays adds no elements; one that is missing in all of
    /// them is missing. A list of an outer axis is missing if it is missing in any array.
    ///
    /// Fails without arrays, or unless all have one depth and the same lists above `axis`.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1)]), None, None])?;
    /// let b = OptionArray::from_nested::<2, _>(vec![Some(vec![None]), Some(vec![Some(2)]), None])?;
    /// let joined = OptionArray::concatenate(&[&a, &b], 1)?;
    /// assert_eq!((joined.missing(0), joined.leaves()), (&[false, false, true][..], &[Some(1), None, Some(2)][..]));
    /// assert_eq!(OptionArray::concatenate(&[&a, &b], 0)?.missing(0), [false, true, true, false, false, true]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn concatenate(arrays: &[&OptionArray<'_, T>], axis: usize) -> Result<OptionArray<'static, T>> {
        let Some(first) = arrays.first() else { return Err(RaggedError::NoLevels) };
        let depth = first.depth();
        first.shape().axis(axis, 0)?;
        if let Some(other) = arrays.iter().find(|other| other.depth() != depth) {
            return Err(RaggedError::Axis { axis: other.depth() - 1, least: depth - 1, depth });
        }
        let mut given: Vec<OptionArray<'_, T>> = arrays.iter().map(|array| array.view()).collect();
        // Lists above the joined ones are missing in all arrays or in none.
        for q in 0..axis.saturating_sub(1) {
            let left = given[0].shape().count(q);
            if let Some(other) = given.iter().find(|other| other.shape().count(q) != left) {
                return Err(RaggedError::DifferentCounts { axis: q, left, right: other.shape().count(q) });
            }
            let gone: Vec<bool> = (0..left).map(|list| given.iter().any(|array| array.is_missing(q, list))).collect();
            given = given.into_iter().map(|array| array.without(q, &gone)).collect::<Result<_>>()?;
        }
        let array = RaggedArray::concatenate(&given.iter().map(|array| &array.array).collect::<Vec<_>>(), axis)?;
        let mut missing = given[0].missing_above(axis.saturating_sub(1));
        if axis > 0 {
            let lists = given[0].shape().count(axis - 1);
            missing.push(marks((0..lists).map(|list| given.iter().all(|array| array.is_missing(axis - 1, list))).collect()));
        }
        for q in axis..depth - 1 {
            // The marks of level `q` are joined as the leaves of an array of its lists.
            let lists = given.iter().map(|array| array.array.above(q + 1, array.gone(q)?)).collect::<Result<Vec<_>>>()?;
            missing.push(marks(RaggedArray::concatenate(&lists.iter().collect::<Vec<_>>(), axis)?.leaves().to_vec()));
        }
        Ok(OptionArray { array, missing })
    }
}
