//! The errors of transfers.

use crate::plan::{Place, PlanError};

layout_core::errors! {
    /// The reason why a transfer moves no elements.
    ///
    /// ```
    /// use relayout::{Side, Transfer, TransferError};
    /// let pad = Transfer::new(&Side::parse("(3,2):(1,3)")?, &Side::parse("(3,2):(1,4)")?)?;
    /// let error = pad.run(&[1, 2, 3, 4, 5, 6], &mut [0; 6]).unwrap_err();
    /// assert_eq!(error.to_string(), "the target has offsets from 0 to 6, but its storage has 6 elements");
    /// assert!(matches!(error, TransferError::Target { last: 6, .. }) && error.class() == "transfer/storage");
    /// # Ok::<(), TransferError>(())
    /// ```
    #[non_exhaustive]
    TransferError {
        /// There is no plan.
        Plan { error: PlanError } => error.class(), "{error}";
        /// The plan has several places, but one memory is one place.
        Places { messages: usize } => "transfer/place", "the plan has {messages} messages between places, but a transfer in one memory has one place";
        /// The ranges written in two places of the target overlap.
        Shared { place: Place, other: Place, first: i64, last: i64 } => "transfer/overlap",
            "the places {place} and {other} of the target both write offsets from {first} to {last}";
        /// A block of the swizzles has too many elements to write out.
        Table { elements: i64, limit: i64 } => "transfer/limit", "a block of the swizzles has {elements} elements, more than the limit of {limit}";
        /// A copy or one of its loops has a negative count.
        Count { count: i64 } => "transfer/plan", "the count of a copy or of one of its loops is {count}; counts are at least 0";
        /// An offset in bytes does not fit a pointer.
        Overflow => "transfer/storage", "an offset exceeds the addresses of this machine";
        /// The source has an offset outside of its storage.
        Source { first: i64, last: i64, elements: usize } => "transfer/storage",
            "the source has offsets from {first} to {last}, but its storage has {elements} elements";
        /// The target has an offset outside of its storage.
        Target { first: i64, last: i64, elements: usize } => "transfer/storage",
            "the target has offsets from {first} to {last}, but its storage has {elements} elements";
        /// The transfer would overwrite an element that it needs elsewhere in the same storage.
        InPlace { offset: i64, from: i64, to: i64 } => "transfer/overlap",
            "source and target share a storage: the element of offset {from} overwrites offset {offset}, whose element is still needed at offset {to}";
        /// Reads and writes within one storage overlap, and at least one of them is swizzled. For swizzled copies,
        /// only the ranges of offsets are compared.
        InPlaceTable { first: i64, last: i64 } => "transfer/overlap",
            "source and target share a storage: swizzled elements at offsets from {first} to {last} might be overwritten before they are read";
        /// The extents of source and target differ.
        Extents => "transfer/plan", "source and target have different extents";
        /// The layout of a tensor differs from the layout that the transfer was made for.
        Layouts => "transfer/storage", "a tensor has a different layout than the transfer was made for";
    }
}

impl From<PlanError> for TransferError {
    fn from(error: PlanError) -> Self {
        TransferError::Plan { error }
    }
}
