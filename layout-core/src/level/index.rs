//! The integers that index arrays are made of.

mod sealed {
    pub trait Sealed {}
}

/// An unsigned integer of an index array: a coordinate, or a position.
///
/// ```
/// use layout_core::level::Index;
/// assert_eq!(u8::from_usize(255), Some(255));
/// assert_eq!(u8::from_usize(256), None);
/// assert_eq!(7u32.to_usize(), 7);
/// ```
pub trait Index: super::Word + Default + core::fmt::Display + sealed::Sealed {
    /// Its width in bits.
    const BITS: u32;

    /// Its greatest value that addresses memory.
    const MOST: usize;

    /// The number, which fits: arrays of wider numbers are checked when they are made.
    fn to_usize(self) -> usize;

    /// The number as 64 bits.
    fn to_u64(self) -> u64;

    /// The index of this value, where it has one.
    fn from_usize(value: usize) -> Option<Self>;

    /// The number of this type, where it has one: it need not address memory.
    fn from_u64(value: u64) -> Option<Self>;
}

macro_rules! index {
    ($($type:ident)*) => { $(
        impl sealed::Sealed for $type {}

        impl Index for $type {
            const BITS: u32 = <$type>::BITS;
            const MOST: usize = if <$type>::BITS < usize::BITS { <$type>::MAX as usize } else { usize::MAX };

            #[inline(always)]
            fn to_usize(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn from_usize(value: usize) -> Option<Self> {
                if value <= Self::MOST { Some(value as $type) } else { None }
            }

            #[inline(always)]
            fn from_u64(value: u64) -> Option<Self> {
                if value <= <$type>::MAX as u64 { Some(value as $type) } else { None }
            }
        }
    )* };
}

index! { u8 u16 u32 u64 usize }
