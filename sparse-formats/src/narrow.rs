//! Index arrays of a width chosen at run time.

use crate::memory::room;
use crate::{IndexType, Indices, Width};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use layout_core::level::Index;

/// The index of a number, which fits: cut to the width of the type, so that loops over many are free of a comparison for each.
#[inline(always)]
pub(crate) fn fitting<T: Index>(number: u64) -> T {
    T::from_u64(number & (u64::MAX >> (64 - T::BITS))).unwrap_or_default()
}

/// An index type that a number known to fit is cut to.
pub(crate) trait Narrow: IndexType + Into<u64>
where
    Indices<'static>: From<Vec<Self>>,
{
    /// The number, which fits.
    fn narrow(value: u64) -> Self;
}

macro_rules! narrow {
    ($($type:ident)*) => { $(
        impl Narrow for $type {
            #[inline(always)]
            fn narrow(value: u64) -> Self {
                value as $type
            }
        }
    )* };
}

narrow! { u8 u16 u32 u64 }

/// `body` with `$type` the index type of a width.
macro_rules! with_width {
    ($width:expr, $type:ident => $body:expr) => {
        match $width {
            $crate::Width::U8 => {
                type $type = u8;
                $body
            }
            $crate::Width::U16 => {
                type $type = u16;
                $body
            }
            $crate::Width::U32 => {
                type $type = u32;
                $body
            }
            $crate::Width::U64 => {
                type $type = u64;
                $body
            }
        }
    };
}
pub(crate) use with_width;

impl Indices<'static> {
    /// Numbers in the narrowest width that holds them all.
    ///
    /// ```
    /// use sparse_formats::{Indices, Width};
    /// let indices = Indices::narrowest(&[3, 256]);
    /// assert_eq!((indices.width(), indices.get(1)), (Width::U16, Some(256)));
    /// ```
    pub fn narrowest(numbers: &[u64]) -> Indices<'static> {
        Indices::cut(numbers, Width::of(numbers.iter().copied().max().unwrap_or(0)))
    }

    /// Numbers that fit a width.
    pub(crate) fn cut(numbers: &[u64], width: Width) -> Indices<'static> {
        with_width!(width, T => numbers.iter().map(|number| T::narrow(*number)).collect::<Vec<T>>().into())
    }
}

impl Indices<'_> {
    /// The numbers as those of a type that holds them, unless memory has no room.
    pub(crate) fn cast<T: Narrow>(&self) -> Option<Cow<'_, [T]>>
    where
        Indices<'static>: From<Vec<T>>,
    {
        if let Some(slice) = self.as_slice() {
            return Some(Cow::Borrowed(slice));
        }
        let mut out = room(self.len())?;
        crate::with_indices!(self, array => out.extend(array.iter().map(|x| T::narrow(x.to_u64()))));
        Some(Cow::Owned(out))
    }

    /// The numbers at `places`, in their order; every place exists.
    pub(crate) fn gather(&self, places: &[usize]) -> Indices<'static> {
        crate::with_indices!(self, array => places.iter().map(|place| array[*place]).collect::<Vec<_>>().into())
    }
}
