//! The errors of transfers.

use crate::plan::{Place, PlanError};

layout_core::errors! {
    /// The reason why a transfer moves no elements.
    #[non_exhaustive]
    TransferError {
        /// There is no plan.
        Plan { error: PlanError } => error.class(), "{error}";
        /// The plan has several places, but one memory is one place.
        Places { messages: usize } => "transfer/place", "{messages} messages between places, where one memory is one place";
        /// The ranges written in two places of the target overlap.
        Shared { place: Place, other: Place, first: i64, last: i64 } => "transfer/overlap",
            "places {place} and {other} of the target both have offsets from {first} to {last}";
        /// A block of the swizzles has too many elements to write out.
        Table { elements: i64, limit: i64 } => "transfer/limit", "{elements} elements in a block of the swizzles, the limit is {limit}";
        /// A copy or one of its loops has a negative count.
        Count { count: i64 } => "transfer/plan", "a copy or a loop of one counts {count}: counts are 0 and more";
        /// An offset in bytes does not fit a pointer.
        Overflow => "transfer/storage", "offsets beyond what memory can have";
        /// The source has an offset outside of its storage.
        Source { first: i64, last: i64, elements: usize } => "transfer/storage",
            "the source has offsets from {first} to {last}, its storage {elements} elements";
        /// The target has an offset outside of its storage.
        Target { first: i64, last: i64, elements: usize } => "transfer/storage",
            "the target has offsets from {first} to {last}, its storage {elements} elements";
        /// The transfer would overwrite an element that it needs elsewhere in the same storage.
        InPlace { offset: i64, from: i64, to: i64 } => "transfer/overlap",
            "in one storage the element at offset {offset} is overwritten by that of offset {from}, and needed at offset {to}";
        /// Reads and writes within one storage overlap, and at least one of them is swizzled. For swizzled copies,
        /// only the ranges of offsets are compared.
        InPlaceTable { first: i64, last: i64 } => "transfer/overlap",
            "in one storage swizzled elements are read and written at offsets from {first} to {last}, and might be overwritten before they are read";
        /// The extents of source and target differ.
        Extents => "transfer/plan", "source and target have not the same extents";
        /// The layout of a tensor differs from the layout that the transfer was made for.
        Layouts => "transfer/storage", "a tensor has another layout than the transfer was made for";
    }
}

impl From<PlanError> for TransferError {
    fn from(error: PlanError) -> Self {
        TransferError::Plan { error }
    }
}
