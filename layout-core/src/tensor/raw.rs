//! Conversions between tensors and the pointers and slices of other libraries.

use super::storage::{Shared, Storage, StorageMut, Unique};
use super::tensor::{Tensor, View, ViewMut};
use crate::types::unroll;
use crate::types::{Affine, FEW, Layout, Loops};

impl<'a, T, L: Layout> View<'a, T, L> {
    /// Makes the tensor of the elements at the indices of `layout` relative to `origin`, the pointer to index 0.
    ///
    /// If the number of elements is known, use [`Tensor::with_origin`] of a slice instead: it checks these promises.
    ///
    /// # Safety
    ///
    /// `origin` is aligned. [`Layout::index_range`] of the layout is `Ok`. The elements at all indices of the layout lie in one
    /// allocation, live for `'a`, and are not written meanwhile.
    ///
    /// ```
    /// use layout_core::{View, make_layout};
    /// use layout_core::number::Signed;
    /// let data = [1, 2, 3, 4];
    /// // SAFETY: the indices 0, -1, -2 and -3 belong to the four elements.
    /// let reversed = unsafe { View::from_raw(data.as_ptr().add(3), make_layout(4, Signed(-1))) };
    /// assert!(reversed.iter().eq(&[4, 3, 2, 1]));
    /// ```
    #[inline(always)]
    pub const unsafe fn from_raw(origin: *const T, layout: L) -> Self {
        // SAFETY: the caller promises this.
        unsafe { Tensor::from_parts(Shared::new(origin), layout) }
    }
}

impl<'a, T, L: Layout> ViewMut<'a, T, L> {
    /// Makes a mutable tensor, as [`View::from_raw`] does.
    ///
    /// # Safety
    ///
    /// The promises of [`View::from_raw`] hold, and no one else reads or writes the elements during `'a`.
    ///
    /// ```
    /// use layout_core::{ViewMut, make_layout};
    /// /// Doubles the elements of rows that another language owns, `pitch` elements apart.
    /// ///
    /// /// # Safety
    /// ///
    /// /// `rows` points to `height` rows of `width` elements that nobody else uses meanwhile.
    /// unsafe extern "C" fn double(rows: *mut i32, height: usize, width: usize, pitch: usize) {
    ///     // SAFETY: the caller promises this.
    ///     let mut t = unsafe { ViewMut::from_raw_mut(rows, make_layout((height, width), (pitch, 1))) };
    ///     t.for_each_mut(|x| *x *= 2);
    /// }
    /// let mut image = [1; 8];
    /// // SAFETY: two rows of three elements, four elements apart.
    /// unsafe { double(image.as_mut_ptr(), 2, 3, 4) };
    /// assert_eq!(image, [2, 2, 2, 1, 2, 2, 2, 1]);
    /// ```
    #[inline(always)]
    pub const unsafe fn from_raw_mut(origin: *mut T, layout: L) -> Self {
        // SAFETY: the caller promises this.
        unsafe { Tensor::from_parts(Unique::new(origin), layout) }
    }
}

/// Multiplies `count` by the extent of loop `k`. Clears `follows` if the extent is not 1 and the step is not `count`.
#[inline(always)]
fn follow(loops: &Loops<FEW>, count: &mut usize, follows: &mut bool, k: usize) {
    let (extent, step) = loops.at(k);
    *follows &= extent == 1 || step == *count;
    *count = count.wrapping_mul(extent);
}

/// Returns the number of loops if the type determines it and they are few; else 0.
const fn known_loops<L: Layout>() -> usize {
    match L::LOOPS {
        Some(count @ ..=FEW) => count,
        _ => 0,
    }
}

