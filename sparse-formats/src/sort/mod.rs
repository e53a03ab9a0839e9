//! The lexicographic order of coordinate lists, their prefixes and duplicates.

mod order;
mod pack;
mod prefixes;

pub use order::{Order, order, order_known};
pub use prefixes::Prefixes;
