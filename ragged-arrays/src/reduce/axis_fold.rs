//! The structure of a fold over an axis before the last: which elements meet when lists are laid over one another.

use crate::structure::RaggedShape;
use crate::{RaggedArray, Result};
use alloc::vec::Vec;
use array_kernels::parallel;
use array_kernels::{DynLevel, RowLengths};
use core::ops::Range;
use layout_levels::Level;

/// The structure of the result of a fold over one axis. Every list of the array goes to one list of the result: its elements are
/// folded into the elements of that list, position by position.
pub(crate) struct AxisFold {
    /// For every list of the last axis, the number of the result list that it goes to, and its coordinate on the folded axis.
    /// It is empty if axis 0 is folded and the lists are directly below it: all of them go to result list 0.
    lists: Vec<(usize, usize)>,
    /// The number of the first result element of each result list.
    begins: Vec<usize>,
    /// The number of result lists while levels are added; at the end, the number of result elements.
    pub(crate) places: usize,
    /// The levels of the result, outermost first.
    levels: Vec<DynLevel<'static>>,
}

impl AxisFold {
    /// Computes the structure of a fold over `axis`, which is before the last axis. Fails if memory is short.
    pub(crate) fn below(shape: &RaggedShape<'_>, axis: usize) -> Result<AxisFold> {
        let last = shape.depth() - 2;
        let mut fold = AxisFold { lists: Vec::new(), begins: Vec::new(), places: 1, levels: shape.packed_levels(axis.saturating_sub(1))? };
        if axis > 0 {
            // The elements of one list meet in one result list.
            fold.lists.reserve(shape.count(axis));
            shape.for_rows(axis - 1, |list, range| fold.lists.extend((0..range.len()).map(|coordinate| (list, coordinate))));
            fold.places = shape.count(axis - 1);
        } else if last > 0 {
            fold.lists.extend((0..shape.count(0)).map(|coordinate| (0, coordinate)));
        }
        for q in axis..last {
            fold.add(shape, q)?;
            let above = core::mem::take(&mut fold.lists);
            fold.lists.reserve(shape.count(q + 1));
            shape.for_rows(q, |row, range| {
                let (place, coordinate) = above[row];
                fold.lists.extend((0..range.len()).map(|k| (fold.begins[place] + k, coordinate)));
            });
        }
        fold.add(shape, last)?;
        Ok(fold)
    }

    /// Calls `f` for each leaf of the lists `lists` of the last axis. The arguments are the element of `out` into which the leaf
    /// is folded, the leaf, and its coordinate on the folded axis.
    #[inline(always)]
    pub(crate) fn fold<A, T>(
        &self,
        shape: &RaggedShape<'_>,
        lists: Range<usize>,
        leaves: &[T],
        out: &mut [A],
        mut f: impl FnMut(&mut A, &T, usize),
    ) {
        shape.for_some_rows(shape.depth() - 2, lists, |list, range| {
            let (place, coordinate) = self.lists.get(list).copied().unwrap_or((0, list));
            let begin = self.begins.get(place).copied().unwrap_or(0);
            let (into, from) = (out.get_mut(begin..).unwrap_or(&mut []), leaves.get(range).unwrap_or(&[]));
            into.iter_mut().zip(from).for_each(|(folded, leaf)| f(folded, leaf, coordinate));
        });
    }

    /// Adds a level to the result: the lists to which the lists of level `q` of the array go. A list of the result becomes as long
    /// as the longest list that goes to it. The elements of the new level are the lists of the next level of the result, or its
    /// elements after the last level. Fails if memory is short.
    fn add(&mut self, shape: &RaggedShape<'_>, q: usize) -> Result<()> {
        let mut lengths = alloc::vec![0_usize; self.places];
        match &mut lengths[..] {
            [longest] => {
                let ranges = parallel::ranges(shape.count(q), parallel::threads(shape.count(q)));
                *longest = parallel::map(ranges, |rows| {
                    let mut longest = 0;
                    shape.for_some_rows(q, rows, |_, range| longest = longest.max(range.len()));
                    longest
                })
                .into_iter()
                .fold(0, usize::max);
            }
            _ => shape.for_rows(q, |row, range| {
                let length = &mut lengths[self.lists[row].0];
                *length = (*length).max(range.len());
            }),
        }
        let mut rows = RowLengths::with_capacity(self.places)?;
        self.begins = Vec::with_capacity(self.places);
        for length in lengths {
            self.begins.push(rows.end());
            rows.push(length);
        }
        self.places = rows.end();
        self.levels.push(rows.finish()?);
        Ok(())
    }

    /// Returns the result of the fold over `axis`. `out` has one value for each result element, in order. Fails without memory.
    pub(crate) fn array<A: Clone + 'static>(
        mut self,
        shape: &RaggedShape<'_>,
        axis: usize,
        out: Vec<A>,
    ) -> Result<RaggedArray<'static, A>> {
        // All lists of the outer axis meet in one, which becomes the outer axis of the result.
        let outer = if axis == 0 { self.levels.remove(0).range(0).len() } else { shape.count(0) };
        RaggedArray::new(outer, self.levels, out)
    }
}

impl RaggedShape<'_> {
    /// Returns the leaves that a fold over `axis` joins: a list for each element of the result of the fold, with the numbers of
    /// the leaves in order. Every leaf is in one list. For the last axis, these are the lists of that axis.
    ///
    /// Fails if there is no such axis, or if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![5, 6, 7])?;
    /// let columns = a.shape().fibers(0)?;
    /// assert_eq!((columns.row(0), columns.row(1)), (&[0, 2][..], &[1][..])); // leaves 0 and 2 are the column [5, 7]
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn fibers(&self, axis: usize) -> Result<RaggedArray<'static, usize>> {
        let leaves: Vec<usize> = (0..self.count(self.depth() - 1)).collect();
        if self.axis(axis, 0)? + 1 == self.depth() {
            let mut rows = RowLengths::with_capacity(leaves.len())?;
            self.for_last_rows(|range| rows.push(range.len()));
            let level = rows.finish()?;
            return RaggedArray::new(level.rows().unwrap_or(0), alloc::vec![level], leaves);
        }
        let across = AxisFold::below(self, axis)?;
        let (mut places, mut ids) = ((0..across.places).collect::<Vec<usize>>(), alloc::vec![0; leaves.len()]);
        across.fold(self, 0..self.count(self.depth() - 2), &leaves, &mut places, |place, leaf, _| ids[*leaf] = *place);
        RaggedArray::from_unsorted_row_ids(across.places, &ids, &leaves)
    }
}
