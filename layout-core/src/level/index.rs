//! The integers of index arrays, and their containers: borrowed or owned, in memory or in flash.

mod sealed {
    pub trait Sealed {}
}

/// An integer of an index array, a coordinate or a position: unsigned, or `i32` and `i64` as other libraries store them.
///
/// ```
/// use layout_core::level::Index;
/// assert_eq!((u8::from_usize(255), u8::from_usize(256)), (Some(255), None));
/// assert_eq!((7_u32.to_usize(), (-1_i32).address(), (-1_i32).exact()), (7, None, -1));
/// ```
pub trait Index: Copy + Ord + Default + core::fmt::Debug + core::fmt::Display + Send + Sync + sealed::Sealed + 'static {
    /// Its width in bits.
    const BITS: u32;

    /// Its greatest value that addresses memory.
    const MOST: usize;

    /// The number as an address, if it is one.
    fn address(self) -> Option<usize>;

    /// The number modulo `2^usize::BITS`: itself, where a constructor has found it to be an address.
    fn to_usize(self) -> usize;

    /// The number modulo `2^64`: itself, unless it is negative.
    fn to_u64(self) -> u64;

    /// The number.
    fn exact(self) -> i128;

    /// The index of this value, if the type has it.
    fn from_usize(value: usize) -> Option<Self>;

    /// The index of this value, if the type has it: it need not address memory.
    fn from_u64(value: u64) -> Option<Self>;
}

macro_rules! index {
    ($($type:ident)*) => { $(
        impl sealed::Sealed for $type {}

        impl Index for $type {
            const BITS: u32 = <$type>::BITS;
            const MOST: usize = if (<$type>::MAX as u64) < usize::MAX as u64 { <$type>::MAX as usize } else { usize::MAX };

            #[inline(always)]
            fn address(self) -> Option<usize> {
                usize::try_from(self).ok()
            }

            #[inline(always)]
            fn to_usize(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn exact(self) -> i128 {
                self as i128
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

index! { u8 u16 u32 u64 usize i32 i64 }

/// A container of index numbers: a slice, an array, and with `alloc` a `Vec`, a boxed slice or a `Cow`.
///
/// ```
/// use layout_core::level::IndexArray;
/// static OFFSETS: [u16; 4] = [0, 3, 4, 6];
/// assert_eq!((OFFSETS.at(2), (&OFFSETS[..]).at(3), OFFSETS.at(4)), (4, 6, 0));
/// ```
pub trait IndexArray {
    /// The type of the numbers.
    type Index: Index;

    /// The numbers.
    fn indices(&self) -> &[Self::Index];

    /// Number `k`, or 0 where there is none.
    #[inline(always)]
    fn at(&self, k: usize) -> usize {
        self.indices().get(k).map_or(0, |index| index.to_usize())
    }
}

impl<A: IndexArray + ?Sized> IndexArray for &A {
    type Index = A::Index;
    #[inline(always)]
    fn indices(&self) -> &[A::Index] {
        A::indices(self)
    }
}

macro_rules! arrays {
    ($([$($generics:tt)*] $type:ty;)*) => { $(
        impl<I: Index, $($generics)*> IndexArray for $type {
            type Index = I;
            #[inline(always)]
            fn indices(&self) -> &[I] {
                self
            }
        }
    )* };
}

arrays! { [] [I]; [const N: usize] [I; N]; }

#[cfg(feature = "alloc")]
arrays! { [] alloc::vec::Vec<I>; [] alloc::boxed::Box<[I]>; [] alloc::borrow::Cow<'_, [I]>; }
