//! Walks and iterators over the elements of one tensor.

use super::storage::{Shared, Storage, StorageMut};
use super::tensor::Tensor;
use super::walks::{Read, Write, by_memory, coordinates_by_memory};
use crate::types::{Coordinate, Fits, Layout, MAX_LEAVES};
use core::mem::MaybeUninit;

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Calls `f` with every element, in the order of memory: loops step upwards, and the shortest stride is innermost.
    ///
    /// A stride of 0 is outermost. [`Tensor::ordered`] has the order of the coordinates. Walks over these layouts have that order, too:
    ///
    /// * layouts with XOR strides,
    /// * layouts of more than eight leaves; `for_each` and `fold` keep memory order if joining loops leaves at most eight.
    ///
    /// A window of nested modes is walked in boxes of leaves, each in memory order. If a box has fewer than 64 elements on
    /// average, or if a coordinate does not have one integer for each mode, the walk has the order of the coordinates.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let mut order = Vec::new();
    /// t.for_each(|x| order.push(*x));
    /// assert_eq!(order, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(&self, mut f: impl FnMut(&S::Item)) {
        // SAFETY: the storage may read every index of the layout.
        unsafe { by_memory(&self.layout(), &mut Read { origin: self.storage().origin(), f: |x: &S::Item, ()| f(x) }) };
    }

    /// Calls `f` with every coordinate and its element, in the order of memory, see [`Tensor::for_each`], without divisions.
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
        // SAFETY: the storage may read every index of the layout.
        unsafe { coordinates_by_memory(&self.layout(), &mut Read { origin: self.storage().origin(), f: |x: &S::Item, c| f(c, x) }) };
    }

    /// Calls `f` with every coordinate as an array, and its element, see [`Tensor::for_each_at`]. A closure `|[i, j], x|` fixes `RANK`.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// t.for_each_indexed(|[i, j], x| assert_eq!(*x, 3 * i + j + 1));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_indexed<const RANK: usize>(&self, f: impl FnMut([usize; RANK], &S::Item)) {
        let () = <L::Fits<[usize; RANK]> as Fits>::FITS;
        self.for_each_at(f);
    }

    /// Calls `f` with its last result, at first `init`, and every element, see [`Tensor::for_each`]. Returns the last result, or `init`.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// assert_eq!(t.fold(0, |sum, x| sum + x), 21);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn fold<A>(&self, init: A, mut f: impl FnMut(A, &S::Item) -> A) -> A {
        let mut state = MaybeUninit::new(init);
        // SAFETY: the state is read once and written again. If `f` panics, nobody reads it.
        self.for_each(|x| unsafe { _ = state.write(f(state.assume_init_read(), x)) });
        // SAFETY: the last write was in the line above, or nobody has read the state.
        unsafe { state.assume_init() }
    }

    /// Iterates over the elements in colexicographic order of the coordinates. [`Tensor::fold`] uses the order of memory.
    ///
    /// `next` divides where the innermost mode begins anew. `fold` and methods based on it (`sum`, `max`, `for_each`, ..) do not divide.
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
        let (extent, step) = self.layout().loops::<MAX_LEAVES>().map_or((1, 0), |loops| loops.at(0));
        Iter { tensor: self.view(), next: 0, end: self.size(), extent, step, row: 0, sum: 0 }
    }
}

/// Walks that write.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let mut data = [9; 8];
/// // Rows of 3 elements, 4 apart: the walks skip the padding.
/// let mut t = Tensor::new(&mut data, make_layout((2, 3), (4, Int::<1>)))?;
/// t.fill(1);
/// t.for_each_mut(|x| *x += 1);
/// t.for_each_at_mut(|(i, j): (usize, usize), x| *x += 100 * i + 10 * j);
/// assert_eq!(data, [2, 12, 22, 9, 102, 112, 122, 9]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Calls `f` with every element, mutably, see [`Tensor::for_each`]. An element that `n` coordinates share is visited `n` times.
    #[doc(alias = "iter_mut")]
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_mut(&mut self, mut f: impl FnMut(&mut S::Item)) {
        let layout = self.layout();
        // SAFETY: the storage may write every index of the layout.
        unsafe { by_memory(&layout, &mut Write { origin: self.storage_mut().origin_mut(), f: |x: &mut S::Item, ()| f(x) }) };
    }

    /// Calls `f` with every coordinate and its element, mutably, in the order of memory, see [`Tensor::for_each`].
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_at_mut<C: Coordinate>(&mut self, mut f: impl FnMut(C, &mut S::Item)) {
        let () = <L::Fits<C> as Fits>::FITS;
        let layout = self.layout();
        // SAFETY: the storage may write every index of the layout.
        unsafe { coordinates_by_memory(&layout, &mut Write { origin: self.storage_mut().origin_mut(), f: |x: &mut S::Item, c| f(c, x) }) };
    }

    /// Calls `f` as [`Tensor::for_each_indexed`] does, with mutable elements.
    ///
    /// ```
    /// use layout_core::{Int, Owned, Strided};
    /// let mut t = Owned::<usize, Strided<(Int<2>, Int<3>), (Int<3>, Int<1>)>, 6>::filled(Strided::default(), 0);
    /// t.for_each_indexed_mut(|[i, j], x| *x = 10 * i + j);
    /// assert_eq!(t.as_slice(), [0, 1, 2, 10, 11, 12]);
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_indexed_mut<const RANK: usize>(&mut self, f: impl FnMut([usize; RANK], &mut S::Item)) {
        let () = <L::Fits<[usize; RANK]> as Fits>::FITS;
        self.for_each_at_mut(f);
    }

    /// Sets every element to a clone of `value`.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn fill(&mut self, value: S::Item)
    where
        S::Item: Clone,
    {
        self.for_each_mut(|x| *x = value.clone());
    }
}

/// An iterator over the elements of a tensor; see [`Tensor::iter`].
///
/// ```
/// use layout_core::{Int, Layout, Tensor, make_layout};
/// use layout_core::tensor::{Iter, Shared};
/// /// A reader that takes some elements at a time.
/// struct Reader<'a, L> {
///     rest: Iter<Shared<'a, i32>, L>,
/// }
/// impl<L: Layout> Reader<'_, L> {
///     fn sum_of(&mut self, count: usize) -> i32 {
///         self.rest.by_ref().take(count).sum()
///     }
/// }
/// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
/// let mut reader = Reader { rest: t.iter() };
/// assert_eq!((reader.sum_of(2), reader.sum_of(2)), (1 + 4, 2 + 5));
/// assert_eq!(reader.rest.len(), 2);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Iter<S, L> {
    tensor: Tensor<S, L>,
    next: usize,
    end: usize,
    /// The extent and the step of the innermost loop.
    extent: usize,
    step: usize,
    /// The number of elements left in the innermost loop; the next field is the sum of steps of the previous element.
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
            // SAFETY: the element as in `next`. The state is read once and written again. If `f` panics, nobody reads it.
            unsafe { state.write(f(state.assume_init_read(), &*origin.wrapping_add(index))) };
        });
        // SAFETY: the last write was in the line above, or nobody has read the state.
        unsafe { state.assume_init() }
    }
}

impl<'a, T: 'a, L: Layout> ExactSizeIterator for Iter<Shared<'a, T>, L> {}
