//! Combines arrays: one number for each list of an array, two arrays of one shape, arrays one after the other.

#[cfg(feature = "parallel")]
use crate::structure::resized;
use crate::structure::{Lists, Numbers, RaggedShape, room, with_lists, with_numbers, zip_numbers};
use crate::{RaggedArray, RaggedError, Result, add_up, sum};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::RowLengths;
use array_kernels::merge_path;
#[cfg(feature = "parallel")]
use array_kernels::{
    Value,
    merge_path::{carved, shares},
    parallel,
};
use core::ops::Range;

impl RaggedShape<'_> {
    /// Returns, for each element of an axis, the list of leaves below it. Fails unless the axis has `numbers` elements.
    pub(crate) fn numbered(&self, axis: usize, numbers: usize) -> Result<Lists<'_>> {
        self.axis(axis, 0)?;
        add_up(numbers, self.count(axis))?;
        Ok(self.leaf_lists(axis))
    }
}

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Applies `f` to each leaf and to the number of its element of `axis`, the element that contains the leaf. `numbers`
    /// has one number for each element of that axis, in order.
    ///
    /// The caller names the axis; shapes are never aligned by guessing. Fails if `numbers` has another length.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// assert_eq!(a.broadcast(0, &[10, 20, 30], |x, y| x + y)?.leaves(), [11, 12, 33]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn broadcast<U: Copy, V: Clone + 'static>(
        &self,
        axis: usize,
        numbers: &[U],
        mut f: impl FnMut(&T, &U) -> V,
    ) -> Result<RaggedArray<'static, V>> {
        let a = self.settled()?;
        let mut out = room(a.leaves().len())?;
        let leaves = a.leaves();
        with_lists!(&a.shape().numbered(axis, numbers.len())?, rows => with_numbers(rows, &merge_path::all(rows), numbers, |entries, numbers| {
            let list = leaves.get(entries).unwrap_or(&[]).iter();
            match numbers {
                Numbers::Each(numbers) => out.extend(list.zip(numbers).map(|(leaf, number)| f(leaf, number))),
                Numbers::One(number) => out.extend(list.map(|leaf| f(leaf, &number))),
            }
        }));
        a.with_leaves(out)
    }

    /// Broadcasts as [`RaggedArray::broadcast`] does, and writes to the leaves. Fails as that function does, and
    /// for views, which must be packed first.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// // Subtracts from each leaf the greatest leaf of its row.
    /// let mut rows = RaggedArray::from_lengths(vec![2, 0, 1], vec![3.0, 5.0, 2.0])?;
    /// let greatest: Vec<f64> = rows.max(1)?.leaves().iter().map(|most| most.unwrap_or(0.0)).collect();
    /// rows.broadcast_mut(0, &greatest, |leaf, most| *leaf -= most)?;
    /// assert_eq!(rows.leaves(), [-2.0, 0.0, 0.0]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn broadcast_mut<U: Copy>(&mut self, axis: usize, numbers: &[U], f: impl FnMut(&mut T, &U)) -> Result<()> {
        self.require_consecutive()?;
        let (shape, leaves) = self.parts_mut();
        with_lists!(&shape.numbered(axis, numbers.len())?, rows => zip_numbers(rows, &merge_path::all(rows), numbers, leaves, f));
        Ok(())
    }

    /// Applies `f` to the corresponding leaves of two arrays. Fails unless both have the same lists.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// assert_eq!(a.zip_with(&a, |x, y| x * y)?.leaves(), [1, 4, 9]);
    /// let b = RaggedArray::from_lengths(vec![2, 1, 0], vec![1, 2, 3])?;
    /// assert_eq!(a.zip_with(&b, |x, y| x + y).unwrap_err().to_string(), "axis 1: list 1 has 0 elements in one array, but 1 in the other");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn zip_with<U: Clone + 'static, V: Clone + 'static>(
        &self,
        other: &RaggedArray<'_, U>,
        mut f: impl FnMut(&T, &U) -> V,
    ) -> Result<RaggedArray<'static, V>> {
        let (a, b) = (self.settled()?, other.settled()?);
        a.shape().same(b.shape())?;
        let mut out = room(a.leaves().len())?;
        out.extend(a.leaves().iter().zip(b.leaves()).map(|(x, y)| f(x, y)));
        a.with_leaves(out)
    }

    /// Joins corresponding lists of `axis`. Fails without arrays, or unless all have one depth and the same lists above `axis`.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0], vec![1, 2])?;
    /// let b = RaggedArray::from_lengths(vec![1, 1], vec![3, 4])?;
    /// let (outer, inner) = (RaggedArray::concatenate(&[&a, &b], 0)?, RaggedArray::concatenate(&[&a, &b], 1)?);
    /// assert_eq!((outer.shape().offsets(), outer.leaves()), (vec![vec![0, 2, 2, 3, 4]], &[1, 2, 3, 4][..]));
    /// assert_eq!((inner.shape().offsets(), inner.leaves()), (vec![vec![0, 3, 4]], &[1, 2, 3, 4][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn concatenate(arrays: &[&RaggedArray<'_, T>], axis: usize) -> Result<RaggedArray<'static, T>> {
        let arrays = arrays.iter().map(|array| array.settled()).collect::<Result<Vec<Cow<'_, _>>>>()?;
        let Some(first) = arrays.first() else { return Err(RaggedError::NoLevels) };
        first.shape().axis(axis, 0)?;
        for other in &arrays {
            if other.depth() != first.depth() {
                return Err(RaggedError::Axis { axis: other.depth() - 1, least: first.depth() - 1, depth: first.depth() });
            }
            if axis > 0 {
                first.shape().same_above(other.shape(), axis)?;
            }
        }
        // Ranges of elements, each with the number of its array.
        let mut open: Vec<(usize, Range<usize>)> = Vec::new();
        let (mut levels, mut outer) = (Vec::new(), first.len());
        if axis == 0 {
            open.extend(arrays.iter().enumerate().map(|(k, array)| (k, 0..array.len())));
            outer = sum(&arrays.iter().map(|array| array.len()).collect::<Vec<_>>())?;
        } else {
            levels = first.shape().packed_levels(axis - 1)?;
            let mut rows = RowLengths::with_capacity(first.shape().count(axis - 1))?;
            for list in 0..first.shape().count(axis - 1) {
                let parts = arrays.iter().map(|array| array.shape().row(axis - 1, list)).enumerate();
                let before = open.len();
                open.extend(parts);
                rows.push(open[before..].iter().fold(0, |sum, (_, range)| range.len().saturating_add(sum)));
            }
            levels.push(rows.finish()?);
        }
        for q in axis..first.shape().levels().len() {
            let (mut rows, mut next) = (RowLengths::with_capacity(open.len())?, Vec::with_capacity(open.len()));
            for (k, range) in open {
                // Consecutive lists have consecutive elements, so one range has all of them.
                let mut ends: Option<Range<usize>> = None;
                arrays[k].shape().for_some_rows(q, range, |_, elements| {
                    rows.push(elements.len());
                    ends = Some(ends.as_ref().map_or(elements.start, |ends| ends.start)..elements.end);
                });
                next.extend(ends.map(|ends| (k, ends)));
            }
            levels.push(rows.finish()?);
            open = next;
        }
        let mut data = room(arrays.iter().fold(0, |sum, array| array.leaves().len().saturating_add(sum)))?;
        open.into_iter().for_each(|(k, range)| data.extend_from_slice(arrays[k].leaves().get(range).unwrap_or(&[])));
        RaggedArray::new(outer, levels, data)
    }

    /// Returns an array of one axis more, whose outer rows are these arrays. Fails unless all have one depth, or for none.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0], vec![1, 2])?;
    /// let b = RaggedArray::from_lengths(vec![1], vec![3])?;
    /// assert_eq!(RaggedArray::stack(&[&a, &b])?, RaggedArray::from_nested::<3, _>(vec![vec![vec![1, 2], vec![]], vec![vec![3]]])?);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn stack(arrays: &[&RaggedArray<'_, T>]) -> Result<RaggedArray<'static, T>> {
        let sizes: Vec<usize> = arrays.iter().map(|array| array.len()).collect();
        RaggedArray::concatenate(arrays, 0)?.unflatten(0, &sizes)
    }
}

