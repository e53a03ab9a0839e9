//! Why nothing is moved.

use crate::plan::PlanError;

layout_core::errors! {
    /// What kind of refusal it is, one word that stays the same in every version: `plan`, `place`, `storage`, `limit` or `overlap`.
    fn class;

    /// Why elements are not moved.
    #[non_exhaustive]
    TransferError {
        /// There is no plan.
        Plan { error: PlanError } => "plan", "{error}";
        /// Elements in several places, in one memory.
        Places { messages: usize } => "place", "{messages} messages between places, where one memory is one place";
        /// Too much to write out for a swizzle.
        Table { elements: i64, limit: i64 } => "limit", "{elements} elements in a block of the swizzles, the limit is {limit}";
        /// Offsets in bytes do not fit a pointer.
        Overflow => "storage", "offsets beyond what memory can have";
        /// The source has an offset outside of its elements.
        Source { first: i64, last: i64, elements: usize } => "storage",
            "the source has offsets from {first} to {last}, its storage {elements} elements";
        /// The target has an offset outside of its elements.
        Target { first: i64, last: i64, elements: usize } => "storage",
            "the target has offsets from {first} to {last}, its storage {elements} elements";
        /// Elements of the target are elements of the source.
        InPlace { source: i64, target: i64 } => "overlap",
            "in one storage, source and target overlap: both have offset {source}, of different elements";
    }
}

impl From<PlanError> for TransferError {
    fn from(error: PlanError) -> Self {
        TransferError::Plan { error }
    }
}
