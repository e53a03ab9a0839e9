//! Containers of index numbers: the arrays of a level, borrowed or owned, in memory or in flash.

mod sealed {
    pub trait Sealed {}
}

/// A number as an index array stores it: any unsigned integer, or `i32` and `i64` as other libraries use them.
pub trait Word: Copy + Ord + core::fmt::Debug + Send + Sync + sealed::Sealed + 'static {
    /// The number as an address, if it is one.
    fn address(self) -> Option<usize>;

    /// The number modulo `2^usize::BITS`: itself, where a constructor has found it to be an address.
    fn as_usize(self) -> usize;

    /// The number.
    fn exact(self) -> i128;
}

macro_rules! word {
    ($($type:ident)*) => { $(
        impl sealed::Sealed for $type {}

        impl Word for $type {
            #[inline(always)]
            fn address(self) -> Option<usize> {
                usize::try_from(self).ok()
            }

            #[inline(always)]
            fn as_usize(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn exact(self) -> i128 {
                self as i128
            }
        }
    )* };
}

word! { u8 u16 u32 u64 usize i32 i64 }

/// A container of index numbers: a slice, an array, and with `alloc` a `Vec`, a boxed slice or a `Cow`.
///
/// ```
/// use layout_core::level::IndexArray;
/// static OFFSETS: [u16; 4] = [0, 3, 4, 6];
/// assert_eq!((OFFSETS.at(2), (&OFFSETS[..]).at(3), OFFSETS.at(4)), (4, 6, 0));
/// ```
pub trait IndexArray {
    /// What it holds.
    type Word: Word;

    /// The numbers.
    fn words(&self) -> &[Self::Word];

    /// Number `k`, or 0 where there is none.
    #[inline(always)]
    fn at(&self, k: usize) -> usize {
        self.words().get(k).map_or(0, |word| word.as_usize())
    }
}

impl<W: Word> IndexArray for [W] {
    type Word = W;
    #[inline(always)]
    fn words(&self) -> &[W] {
        self
    }
}

impl<W: Word, const N: usize> IndexArray for [W; N] {
    type Word = W;
    #[inline(always)]
    fn words(&self) -> &[W] {
        self
    }
}

impl<A: IndexArray + ?Sized> IndexArray for &A {
    type Word = A::Word;
    #[inline(always)]
    fn words(&self) -> &[A::Word] {
        A::words(self)
    }
}

#[cfg(feature = "alloc")]
mod owned {
    use super::{IndexArray, Word};
    use alloc::{borrow::Cow, boxed::Box, vec::Vec};

    macro_rules! owned {
        ($($type:ty)*) => { $(
            impl<W: Word> IndexArray for $type {
                type Word = W;
                #[inline(always)]
                fn words(&self) -> &[W] {
                    self
                }
            }
        )* };
    }

    owned! { Vec<W> Box<[W]> Cow<'_, [W]> }
}
