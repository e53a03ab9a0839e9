//! The structure of ragged arrays: their levels, of kinds known at run time or to the compiler, and where each list lies.

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
