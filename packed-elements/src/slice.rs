//! Packed elements in a slice of bytes, by their number.

use crate::element::{PackedElement, packed_bytes};
use crate::error::{PackedError, Result};
use crate::place::{read, read_eight, write, write_eight};
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

/// Packed elements in borrowed bytes. Element `k` is at bits `k * BITS .. (k + 1) * BITS`, and bit 0 is the lowest of byte 0.
///
/// ```
/// use packed_elements::{PackedSlice, U6};
/// // Four elements of 6 bits are three bytes: 000001, 000010, 000011, 000100 from the right.
/// let bytes = [0b10_000001, 0b0011_0000, 0b000100_00];
/// let elements = PackedSlice::<U6>::new(&bytes, 4)?;
/// assert!(elements.iter().map(U6::get).eq([1, 2, 3, 4]));
/// assert_eq!((elements.get(2).map(U6::get), elements.get(4)), (Some(3), None));
/// # Ok::<(), packed_elements::PackedError>(())
/// ```
pub struct PackedSlice<'a, E> {
    // The bytes hold at least `len` elements.
    bytes: &'a [u8],
    len: usize,
    element: PhantomData<E>,
}

impl<E> Clone for PackedSlice<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for PackedSlice<'_, E> {}

impl<'a, E: PackedElement> PackedSlice<'a, E> {
    /// Returns the first `len` elements in `bytes`. Later bits are ignored.
    ///
    /// Fails if they need more bytes.
    pub const fn new(bytes: &'a [u8], len: usize) -> Result<Self> {
        match fits::<E>(len, bytes.len()) {
            Ok(()) => Ok(PackedSlice { bytes, len, element: PhantomData }),
            Err(error) => Err(error),
        }
    }

    /// Returns the number of elements.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns element `k`, or `None` if there are not more than `k`.
    #[inline]
    pub fn get(&self, k: usize) -> Option<E> {
        if k < self.len { Some(E::from_bits(read::<E>(self.bytes, k)?)) } else { None }
    }

    /// Iterates over the elements.
    pub fn iter(&self) -> PackedIter<'a, E> {
        PackedIter { elements: *self, range: 0..self.len }
    }

    /// Unpacks all elements: `to[k]` becomes element `k`, converted to a `T`.
    ///
    /// Fails if `to` has another length.
    ///
    /// ```
    /// use packed_elements::{F4E2M1, I4, PackedSlice};
    /// let (mut bytes, mut numbers) = ([0_i8; 3], [0.0_f32; 3]);
    /// PackedSlice::<I4>::new(&[0xF1, 0x07], 3)?.unpack_into(&mut bytes)?;
    /// PackedSlice::<F4E2M1>::new(&[0xF1, 0x07], 3)?.unpack_into(&mut numbers)?;
    /// assert_eq!((bytes, numbers), ([1, -1, 7], [0.5, -6.0, 6.0]));
    /// # Ok::<(), packed_elements::PackedError>(())
    /// ```
    pub fn unpack_into<T: From<E>>(&self, to: &mut [T]) -> Result<()> {
        same_length(self.len, to.len())?;
        let first = if 8 % E::BITS == 0 {
            // The compiler makes vectors of this loop.
            let per_byte = (8 / E::BITS) as usize;
            for (elements, byte) in to.chunks_exact_mut(per_byte).zip(self.bytes) {
                for (k, to) in elements.iter_mut().enumerate() {
                    *to = T::from(E::from_bits(u16::from(*byte >> (k as u32 * E::BITS))));
                }
            }
            self.len - self.len % per_byte
        } else {
            let groups = to.as_chunks_mut::<8>().0;
            for (group, bytes) in groups.iter_mut().zip(self.bytes.chunks_exact(E::BITS as usize)) {
                *group = read_eight::<E>(bytes).map(|pattern| T::from(E::from_bits(pattern)));
            }
            self.len - self.len % 8
        };
        let rest = &mut to[first..];
        for (to, element) in rest.iter_mut().zip(PackedIter { elements: *self, range: first..self.len }) {
            *to = T::from(element);
        }
        Ok(())
    }
}

