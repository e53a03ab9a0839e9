//! The integers of index arrays, and their containers: borrowed or owned, in memory or in flash.

mod sealed {
    pub trait Sealed {}
}

/// An integer type of coordinates, positions or offsets. Signed types serve the arrays of other libraries.
///
/// ```
/// use layout_levels::Index;
/// assert_eq!((u8::from_usize(255), u8::from_usize(256), i8::from_usize(128)), (Some(255), None, None));
/// assert_eq!((7u32.to_usize(), (-7i32).address(), (-7i32).exact()), (7, None, -7));
/// assert_eq!((<i32 as Index>::BITS, <i32 as Index>::SIGNED, <i32 as Index>::MOST), (31, true, 0x7fff_ffff));
/// assert_eq!((i32::downcast(u32::erase(&[1])), u32::downcast(u32::erase(&[1]))), (None, Some(&[1][..])));
/// // Numbers that need not be addresses, such as coordinates of huge arrays, are `u64`.
/// assert_eq!((u32::from_u64(1 << 32), (5u8).to_u64(), u8::from_low_bits(0x1234)), (None, 5, 0x34));
/// ```
pub trait Index: Copy + Ord + Default + core::fmt::Debug + core::fmt::Display + Send + Sync + sealed::Sealed + 'static {
    /// The number of bits that hold a magnitude: the width of the type, less 1 if the type is signed.
    const BITS: u32;

    /// The greatest number of this type that addresses memory.
    const MOST: usize = usize::MAX >> usize::BITS.saturating_sub(Self::BITS);

    /// True if the type has negative numbers. A negative number is never a valid index.
    const SIGNED: bool;

    /// Returns the number as an address, or `None` if it is negative or too large.
    fn address(self) -> Option<usize>;

    /// Returns the number modulo `2^usize::BITS`, which is the number itself if it is an address.
    fn to_usize(self) -> usize;

    /// Returns the number modulo `2^64`, which is the number itself if it is not negative.
    fn to_u64(self) -> u64;

    /// Returns the number exactly, also if it is negative.
    fn exact(self) -> i128;

    /// Converts `value` to this type, or returns `None` if it does not fit.
    #[inline(always)]
    fn from_usize(value: usize) -> Option<Self> {
        Self::from_u64(value as u64)
    }

    /// Converts `value` to this type, or returns `None` if it does not fit. The value need not address memory.
    fn from_u64(value: u64) -> Option<Self>;

    /// Converts the low bits of `value` to this type: `from_u64` of a value that fits, without a comparison.
    fn from_low_bits(value: u64) -> Self;

    /// Returns the array as the variant of `IndexSlice` for this type.
    fn erase(array: &[Self]) -> IndexSlice<'_>;

    /// Returns the array if its numbers have this type, otherwise `None`.
    fn downcast(array: IndexSlice<'_>) -> Option<&[Self]>;
}

macro_rules! index {
    ($($type:ident $variant:ident $bits:expr;)*) => {
        /// An index array whose type is known at run time.
        ///
        /// ```
        /// use layout_levels::{Index, IndexSlice, LevelError, Ragged};
        /// /// Returns the number of rows, for offsets as a file has them. Other widths are refused.
        /// fn rows(offsets: IndexSlice<'_>) -> Result<Option<usize>, LevelError> {
        ///     Ok(match offsets {
        ///         IndexSlice::I32(offsets) => Some(Ragged::new(offsets)?.rows()),
        ///         IndexSlice::I64(offsets) => Some(Ragged::new(offsets)?.rows()),
        ///         _ => None,
        ///     })
        /// }
        /// assert_eq!((rows(i64::erase(&[0, 2, 5]))?, rows(u8::erase(&[0, 2, 5]))?), (Some(2), None));
        /// assert!(rows(IndexSlice::I32(&[0, -1])).is_err());
        /// # Ok::<(), LevelError>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum IndexSlice<'a> {
            $(
                #[doc = concat!("Of `", stringify!($type), "`.")]
                $variant(&'a [$type]),
            )*
        }

        $(
            impl sealed::Sealed for $type {}

            impl Index for $type {
                const BITS: u32 = $bits;
                const SIGNED: bool = $type::MIN != 0;

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
                fn from_u64(value: u64) -> Option<Self> {
                    $type::try_from(value).ok()
                }

                #[inline(always)]
                fn from_low_bits(value: u64) -> Self {
                    value as $type
                }

                #[inline(always)]
                fn erase(array: &[Self]) -> IndexSlice<'_> {
                    IndexSlice::$variant(array)
                }

                #[inline(always)]
                fn downcast(array: IndexSlice<'_>) -> Option<&[Self]> {
                    if let IndexSlice::$variant(array) = array { Some(array) } else { None }
                }
            }
        )*
    };
}

index! {
    u8 U8 8; u16 U16 16; u32 U32 32; u64 U64 64; usize Usize usize::BITS;
    i8 I8 7; i16 I16 15; i32 I32 31; i64 I64 63; isize Isize usize::BITS - 1;
}

/// A container of indices: a slice or an array; with `alloc` also a `Vec`, a boxed slice or a `Cow`.
///
/// ```
/// use layout_levels::IndexArray;
/// static OFFSETS: [u16; 4] = [0, 3, 4, 6];
/// assert_eq!((OFFSETS.at(2), (&OFFSETS[..]).at(3), OFFSETS.at(4)), (4, 6, 0));
/// /// Returns the number of elements that the offsets of a level describe.
/// fn elements(offsets: &impl IndexArray) -> usize {
///     offsets.at(offsets.indices().len() - 1) - offsets.at(0)
/// }
/// assert_eq!((elements(&OFFSETS), elements(&[2_i64, 5])), (6, 3));
/// ```
pub trait IndexArray {
    /// The type of the numbers.
    type Index: Index;

    /// Returns the numbers of the container as a slice.
    fn indices(&self) -> &[Self::Index];

    /// Returns the number at index `k`, counted from 0, or 0 if the container has no such index.
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
