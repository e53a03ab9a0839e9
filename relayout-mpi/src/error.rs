//! The errors of exchanges.

use relayout::{Place, PlanError, TransferError};

layout_core::errors! {
    /// The reason why an exchange or a distributed tensor fails.
    #[non_exhaustive]
    ExchangeError of Plan(PlanError), Transfer(TransferError) {
        /// The place belongs to no rank of the communicator.
        Rank { place: Place, rank: i64, ranks: i32 } => "exchange/rank", "place {place} belongs to rank {rank}, but there are {ranks} ranks";
        /// An element lies before the first element of its storage.
        Negative { place: Place, offset: i64 } => "exchange/storage", "an element has the offset {offset} in place {place}; offsets are at least 0";
        /// The number of storages differs from the number of places of this rank.
        Storages { given: usize, needed: usize } => "exchange/storage", "{given} storages are given, but this rank has {needed} places";
        /// A storage is too short for the elements of its place.
        Short { place: Place, len: usize, needed: usize } => "exchange/storage", "the storage of place {place} has {len} elements, but needs {needed}";
        /// The storages of another rank, or the tensor of the root, do not fit, so no rank writes anything.
        Elsewhere => "exchange/storage", "the storages of another rank do not fit, so no rank wrote anything";
        /// The root has no tensor, or a tensor of another size.
        Root { len: usize, needed: usize } => "exchange/root", "the tensor at the root has {len} elements, but needs {needed}";
    }
}

/// The result of an operation that may fail with an [`ExchangeError`].
pub type Result<T> = core::result::Result<T, ExchangeError>;