impl<'a, E: PackedElement> IntoIterator for PackedSlice<'a, E> {
    type Item = E;
    type IntoIter = PackedIter<'a, E>;

    fn into_iter(self) -> PackedIter<'a, E> {
        self.iter()
    }
}

impl<E: PackedElement + fmt::Debug> fmt::Debug for PackedSlice<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Packed elements in mutably borrowed bytes, in the places of [`PackedSlice`]. All other bits keep their values.
///
/// ```
/// use packed_elements::{PackedSliceMut, U4};
/// let mut bytes = [0xFF; 3];
/// let mut elements = PackedSliceMut::<U4>::new(&mut bytes, 5)?;
/// elements.pack_from(&[1_u8, 2, 3, 4, 5])?;
/// elements.set(1, U4::MIN);
/// assert_eq!(elements.as_slice().get(4).map(U4::get), Some(5));
/// // The half of the last byte is beyond the five elements.
/// assert_eq!(bytes, [0x01, 0x43, 0xF5]);
/// # Ok::<(), packed_elements::PackedError>(())
/// ```
pub struct PackedSliceMut<'a, E> {
    // The bytes hold at least `len` elements.
    bytes: &'a mut [u8],
    len: usize,
    element: PhantomData<E>,
}

impl<'a, E: PackedElement> PackedSliceMut<'a, E> {
    /// Returns the first `len` elements in `bytes`.
    ///
    /// Fails if they need more bytes.
    pub const fn new(bytes: &'a mut [u8], len: usize) -> Result<Self> {
        match fits::<E>(len, bytes.len()) {
            Ok(()) => Ok(PackedSliceMut { bytes, len, element: PhantomData }),
            Err(error) => Err(error),
        }
    }

    /// Returns the elements for reading.
    pub const fn as_slice(&self) -> PackedSlice<'_, E> {
        PackedSlice { bytes: self.bytes, len: self.len, element: PhantomData }
    }

    /// Sets element `k`. Panics if there are not more than `k`.
    #[inline]
    #[track_caller]
    pub fn set(&mut self, k: usize, element: E) {
        let written = if k < self.len { write::<E>(self.bytes, k, element.to_bits()) } else { None };
        assert!(written.is_some(), "element {k} is beyond the {} packed elements", self.len);
    }

    /// Packs all elements: element `k` becomes `from[k]`, converted to an `E`.
    ///
    /// Fails if `from` has another length, and if a conversion fails. Then the elements from the failed one on may keep their values.
    ///
    /// ```
    /// use packed_elements::{PackedSliceMut, U2};
    /// let mut bytes = [0];
    /// let mut elements = PackedSliceMut::<U2>::new(&mut bytes, 4)?;
    /// elements.pack_from(&[3_u8, 0, 1, 2])?;
    /// assert_eq!(elements.pack_from(&[3_u8, 0, 4, 2]).unwrap_err().to_string(), "4 is not from 0 to 3");
    /// assert_eq!(elements.pack_from(&[U2::MAX]).unwrap_err().to_string(), "there are 4 packed elements, and 1 on the other side");
    /// assert_eq!(bytes, [0b10_01_00_11]);
    /// # Ok::<(), packed_elements::PackedError>(())
    /// ```
    pub fn pack_from<T: Copy>(&mut self, from: &[T]) -> Result<()>
    where
        E: TryFrom<T, Error: Into<PackedError>>,
    {
        same_length(self.len, from.len())?;
        let pattern = |value: &T| E::try_from(*value).map(E::to_bits).map_err(Into::into);
        let (groups, rest) = from.as_chunks::<8>();
        for (group, bytes) in groups.iter().zip(self.bytes.chunks_exact_mut(E::BITS as usize)) {
            let mut patterns = [0; 8];
            for (to, value) in patterns.iter_mut().zip(group) {
                *to = pattern(value)?;
            }
            write_eight::<E>(bytes, patterns);
        }
        let first = self.len - rest.len();
        for (k, value) in rest.iter().enumerate() {
            self.set(first + k, E::from_bits(pattern(value)?));
        }
        Ok(())
    }
}

