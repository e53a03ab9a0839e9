//! Walks over the elements of tensors, without divisions.

use super::storage::{Shared, Storage, StorageMut};
use super::tensor::Tensor;
use crate::types::{Coordinate, Fits, Layout, Slots, unroll};
use core::mem::MaybeUninit;

/// How many loops two layouts have, if each has one for every mode: those agree where the extents do. 0 where that is not known.
const fn leafwise<A: Layout, B: Layout>() -> usize {
    match (A::LOOPS, A::MODES, B::LOOPS, B::MODES) {
        (Some(a), Some(ours), Some(b), Some(theirs)) if a == ours && b == theirs && a == b && !cfg!(unoptimized) => a,
        _ => 0,
    }
}

/// Whether two extents are one.
#[inline(always)]
fn equal(ours: &Slots, theirs: &Slots, alike: &mut bool, k: usize) {
    *alike &= ours[k] == theirs[k];
}

/// `f` of the indices of every coordinate in two layouts of the same extents.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
fn each_pair<A: Layout, B: Layout>(a: &A, b: &B, mut f: impl FnMut(usize, usize)) {
    let (ours, theirs) = (a.extents(), b.extents());
    // Of a constant only one arm is compiled.
    if const { leafwise::<A, B>() > 0 } {
        let mut alike = true;
        unroll!(leafwise::<A, B>(), equal(&ours, &theirs, &mut alike));
        if !alike {
            extents_differ(*a, *b);
        }
        if let (Some(x), Some(y)) = (a.loops(), b.loops()) {
            x.zip::<A>(&y).for_each_of::<A>(|(i, j)| f(a.image(i), b.image(j)));
        }
    } else {
        let rank = a.rank().max(b.rank());
        if ours[..rank] != theirs[..rank] {
            extents_differ(*a, *b);
        }
        let loops = a.loops().zip(b.loops()).and_then(|(x, y)| x.refined(&y));
        match loops {
            Some((x, y)) => x.zip::<A>(&y).for_each(|(i, j)| f(a.image(i), b.image(j))),
            None => (0..a.size()).for_each(|k| f(a.crd2idx(k), b.crd2idx(k))),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn extents_differ<A: Layout, B: Layout>(a: A, b: B) -> ! {
    let rank = a.rank().max(b.rank());
    panic!("tensors of the extents {:?} and {:?} have not the same coordinates", &a.extents()[..rank], &b.extents()[..rank])
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
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(&self, mut f: impl FnMut(&S::Item)) {
        let origin = self.storage().origin();
        // SAFETY: the indices of coordinates that are inside.
        self.layout().for_each_index(|index| f(unsafe { &*origin.wrapping_add(index) }));
    }

    /// `f` of every coordinate and its element, in colexicographic order: coordinates are counted, not divided.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// t.for_each_at(|(i, j): (usize, usize), x| assert_eq!(*x, 3 * i + j + 1));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_at<C: Coordinate>(&self, mut f: impl FnMut(C, &S::Item)) {
        let () = <L::Fits<C> as Fits>::FITS;
        let origin = self.storage().origin();
        // SAFETY: the indices of coordinates that are inside.
        self.layout().for_each_coordinate(|c, index| f(c, unsafe { &*origin.wrapping_add(index) }));
    }

    /// `f` of every element, in the order that the strides like, see [`Layout::for_each_index_by_stride`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let mut order = Vec::new();
    /// t.for_each_by_stride(|x| order.push(*x));
    /// assert_eq!(order, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_by_stride(&self, mut f: impl FnMut(&S::Item)) {
        let origin = self.storage().origin();
        // SAFETY: the indices of coordinates that are inside.
        self.layout().for_each_index_by_stride(|index| f(unsafe { &*origin.wrapping_add(index) }));
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
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn iter(&self) -> Iter<S::Shared<'_>, L> {
        let (extent, step) = self.layout().loops().map_or((1, 0), |loops| loops.at(0));
        Iter { tensor: self.view(), next: 0, end: self.size(), extent, step, row: 0, sum: 0 }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// `f` of every element, in colexicographic order of the coordinates; one that coordinates share comes as often.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_mut(&mut self, mut f: impl FnMut(&mut S::Item)) {
        let layout = self.layout();
        let origin = self.storage_mut().origin_mut();
        // SAFETY: the indices of coordinates that are inside; one borrow ends before the next begins.
        layout.for_each_index(|index| f(unsafe { &mut *origin.wrapping_add(index) }));
    }

    /// [`Tensor::for_each_by_stride`], to be written.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_by_stride_mut(&mut self, mut f: impl FnMut(&mut S::Item)) {
        let layout = self.layout();
        let origin = self.storage_mut().origin_mut();
        // SAFETY: as in `for_each_mut`.
        layout.for_each_index_by_stride(|index| f(unsafe { &mut *origin.wrapping_add(index) }));
    }

    /// `f` of every coordinate and its element, in colexicographic order.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_at_mut<C: Coordinate>(&mut self, mut f: impl FnMut(C, &mut S::Item)) {
        let () = <L::Fits<C> as Fits>::FITS;
        let layout = self.layout();
        let origin = self.storage_mut().origin_mut();
        // SAFETY: as in `for_each_mut`.
        layout.for_each_coordinate(|c, index| f(c, unsafe { &mut *origin.wrapping_add(index) }));
    }

    /// `f` of every element and the element of `other` at the same coordinate, mode by mode; layouts and nesting may differ.
    ///
    /// Panics where the extents of the modes differ.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut copy = [0; 6];
    /// let rows = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let mut columns = Tensor::new(&mut copy, make_layout((2, 3), (Int::<1>, 2)))?;
    /// columns.zip_mut(&rows, |to, from| *to = *from);
    /// assert_eq!(copy, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip_mut<R: Storage, M: Layout>(&mut self, other: &Tensor<R, M>, mut f: impl FnMut(&mut S::Item, &R::Item)) {
        let (layout, from) = (self.layout(), other.storage().origin());
        let to = self.storage_mut().origin_mut();
        // SAFETY: the indices of coordinates that are inside; a borrow ends before the next begins, and `other` is another tensor, as this one is
        // borrowed exclusively.
        each_pair(&layout, &other.layout(), |x, y| unsafe { f(&mut *to.wrapping_add(x), &*from.wrapping_add(y)) });
    }

    /// Sets every element to that of `other` at the same coordinate, see [`Tensor::zip_mut`].
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn assign<R: Storage<Item = S::Item>, M: Layout>(&mut self, other: &Tensor<R, M>)
    where
        S::Item: Clone,
    {
        self.zip_mut(other, |to, from| to.clone_from(from));
    }

    /// Sets every element to `value`.
    #[cfg_attr(not(unoptimized), inline(always))]
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
        let index = layout.image(self.sum);
        // SAFETY: the index of a coordinate that is inside; the elements live for `'a`.
        Some(unsafe { &*self.tensor.storage().origin().wrapping_add(index) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn fold<A, F: FnMut(A, &'a T) -> A>(mut self, init: A, mut f: F) -> A {
        if self.next > 0 {
            let mut state = init;
            for x in self.by_ref() {
                state = f(state, x);
            }
            return state;
        }
        let origin = self.tensor.storage().origin();
        let mut state = MaybeUninit::new(init);
        self.tensor.layout().for_each_index(|index| {
            // SAFETY: the element as in `next`. The state is read once and written again; if `f` panics, nobody reads it.
            unsafe { state.write(f(state.assume_init_read(), &*origin.wrapping_add(index))) };
        });
        // SAFETY: written last by the line above, or never read.
        unsafe { state.assume_init() }
    }
}

impl<'a, T: 'a, L: Layout> ExactSizeIterator for Iter<Shared<'a, T>, L> {}
