//! Index types of matrices of sprs, and arrays of them that are the library's by their bits.

use super::SprsError;
use crate::{ArrayName, Indices};
use alloc::vec::Vec;
use bytemuck::{Pod, cast_slice, cast_vec};
use layout_core::level::Index;
use sprs::SpIndex;

/// An index type of matrices of sprs: `u16`, `u32`, `u64`, `usize`, or the signed types of as many bits.
///
/// Arrays of these are shared by their bits: `usize` has those of `u64`, and a number that is not negative has those of the unsigned type.
pub trait SprsIndex: Index + SpIndex + Pod {}

impl<T: Index + SpIndex + Pod> SprsIndex for T {}

/// A borrowed array as indices.
pub(super) fn borrowed<I: SprsIndex>(array: &[I]) -> Indices<'_> {
    match size_of::<I>() {
        1 => cast_slice::<_, u8>(array).into(),
        2 => cast_slice::<_, u16>(array).into(),
        4 => cast_slice::<_, u32>(array).into(),
        _ => cast_slice::<_, u64>(array).into(),
    }
}

/// An owned array as indices.
pub(super) fn owned<I: SprsIndex>(array: Vec<I>) -> Indices<'static> {
    match size_of::<I>() {
        1 => cast_vec::<_, u8>(array).into(),
        2 => cast_vec::<_, u16>(array).into(),
        4 => cast_vec::<_, u32>(array).into(),
        _ => cast_vec::<_, u64>(array).into(),
    }
}

/// An array of indices whose width is that of the type.
pub(super) fn slice<'i, I: SprsIndex>(indices: &'i Indices, array: ArrayName) -> Result<&'i [I], SprsError> {
    let (found, expected) = (indices.width().bits(), size_of::<I>() as u32 * 8);
    if found != expected {
        return Err(SprsError::Width { array, found, expected });
    }
    Ok(match indices {
        Indices::U8(array) => cast_slice(array),
        Indices::U16(array) => cast_slice(array),
        Indices::U32(array) => cast_slice(array),
        Indices::U64(array) => cast_slice(array),
    })
}

/// An array of indices, moved where its width is that of the type, copied where it is not; the numbers fit.
pub(super) fn vec<I: SprsIndex>(indices: Indices) -> Vec<I> {
    match (size_of::<I>(), indices) {
        (1, Indices::U8(array)) => cast_vec(array.into_owned()),
        (2, Indices::U16(array)) => cast_vec(array.into_owned()),
        (4, Indices::U32(array)) => cast_vec(array.into_owned()),
        (8, Indices::U64(array)) => cast_vec(array.into_owned()),
        (_, indices) => indices.iter().map(I::truncate).collect(),
    }
}

/// The greatest number that the type holds.
pub(super) const fn most<I: Index>() -> u64 {
    u64::MAX >> (64 - I::BITS)
}
