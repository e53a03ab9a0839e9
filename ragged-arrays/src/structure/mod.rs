//! The structure of ragged arrays: their levels, of kinds known at run time or at compile time, and the range of each list.

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
