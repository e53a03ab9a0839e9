//! The lexicographic order of coordinate lists, their prefixes and duplicates.

mod duplicates;
pub(crate) mod network;
mod order;
mod pack;
mod prefixes;
pub(crate) mod radix;

pub use duplicates::Duplicates;
pub use order::{Order, order, order_known};
pub use prefixes::Prefixes;
