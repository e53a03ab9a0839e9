//! Packed elements with a layout.

use crate::element::{PackedElement, capacity};
use crate::error::Result;
use crate::place::{read, write};
use core::marker::PhantomData;
use layout_core::layouts::{Coordinate, IntTuple};
use layout_core::{Layout, TensorError};

/// Packed elements with a layout: the element of a coordinate `c` is number `layout.crd2idx(c)` of the bytes.
///
/// The storage is bytes: `&[u8]`, `&mut [u8]`, an array, a vector. The constructor checks once that all indices lie in it. An access
/// checks the coordinate against the shape.
///
/// ```
/// use layout_core::make_layout;
/// use packed_elements::{F4E2M1, PackedTensor, U6};
/// // Rows of four elements are three bytes.
/// let mut t = PackedTensor::<_, _, U6>::new([0; 6], make_layout((2, 4), (4, 1)))?;
/// t.set((1, 1), U6::MAX);
/// assert_eq!((t.get((1, 1)), t.get((1, 2)), t.get((2, 0))), (Some(U6::MAX), Some(U6::MIN), None));
/// assert_eq!(t.into_storage(), [0, 0, 0, 0b11_000000, 0b1111, 0]);
/// let error = PackedTensor::<_, _, F4E2M1>::new(&[0; 3], make_layout((2, 4), (4, 1))).err().unwrap();
/// assert_eq!(error.to_string(), "the layout has indices from 0 to 7, but the storage has 6 elements, with index 0 at 0");
/// # Ok::<(), packed_elements::PackedError>(())
/// ```
///
/// [`Packed`](layout_core::tensor::Packed) of `layout-core` has elements of 1, 2 and 4 bits that are plain numbers, and accesses its
/// bytes without a check.
#[derive(Clone, Copy)]
pub struct PackedTensor<S, L, E> {
    // Every index of `layout`, plus `origin`, is the number of an element in the bytes of `storage`.
    storage: S,
    layout: L,
    origin: usize,
    element: PhantomData<E>,
}

impl<S: AsRef<[u8]>, L: Layout, E: PackedElement> PackedTensor<S, L, E> {
    /// Makes the tensor of the elements in `storage` with the layout `layout`. Index 0 is the first element.
    ///
    /// Fails if an index is negative or beyond the elements, and as `index_range` of the layout does.
    pub fn new(storage: S, layout: L) -> Result<Self> {
        PackedTensor::with_origin(storage, 0, layout)
    }

    /// Makes a tensor whose index 0 is element number `origin` of the storage: negative strides walk down from it.
    ///
    /// Nibbles with the highest first, as of bitsandbytes, are such a layout:
    ///
    /// ```
    /// use layout_core::make_layout;
    /// use layout_core::number::Signed;
    /// use packed_elements::{PackedTensor, U4};
    /// let t = PackedTensor::<_, _, U4>::with_origin(&[0x12, 0x34], 1, make_layout((2, 2), (Signed(-1), 2)))?;
    /// assert_eq!([0, 1, 2, 3].map(|k| t.get(k).map(U4::get)), [Some(1), Some(2), Some(3), Some(4)]);
    /// # Ok::<(), packed_elements::PackedError>(())
    /// ```
    ///
    /// Fails if an index lies outside of the elements, and as [`PackedTensor::new`] does.
    pub fn with_origin(storage: S, origin: usize, layout: L) -> Result<Self> {
        let (range, elements) = (layout.index_range().map_err(TensorError::from)?, capacity::<E>(storage.as_ref().len()));
        let below = range.start.checked_add_unsigned(origin).is_some_and(|start| start >= 0);
        let above = origin <= elements && range.end <= (elements - origin).min(isize::MAX as usize) as isize;
        if !(below && above) {
            return Err(TensorError::Storage { first: range.start, last: range.end - 1, elements, origin }.into());
        }
        Ok(PackedTensor { storage, layout, origin, element: PhantomData })
    }

    /// Returns the layout.
    #[inline]
    pub fn layout(&self) -> L {
        self.layout
    }

    /// Returns the number of coordinates.
    #[inline]
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// Returns the number of the element with index 0.
    #[inline]
    pub(crate) fn origin(&self) -> usize {
        self.origin
    }

    /// Returns the bytes of the storage.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.storage.as_ref()
    }

    /// Returns the storage.
    pub fn into_storage(self) -> S {
        self.storage
    }

    /// Returns the element at `c`, or `None` if `c` is outside the shape.
    #[inline]
    pub fn get<C: IntTuple>(&self, c: C) -> Option<E> {
        if !self.layout.contains(c) {
            return None;
        }
        let index = self.layout.crd2idx(c).wrapping_add(self.origin);
        read::<E>(self.storage.as_ref(), index).map(E::from_bits)
    }

    /// Calls `f` with every coordinate and its element, in colexicographic order.
    ///
    /// ```
    /// use layout_core::make_layout;
    /// use packed_elements::{PackedTensor, U2};
    /// let t = PackedTensor::<_, _, U2>::new([0b11_10_01_00], make_layout((2, 2), (2, 1)))?;
    /// let mut elements = Vec::new();
    /// t.for_each_at(|(i, j): (usize, usize), element| elements.push((i, j, element.get())));
    /// assert_eq!(elements, [(0, 0, 0), (1, 0, 2), (0, 1, 1), (1, 1, 3)]);
    /// # Ok::<(), packed_elements::PackedError>(())
    /// ```
    pub fn for_each_at<C: Coordinate>(&self, mut f: impl FnMut(C, E)) {
        let bytes = self.storage.as_ref();
        self.layout.for_each_coordinate(|c: C, index| {
            let pattern = read::<E>(bytes, index.wrapping_add(self.origin));
            f(c, E::from_bits(pattern.expect("the constructor checked all indices")));
        });
    }
}

impl<S: AsRef<[u8]> + AsMut<[u8]>, L: Layout, E: PackedElement> PackedTensor<S, L, E> {
    /// Returns the bytes of the storage.
    #[inline]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.storage.as_mut()
    }

    /// Sets the element at `c`. The bits of other elements keep their values. Panics if `c` is outside the shape.
    #[inline]
    #[track_caller]
    pub fn set<C: IntTuple>(&mut self, c: C, element: E) {
        if !self.layout.contains(c) {
            self.layout.outside(c);
        }
        let index = self.layout.crd2idx(c).wrapping_add(self.origin);
        write::<E>(self.storage.as_mut(), index, element.to_bits()).expect("the constructor checked all indices");
    }
}