#[cfg(feature = "parallel")]
impl<T: Clone + Send + Sync + 'static> RaggedArray<'_, T> {
    /// Broadcasts and fails as [`RaggedArray::broadcast`] does, on several threads.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// assert_eq!(a.par_broadcast(0, &[10, 20, 30], |x, y| x + y)?.leaves(), [11, 12, 33]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn par_broadcast<U: Copy + Sync, V: Value + 'static>(
        &self,
        axis: usize,
        numbers: &[U],
        f: impl Fn(&T, &U) -> V + Sync,
    ) -> Result<RaggedArray<'static, V>> {
        let mut out = Vec::new();
        self.par_broadcast_into(axis, numbers, &mut out, f)?;
        self.settled()?.with_leaves(out)
    }

    /// Replaces the contents of `out` with the leaves of [`RaggedArray::par_broadcast`], and fails like it. This saves the
    /// allocation if `out` is reused.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let rows = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// let mut scaled = Vec::new();
    /// for scale in [[1, 1, 1], [10, 20, 30]] {
    ///     rows.par_broadcast_into(0, &scale, &mut scaled, |leaf, scale| leaf * scale)?;
    /// }
    /// assert_eq!(scaled, [10, 20, 90]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn par_broadcast_into<U: Copy + Sync, V: Value + 'static>(
        &self,
        axis: usize,
        numbers: &[U],
        out: &mut Vec<V>,
        f: impl Fn(&T, &U) -> V + Sync,
    ) -> Result<()> {
        let a = self.settled()?;
        let leaves = a.leaves();
        let lists = a.shape().numbered(axis, numbers.len())?;
        resized(out, leaves.len())?;
        with_lists!(&lists, rows => parallel::map(carved(shares(rows), out), |(part, out)| {
            let items = (out, &leaves[part.entries.clone()]);
            zip_numbers(rows, &part, numbers, items, |(slot, leaf), number| *slot = f(leaf, number));
        }));
        Ok(())
    }

    /// Broadcasts and fails as [`RaggedArray::broadcast_mut`] does, on several threads.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let mut rows = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// rows.par_broadcast_mut(0, &[10, 20, 30], |leaf, number| *leaf += number)?;
    /// assert_eq!(rows.leaves(), [11, 12, 33]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn par_broadcast_mut<U: Copy + Sync>(&mut self, axis: usize, numbers: &[U], f: impl Fn(&mut T, &U) + Sync) -> Result<()> {
        self.require_consecutive()?;
        let (shape, leaves) = self.parts_mut();
        let lists = shape.numbered(axis, numbers.len())?;
        with_lists!(&lists, rows => parallel::map(carved(shares(rows), leaves), |(part, leaves)| {
            zip_numbers(rows, &part, numbers, leaves, &f);
        }));
        Ok(())
    }
}
