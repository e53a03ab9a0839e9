//! The structure of ragged arrays: their levels, of kinds known at run time or at compile time, and the range of each list.
//!
//! `shape` checks levels and finds ranges, `lists` prepares loops over the lists of a level, `parents` relates leaves and rows,
//! `visit` splits work and walks leaves, and `room` allocates. `lists`, `parents` and `visit` assume consecutive lists.

mod lists;
mod parents;
mod room;
mod shape;
mod visit;

pub(crate) use lists::{Lists, Numbers, with_lists, with_numbers, zip_numbers};
#[cfg(feature = "parallel")]
pub(crate) use room::resized;
pub(crate) use room::room;
pub use shape::RaggedShape;
pub use visit::Split;
