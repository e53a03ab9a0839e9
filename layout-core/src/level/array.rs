//! Containers of index numbers: the arrays of a level, borrowed or owned, in memory or in flash.

use super::index::Index;

/// A container of index numbers: a slice, an array, and with `alloc` a `Vec`, a boxed slice or a `Cow`.
///
/// ```
/// use layout_core::level::IndexArray;
/// static OFFSETS: [u16; 4] = [0, 3, 4, 6];
/// assert_eq!((OFFSETS.at(2), (&OFFSETS[..]).at(3), OFFSETS.at(4)), (4, 6, 0));
/// ```
pub trait IndexArray {
    /// What it holds.
    type Index: Index;

    /// The numbers.
    fn words(&self) -> &[Self::Index];

    /// Number `k`, or 0 where there is none.
    #[inline(always)]
    fn at(&self, k: usize) -> usize {
        self.words().get(k).map_or(0, |index| index.to_usize())
    }
}

impl<I: Index> IndexArray for [I] {
    type Index = I;
    #[inline(always)]
    fn words(&self) -> &[I] {
        self
    }
}

impl<I: Index, const N: usize> IndexArray for [I; N] {
    type Index = I;
    #[inline(always)]
    fn words(&self) -> &[I] {
        self
    }
}

impl<A: IndexArray + ?Sized> IndexArray for &A {
    type Index = A::Index;
    #[inline(always)]
    fn words(&self) -> &[A::Index] {
        A::words(self)
    }
}

#[cfg(feature = "alloc")]
mod owned {
    use super::{Index, IndexArray};
    use alloc::{borrow::Cow, boxed::Box, vec::Vec};

    macro_rules! owned {
        ($($type:ty)*) => { $(
            impl<I: Index> IndexArray for $type {
                type Index = I;
                #[inline(always)]
                fn words(&self) -> &[I] {
                    self
                }
            }
        )* };
    }

    owned! { Vec<I> Box<[I]> Cow<'_, [I]> }
}
