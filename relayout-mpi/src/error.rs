//! Why an exchange is refused.

use relayout::{Place, PlanError, TransferError};

layout_core::errors! {
    /// Why ranks do not exchange anything.
    #[non_exhaustive]
    ExchangeError of Plan(PlanError), Transfer(TransferError) {
        /// A place that is on no rank.
        Rank { place: Place, rank: i64, ranks: i32 } => "exchange/rank", "place {place} would be rank {rank} of {ranks}";
        /// An element before the first of a place.
        Negative { place: Place, offset: i64 } => "exchange/storage", "an element at offset {offset} of place {place}";
        /// Another number of storages than this rank has places.
        Storages { given: usize, needed: usize } => "exchange/storage", "{given} storages for {needed} places of this rank";
        /// A storage without all elements of its place.
        Short { place: Place, len: usize, needed: usize } => "exchange/storage", "{len} elements in place {place}, which needs {needed}";
        /// Another rank was given storages that it cannot use.
        Elsewhere => "exchange/storage", "another rank has too little storage";
        /// The root has no tensor, or one of another size.
        Root { len: usize, needed: usize } => "exchange/root", "{len} elements at the root, which needs {needed}";
    }
}

/// The result of what may be refused.
pub type Result<T> = core::result::Result<T, ExchangeError>;
