//! The number types of offsets, and arrays of them that a level can be made of.

use super::level::DynLevel;
use crate::Indices;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use layout_core::level::{Index, LevelError, Ragged, Views};

/// A number type of offsets: `u32`, `u64`, `i32` or `i64`.
pub trait OffsetWord: Index + TryFrom<u64> {
    /// What a level of such offsets is called.
    #[doc(hidden)]
    const OFFSETS: &'static str;

    /// The level of these offsets.
    fn level(offsets: Cow<'_, [Self]>) -> Result<DynLevel<'_>, LevelError>;

    /// The level of rows anywhere among `positions` positions.
    fn views<'a>(starts: Cow<'a, [Self]>, sizes: Cow<'a, [Self]>, positions: usize) -> Result<DynLevel<'a>, LevelError>;

    /// The offsets of a level that stores them in this type.
    fn offsets_of<'l>(level: &'l DynLevel<'_>) -> Option<&'l [Self]>;

    /// These numbers: the same array where it is of this type, else a copy; `None` if one does not fit.
    fn of_indices(indices: Indices<'_>) -> Option<Cow<'_, [Self]>>;
}

macro_rules! offset_words {
    ($($word:ident $offsets:ident $views:ident $($shared:ident)?;)*) => { $(
        impl OffsetWord for $word {
            const OFFSETS: &'static str = concat!(stringify!($word), " offsets");

            fn level(offsets: Cow<'_, [Self]>) -> Result<DynLevel<'_>, LevelError> {
                Ok(DynLevel::$offsets(Ragged::new(offsets)?))
            }

            fn views<'a>(starts: Cow<'a, [Self]>, sizes: Cow<'a, [Self]>, positions: usize) -> Result<DynLevel<'a>, LevelError> {
                Ok(DynLevel::$views(Views::new(starts, sizes, positions)?))
            }

            fn offsets_of<'l>(level: &'l DynLevel<'_>) -> Option<&'l [Self]> {
                match level {
                    DynLevel::$offsets(level) => Some(level.offsets()),
                    _ => None,
                }
            }

            fn of_indices(indices: Indices<'_>) -> Option<Cow<'_, [Self]>> {
                match indices {
                    $(Indices::$shared(array) => Some(array),)?
                    other => other.iter().map(|x| x.try_into().ok()).collect::<Option<Vec<Self>>>().map(Cow::Owned),
                }
            }
        }

        impl<'a> TryFrom<Cow<'a, [$word]>> for DynLevel<'a> {
            type Error = LevelError;
            fn try_from(offsets: Cow<'a, [$word]>) -> Result<Self, LevelError> {
                $word::level(offsets)
            }
        }

        impl TryFrom<Vec<$word>> for DynLevel<'_> {
            type Error = LevelError;
            fn try_from(offsets: Vec<$word>) -> Result<Self, LevelError> {
                $word::level(Cow::Owned(offsets))
            }
        }

        impl<'a> TryFrom<&'a [$word]> for DynLevel<'a> {
            type Error = LevelError;
            fn try_from(offsets: &'a [$word]) -> Result<Self, LevelError> {
                $word::level(Cow::Borrowed(offsets))
            }
        }

        impl<'a> OffsetsOf<'a> for Vec<$word> {
            type Word = $word;
            fn into_words(self) -> Cow<'a, [$word]> {
                Cow::Owned(self)
            }
        }

        impl<'a> OffsetsOf<'a> for &'a [$word] {
            type Word = $word;
            fn into_words(self) -> Cow<'a, [$word]> {
                Cow::Borrowed(self)
            }
        }

        impl<'a> OffsetsOf<'a> for Cow<'a, [$word]> {
            type Word = $word;
            fn into_words(self) -> Cow<'a, [$word]> {
                self
            }
        }
    )* };
}

offset_words! { u32 U32 Views32 U32; u64 U64 Views64 U64; i32 I32 ViewsI32; i64 I64 ViewsI64; }

/// An array that a level can be made of: a slice, a vector or a `Cow` of `u32`, `u64`, `i32`, `i64`.
pub trait OffsetsOf<'a>: Sized {
    /// The numbers.
    type Word: OffsetWord;

    /// The array.
    fn into_words(self) -> Cow<'a, [Self::Word]>;

    /// The level of these offsets.
    fn into_level(self) -> Result<DynLevel<'a>, LevelError> {
        Self::Word::level(self.into_words())
    }
}
