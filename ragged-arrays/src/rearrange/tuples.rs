//! Tuples of elements: combinations of the elements of one list, and the Cartesian product of several.

use super::gather::Picks;
use crate::structure::{RaggedShape, room};
use crate::{RaggedArray, RaggedError, Result, sum};
use alloc::vec::Vec;
use array_kernels::{DynLevel, RowLengths};
use core::ops::Range;

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Returns all combinations of `n` elements of every list of `axis`, in lexicographic order of their indices. With `replacement`,
    /// an element may occur several times in one combination.
    ///
    /// The combinations are the elements of `axis`, and their elements form a new axis after it, of the fixed size `n`. A list of
    /// `m` elements has `m! / (n! (m - n)!)` combinations. With replacement, `m + n - 1` stands for `m` in this formula.
    ///
    /// Fails if there is no such axis, or if the result is too large for memory.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec!['a', 'b', 'c', 'd'])?;
    /// let pairs = a.combinations(1, 2, false)?;
    /// assert_eq!(pairs.shape().offsets(), [vec![0, 3, 3, 3], vec![0, 2, 4, 6]]);
    /// assert_eq!(pairs.leaves(), ['a', 'b', 'a', 'c', 'b', 'c']);
    /// assert_eq!(a.combinations(1, 2, true)?.shape().count(1), 6 + 1);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn combinations(&self, axis: usize, n: usize, replacement: bool) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        let (lists, counts) = (a.shape().lists_of(axis)?, a.shape().combination_counts(axis, n, replacement)?);
        let mut rows = RowLengths::with_capacity(lists.len())?;
        counts.iter().for_each(|count| rows.push(*count));
        let total = sum(&counts)?;
        // The picked elements, which may be one range each, must fit memory.
        room::<Range<usize>>(total.checked_mul(n).ok_or(RaggedError::Overflow)?)?;
        let mut picks = Picks::default();
        for list in lists.iter().filter(|list| n > 0 && !list.is_empty() && (replacement || list.len() >= n)) {
            let mut at: Vec<usize> = if replacement { alloc::vec![0; n] } else { (0..n).collect() };
            loop {
                at.iter().for_each(|place| picks.push(list.start + place..list.start + place + 1));
                // Advance the last index that can grow, and begin again after it.
                let most = |k: usize| if replacement { list.len() - 1 } else { list.len() - n + k };
                let Some(k) = (0..n).rev().find(|k| at[*k] < most(*k)) else { break };
                at[k] += 1;
                (k + 1..n).for_each(|after| at[after] = at[after - 1] + usize::from(!replacement));
            }
        }
        let (outer, mut levels) = a.levels_to(axis, rows)?;
        levels.push(DynLevel::fixed(n));
        a.chosen(axis, outer, levels, picks)
    }

    /// Returns the Cartesian product of corresponding lists of `axis`, as one array for each operand. Element `j` of a list of all
    /// results together is tuple `j` of the product; the last operand varies fastest.
    ///
    /// Fails without arrays, unless all have the same lists above `axis`, or if the result is too large for memory.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0], vec![1, 2])?;
    /// let b = RaggedArray::from_lengths(vec![2, 1], vec![10, 20, 30])?;
    /// let pairs = RaggedArray::cartesian(&[&a, &b], 1)?;
    /// assert_eq!((pairs[0].leaves(), pairs[1].leaves()), (&[1, 1, 2, 2][..], &[10, 20, 10, 20][..]));
    /// assert_eq!(pairs[0].shape().offsets(), [[0, 4, 4]]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn cartesian(arrays: &[&RaggedArray<'_, T>], axis: usize) -> Result<Vec<RaggedArray<'static, T>>> {
        let arrays = arrays.iter().map(|array| array.settled()).collect::<Result<Vec<_>>>()?;
        let Some(first) = arrays.first() else { return Err(RaggedError::NoLevels) };
        let lists = arrays.iter().map(|array| array.shape().lists_of(axis)).collect::<Result<Vec<_>>>()?;
        for other in arrays.iter().filter(|_| axis > 0) {
            first.shape().same_above(other.shape(), axis)?;
        }
        let size = |list: usize, which: Range<usize>| {
            which.clone().try_fold(1_usize, |size, k| size.checked_mul(lists[k][list].len())).ok_or(RaggedError::Overflow)
        };
        let mut sizes: Vec<usize> = room(lists[0].len())?;
        for list in 0..lists[0].len() {
            // An empty list makes the product empty, however long the other lists are.
            let empty = lists.iter().any(|lists| lists[list].is_empty());
            sizes.push(if empty { 0 } else { size(list, 0..lists.len())? });
        }
        room::<Range<usize>>(sum(&sizes)?)?;
        let product = |(k, array): (usize, &alloc::borrow::Cow<'_, RaggedArray<'_, T>>)| {
            let (mut rows, mut picks) = (RowLengths::with_capacity(sizes.len())?, Picks::default());
            for (list, tuples) in sizes.iter().enumerate() {
                rows.push(*tuples);
                if *tuples == 0 {
                    continue;
                }
                let (before, after) = (size(list, 0..k)?, size(list, k + 1..lists.len())?);
                for _ in 0..before {
                    for element in lists[k][list].clone() {
                        (0..after).for_each(|_| picks.push(element..element + 1));
                    }
                }
            }
            let (outer, levels) = array.levels_to(axis, rows)?;
            array.chosen(axis, outer, levels, picks)
        };
        arrays.iter().enumerate().map(product).collect()
    }

    /// Returns the number of outer rows and the levels down to `axis`, whose lists have these lengths. Fails without memory.
    pub(crate) fn levels_to(&self, axis: usize, lengths: RowLengths) -> Result<(usize, Vec<DynLevel<'static>>)> {
        if axis == 0 {
            return Ok((lengths.end(), Vec::new()));
        }
        let mut levels = self.shape().packed_levels(axis - 1)?;
        levels.push(lengths.finish()?);
        Ok((self.len(), levels))
    }
}

