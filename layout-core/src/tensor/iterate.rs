//! Walks over the elements of tensors, without divisions.

use super::storage::{Shared, Storage, StorageMut};
use super::tensor::Tensor;
use crate::types::Layout;
use core::mem::MaybeUninit;

/// `f` of the index of every coordinate, in colexicographic order.
#[inline(always)]
pub(super) fn each_index<L: Layout>(layout: &L, mut f: impl FnMut(isize)) {
    match layout.loops() {
        Some(loops) => loops.for_each_of::<L>(|sum| f(layout.image(sum) as isize)),
        None => (0..layout.size()).for_each(|k| f(layout.crd2idx(k) as isize)),
    }
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// `f` of every element, in colexicographic order of the coordinates: nested loops over the leaves.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let mut order = Vec::new();
    /// t.for_each(|x| order.push(*x));
    /// assert_eq!(order, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub fn for_each(&self, mut f: impl FnMut(&S::Item)) {
        let origin = self.storage().origin();
        // SAFETY: the indices of coordinates that are inside.
        each_index(&self.layout(), |index| f(unsafe { &*origin.offset(index) }));
    }

    /// The elements in colexicographic order of the coordinates.
    ///
    /// A division happens where the innermost mode begins anew; `fold` and what is made of it (`sum`, `max`, `for_each`, ..) have none.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// assert!(t.iter().eq(&[1, 4, 2, 5, 3, 6]));
    /// assert_eq!(t.iter().sum::<i32>(), 21);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub fn iter(&self) -> Iter<S::Shared<'_>, L> {
        let (extent, step) = self.layout().loops().map_or((1, 0), |loops| loops.at(0));
        Iter { tensor: self.view(), next: 0, end: self.size(), extent, step, row: 0, sum: 0 }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// `f` of every element, in colexicographic order of the coordinates; one that coordinates share comes as often.
    #[inline(always)]
    pub fn for_each_mut(&mut self, mut f: impl FnMut(&mut S::Item)) {
        let layout = self.layout();
        let origin = self.storage_mut().origin_mut();
        // SAFETY: the indices of coordinates that are inside; one borrow ends before the next begins.
        each_index(&layout, |index| f(unsafe { &mut *origin.offset(index) }));
    }

    /// Sets every element to `value`.
    #[inline(always)]
    pub fn fill(&mut self, value: S::Item)
    where
        S::Item: Clone,
    {
        self.for_each_mut(|x| *x = value.clone());
    }
}

/// The elements of a tensor; see [`Tensor::iter`].
#[derive(Clone, Copy)]
pub struct Iter<S, L> {
    tensor: Tensor<S, L>,
    next: usize,
    end: usize,
    /// The innermost loop.
    extent: usize,
    step: usize,
    /// How many elements are left of it, and the sum of steps of the one before.
    row: usize,
    sum: usize,
}

impl<'a, T: 'a, L: Layout> Iterator for Iter<Shared<'a, T>, L> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        if self.next == self.end {
            return None;
        }
        let layout = self.tensor.layout();
        if self.row > 0 {
            self.row -= 1;
            self.sum = self.sum.wrapping_add(self.step);
        } else {
            self.row = self.extent - 1;
            self.sum = layout.sum_at(self.next);
        }
        self.next += 1;
        // SAFETY: the index of a coordinate that is inside; the elements live for `'a`.
        Some(unsafe { &*self.tensor.storage().origin().offset(layout.image(self.sum) as isize) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }

    #[inline(always)]
    fn fold<A, F: FnMut(A, &'a T) -> A>(mut self, init: A, mut f: F) -> A {
        if self.next > 0 {
            let mut state = init;
            while let Some(x) = self.next() {
                state = f(state, x);
            }
            return state;
        }
        let origin = self.tensor.storage().origin();
        let mut state = MaybeUninit::new(init);
        each_index(&self.tensor.layout(), |index| {
            // SAFETY: the element as in `next`. The state is read once and written again; if `f` panics, nobody reads it.
            unsafe { state.write(f(state.assume_init_read(), &*origin.offset(index))) };
        });
        // SAFETY: written last by the line above, or never read.
        unsafe { state.assume_init() }
    }
}

impl<'a, T: 'a, L: Layout> ExactSizeIterator for Iter<Shared<'a, T>, L> {}
