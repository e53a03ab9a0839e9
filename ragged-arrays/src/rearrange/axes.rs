//! Operations on axes: counting, numbering, merging and splitting them.

use crate::structure::RaggedShape;
use crate::{RaggedArray, RaggedError, Result, add_up, sum};
use alloc::vec::Vec;
use array_kernels::{DynLevel, RowLengths};

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Returns the length of every list of `axis`, nested as the lists are; one number for axis 0. Fails without such an axis.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec!['a', 'b', 'c'])?;
    /// assert_eq!((a.num(0)?.leaves(), a.num(1)?.leaves()), (&[3][..], &[2, 0, 1][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn num(&self, axis: usize) -> Result<RaggedArray<'static, usize>> {
        let a = self.settled()?;
        let lengths = if a.shape().axis(axis, 0)? == 0 { alloc::vec![a.len()] } else { a.shape().lengths(axis - 1) };
        a.above(axis, lengths)
    }

    /// Returns the local index of every element of `axis` in its list, as an array of the axes `0..=axis`. Fails beyond the last.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 3], vec!['a', 'b', 'c', 'd', 'e'])?;
    /// assert_eq!((a.local_index(0)?.leaves(), a.local_index(1)?.leaves()), (&[0, 1, 2][..], &[0, 1, 0, 1, 2][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn local_index(&self, axis: usize) -> Result<RaggedArray<'static, usize>> {
        let a = self.settled()?;
        let places = if a.shape().axis(axis, 0)? == 0 { (0..a.len()).collect() } else { a.shape().local_indices(axis - 1) };
        a.above(axis + 1, places)
    }

    /// Merges `axis` with the axis before it, and drops the borders between its lists. Leaves stay as they are. Fails for axis 0.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_offsets(vec![vec![0_u32, 2, 3], vec![0, 1, 1, 4]], vec!['a', 'b', 'c', 'd'])?;
    /// assert_eq!(a.flatten(1)?.shape().offsets(), [[0, 1, 1, 4]]);
    /// assert_eq!(a.flatten(2)?.shape().offsets(), [[0, 1, 4]]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn flatten(&self, axis: usize) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        let shape = a.shape();
        shape.axis(axis, 1)?;
        let (mut levels, outer) = match axis {
            1 => (Vec::new(), shape.count(1)),
            _ => {
                let mut levels = shape.packed_levels(axis - 2)?;
                let mut rows = RowLengths::with_capacity(shape.count(axis - 2))?;
                shape.for_rows(axis - 2, |_, range| {
                    // The elements of all lists of a row lie between the first list and the last.
                    let begin = shape.row(axis - 1, range.start).start;
                    let end = range.clone().next_back().map_or(begin, |last| shape.row(axis - 1, last).end);
                    rows.push(end - begin);
                });
                levels.push(rows.finish()?);
                (levels, a.len())
            }
        };
        for q in axis..shape.levels().len() {
            levels.push(shape.packed_level(q)?);
        }
        RaggedArray::new(outer, levels, a.leaves().to_vec())
    }

    /// Groups the elements of `axis` by these sizes into lists of a new axis: the inverse of [`RaggedArray::flatten`].
    ///
    /// A group must end where a list ends, or before. A group of size 0 at the end of a list belongs to that list;
    /// groups of size 0 before all elements belong to the first list.
    ///
    /// Fails if the sizes do not add up to the number of elements of `axis`, or if a group crosses the end of a list.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 1], vec!['a', 'b', 'c', 'd'])?;
    /// assert_eq!(a.unflatten(0, &[1, 1])?.shape().offsets(), [vec![0, 1, 2], vec![0, 3, 4]]);
    /// assert_eq!(a.unflatten(1, &[1, 2, 0, 1])?.shape().offsets(), [vec![0, 3, 4], vec![0, 1, 3, 3, 4]]);
    /// assert_eq!(a.unflatten(1, &[2, 2]).unwrap_err().to_string(), "group 1 does not end with list 0 or before it: sizes of groups add up to the length of each list");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn unflatten(&self, axis: usize, sizes: &[usize]) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        let shape = a.shape();
        shape.axis(axis, 0)?;
        add_up(sum(sizes)?, shape.count(axis))?;
        let (mut levels, outer) = match axis {
            0 => (Vec::new(), sizes.len()),
            _ => {
                let mut levels = shape.packed_levels(axis - 1)?;
                levels.push(grouped(shape, axis, sizes)?);
                (levels, a.len())
            }
        };
        levels.push(DynLevel::of_lengths(sizes)?);
        for q in axis..shape.levels().len() {
            levels.push(shape.packed_level(q)?);
        }
        RaggedArray::new(outer, levels, a.leaves().to_vec())
    }

    /// Returns the leaves in order, as an array of one axis. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_nested::<3, _>(vec![vec![vec![1, 2], vec![]], vec![vec![3]]])?;
    /// let line = a.ravel()?;
    /// assert_eq!((line.depth(), line.leaves()), (1, &[1, 2, 3][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn ravel(&self) -> Result<RaggedArray<'static, T>> {
        RaggedArray::from_leaves(self.settled()?.leaves().to_vec())
    }
}

/// Returns the level of the groups in each list of `axis`. Fails if a group of these sizes crosses the end of a list.
fn grouped(shape: &RaggedShape<'_>, axis: usize, sizes: &[usize]) -> Result<DynLevel<'static>> {
    let lists = shape.count(axis - 1);
    let (mut rows, mut group, mut end) = (RowLengths::with_capacity(lists)?, 0, 0);
    shape.try_for_rows(axis - 1, |list, range| {
        let first = group;
        // Only the first and the last list take groups if they are empty: groups of size 0. Other lists leave them to a neighbour.
        let takes = !range.is_empty() || list + 1 == lists || list == 0 && end == 0;
        while takes && group < sizes.len() && end + sizes[group] <= range.end {
            end += sizes[group];
            group += 1;
        }
        rows.push(group - first);
        if end < range.end { Err(RaggedError::Straddles { group, list }) } else { Ok(()) }
    })?;
    // Groups of size 0 are left if there is no list at all.
    if group < sizes.len() { Err(RaggedError::Straddles { group, list: lists }) } else { Ok(rows.finish()?) }
}