impl RaggedShape<'_> {
    /// Returns the number of combinations of `n` elements of every list of `axis`, as [`RaggedArray::combinations`] makes them.
    ///
    /// Fails if there is no such axis, or if a number exceeds `usize`.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![4, 0, 1], vec![(); 5])?;
    /// assert_eq!(a.shape().combination_counts(1, 2, false)?, [6, 0, 0]);
    /// assert_eq!(a.shape().combination_counts(1, 2, true)?, [10, 0, 1]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn combination_counts(&self, axis: usize, n: usize, replacement: bool) -> Result<Vec<usize>> {
        self.lists_of(axis)?.iter().map(|list| choices(list.len(), n, replacement)).collect()
    }

    /// Returns the elements of each list of `axis`. Fails if there is no such axis, or if memory is short.
    pub(crate) fn lists_of(&self, axis: usize) -> Result<Vec<Range<usize>>> {
        if self.axis(axis, 0)? == 0 {
            return Ok(alloc::vec![0..self.count(0)]);
        }
        let mut lists = room(self.count(axis - 1))?;
        self.for_rows(axis - 1, |_, range| lists.push(range));
        Ok(lists)
    }
}

/// Returns the number of combinations of `n` of `len` elements. Fails if it exceeds `usize`.
fn choices(len: usize, n: usize, replacement: bool) -> Result<usize> {
    if n == 0 || len == 0 {
        return Ok(usize::from(n == 0));
    }
    let of = if replacement { len.checked_add(n - 1).ok_or(RaggedError::Overflow)? } else { len };
    let Some(rest) = of.checked_sub(n) else { return Ok(0) };
    let mut count = 1_usize;
    for k in 0..n.min(rest) {
        // Each step is exact: the product of k + 1 consecutive numbers is a multiple of (k + 1)!.
        let next = count as u128 * (of - k) as u128 / (k as u128 + 1);
        count = usize::try_from(next).map_err(|_| RaggedError::Overflow)?;
    }
    Ok(count)
}
