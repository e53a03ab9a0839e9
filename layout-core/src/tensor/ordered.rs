//! Walks in the order of coordinates.

use super::companions::CompanionTensors;
use super::storage::{Storage, StorageMut};
use super::tensor::Tensor;
use super::walks::beside_in_order;
use super::zip::require_alike;
use crate::types::{Coordinate, Fits, Layout};

/// A tensor that is walked in colexicographic order of the coordinates, the first mode fastest; see [`Tensor::ordered`].
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// // The rows of both lie one after the other in memory. The walks go down the columns.
/// let rows = make_layout((2, 3), (3, Int::<1>));
/// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], rows)?;
/// let (mut elements, mut coordinates, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
/// t.ordered().for_each(|x| elements.push(*x));
/// t.ordered().for_each_at(|c: (usize, usize), _| coordinates.push(c));
/// t.ordered().zip(&t.select((Int::<0>, Int::<1>)), |x, y| pairs.push((*x, *y)));
/// assert_eq!(elements, [1, 4, 2, 5, 3, 6]);
/// assert_eq!(coordinates, [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]);
/// assert_eq!(pairs[..2], [(1, 1), (4, 4)]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// A walk that writes uses the order where each value depends on the one before.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let rows = make_layout((2, 3), (3, Int::<1>));
/// let (t, mut out, mut sum) = (Tensor::new(&[1, 2, 3, 4, 5, 6], rows)?, [0; 6], 0);
/// let mut sums = Tensor::new(&mut out, rows)?;
/// sums.ordered_mut().zip_mut(&t, |to, from| {
///     sum += from;
///     *to = sum;
/// });
/// assert_eq!(sums[(1, 0)], 1 + 4);
/// assert_eq!(sums[(0, 1)], 1 + 4 + 2);
/// let mut next = 0;
/// sums.ordered_mut().for_each_mut(|x| {
///     *x = next;
///     next += 1;
/// });
/// sums.ordered_mut().for_each_at_mut(|(i, _): (usize, usize), x| *x += 10 * i as i32);
/// sums.ordered_mut().for_each_indexed_mut(|[_, j], x| *x += 100 * j as i32);
/// assert_eq!(out, [0, 102, 204, 11, 113, 215]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub struct InOrder<T> {
    tensor: T,
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Returns the tensor for walks that read in colexicographic order of the coordinates, whatever its strides.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let mut order = Vec::new();
    /// t.ordered().for_each(|x| order.push(*x));
    /// assert_eq!(order, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    pub fn ordered(&self) -> InOrder<&Self> {
        InOrder { tensor: self }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Returns the tensor for walks that write in colexicographic order of the coordinates.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (mut data, mut next) = ([0; 6], 0);
    /// Tensor::new(&mut data, make_layout((2, 3), (3, Int::<1>)))?.ordered_mut().for_each_mut(|x| {
    ///     *x = next;
    ///     next += 1;
    /// });
    /// assert_eq!(data, [0, 2, 4, 1, 3, 5]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    pub fn ordered_mut(&mut self) -> InOrder<&mut Self> {
        InOrder { tensor: self }
    }
}

impl<S: Storage, L: Layout> InOrder<&Tensor<S, L>> {
    /// Calls `f` with every element, in colexicographic order of the coordinates.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(self, mut f: impl FnMut(&S::Item)) {
        let origin = self.tensor.storage().origin();
        // SAFETY: every index belongs to a coordinate inside.
        self.tensor.layout().for_each_index(|index| f(unsafe { &*origin.wrapping_add(index) }));
    }

    /// Calls `f` with every coordinate and its element, in colexicographic order of the coordinates.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_at<C: Coordinate>(self, mut f: impl FnMut(C, &S::Item)) {
        let () = <L::Fits<C> as Fits>::FITS;
        let origin = self.tensor.storage().origin();
        // SAFETY: every index belongs to a coordinate inside.
        self.tensor.layout().for_each_coordinate(|c, index| f(c, unsafe { &*origin.wrapping_add(index) }));
    }

    /// Calls `f` with every coordinate, as an array of one integer for each mode, and its element.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let mut order = Vec::new();
    /// t.ordered().for_each_indexed(|[i, j], _| order.push((i, j)));
    /// assert_eq!(order, [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_indexed<const RANK: usize>(self, f: impl FnMut([usize; RANK], &S::Item)) {
        self.for_each_at(f);
    }

    /// Calls `f` with every element and the elements of other tensors at the same coordinate, see [`Tensor::zip`].
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip<O: CompanionTensors>(self, others: O, mut f: impl FnMut(&S::Item, O::Items)) {
        require_alike(self.tensor, &others);
        let origin = self.tensor.storage().origin();
        // SAFETY: the tensors are alike, and every index belongs to a coordinate inside.
        unsafe { beside_in_order(&self.tensor.layout(), &others, |index, items| f(&*origin.wrapping_add(index), items)) };
    }
}

impl<S: StorageMut, L: Layout> InOrder<&mut Tensor<S, L>> {
    /// Calls `f` with every element, mutably, in colexicographic order. An element that `n` coordinates share is visited `n` times.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_mut(self, mut f: impl FnMut(&mut S::Item)) {
        let layout = self.tensor.layout();
        let origin = self.tensor.storage_mut().origin_mut();
        // SAFETY: every index belongs to a coordinate inside; one borrow ends before the next begins.
        layout.for_each_index(|index| f(unsafe { &mut *origin.wrapping_add(index) }));
    }

    /// Calls `f` with every coordinate and its element, mutably, in colexicographic order of the coordinates.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_at_mut<C: Coordinate>(self, mut f: impl FnMut(C, &mut S::Item)) {
        let () = <L::Fits<C> as Fits>::FITS;
        let layout = self.tensor.layout();
        let origin = self.tensor.storage_mut().origin_mut();
        // SAFETY: as in `for_each_mut`.
        layout.for_each_coordinate(|c, index| f(c, unsafe { &mut *origin.wrapping_add(index) }));
    }

    /// Calls `f` with every coordinate, as an array of one integer for each mode, and its element, mutably.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_indexed_mut<const RANK: usize>(self, f: impl FnMut([usize; RANK], &mut S::Item)) {
        self.for_each_at_mut(f);
    }

    /// Calls `f` with every element and the elements of other tensors at the same coordinate, see [`Tensor::zip_mut`].
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip_mut<O: CompanionTensors>(self, others: O, mut f: impl FnMut(&mut S::Item, O::Items)) {
        require_alike(self.tensor, &others);
        let layout = self.tensor.layout();
        let origin = self.tensor.storage_mut().origin_mut();
        // SAFETY: the tensors are alike, and every index belongs to a coordinate inside. A borrow ends before the next
        // begins. This tensor is borrowed exclusively, so the others are other tensors.
        unsafe { beside_in_order(&layout, &others, |index, items| f(&mut *origin.wrapping_add(index), items)) };
    }
}