/// Returns the first index and the number of elements, or `None` if they are not contiguous in colexicographic order.
#[cfg_attr(not(unoptimized), inline(always))]
fn row<L: Layout>(layout: &L) -> Option<(isize, usize)> {
    // The compiler folds extents and steps that the type knows.
    if const { known_loops::<L>() > 0 }
        && layout.period() == Some(1)
        && let Some(loops) = layout.loops::<FEW>()
    {
        let (mut count, mut follows) = (1, true);
        unroll!(known_loops::<L>(), follow(&loops, &mut count, &mut follows));
        if count == 0 {
            // A layout without coordinates has no first index.
            return Some((0, 0));
        }
        return follows.then(|| (layout.image(loops.start) as isize, count));
    }
    let affine = Affine::of(layout).ok().filter(Affine::is_contiguous)?;
    Some((affine.first(), affine.extents().iter().product()))
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Returns the pointer to index 0: the element at `c` is [`Layout::crd2idx`] elements from it.
    ///
    /// It points to no element if no coordinate has index 0. Functions of other languages take a pointer to the first
    /// element, and strides. [`Affine::of`] has the index of the first element and the strides.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::layouts::Affine;
    /// let data: Vec<i32> = (0..60).collect();
    /// let t = Tensor::new(&data, make_layout((10, 6), (Int::<1>, 10)))?;
    /// let w = t.window((3, 2), (4, 3))?;
    /// let affine = Affine::of(&w.layout()).unwrap();
    /// assert_eq!(w.as_ptr().wrapping_offset(affine.first()), &raw const w[(0, 0)]);
    /// assert_eq!(affine.strides(), [1, 10]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub fn as_ptr(&self) -> *const S::Item {
        self.storage().origin()
    }

    /// Returns the elements as a slice, or `None` if they are not contiguous in colexicographic order, the first mode fastest.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<i32> = (0..12).collect();
    /// let t = Tensor::new(&data, make_layout((3, (2, 2)), (Int::<1>, (3, 6))))?;
    /// assert_eq!(t.contiguous(), Some(&data[..]));
    /// assert_eq!(Tensor::new(&data, make_layout((3, 4), (4, Int::<1>)))?.contiguous(), None);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn contiguous(&self) -> Option<&[S::Item]> {
        let (first, count) = row(&self.layout())?;
        if count == 0 {
            return Some(&[]);
        }
        // SAFETY: the indices of the layout are `first..first + count`, and each has an element.
        Some(unsafe { core::slice::from_raw_parts(self.as_ptr().wrapping_offset(first), count) })
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Returns the pointer to index 0 for writes; see [`Tensor::as_ptr`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [1, 2, 3, 4, 5, 6];
    /// let mut t = Tensor::new(&mut data, make_layout((2, 3), (3, Int::<1>)))?;
    /// let first = t.as_mut_ptr();
    /// // SAFETY: a row has three elements from its first one on.
    /// unsafe { first.add(3).write_bytes(0, 3) };
    /// assert_eq!(data, [1, 2, 3, 0, 0, 0]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut S::Item {
        self.storage_mut().origin_mut()
    }

    /// Returns the elements as a mutable slice, or `None` as [`Tensor::contiguous`] does.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [5, 3, 6, 1, 4, 2];
    /// let mut t = Tensor::new(&mut data, make_layout((2, 3), (Int::<1>, 2)))?;
    /// if let Some(elements) = t.contiguous_mut() {
    ///     elements.sort();
    /// }
    /// assert_eq!(data, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn contiguous_mut(&mut self) -> Option<&mut [S::Item]> {
        let (first, count) = row(&self.layout())?;
        if count == 0 {
            return Some(&mut []);
        }
        // SAFETY: as in `contiguous`; the storage is borrowed exclusively.
        Some(unsafe { core::slice::from_raw_parts_mut(self.as_mut_ptr().wrapping_offset(first), count) })
    }
}

#[cfg(test)]
mod tests {
    use crate::layouts::{Composed, IndexMap};
    use crate::{Int, Tensor, error::Result, make_layout};
    use core::ops::Range;

    /// The identity from 1 on.
    #[derive(Clone, Copy)]
    struct Positive;

    // SAFETY: an index is its own image.
    unsafe impl IndexMap for Positive {
        const BLOCK: Option<usize> = Some(1);
        const INJECTIVE: bool = true;
        fn period(&self) -> Option<usize> {
            Some(1)
        }
        fn map(&self, index: usize) -> usize {
            assert!(index > 0, "there is no index 0");
            index
        }
        fn image(&self, indices: Range<isize>) -> Result<Range<isize>> {
            Ok(indices)
        }
    }

    #[test]
    fn a_tensor_without_elements_maps_no_index() {
        let data = [1, 2, 3, 4];
        let of = |rows| Composed::new(Positive, 1, make_layout((rows, 3), (3, Int::<1>)));
        assert_eq!(Tensor::new(&data, of(1)).unwrap().contiguous(), Some(&data[1..]));
        let empty = Composed::of(Positive, make_layout((0usize, 3), (1, Int::<1>)));
        assert_eq!(Tensor::new(&data, empty).unwrap().contiguous(), Some(&data[..0]));
    }
}
