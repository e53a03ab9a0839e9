//! Every leaf with its coordinates, on several threads. Results do not depend on their number.

use super::array::RaggedArray;
use super::error::Result;
use super::folds::By;
use super::level::resized;
use super::lists::{Numbers, with_lists, with_numbers};
use crate::kernels::merge_path::{carved, shares};
use crate::kernels::{Value, parallel};
use alloc::vec::Vec;

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
        parallel::map(shape.parts(), |part| shape.visit_leaves(&part, &leaves[part.entries.clone()], &f));
        Ok(())
    }

    /// [`RaggedArray::visit_mut`] on several threads.
    pub fn par_visit_mut(&mut self, f: impl Fn(&[usize], &mut T) + Sync) -> Result<()> {
        self.require_consecutive()?;
        let (shape, leaves) = self.parts_mut();
        parallel::map(carved(shape.parts(), leaves), |(part, leaves)| shape.visit_leaves(&part, leaves, &f));
        Ok(())
    }

    /// [`RaggedArray::broadcast`] on several threads.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// assert_eq!(a.par_broadcast(0, &[10, 20, 30], |x, y| x + y)?.leaves(), [11, 12, 33]);
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
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

    /// The leaves of [`RaggedArray::par_broadcast`] in place of what `out` has: memory that is used again need not be asked for.
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
        with_lists!(lists, rows => parallel::map(carved(shares(rows), out), |(part, mut out)| {
            with_numbers(rows, &part, numbers, |entries, numbers| {
                let slots = parallel::carve(&mut out, entries.len()).iter_mut().zip(leaves.get(entries).unwrap_or(&[]));
                match numbers {
                    Numbers::Each(numbers) => slots.zip(numbers).for_each(|((slot, leaf), number)| *slot = f(leaf, number)),
                    Numbers::One(number) => slots.for_each(|(slot, leaf)| *slot = f(leaf, &number)),
                }
            });
        }));
        Ok(())
    }

    /// [`RaggedArray::broadcast_mut`] on several threads.
    pub fn par_broadcast_mut<U: Copy + Sync>(&mut self, axis: usize, numbers: &[U], f: impl Fn(&mut T, &U) + Sync) -> Result<()> {
        self.require_consecutive()?;
        let (shape, leaves) = self.parts_mut();
        let lists = shape.numbered(axis, numbers.len())?;
        with_lists!(lists, rows => parallel::map(carved(shares(rows), leaves), |(part, mut leaves)| {
            with_numbers(rows, &part, numbers, |entries, numbers| {
                let list = parallel::carve(&mut leaves, entries.len()).iter_mut();
                match numbers {
                    Numbers::Each(numbers) => list.zip(numbers).for_each(|(leaf, number)| f(leaf, number)),
                    Numbers::One(number) => list.for_each(|leaf| f(leaf, &number)),
                }
            });
        }));
        Ok(())
    }

    /// [`RaggedArray::fold`] on several threads: pieces of a list are folded from `init` on, and `join` puts neighbours together.
    ///
    /// Pieces are the same for any number of threads.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![3, 5, 2, 4])?;
    /// let squares = a.par_fold(1, 0, |sum, leaf, _| *sum += leaf * leaf, |x, y| x + y)?;
    /// assert_eq!(squares.leaves(), [38, 0, 16]);
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn par_fold<A: Clone + Send + Sync + 'static>(
        &self,
        axis: usize,
        init: A,
        f: impl Fn(&mut A, &T, usize) + Sync,
        join: impl Fn(A, A) -> A + Sync,
    ) -> Result<RaggedArray<'static, A>> {
        self.reduce(axis, &By { start: init, add: f, join })
    }
}
