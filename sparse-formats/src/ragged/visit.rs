//! Every leaf with its coordinates, and the work in equal parts: rows and leaves together, so that neither a long row nor many empty ones
//! fall to one thread.

use super::array::RaggedArray;
use super::error::{RaggedError, Result};
use super::shape::RaggedShape;
use alloc::vec::Vec;
use core::ops::Range;

/// Where work is cut: the rows of the level before the last, and the leaves, that come before.
pub type Split = (usize, usize);

impl RaggedShape<'_> {
    /// The splits after every `items` rows and leaves, the begin and the end included: equal work, however the lengths are spread.
    ///
    /// Row ends are merged with the leaves: an end comes before a leaf that is not in its row. A part has at most `items` of both together.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![0, 10, 0, 3], vec![0; 13])?;
    /// assert_eq!(a.shape().merge_path(6)?, [(0, 0), (1, 5), (2, 10), (4, 13)]);
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn merge_path(&self, items: usize) -> Result<Vec<Split>> {
        self.axis(1, 1)?;
        if items == 0 {
            return Err(RaggedError::Remainder { len: self.leaf_span().len(), size: 0 });
        }
        let q = self.depth() - 2;
        let total = self.count(q) + self.leaf_span().len();
        let splits = (0..total.div_ceil(items)).map(|part| self.split_at(q, part * items));
        Ok(splits.chain([(self.count(q), self.leaf_span().len())]).collect())
    }

    /// The rows and leaves among the first `steps` of both.
    fn split_at(&self, q: usize, steps: usize) -> Split {
        let (mut low, mut high) = (steps.saturating_sub(self.leaf_span().len()), steps.min(self.count(q)));
        while low < high {
            let row = low + (high - low) / 2;
            // The end of a row comes before the leaf with its number.
            if self.row(q, row).end < steps - row { low = row + 1 } else { high = row }
        }
        (low, steps - low)
    }

    /// Calls `f` with the coordinates and the number of each of these leaves, in order.
    pub(super) fn visit_leaves(&self, leaves: Range<usize>, mut f: impl FnMut(&[usize], usize)) {
        let (Ok(mut coordinates), depth) = (self.decompose(leaves.start), self.depth()) else { return };
        if depth == 1 {
            return leaves.for_each(|leaf| f(&[leaf], leaf));
        }
        let q = depth - 2;
        // The element of each axis that the leaf is below.
        let mut at = alloc::vec![0; depth];
        at[depth - 1] = leaves.start;
        (0..=q).rev().for_each(|level| at[level] = self.parent(level, at[level + 1]));
        let mut leaf = leaves.start;
        loop {
            let row = self.row(q, at[q]);
            for k in leaf..row.end.min(leaves.end) {
                coordinates[depth - 1] = k - row.start;
                f(&coordinates, k);
            }
            leaf = leaf.max(row.end.min(leaves.end));
            if leaf >= leaves.end {
                return;
            }
            at[q] += 1;
            self.ascend(q, &mut at, &mut coordinates);
        }
    }

    /// After `at[q]` went up by one: the element of each axis before it, and its coordinates.
    fn ascend(&self, q: usize, at: &mut [usize], coordinates: &mut [usize]) {
        for level in (0..q).rev() {
            let before = at[level];
            while at[level + 1] >= self.row(level, at[level]).end && at[level] < self.count(level) {
                at[level] += 1;
            }
            coordinates[level + 1] = at[level + 1].wrapping_sub(self.row(level, at[level]).start);
            if at[level] == before {
                return;
            }
        }
        coordinates[0] = at[0];
    }
}

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Calls `f` with the coordinates of every leaf and the leaf, in order.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![1, 0, 2], vec!['a', 'b', 'c'])?;
    /// let mut seen = Vec::new();
    /// a.visit(|coordinates, leaf| seen.push((coordinates.to_vec(), *leaf)))?;
    /// assert_eq!(seen, [(vec![0, 0], 'a'), (vec![2, 0], 'b'), (vec![2, 1], 'c')]);
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn visit(&self, mut f: impl FnMut(&[usize], &T)) -> Result<()> {
        let a = self.settled()?;
        let leaves = a.leaves();
        a.shape().visit_leaves(0..leaves.len(), |coordinates, k| f(coordinates, &leaves[k]));
        Ok(())
    }

    /// The same, to write to every leaf. Lists that are views must be packed first.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let mut a = RaggedArray::from_lengths(vec![3, 1, 2], vec![0_usize; 6])?;
    /// a.visit_mut(|c, leaf| *leaf = c[0].abs_diff(c[1]))?;
    /// assert_eq!(a.leaves(), [0, 1, 2, 1, 2, 1]);
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn visit_mut(&mut self, mut f: impl FnMut(&[usize], &mut T)) -> Result<()> {
        self.require_consecutive()?;
        let (shape, leaves) = self.parts_mut();
        shape.visit_leaves(0..leaves.len(), |coordinates, k| f(coordinates, &mut leaves[k]));
        Ok(())
    }

    pub(super) fn require_consecutive(&self) -> Result<()> {
        match self.shape().levels().iter().position(|level| !level.is_consecutive()) {
            None => Ok(()),
            Some(q) => Err(RaggedError::Axis { axis: q + 1, least: 0, depth: q + 1 }),
        }
    }
}
