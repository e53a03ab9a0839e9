//! Reductions over one axis.
//!
//! Over the last axis, every list becomes one number. Over another axis, the lists below its elements are laid over
//! one another from the left: element `j` of the result combines the elements `j` of all lists that have one, so it is
//! as long as the longest. Every leaf is read once, whatever the lengths: its position in the result is known before.

// `folds` has the folds of a list, and `extremes` those to its least or greatest number. `axis_fold` lays lists over one
// another, and `number` has the types of numbers. A new reduction is a `Fold` and a method here.
mod axis_fold;
mod extremes;
mod folds;
mod number;

pub use number::Number;

use crate::structure::with_lists;
use crate::{RaggedArray, RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::merge_path::Rows;
use array_kernels::{merge_path, parallel};
use axis_fold::AxisFold;
use core::sync::atomic::AtomicBool;
use extremes::{Best, Place};
use folds::{By, Checked, Fold, Mean};

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Folds over `axis`, which the result does not have, by `f(accumulator, leaf, place)`. `place` is the coordinate
    /// of the leaf on that axis.
    ///
    /// Leaves come in order. Without leaves, the result is `init`. Fails if there is no such axis, or if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec!["a", "b", "c", "d"])?;
    /// let join = |axis| a.fold(axis, String::new(), |text, leaf, _| text.push_str(leaf));
    /// assert_eq!((join(1)?.leaves(), join(0)?.leaves()), (&["abc", "", "d"].map(String::from)[..], &["ad", "b", "c"].map(String::from)[..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn fold<A: Clone + 'static>(&self, axis: usize, init: A, mut f: impl FnMut(&mut A, &T, usize)) -> Result<RaggedArray<'static, A>> {
        let a = self.settled()?;
        a.shape().axis(axis, 0)?;
        if axis + 1 < a.depth() {
            return a.fold_across(axis, init, f);
        }
        let mut out = Vec::new();
        a.shape().for_last_rows(|range| {
            let mut folded = init.clone();
            let list = a.leaves().get(range).unwrap_or(&[]);
            list.iter().enumerate().for_each(|(place, leaf)| f(&mut folded, leaf, place));
            out.push(folded);
        });
        a.above(axis, out)
    }

    /// Folds over an axis before the last. From this axis on, each list of the result is as long as the longest list that meets
    /// there. Fails if memory is short.
    fn fold_across<A: Clone + 'static>(&self, axis: usize, init: A, f: impl FnMut(&mut A, &T, usize)) -> Result<RaggedArray<'static, A>> {
        let (shape, last) = (self.shape(), self.depth() - 2);
        let across = AxisFold::below(shape, axis)?;
        let mut out = alloc::vec![init; across.places];
        across.fold(shape, 0..shape.count(last), self.leaves(), &mut out, f);
        across.array(shape, axis, out)
    }
}

/// ```
/// use ragged_arrays::RaggedArray;
/// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![3, 8, 5])?;
/// assert_eq!(a.any(1, |leaf| leaf % 2 == 0)?.leaves(), [true, false, false]);
/// assert_eq!(a.all(1, |leaf| leaf % 2 == 1)?.leaves(), [false, true, true]); // true for the empty row
/// assert_eq!(a.any(0, |leaf| *leaf > 7)?.leaves(), [false, true]); // the columns [3, 5] and [8]
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
impl<T: Clone + Sync + 'static> RaggedArray<'_, T> {
    /// Tests for each list of `axis` whether `holds` is true for any leaf; false without leaves. Fails as `fold` does.
    pub fn any(&self, axis: usize, holds: impl Fn(&T) -> bool + Sync) -> Result<RaggedArray<'static, bool>> {
        self.reduce(axis, &By { start: false, add: |found: &mut bool, leaf: &T, _| *found = *found || holds(leaf), join: |x, y| x || y })
    }

    /// Tests for each list of `axis` whether `holds` is true for all leaves; true without leaves. Fails as `fold` does.
    pub fn all(&self, axis: usize, holds: impl Fn(&T) -> bool + Sync) -> Result<RaggedArray<'static, bool>> {
        self.reduce(axis, &By { start: true, add: |kept: &mut bool, leaf: &T, _| *kept = *kept && holds(leaf), join: |x, y| x && y })
    }

    /// Folds over `axis` on several threads. A long list is folded in parts that are joined; the parts are the same for any
    /// number of threads. Fails if there is no such axis, or if memory is short.
    pub(crate) fn reduce<F: Fold<T>>(&self, axis: usize, fold: &F) -> Result<RaggedArray<'static, F::Output>> {
        let a = self.settled()?;
        a.shape().axis(axis, 0)?;
        if axis + 1 < a.depth() {
            return a.reduce_across(axis, fold);
        }
        let out = with_lists!(&a.shape().last_lists(), rows => {
            let mut out = fold.slots(rows.rows()).ok_or(RaggedError::Overflow)?;
            let first = |leaves, len, place| fold.first(leaves, len, place);
            merge_path::fold(rows, a.leaves(), &mut out, first, |before, after| fold.join(before, after), |all| fold.finish(all));
            out
        });
        a.above(axis, out)
    }

    /// Folds over an axis before the last, on several threads. Fails if memory is short.
    fn reduce_across<F: Fold<T>>(&self, axis: usize, fold: &F) -> Result<RaggedArray<'static, F::Output>> {
        let (shape, last, leaves) = (self.shape(), self.depth() - 2, self.leaves());
        let across = AxisFold::below(shape, axis)?;
        // Each part has its own copy of the result, so it should have at least four leaves for each result element.
        let most = (leaves.len() / 4).checked_div(across.places).unwrap_or(1).clamp(1, PARTS);
        let parts = with_lists!(&shape.lists(last), rows => merge_path::whole_rows(rows, 1 << most.ilog2()));
        let mut folded = parallel::map(parts, |part| {
            let mut out = alloc::vec![fold.start(); across.places];
            across.fold(shape, part.rows, leaves, &mut out, |folded, leaf, coordinate| fold.add(folded, leaf, coordinate));
            out
        });
        let mut out = folded.pop().unwrap_or_default();
        for before in folded.into_iter().rev() {
            out.iter_mut().zip(before).for_each(|(after, before)| fold.join(before, after));
        }
        across.array(shape, axis, out.into_iter().map(|all| fold.finish(all)).collect())
    }
}

