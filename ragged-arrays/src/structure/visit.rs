//! Every leaf with its coordinates, and the work in equal parts: rows and leaves together, so that neither a long row nor many empty ones
//! fall to one thread.

use super::lists::with_lists;
use super::shape::RaggedShape;
use crate::{RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::merge_path::{self, Part, Rows, crossing};
use array_kernels::parallel;
use core::ops::Range;

/// Where work is cut: the rows of the level before the last, and the leaves, that come before.
pub type Split = (usize, usize);

impl RaggedShape<'_> {
    /// The splits after every `items` rows and leaves, the begin and the end included: equal work, however the lengths are spread.
    ///
    /// Row ends are merged with the leaves: an end comes before a leaf that is not in its row. A part has at most `items` of both together.
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

    /// All lists and leaves.
    pub(crate) fn all(&self) -> Part {
        with_lists!(&self.last_lists(), rows => merge_path::all(rows))
    }

    /// The leaves in as many parts of equal work as tasks are worth starting.
    #[cfg(feature = "parallel")]
    pub(crate) fn parts(&self) -> Vec<Part> {
        with_lists!(&self.last_lists(), rows => merge_path::shares(rows))
    }

    /// Calls `f` with the coordinates of each leaf of a part, and what there is for it: one item for each leaf, in order.
    #[inline(always)]
    pub(crate) fn visit_leaves<I>(&self, part: &Part, mut items: impl Pieces<I>, mut f: impl FnMut(&[usize], I)) {
        match self.depth() {
            0 => (),
            1 => items.piece(part.entries.len()).zip(part.entries.start..).for_each(|(item, leaf)| f(&[leaf], item)),
            // Coordinates in registers.
            2 => self.visit_rows(part, |row, place, leaves| {
                items.piece(leaves.len()).zip(place..).for_each(|(item, place)| f(&[row, place], item));
            }),
            _ => self.visit_deep(part, items, f),
        }
    }

    /// Calls `f` with every list that has leaves in a part, the place of the first of them, and their numbers.
    #[inline(always)]
    pub(crate) fn visit_rows(&self, part: &Part, mut f: impl FnMut(usize, usize, Range<usize>)) {
        with_lists!(&self.last_lists(), rows => part.each(rows, |row, leaves| {
            let place = if row == part.rows.start { leaves.start - rows.begin(row) } else { 0 };
            f(row, place, leaves);
        }));
    }

    fn visit_deep<I>(&self, part: &Part, mut items: impl Pieces<I>, mut f: impl FnMut(&[usize], I)) {
        let (mut coordinates, last) = (alloc::vec![0; self.depth()], self.depth() - 1);
        // The element of each axis but the last that the lists are below.
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

    /// After `at[q]` went up: the element of each axis before it, and its coordinates.
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

/// Items in sequence, some at a time.
pub(crate) trait Pieces<I> {
    /// The next `len` of them.
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
