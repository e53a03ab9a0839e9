//! Errors: values with numbers, each with a class for programs and a message for people.

mod format;
mod operation;
mod tensor;

pub use format::FormatError;
pub(crate) use layout_core::error::from_fn;
pub use operation::OperationError;
pub use tensor::{ArrayName, SparseError};
