//! Tensors of elements of 1, 2 and 4 bits.

use super::error::TensorError;
use super::storage::{IntoStorage, Storage, StorageMut};
use crate::types::{Fits, IntTuple, Layout};

/// A tensor of elements of `BITS` bits (1, 2 or 4), the first in the lowest bits of a byte. The indices of its layout count elements.
///
/// ```
/// use layout_core::{Int, make_layout};
/// use layout_core::tensor::Packed;
/// let mut bytes = [0u8; 4];
/// let mut t = Packed::<_, _, 4>::new(&mut bytes, make_layout((Int::<2>, Int::<4>), (Int::<4>, Int::<1>)))?;
/// t.set((1, 2), 11);
/// assert_eq!((t.get((1, 2)), t.get((0, 0)), t.get((2, 0))), (Some(11), Some(0), None));
/// assert_eq!(t.size(), 8);
/// assert_eq!(bytes, [0, 0, 0, 11]);
/// let short = Packed::<_, _, 1>::new(&bytes, make_layout(33, Int::<1>));
/// assert_eq!(short.err().unwrap().to_string(), "the layout has indices from 0 to 32, but the storage has 32 elements, with index 0 at 0");
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Packed<S, L, const BITS: usize> {
    // Every index of `layout` is the index of an element in the bytes of `storage`.
    storage: S,
    layout: L,
}

impl<S: Storage<Item = u8>, L: Layout, const BITS: usize> Packed<S, L, BITS> {
    /// The number of elements in a byte.
    const PER_BYTE: usize = {
        assert!(matches!(BITS, 1 | 2 | 4), "packed elements have 1, 2 or 4 bits");
        8 / BITS
    };

    /// Makes the tensor of the elements in `bytes` with the layout `layout`, whose indices count elements from the first one on.
    ///
    /// Fails if an index is negative or beyond the elements.
    #[inline]
    pub fn new(bytes: impl IntoStorage<Storage = S>, layout: L) -> Result<Self, TensorError> {
        let (range, elements) = (layout.index_range()?, bytes.count().saturating_mul(Self::PER_BYTE));
        if range.start < 0 || range.end > elements.min(isize::MAX as usize) as isize {
            return Err(TensorError::Storage { first: range.start, last: range.end - 1, elements, origin: 0 });
        }
        Ok(Packed { storage: bytes.into_storage(0), layout })
    }

    /// Returns the layout.
    #[inline(always)]
    pub fn layout(&self) -> L {
        self.layout
    }

    /// Returns the number of coordinates.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// Returns the number of the byte of the element at `c`, and the number of its lowest bit there; `None` if `c` is outside the shape.
    #[inline(always)]
    fn place<C: IntTuple>(&self, c: C) -> Option<(usize, usize)> {
        let () = <L::Fits<C> as Fits>::FITS;
        if !self.layout.contains(c) {
            return None;
        }
        let index = self.layout.crd2idx(c);
        Some((index / Self::PER_BYTE, index % Self::PER_BYTE * BITS))
    }

    /// Returns the element at `c` as a number below `2^BITS`, or `None` if `c` is outside the shape.
    #[inline(always)]
    pub fn get<C: IntTuple>(&self, c: C) -> Option<u8> {
        let () = <L::Fits<C> as Fits>::FITS;
        let (byte, bit) = self.place(c)?;
        // SAFETY: the byte holds the element at an index of the layout.
        let byte = unsafe { *self.storage.origin().add(byte) };
        Some(byte >> bit & const { (1 << BITS) - 1 })
    }
}

impl<S: StorageMut<Item = u8>, L: Layout, const BITS: usize> Packed<S, L, BITS> {
    /// Sets the element at `c` to the lowest `BITS` bits of `value`. Panics if `c` is outside the shape.
    #[inline(always)]
    #[track_caller]
    pub fn set<C: IntTuple>(&mut self, c: C, value: u8) {
        let () = <L::Fits<C> as Fits>::FITS;
        let Some((byte, bit)) = self.place(c) else { self.layout.outside(c) };
        let mask = const { (1 << BITS) - 1 };
        // SAFETY: the byte holds the element at an index of the layout.
        let byte = unsafe { &mut *self.storage.origin_mut().add(byte) };
        *byte = *byte & !(mask << bit) | (value & mask) << bit;
    }
}
