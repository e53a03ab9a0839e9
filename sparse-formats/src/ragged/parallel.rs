//! Every leaf with its coordinates, on several threads. Results do not depend on their number.

use super::array::RaggedArray;
use super::error::Result;
use super::shape::RaggedShape;
use alloc::vec::Vec;
use core::ops::Range;
use rayon::prelude::*;

/// Rows and leaves of one part, at least: enough for a thread to be worth starting.
const LEAST_ITEMS: usize = 1 << 12;

/// The leaves of each part: equal work, rows counted with the leaves.
fn parts(shape: &RaggedShape<'_>) -> Result<Vec<Range<usize>>> {
    let leaves = shape.leaf_span().len();
    let rows = if shape.depth() > 1 { shape.count(shape.depth() - 2) } else { 0 };
    let items = (leaves + rows).div_ceil(4 * rayon::current_num_threads()).max(LEAST_ITEMS);
    let ends: Vec<usize> = match shape.depth() {
        1 => (0..leaves).step_by(items).chain([leaves]).collect(),
        _ => shape.merge_path(items)?.into_iter().map(|(_, leaf)| leaf).collect(),
    };
    Ok(ends.windows(2).map(|pair| pair[0]..pair[1]).filter(|part| !part.is_empty()).collect())
}

impl<T: Clone + Send + Sync + 'static> RaggedArray<'_, T> {
    /// [`RaggedArray::visit`] on several threads, in no order.
    ///
    /// ```
    /// use core::sync::atomic::{AtomicUsize, Ordering};
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// let sum = AtomicUsize::new(0);
    /// a.par_visit(|coordinates, leaf| drop(sum.fetch_add(coordinates[0] * leaf, Ordering::Relaxed)))?;
    /// assert_eq!(sum.into_inner(), 6);
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn par_visit(&self, f: impl Fn(&[usize], &T) + Sync) -> Result<()> {
        let a = self.settled()?;
        let (shape, leaves) = (a.shape(), a.leaves());
        parts(shape)?.into_par_iter().for_each(|part| shape.visit_leaves(part, |coordinates, k| f(coordinates, &leaves[k])));
        Ok(())
    }

    /// [`RaggedArray::visit_mut`] on several threads.
    pub fn par_visit_mut(&mut self, f: impl Fn(&[usize], &mut T) + Sync) -> Result<()> {
        self.require_consecutive()?;
        let (shape, mut rest) = self.parts_mut();
        let parts = parts(shape)?;
        let mut work = Vec::with_capacity(parts.len());
        for part in parts {
            // Parts follow one another and are all of the leaves.
            let (of_part, after) = core::mem::take(&mut rest).split_at_mut(part.len());
            work.push((part, of_part));
            rest = after;
        }
        work.into_par_iter().for_each(|(part, leaves)| {
            let begin = part.start;
            shape.visit_leaves(part, |coordinates, k| f(coordinates, &mut leaves[k - begin]));
        });
        Ok(())
    }
}
