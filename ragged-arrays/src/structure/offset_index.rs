//! The integers of offsets.

use super::level::DynLevel;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::Indices;
use layout_levels::{Index, Ragged, Views};

/// An integer of offsets: `u32`, `u64`, `i32` or `i64`. Levels of them are made by [`DynLevel::offsets`] and [`DynLevel::views`].
pub trait OffsetIndex: Index {
    /// The name of a level of such offsets.
    #[doc(hidden)]
    const OFFSETS: &'static str;

    /// The name of the type.
    #[doc(hidden)]
    const WORD: &'static str;

    #[doc(hidden)]
    fn ragged(level: Ragged<Cow<'_, [Self]>>) -> DynLevel<'_>;

    #[doc(hidden)]
    fn views<'a>(level: Views<Cow<'a, [Self]>, Cow<'a, [Self]>>) -> DynLevel<'a>;

    /// These numbers: the same array where it is of this type, else a copy; `None` if one does not fit.
    #[doc(hidden)]
    fn of_indices(indices: Indices<'_>) -> Option<Cow<'_, [Self]>>;
}

macro_rules! offset_index {
    ($($type:ident $offsets:ident $views:ident $($shared:ident)?;)*) => { $(
        impl OffsetIndex for $type {
            const OFFSETS: &'static str = concat!(stringify!($type), " offsets");
            const WORD: &'static str = stringify!($type);

            fn ragged(level: Ragged<Cow<'_, [Self]>>) -> DynLevel<'_> {
                DynLevel::$offsets(level)
            }

            fn views<'a>(level: Views<Cow<'a, [Self]>, Cow<'a, [Self]>>) -> DynLevel<'a> {
                DynLevel::$views(level)
            }

            fn of_indices(indices: Indices<'_>) -> Option<Cow<'_, [Self]>> {
                match indices {
                    $(Indices::$shared(array) => Some(array),)?
                    other => other.iter().map(Self::from_u64).collect::<Option<Vec<Self>>>().map(Cow::Owned),
                }
            }
        }
    )* };
}

offset_index! { u32 U32 Views32 U32; u64 U64 Views64 U64; i32 I32 ViewsI32; i64 I64 ViewsI64; }
