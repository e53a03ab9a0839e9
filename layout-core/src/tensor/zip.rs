//! Methods that walk several tensors of the same extents together, in the memory order of the first.
//!
//! `walks.rs` has the walk, which visits every element: no closure can stop it. `ordered.rs` has these methods in coordinate order.

use super::companions::CompanionTensors;
use super::storage::{Storage, StorageMut};
use super::tensor::Tensor;
use super::walks::{Read, Write, beside_by_memory};
use crate::types::Layout;

/// Panics if a tensor and its companions do not have the same extents.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
pub(super) fn require_alike<S: Storage, L: Layout, O: CompanionTensors>(tensor: &Tensor<S, L>, others: &O) {
    if !others.are_alike(&tensor.layout()) {
        // Pass the tensor instead of its layout, which would occupy registers meanwhile.
        O::differ(tensor, *others)
    }
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Calls `f` with every element and the elements of other tensors at the same coordinate, in the memory order of this tensor.
    ///
    /// See [`Tensor::for_each`]. Layouts and nesting may differ. If the memory orders differ, the walk goes in blocks about as
    /// wide as a cache line, whose order depends on the opt-level.
    ///
    /// `others` is a reference to a tensor, a tuple of two to eight of these, or a reference to an array of tensors. Panics
    /// if extents differ.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let rows = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let columns = Tensor::new(&[1, 4, 2, 5, 3, 6], make_layout((2, 3), (Int::<1>, 2)))?;
    /// let mut product = 0;
    /// rows.zip(&columns, |x, y| product += x * y);
    /// assert_eq!(product, 91);
    /// columns.zip((&rows, &rows), |x, (y, z)| assert_eq!((x, x), (y, z)));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip<O: CompanionTensors>(&self, others: O, f: impl FnMut(&S::Item, O::Items)) {
        require_alike(self, &others);
        // SAFETY: the tensors are alike.
        unsafe { beside_by_memory(&self.layout(), &others, &mut Read { origin: self.storage().origin(), f }) };
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Calls `f` as [`Tensor::zip`] does, with mutable elements of this tensor.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut copy = [0; 6];
    /// let rows = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let mut columns = Tensor::new(&mut copy, make_layout((2, 3), (Int::<1>, 2)))?;
    /// columns.zip_mut(&rows, |to, from| *to = *from);
    /// columns.zip_mut((&rows, &rows), |to, (x, y)| *to += x * y);
    /// assert_eq!(copy, [2, 20, 6, 30, 12, 42]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip_mut<O: CompanionTensors>(&mut self, others: O, f: impl FnMut(&mut S::Item, O::Items)) {
        require_alike(self, &others);
        let layout = self.layout();
        // SAFETY: the tensors are alike. This tensor is borrowed exclusively, so the others are other tensors.
        unsafe { beside_by_memory(&layout, &others, &mut Write { origin: self.storage_mut().origin_mut(), f }) };
    }

    /// Sets every element to the element of `other` at the same coordinate, see [`Tensor::zip_mut`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut columns = [0; 6];
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// // A copy into the order of columns.
    /// Tensor::new(&mut columns, make_layout((2, 3), (Int::<1>, 2)))?.assign(&t);
    /// assert_eq!(columns, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn assign<R: Storage<Item = S::Item>, M: Layout>(&mut self, other: &Tensor<R, M>)
    where
        S::Item: Clone,
    {
        self.zip_mut(other, |to, from| to.clone_from(from));
    }
}
