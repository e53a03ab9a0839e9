//! Visits leaves with their coordinates, and splits work equally. Rows and leaves count together, so neither a long
//! row nor many empty rows go to one thread.

use super::lists::with_lists;
use super::shape::RaggedShape;
use crate::{RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::merge_path::{self, MergeSegment, Rows, crossing};
use array_kernels::parallel;
use core::ops::Range;

/// A cut of the work: the number of lists of the last axis before it, and the number of leaves before it.
///
/// ```
/// use ragged_arrays::{RaggedArray, Split};
/// // Work for two threads: each takes 5 of the 3 ends of lists and 7 leaves.
/// let a = RaggedArray::from_lengths(vec![1, 5, 1], vec![0; 7])?;
/// let cuts: Vec<Split> = a.shape().merge_path(5)?;
/// assert_eq!(cuts, [(0, 0), (1, 4), (3, 7)]); // the first thread also begins the long list
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
pub type Split = (usize, usize);

impl RaggedShape<'_> {
    /// Returns the splits after every `items` lists and leaves, including the begin and the end. Parts have equal
    /// work, whatever the lengths are.
    ///
    /// The end of a list comes before every leaf of a later list. A part has at most `items` list ends and leaves together.
    ///
    /// Fails if the array has one axis, or if `items` is 0.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![0, 10, 0, 3], vec![0; 13])?;
    /// assert_eq!(a.shape().merge_path(6)?, [(0, 0), (1, 5), (2, 10), (4, 13)]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn merge_path(&self, items: usize) -> Result<Vec<Split>> {
        self.axis(1, 1)?;
        if items == 0 {
            return Err(RaggedError::Remainder { len: self.leaf_span().len(), size: 0 });
        }
        let q = self.depth() - 2;
        let total = self.count(q) + self.leaf_span().len();
        let split = |part| {
            let row = crossing(self.count(q), part * items, |row| self.row(q, row).end);
            (row, part * items - row)
        };
        let splits = (0..total.div_ceil(items)).map(split);
        Ok(splits.chain([(self.count(q), self.leaf_span().len())]).collect())
    }

    /// Returns all lists and leaves as one part.
    pub(crate) fn all(&self) -> MergeSegment {
        with_lists!(&self.last_lists(), rows => merge_path::all(rows))
    }

    /// Divides the lists and leaves into parts of equal work, one for each task that is worth starting.
    #[cfg(feature = "parallel")]
    pub(crate) fn parts(&self) -> Vec<MergeSegment> {
        with_lists!(&self.last_lists(), rows => merge_path::shares(rows))
    }

    /// Calls `f` with the coordinates of each leaf of a part and the next item of `items`, in order. Lists must be consecutive.
    #[inline(always)]
    pub(crate) fn visit_leaves<I>(&self, part: &MergeSegment, mut items: impl Pieces<I>, mut f: impl FnMut(&[usize], I)) {
        match self.depth() {
            0 => (),
            1 => items.piece(part.entries.len()).zip(part.entries.start..).for_each(|(item, leaf)| f(&[leaf], item)),
            // Keep the coordinates in registers.
            2 => self.visit_rows(part, |row, place, leaves| {
                items.piece(leaves.len()).zip(place..).for_each(|(item, place)| f(&[row, place], item));
            }),
            _ => self.visit_deep(part, items, f),
        }
    }

    /// Calls `f` with the number of every list that has leaves in a part, the local index of the first of these leaves, and the
    /// range of the numbers of these leaves.
    #[inline(always)]
    pub(crate) fn visit_rows(&self, part: &MergeSegment, mut f: impl FnMut(usize, usize, Range<usize>)) {
        with_lists!(&self.last_lists(), rows => part.each(rows, |row, leaves| {
            let place = if row == part.rows.start { leaves.start - rows.begin(row) } else { 0 };
            f(row, place, leaves);
        }));
    }

    fn visit_deep<I>(&self, part: &MergeSegment, mut items: impl Pieces<I>, mut f: impl FnMut(&[usize], I)) {
        let (mut coordinates, last) = (alloc::vec![0; self.depth()], self.depth() - 1);
        // The current element of each axis but the last.
        let mut at = alloc::vec![0; last];
        at[last - 1] = part.rows.start;
        for q in (0..last - 1).rev() {
            at[q] = self.parent(q, at[q + 1]);
            coordinates[q + 1] = at[q + 1].wrapping_sub(self.row(q, at[q]).start);
        }
        coordinates[0] = at[0];
        self.visit_rows(part, |row, place, leaves| {
            if at[last - 1] != row {
                at[last - 1] = row;
                self.ascend(last - 1, &mut at, &mut coordinates);
            }
            items.piece(leaves.len()).zip(place..).for_each(|(item, place)| {
                coordinates[last] = place;
                f(&coordinates, item);
            });
        });
    }

    /// Updates the elements `at` of the axes before `q`, and the coordinates up to axis `q`, after `at[q]` has increased.
    fn ascend(&self, q: usize, at: &mut [usize], coordinates: &mut [usize]) {
        for level in (0..q).rev() {
            let before = at[level];
            let mut list = self.row(level, before);
            while at[level + 1] >= list.end && at[level] < self.count(level) {
                at[level] += 1;
                list = self.row(level, at[level]);
            }
            coordinates[level + 1] = at[level + 1].wrapping_sub(list.start);
            if at[level] == before {
                return;
            }
        }
        coordinates[0] = at[0];
    }
}

/// A sequence of items, such as leaves, that a visit takes a few at a time.
pub(crate) trait Pieces<I> {
    /// Takes the next `len` items; fewer if fewer are left.
    fn piece(&mut self, len: usize) -> impl Iterator<Item = I>;
}

impl<'a, T> Pieces<&'a T> for &'a [T] {
    #[inline(always)]
    fn piece(&mut self, len: usize) -> impl Iterator<Item = &'a T> {
        self.split_off(..len).unwrap_or_default().iter()
    }
}

impl<'a, T> Pieces<&'a mut T> for &'a mut [T] {
    #[inline(always)]
    fn piece(&mut self, len: usize) -> impl Iterator<Item = &'a mut T> {
        parallel::carve(self, len).iter_mut()
    }
}

impl<A, B, X: Pieces<A>, Y: Pieces<B>> Pieces<(A, B)> for (X, Y) {
    #[inline(always)]
    fn piece(&mut self, len: usize) -> impl Iterator<Item = (A, B)> {
        self.0.piece(len).zip(self.1.piece(len))
    }
}