impl<E: PackedElement + fmt::Debug> fmt::Debug for PackedSliceMut<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// An iterator over packed elements.
///
/// ```
/// use packed_elements::{PackedSlice, U2};
/// let mut elements = PackedSlice::<U2>::new(&[0b11_10_01_00], 4)?.iter();
/// assert_eq!((elements.len(), elements.next_back().map(U2::get)), (4, Some(3)));
/// assert!(elements.map(U2::get).eq([0, 1, 2]));
/// # Ok::<(), packed_elements::PackedError>(())
/// ```
pub struct PackedIter<'a, E> {
    elements: PackedSlice<'a, E>,
    /// The numbers of the remaining elements.
    range: Range<usize>,
}

impl<E> Clone for PackedIter<'_, E> {
    fn clone(&self) -> Self {
        PackedIter { elements: self.elements, range: self.range.clone() }
    }
}

impl<E: PackedElement> Iterator for PackedIter<'_, E> {
    type Item = E;

    #[inline]
    fn next(&mut self) -> Option<E> {
        self.elements.get(self.range.next()?)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<E> {
        self.elements.get(self.range.nth(n)?)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl<E: PackedElement> DoubleEndedIterator for PackedIter<'_, E> {
    #[inline]
    fn next_back(&mut self) -> Option<E> {
        self.elements.get(self.range.next_back()?)
    }
}

impl<E: PackedElement> ExactSizeIterator for PackedIter<'_, E> {}
impl<E: PackedElement> FusedIterator for PackedIter<'_, E> {}

impl<E: PackedElement + fmt::Debug> fmt::Debug for PackedIter<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// Returns the packed bytes of `elements`. Bits after the last element are 0.
///
/// ```
/// use packed_elements::{I4, pack, unpack};
/// let elements = [-8, 7, -1].map(|value| I4::new(value).expect("an integer of 4 bits"));
/// let bytes = pack(&elements);
/// assert_eq!(bytes, [0x78, 0x0F]);
/// assert_eq!(unpack::<I4>(&bytes, 3)?, elements);
/// # Ok::<(), packed_elements::PackedError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn pack<E: PackedElement>(elements: &[E]) -> alloc::vec::Vec<u8> {
    let mut bytes = alloc::vec![0; packed_bytes::<E>(elements.len()).expect("a slice of fewer bytes")];
    let len = elements.len();
    let packed = PackedSliceMut::<E>::new(&mut bytes, len).and_then(|mut to| to.pack_from(elements));
    packed.expect("as many elements, in enough bytes");
    bytes
}

/// Returns the first `len` elements in `bytes`.
///
/// Fails if they need more bytes.
///
/// ```
/// use packed_elements::{U2, unpack};
/// assert_eq!(unpack::<U2>(&[0b11_10_01_00], 3)?.last().map(|last| last.get()), Some(2));
/// assert_eq!(unpack::<U2>(&[0], 5).unwrap_err().to_string(), "5 elements of 2 bits do not fit 1 bytes");
/// # Ok::<(), packed_elements::PackedError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn unpack<E: PackedElement>(bytes: &[u8], len: usize) -> Result<alloc::vec::Vec<E>> {
    let packed = PackedSlice::<E>::new(bytes, len)?;
    let mut elements = alloc::vec![E::from_bits(0); len];
    packed.unpack_into(&mut elements)?;
    Ok(elements)
}

/// Fails if `len` elements need more than `bytes` bytes.
const fn fits<E: PackedElement>(len: usize, bytes: usize) -> Result<()> {
    match packed_bytes::<E>(len) {
        Some(needed) if needed <= bytes => Ok(()),
        _ => Err(PackedError::Bytes { elements: len, bits: E::BITS, bytes }),
    }
}

fn same_length(packed: usize, unpacked: usize) -> Result<()> {
    if packed == unpacked { Ok(()) } else { Err(PackedError::Length { packed, unpacked }) }
}
