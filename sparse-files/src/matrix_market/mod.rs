//! Matrix Market: matrices and vectors as text, either as coordinates or with all elements.

mod header;
mod read;
mod write;

pub(crate) use header::is_first_line;
pub use read::read;
pub(crate) use read::{claim, read_with};
pub use write::write;
