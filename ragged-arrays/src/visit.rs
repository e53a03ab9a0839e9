//! The methods of arrays that visit every leaf with its coordinates, in order or on several threads. The loops are in
//! `structure/visit.rs`.

use super::{RaggedArray, RaggedError, Result};
#[cfg(feature = "parallel")]
use array_kernels::{merge_path::carved, parallel};

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Calls `f` with the coordinates of every leaf and the leaf, in order. Fails if lists are views and memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![1, 0, 2], vec!['a', 'b', 'c'])?;
    /// let mut seen = Vec::new();
    /// a.visit(|coordinates, leaf| seen.push((coordinates.to_vec(), *leaf)))?;
    /// assert_eq!(seen, [(vec![0, 0], 'a'), (vec![2, 0], 'b'), (vec![2, 1], 'c')]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn visit(&self, f: impl FnMut(&[usize], &T)) -> Result<()> {
        let a = self.settled()?;
        let leaves = a.leaves();
        a.shape().visit_leaves(&a.shape().all(), leaves, f);
        Ok(())
    }

    /// Calls `f` as [`RaggedArray::visit`] does, with leaves for writing. Fails if lists are views, which must be packed first.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let mut a = RaggedArray::from_lengths(vec![3, 1, 2], vec![0_usize; 6])?;
    /// a.visit_mut(|c, leaf| *leaf = c[0].abs_diff(c[1]))?;
    /// assert_eq!(a.leaves(), [0, 1, 2, 1, 2, 1]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn visit_mut(&mut self, f: impl FnMut(&[usize], &mut T)) -> Result<()> {
        self.require_consecutive()?;
        let (shape, leaves) = self.parts_mut();
        shape.visit_leaves(&shape.all(), leaves, f);
        Ok(())
    }

    pub(crate) fn require_consecutive(&self) -> Result<()> {
        match self.shape().levels().iter().position(|level| !level.is_consecutive()) {
            None => Ok(()),
            Some(q) => Err(RaggedError::Axis { axis: q + 1, least: 0, depth: q + 1 }),
        }
    }
}

#[cfg(feature = "parallel")]
impl<T: Clone + Send + Sync + 'static> RaggedArray<'_, T> {
    /// Visits and fails as [`RaggedArray::visit`] does, on several threads and in no order.
    ///
    /// ```
    /// use core::sync::atomic::{AtomicUsize, Ordering};
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// let sum = AtomicUsize::new(0);
    /// a.par_visit(|coordinates, leaf| drop(sum.fetch_add(coordinates[0] * leaf, Ordering::Relaxed)))?;
    /// assert_eq!(sum.into_inner(), 6);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn par_visit(&self, f: impl Fn(&[usize], &T) + Sync) -> Result<()> {
        let a = self.settled()?;
        let (shape, leaves) = (a.shape(), a.leaves());
        parallel::map(shape.parts(), |part| shape.visit_leaves(&part, &leaves[part.entries.clone()], &f));
        Ok(())
    }

    /// Visits and fails as [`RaggedArray::visit_mut`] does, on several threads and in no order.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let mut positions = RaggedArray::from_lengths(vec![3, 0, 2], vec![0; 5])?;
    /// positions.par_visit_mut(|coordinates, leaf| *leaf = 10 * coordinates[0] + coordinates[1])?;
    /// assert_eq!(positions.leaves(), [0, 1, 2, 20, 21]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn par_visit_mut(&mut self, f: impl Fn(&[usize], &mut T) + Sync) -> Result<()> {
        self.require_consecutive()?;
        let (shape, leaves) = self.parts_mut();
        parallel::map(carved(shape.parts(), leaves), |(part, leaves)| shape.visit_leaves(&part, leaves, &f));
        Ok(())
    }
}
