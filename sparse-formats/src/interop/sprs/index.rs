//! Index types of sprs, and those here with the same bits.

use crate::{ArrayName, Indices, Width};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use bytemuck::Pod;
use layout_core::level::Index;
use sprs::SpIndex;

use super::SprsError;

/// An index type of sprs: 16, 32 or 64 bits, signed or not; signed numbers that are not negative have the bits of unsigned ones.
pub trait SprsIndex: SpIndex + Pod + sealed::Bits {}

pub(super) mod sealed {
    use super::*;

    /// The unsigned type of the same size.
    pub trait Bits: Sized {
        /// That type.
        type Unsigned: Pod + Index;
        /// Its width.
        const WIDTH: Width;
        /// The bits that hold numbers: without the sign.
        const NUMBER_BITS: u32;

        /// The array as one of indices.
        fn indices(array: Cow<'_, [Self::Unsigned]>) -> Indices<'_>;

        /// The array of indices, if it has this width.
        fn of<'i, 'a>(indices: &'i Indices<'a>) -> Option<&'i Cow<'a, [Self::Unsigned]>>;

        /// The array of indices, if it has this width, or the indices.
        fn take(indices: Indices<'_>) -> Result<Cow<'_, [Self::Unsigned]>, Indices<'_>>;
    }
}

macro_rules! sprs_index {
    ($($type:ident $unsigned:ident $variant:ident $bits:literal)*) => { $(
        impl SprsIndex for $type {}

        impl sealed::Bits for $type {
            type Unsigned = $unsigned;
            const WIDTH: Width = Width::$variant;
            const NUMBER_BITS: u32 = $bits;

            fn indices(array: Cow<'_, [$unsigned]>) -> Indices<'_> {
                Indices::$variant(array)
            }

            fn of<'i, 'a>(indices: &'i Indices<'a>) -> Option<&'i Cow<'a, [$unsigned]>> {
                if let Indices::$variant(array) = indices { Some(array) } else { None }
            }

            fn take(indices: Indices<'_>) -> Result<Cow<'_, [$unsigned]>, Indices<'_>> {
                if let Indices::$variant(array) = indices { Ok(array) } else { Err(indices) }
            }
        }
    )* };
}

sprs_index! { u16 u16 U16 16  i16 u16 U16 15  u32 u32 U32 32  i32 u32 U32 31  u64 u64 U64 64  i64 u64 U64 63 }
#[cfg(target_pointer_width = "64")]
sprs_index! { usize u64 U64 64  isize u64 U64 63 }
#[cfg(target_pointer_width = "32")]
sprs_index! { usize u32 U32 32  isize u32 U32 31 }

/// A borrowed array as indices.
pub(super) fn borrowed<I: SprsIndex>(array: &[I]) -> Indices<'_> {
    I::indices(Cow::Borrowed(bytemuck::cast_slice(array)))
}

/// An owned array as indices.
pub(super) fn owned<I: SprsIndex>(array: Vec<I>) -> Indices<'static> {
    I::indices(Cow::Owned(bytemuck::cast_vec(array)))
}

/// An array of indices whose width is that of the type.
pub(super) fn slice<'i, I: SprsIndex>(indices: &'i Indices, array: ArrayName) -> Result<&'i [I], SprsError> {
    let width = SprsError::Width { array, found: indices.width().bits(), expected: I::WIDTH.bits() };
    Ok(bytemuck::cast_slice(I::of(indices).ok_or(width)?))
}

/// An array of indices, moved where its width is that of the type, copied where it is not; the numbers fit.
pub(super) fn vec<I: SprsIndex>(indices: Indices) -> Vec<I> {
    match I::take(indices) {
        Ok(array) => bytemuck::cast_vec(array.into_owned()),
        Err(indices) => indices.iter().map(|number| I::from_usize_unchecked(number as usize)).collect(),
    }
}

/// The greatest number that the type holds.
pub(super) const fn most<I: SprsIndex>() -> u64 {
    u64::MAX >> (64 - I::NUMBER_BITS)
}
