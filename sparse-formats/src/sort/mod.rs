//! Sorts coordinate lists lexicographically, and finds their prefixes and duplicates, from which levels are built.

mod order;
mod pack;
mod prefixes;

pub use order::{EntryOrder, order, order_known};
pub use prefixes::Prefixes;
