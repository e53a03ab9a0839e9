//! Sorts along any axis, ascending or descending. `order` sorts lists of the last axis; here, leaves of another axis first form lists.

use crate::{Number, RaggedArray, Result};
use alloc::vec::Vec;

impl<T: Number> RaggedArray<'_, T> {
    /// Returns, for each leaf of the array sorted along `axis`, the number of the leaf that it comes from.
    ///
    /// Along an axis before the last, the leaves that a fold over the axis joins are sorted ([`fibers`](crate::RaggedShape::fibers)),
    /// and no list changes its length. Equal leaves keep their order, also with `descending`. NaN is the greatest number. Fails
    /// if there is no such axis, or if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 2], vec![7, 1, 7, 2, 9])?;
    /// assert_eq!(a.order_along(1, false)?.leaves(), [1, 0, 2, 3, 4]);
    /// assert_eq!(a.order_along(1, true)?.leaves(), [0, 2, 1, 4, 3]);
    /// assert_eq!(a.order_along(0, false)?.leaves(), [3, 1, 2, 0, 4]); // the columns [7, 2], [1, 9] and [7]
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn order_along(&self, axis: usize, descending: bool) -> Result<RaggedArray<'static, usize>> {
        let a = self.settled()?;
        let shape = a.shape();
        if shape.axis(axis, 0)? + 1 < a.depth() {
            let fibers = shape.fibers(axis)?;
            let leaves = a.leaves();
            let order = fibers.map(|leaf| leaves[*leaf])?.order_along(1, descending)?;
            let mut out = alloc::vec![0; leaves.len()];
            fibers.leaves().iter().zip(order.leaves()).for_each(|(to, from)| out[*to] = fibers.leaves()[*from]);
            return a.with_leaves(out);
        }
        // The reverse of the ascending order of a reversed list keeps the order of equal leaves.
        let order = if descending { a.reverse(axis)?.argsort()? } else { a.argsort()? };
        let mut out: Vec<usize> = order.leaves().to_vec();
        shape.for_last_rows(|range| {
            let Some(list) = out.get_mut(range.clone()) else { return };
            if descending {
                list.reverse();
                list.iter_mut().for_each(|place| *place = range.end - 1 - *place);
            } else {
                list.iter_mut().for_each(|place| *place += range.start);
            }
        });
        a.with_leaves(out)
    }

    /// Sorts along `axis` in the order of [`RaggedArray::order_along`], and fails like it.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 2], vec![7, 1, 7, 2, 9])?;
    /// assert_eq!(a.sort_along(1, true)?.leaves(), [7, 7, 1, 9, 2]);
    /// assert_eq!(a.sort_along(0, false)?.leaves(), [2, 1, 7, 7, 9]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn sort_along(&self, axis: usize, descending: bool) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        let leaves = a.leaves();
        a.order_along(axis, descending)?.map(|leaf| leaves[*leaf])
    }

    /// Returns, for each leaf of the array sorted along `axis`, the coordinate on this axis of the leaf that it comes from. Leaves
    /// have the order of [`RaggedArray::order_along`], and this function fails like it.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 2], vec![7, 1, 7, 2, 9])?;
    /// assert_eq!(a.argsort_along(1, true)?.leaves(), [0, 2, 1, 1, 0]);
    /// assert_eq!(a.argsort_along(0, false)?.leaves(), [2, 0, 0, 0, 2]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn argsort_along(&self, axis: usize, descending: bool) -> Result<RaggedArray<'static, usize>> {
        let a = self.settled()?;
        let coordinates = a.shape().leaf_coordinates(axis);
        a.order_along(axis, descending)?.map(|leaf| coordinates[*leaf])
    }
}