#[cfg(feature = "parallel")]
impl<T: Clone + Send + Sync + 'static> RaggedArray<'_, T> {
    /// Folds as [`RaggedArray::fold`] does, on several threads. Parts of a list are folded from `init` on, and `join`
    /// combines neighbours.
    ///
    /// The parts are the same for any number of threads. Fails as `RaggedArray::fold` does.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![3, 5, 2, 4])?;
    /// let squares = a.par_fold(1, 0, |sum, leaf, _| *sum += leaf * leaf, |x, y| x + y)?;
    /// assert_eq!(squares.leaves(), [38, 0, 16]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
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

/// The maximum number of parts of a fold over an axis before the last.
const PARTS: usize = 8;

/// Reductions of numbers, over any axis:
///
/// ```
/// use ragged_arrays::RaggedArray;
/// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![4, 1, 2, 5])?;
/// assert_eq!((a.prod(1)?.leaves(), a.total()?), (&[8, 1, 5][..], 12));
/// assert_eq!((a.min(1)?.leaves(), a.argmin(1)?.leaves()), (&[Some(1), None, Some(5)][..], &[Some(1), None, Some(0)][..]));
/// assert_eq!((a.max(1)?.leaves(), a.max(0)?.leaves()), (&[Some(4), None, Some(5)][..], &[Some(5), Some(1), Some(2)][..]));
/// assert_eq!(a.mean(0)?.leaves(), [4.5, 1.0, 2.0]); // the columns [4, 5], [1] and [2]
/// assert!(a.mean(1)?.leaves()[1].is_nan()); // the empty row has no mean
/// // Integers are never rounded or wrapped.
/// let error = RaggedArray::from_lengths(vec![2], vec![100_u8, 200])?.sum(1).unwrap_err();
/// assert_eq!(error.class(), "ragged/overflow");
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
impl<T: Number> RaggedArray<'_, T> {
    /// Returns the sum over `axis`; 0 without elements. Fails if an integer overflows, or as `RaggedArray::fold` does.
    ///
    /// Long lists are added in parts, which are the same for any number of threads. Sums of floating-point numbers are
    /// therefore always the same.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![1, 2, 3, 4])?;
    /// assert_eq!((a.sum(1)?.leaves(), a.sum(0)?.leaves()), (&[6, 0, 4][..], &[5, 2, 3][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn sum(&self, axis: usize) -> Result<RaggedArray<'static, T>> {
        self.checked(axis, T::ZERO, T::plus)
    }

    /// Returns the product over `axis`; 1 without elements. Fails if an integer overflows, or as `RaggedArray::fold` does.
    pub fn prod(&self, axis: usize) -> Result<RaggedArray<'static, T>> {
        self.checked(axis, T::ONE, T::times)
    }

    fn checked(&self, axis: usize, start: T, f: impl Fn(T, T) -> Option<T> + Sync) -> Result<RaggedArray<'static, T>> {
        let fold = Checked { start, f, overflow: AtomicBool::new(false) };
        let result = self.reduce(axis, &fold)?;
        if fold.overflow.into_inner() { Err(RaggedError::Overflow) } else { Ok(result) }
    }

    /// Returns the least number over `axis`; `None` without elements. NaN is the greatest number. Of two zeros that differ in
    /// sign, it may return either. Fails as `fold` does.
    pub fn min(&self, axis: usize) -> Result<RaggedArray<'static, Option<T>>> {
        self.reduce(axis, &Best::<false>)
    }

    /// Returns the greatest number over `axis`; `None` without elements. NaN is the greatest number. Of two zeros that differ in
    /// sign, it may return either. Fails as `fold` does.
    pub fn max(&self, axis: usize) -> Result<RaggedArray<'static, Option<T>>> {
        self.reduce(axis, &Best::<true>)
    }

    /// Returns the coordinate on `axis` of the first least number; `None` without elements. Fails as `fold` does.
    pub fn argmin(&self, axis: usize) -> Result<RaggedArray<'static, Option<usize>>> {
        self.reduce(axis, &Place::<false>)
    }

    /// Returns the coordinate on `axis` of the first greatest number; `None` without elements. Fails as `fold` does.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 1], vec![1, 7, 3, 4])?;
    /// assert_eq!((a.argmax(1)?.leaves(), a.argmax(0)?.leaves()), (&[Some(1), None, Some(0)][..], &[Some(2), Some(0), Some(0)][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn argmax(&self, axis: usize) -> Result<RaggedArray<'static, Option<usize>>> {
        self.reduce(axis, &Place::<true>)
    }

    /// Returns the mean over `axis` in `f64`; NaN without elements. Fails as `fold` does.
    pub fn mean(&self, axis: usize) -> Result<RaggedArray<'static, f64>> {
        self.reduce(axis, &Mean)
    }

    /// Returns the sum of all leaves, in order; 0 without leaves. Fails if an integer overflows.
    pub fn total(&self) -> Result<T> {
        self.settled()?.leaves().iter().try_fold(T::ZERO, |sum, leaf| sum.plus(*leaf)).ok_or(RaggedError::Overflow)
    }
}
