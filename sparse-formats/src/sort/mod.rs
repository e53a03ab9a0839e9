//! Sorts coordinate lists lexicographically (`order`, on words that `pack` makes), and finds the prefixes and duplicates of
//! sorted lists (`prefixes`), from which levels are built.

mod order;
mod pack;
mod prefixes;

pub use order::{EntryOrder, order, order_known};
pub use prefixes::Prefixes;
