//! Why nothing is moved.

use crate::plan::{Place, PlanError};

layout_core::errors! {
    /// Why elements are not moved.
    #[non_exhaustive]
    TransferError {
        /// There is no plan.
        Plan { error: PlanError } => error.class(), "{error}";
        /// Elements in several places, in one memory.
        Places { messages: usize } => "transfer/place", "{messages} messages between places, where one memory is one place";
        /// Two places of the target have elements in common.
        Shared { place: Place, other: Place, first: i64, last: i64 } => "transfer/overlap",
            "places {place} and {other} of the target both have offsets from {first} to {last}";
        /// Too much to write out for a swizzle.
        Table { elements: i64, limit: i64 } => "transfer/limit", "{elements} elements in a block of the swizzles, the limit is {limit}";
        /// A copy, or a loop of one, has a negative count.
        Count { count: i64 } => "transfer/plan", "a copy or a loop of one counts {count}: counts are 0 and more";
        /// Offsets in bytes do not fit a pointer.
        Overflow => "transfer/storage", "offsets beyond what memory can have";
        /// The source has an offset outside of its elements.
        Source { first: i64, last: i64, elements: usize } => "transfer/storage",
            "the source has offsets from {first} to {last}, its storage {elements} elements";
        /// The target has an offset outside of its elements.
        Target { first: i64, last: i64, elements: usize } => "transfer/storage",
            "the target has offsets from {first} to {last}, its storage {elements} elements";
        /// An element moves to where another element is read.
        InPlace { offset: i64, from: i64, to: i64 } => "transfer/overlap",
            "in one storage the element at offset {offset} is overwritten by that of offset {from}, and needed at offset {to}";
        /// Reads and writes within one storage overlap, and a part is swizzled. Swizzled parts are compared by the ranges of their offsets only.
        InPlaceTable { first: i64, last: i64 } => "transfer/overlap",
            "in one storage swizzled elements are read and written at offsets from {first} to {last}, and might be overwritten before they are read";
        /// Two layouts have not the same coordinates.
        Extents => "transfer/plan", "source and target have not the same extents";
        /// The tensors have not the layouts that the transfer is for.
        Layouts => "transfer/storage", "a tensor has another layout than the transfer was made for";
    }
}

impl From<PlanError> for TransferError {
    fn from(error: PlanError) -> Self {
        TransferError::Plan { error }
    }
}
