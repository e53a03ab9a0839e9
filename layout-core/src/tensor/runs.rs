//! Walks that visit contiguous elements as slices.

use super::companions::{Companion, Coordinates};
use super::storage::{Storage, StorageMut};
use super::tensor::Tensor;
use super::walks::{Visit, by_memory, coordinates_by_memory};
use crate::types::{Coordinate, Fits, Layout};
use core::ptr;

/// A visitor that calls `f` with runs for reading. The element at an index lies at that distance from `origin`.
struct ReadRuns<T, F> {
    origin: *const T,
    f: F,
}

/// A visitor that calls `f` with runs for writing. The element at an index lies at that distance from `origin`.
struct WriteRuns<T, F> {
    origin: *mut T,
    f: F,
}

/// A companion that knows the coordinate where a run begins.
trait Begin: Companion {
    fn begin(rows: &Self::Rows) -> Self::Items;
}

impl Begin for () {
    #[inline(always)]
    fn begin((): &()) {}
}

impl<C: Coordinate> Begin for Coordinates<C> {
    #[inline(always)]
    fn begin((first, _): &(C, C)) -> C {
        *first
    }
}

macro_rules! visits {
    ($visitor:ident, $slice:ty, |$origin:ident, $count:ident| $run:expr) => {
        impl<T, O: Begin, F: FnMut(O::Items, $slice)> Visit<O> for $visitor<T, F> {
            const BYTES: usize = size_of::<T>();
            const IN_ROWS: bool = true;

            #[inline(always)]
            unsafe fn row<const REPEATED: u32>(&mut self, index: usize, $count: usize, rows: &O::Rows) {
                let $origin = self.origin.wrapping_add(index);
                // SAFETY: the elements are contiguous and at coordinates inside. A borrow ends before the next begins.
                (self.f)(O::begin(rows), unsafe { $run })
            }

            #[inline(always)]
            unsafe fn one(&mut self, index: usize, items: O::Items) {
                let ($origin, $count) = (self.origin.wrapping_add(index), 1);
                // SAFETY: as in `row`.
                (self.f)(items, unsafe { $run })
            }
        }
    };
}

visits!(ReadRuns, &[T], |origin, count| &*ptr::slice_from_raw_parts(origin, count));
visits!(WriteRuns, &mut [T], |origin, count| &mut *ptr::slice_from_raw_parts_mut(origin, count));

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Calls `f` with all elements in the order of memory, see [`Tensor::for_each`], as slices of contiguous elements: the runs.
    ///
    /// A run is one pass of the innermost loop if its step is 1; otherwise one element, as for swizzled layouts and XOR strides.
    ///
    /// A run is not always a row: rows that continue each other may be one run, depending on layout type and opt-level. To
    /// visit rows, slice the tensor.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<i32> = (0..12).collect();
    /// let t = Tensor::new(&data, make_layout((3, 2), (4, Int::<1>)))?;
    /// let mut runs = Vec::new();
    /// t.for_each_run(|run| runs.push(run.to_vec()));
    /// assert_eq!(runs, [[0, 1], [4, 5], [8, 9]]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_run(&self, mut f: impl FnMut(&[S::Item])) {
        // SAFETY: the storage may read every index of the layout.
        unsafe { by_memory(&self.layout(), &mut ReadRuns { origin: self.storage().origin(), f: |(), run: &[S::Item]| f(run) }) };
    }

    /// Calls `f` with the coordinate of the first element of each run, and the run, see [`Tensor::for_each_run`].
    ///
    /// One integer of the coordinate changes along a run, each time by the same number: 1 if a mode has the stride 1, and -1
    /// if it has the stride -1. The number is greater if the leaf of stride 1 is not the first of its mode.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<usize> = (0..12).collect();
    /// let t = Tensor::new(&data, make_layout((3, 4), (4, Int::<1>)))?;
    /// t.for_each_run_at(|[i, j]: [usize; 2], run: &[usize]| assert_eq!((j, run), (0, &data[4 * i..][..4])));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_run_at<C: Coordinate>(&self, f: impl FnMut(C, &[S::Item])) {
        let () = <L::Fits<C> as Fits>::FITS;
        // SAFETY: the storage may read every index of the layout.
        unsafe { coordinates_by_memory(&self.layout(), &mut ReadRuns { origin: self.storage().origin(), f }) };
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Calls `f` as [`Tensor::for_each_run`] does, with mutable runs.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [4, 2, 3, 9, 7, 5, 6, 9];
    /// // Rows of 3 elements, 4 apart.
    /// let mut t = Tensor::new(&mut data, make_layout((2, 3), (4, Int::<1>)))?;
    /// t.for_each_run_mut(|row| row.sort());
    /// assert_eq!(data, [2, 3, 4, 9, 5, 6, 7, 9]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_run_mut(&mut self, mut f: impl FnMut(&mut [S::Item])) {
        let layout = self.layout();
        // SAFETY: the storage may write every index of the layout.
        unsafe { by_memory(&layout, &mut WriteRuns { origin: self.storage_mut().origin_mut(), f: |(), run: &mut [S::Item]| f(run) }) };
    }

    /// Calls `f` as [`Tensor::for_each_run_at`] does, with mutable runs.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (data, mut out) = ((0..20).collect::<Vec<_>>(), [0; 12]);
    /// let mut t = Tensor::new(&mut out, make_layout((3, 4), (4, Int::<1>)))?;
    /// t.for_each_run_at_mut(|[i, j]: [usize; 2], run: &mut [i32]| run.copy_from_slice(&data[6 * i + j..][..run.len()]));
    /// assert_eq!(out, [0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_run_at_mut<C: Coordinate>(&mut self, f: impl FnMut(C, &mut [S::Item])) {
        let () = <L::Fits<C> as Fits>::FITS;
        let layout = self.layout();
        // SAFETY: the storage may write every index of the layout.
        unsafe { coordinates_by_memory(&layout, &mut WriteRuns { origin: self.storage_mut().origin_mut(), f }) };
    }
}
