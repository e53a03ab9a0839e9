//! The box that a copy moves, and its swizzle.

use crate::swizzle::Swizzle;

crate::named_enum! {
    /// The swizzle of a box in shared memory. Its name is the end of the name in C.
    ///
    /// ```
    /// use layout_algebra::{Swizzle, memory::TensorMapSwizzle};
    /// // Bits 4 to 6 of the byte are exchanged by bits 7 to 9.
    /// assert_eq!(TensorMapSwizzle::B128.of_bytes(), Some(Swizzle::new(3, 4, 3)?));
    /// assert_eq!(TensorMapSwizzle::B128Atom32.of_bytes(), Some(Swizzle::new(2, 5, 2)?));
    /// assert_eq!((TensorMapSwizzle::B64.span(), TensorMapSwizzle::B64.number()), (64, 2));
    /// assert_eq!((TensorMapSwizzle::default().of_bytes(), TensorMapSwizzle::None.span()), (None, 0));
    /// assert_eq!((TensorMapSwizzle::from_name("128B"), TensorMapSwizzle::B32.name()), (Some(TensorMapSwizzle::B128), "32B"));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum TensorMapSwizzle {
        /// `CU_TENSOR_MAP_SWIZZLE_NONE`: no swizzle.
        #[default]
        None = "NONE",
        /// `CU_TENSOR_MAP_SWIZZLE_32B`: chunks of 16 bytes within 32 bytes.
        B32 = "32B",
        /// `CU_TENSOR_MAP_SWIZZLE_64B`: chunks of 16 bytes within 64 bytes.
        B64 = "64B",
        /// `CU_TENSOR_MAP_SWIZZLE_128B`: chunks of 16 bytes within 128 bytes.
        B128 = "128B",
        /// `CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B`, from CUDA 12.8 on: chunks of 32 bytes within 128 bytes. The pattern is the one of
        /// CUTLASS, `get_tma_swizzle_base` in `copy_traits_sm90_tma_swizzle.hpp`.
        B128Atom32 = "128B_ATOM_32B",
    }
}

impl TensorMapSwizzle {
    /// Returns the number of the enumerator of `CUtensorMapSwizzle`.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Returns the number of bytes within which chunks are exchanged, the greatest length of a row; 0 without a swizzle.
    pub const fn span(self) -> i64 {
        match self {
            TensorMapSwizzle::None => 0,
            TensorMapSwizzle::B32 => 32,
            TensorMapSwizzle::B64 => 64,
            TensorMapSwizzle::B128 | TensorMapSwizzle::B128Atom32 => 128,
        }
    }

    /// Returns the swizzle of the byte in shared memory; `None` without one.
    pub const fn of_bytes(self) -> Option<Swizzle> {
        let (bits, base, shift) = match self {
            TensorMapSwizzle::None => return None,
            TensorMapSwizzle::B32 => (1, 4, 3),
            TensorMapSwizzle::B64 => (2, 4, 3),
            TensorMapSwizzle::B128 => (3, 4, 3),
            TensorMapSwizzle::B128Atom32 => (2, 5, 2),
        };
        match Swizzle::new(bits, base, shift) {
            Ok(swizzle) => Some(swizzle),
            Err(error) => crate::error::refuse(error),
        }
    }
}

/// The box of elements that one copy moves between global and shared memory.
///
/// ```
/// use layout_algebra::memory::{TensorBox, TensorMapSwizzle};
/// // 64 by 8 floats of every second column, in an array that begins at the address 4096.
/// let tile = TensorBox::new(32, &[32, 16]).stepping(&[1, 2]).swizzled(TensorMapSwizzle::B128).at(4096);
/// assert_eq!((tile.element_bits, tile.extents, tile.element_strides), (32, &[32, 16][..], &[1, 2][..]));
/// assert_eq!((tile.swizzle, tile.address), (TensorMapSwizzle::B128, 4096));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorBox<'a> {
    /// The number of bits of an element: 8, 16, 32 or 64.
    pub element_bits: u32,
    /// The extent of the box in each mode of the layout, in elements of global memory.
    pub extents: &'a [i64],
    /// The step between copied elements in each mode of the layout; empty for 1 in every mode.
    pub element_strides: &'a [i64],
    /// The swizzle in shared memory.
    pub swizzle: TensorMapSwizzle,
    /// The address of element 0 in global memory, in bytes; 0 if every address is a multiple of 16.
    pub address: u64,
}

impl<'a> TensorBox<'a> {
    /// Returns a box of `extents` elements of `element_bits` bits, without steps and swizzle.
    pub const fn new(element_bits: u32, extents: &'a [i64]) -> Self {
        TensorBox { element_bits, extents, element_strides: &[], swizzle: TensorMapSwizzle::None, address: 0 }
    }

    /// Returns the box with a swizzle.
    pub const fn swizzled(self, swizzle: TensorMapSwizzle) -> Self {
        TensorBox { swizzle, ..self }
    }

    /// Returns the box that copies only the elements at multiples of `element_strides` in each mode. Its extents stay.
    pub const fn stepping(self, element_strides: &'a [i64]) -> Self {
        TensorBox { element_strides, ..self }
    }

    /// Returns the box in an array whose element 0 is at `address`.
    pub const fn at(self, address: u64) -> Self {
        TensorBox { address, ..self }
    }
}
