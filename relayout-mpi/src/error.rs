//! The errors of exchanges.

use relayout::{Place, PlanError, TransferError};

layout_core::errors! {
    /// The reason why an exchange or a distributed tensor fails.
    #[non_exhaustive]
    ExchangeError of Plan(PlanError), Transfer(TransferError) {
        /// The place belongs to no rank of the communicator.
        Rank { place: Place, rank: i64, ranks: i32 } => "exchange/rank", "place {place} would be rank {rank} of {ranks}";
        /// An element lies before the first element of its storage.
        Negative { place: Place, offset: i64 } => "exchange/storage", "an element at offset {offset} of place {place}";
        /// The number of storages differs from the number of places of this rank.
        Storages { given: usize, needed: usize } => "exchange/storage", "{given} storages for {needed} places of this rank";
        /// A storage is too short for the elements of its place.
        Short { place: Place, len: usize, needed: usize } => "exchange/storage", "{len} elements in place {place}, which needs {needed}";
        /// The storages of another rank, or the tensor of the root, do not fit, so no rank writes anything.
        Elsewhere => "exchange/storage", "another rank has too little storage";
        /// The root has no tensor, or a tensor of another size.
        Root { len: usize, needed: usize } => "exchange/root", "{len} elements at the root, which needs {needed}";
    }
}

/// The result of an operation that may fail with an [`ExchangeError`].
pub type Result<T> = core::result::Result<T, ExchangeError>;
