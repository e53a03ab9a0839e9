//! The structure of ragged arrays: their levels, of kinds known at run time or to the compiler, and where each list lies.

mod chain;
mod level;
mod lists;
mod offset_index;
mod parents;
mod shape;
mod visit;

pub use chain::{FromAxes, FromShape};
pub use level::DynLevel;
#[cfg(feature = "parallel")]
pub(crate) use level::resized;
pub(crate) use level::{Rows, room};
pub(crate) use lists::{Lists, Numbers, with_lists, with_numbers, zip_numbers};
pub use offset_index::OffsetIndex;
pub use shape::RaggedShape;
pub use visit::Split;
