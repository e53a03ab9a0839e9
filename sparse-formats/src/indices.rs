//! Index arrays of the width that fits, owned or borrowed.

use crate::memory;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use layout_core::level::Index;

/// The width of an index array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Width {
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
}

impl Width {
    /// The narrowest width that holds `most`.
    ///
    /// ```
    /// use sparse_formats::Width;
    /// assert_eq!((Width::of(255), Width::of(256), Width::of(1 << 32)), (Width::U8, Width::U16, Width::U64));
    /// ```
    pub const fn of(most: u64) -> Width {
        if most <= u8::MAX as u64 {
            Width::U8
        } else if most <= u16::MAX as u64 {
            Width::U16
        } else if most <= u32::MAX as u64 {
            Width::U32
        } else {
            Width::U64
        }
    }

    /// Its number of bits.
    pub const fn bits(self) -> u32 {
        match self {
            Width::U8 => 8,
            Width::U16 => 16,
            Width::U32 => 32,
            Width::U64 => 64,
        }
    }

    /// The greatest number it holds.
    pub const fn most(self) -> u64 {
        match self {
            Width::U8 => u8::MAX as u64,
            Width::U16 => u16::MAX as u64,
            Width::U32 => u32::MAX as u64,
            Width::U64 => u64::MAX,
        }
    }
}

/// An index type that [`Indices`] hold: `u8`, `u16`, `u32` or `u64`.
pub trait IndexType: Index {
    /// Its width.
    const WIDTH: Width;

    /// The numbers, if they are of this type.
    fn slice<'s>(indices: &'s Indices<'_>) -> Option<&'s [Self]>;
}

/// An index array: coordinates or positions, in one of four widths, owned or borrowed.
#[derive(Clone, Debug)]
pub enum Indices<'a> {
    /// 8 bits.
    U8(Cow<'a, [u8]>),
    /// 16 bits.
    U16(Cow<'a, [u16]>),
    /// 32 bits.
    U32(Cow<'a, [u32]>),
    /// 64 bits.
    U64(Cow<'a, [u64]>),
}

/// `body` with `array` bound to the slice of `indices`, whatever its width.
#[macro_export]
macro_rules! with_indices {
    ($indices:expr, $array:ident => $body:expr) => {
        match $indices {
            $crate::Indices::U8($array) => $body,
            $crate::Indices::U16($array) => $body,
            $crate::Indices::U32($array) => $body,
            $crate::Indices::U64($array) => $body,
        }
    };
}

impl Indices<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        with_indices!(self, array => array.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number `k`, where there is one.
    pub fn get(&self, k: usize) -> Option<u64> {
        with_indices!(self, array => array.get(k).map(|x| x.to_u64()))
    }

    /// The numbers, if they are of this type.
    ///
    /// ```
    /// use sparse_formats::Indices;
    /// let indices = Indices::from(vec![3u16, 5]);
    /// assert_eq!((indices.as_slice::<u16>(), indices.as_slice::<u32>()), (Some(&[3, 5][..]), None));
    /// ```
    pub fn as_slice<T: IndexType>(&self) -> Option<&[T]> {
        T::slice(self)
    }

    /// The width.
    pub const fn width(&self) -> Width {
        match self {
            Indices::U8(_) => Width::U8,
            Indices::U16(_) => Width::U16,
            Indices::U32(_) => Width::U32,
            Indices::U64(_) => Width::U64,
        }
    }

    /// The numbers.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.len()).map(|k| with_indices!(self, array => array[k].to_u64()))
    }

    /// The same, owning its array.
    pub fn into_owned(self) -> Indices<'static> {
        match self {
            Indices::U8(array) => Indices::U8(Cow::Owned(memory::owned(array))),
            Indices::U16(array) => Indices::U16(Cow::Owned(memory::owned(array))),
            Indices::U32(array) => Indices::U32(Cow::Owned(memory::owned(array))),
            Indices::U64(array) => Indices::U64(Cow::Owned(memory::owned(array))),
        }
    }

    /// The same numbers, borrowed.
    pub fn view(&self) -> Indices<'_> {
        match self {
            Indices::U8(array) => Indices::U8(Cow::Borrowed(array)),
            Indices::U16(array) => Indices::U16(Cow::Borrowed(array)),
            Indices::U32(array) => Indices::U32(Cow::Borrowed(array)),
            Indices::U64(array) => Indices::U64(Cow::Borrowed(array)),
        }
    }
}

/// Equal numbers, whatever the widths.
impl PartialEq for Indices<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

macro_rules! from_array {
    ($($type:ident $variant:ident)*) => { $(
        impl IndexType for $type {
            const WIDTH: Width = Width::$variant;

            fn slice<'s>(indices: &'s Indices<'_>) -> Option<&'s [Self]> {
                if let Indices::$variant(array) = indices { Some(array) } else { None }
            }
        }

        impl From<Vec<$type>> for Indices<'_> {
            fn from(array: Vec<$type>) -> Self {
                Indices::$variant(Cow::Owned(array))
            }
        }

        impl<'a> From<&'a [$type]> for Indices<'a> {
            fn from(array: &'a [$type]) -> Self {
                Indices::$variant(Cow::Borrowed(array))
            }
        }
    )* };
}

from_array! { u8 U8 u16 U16 u32 U32 u64 U64 }
