//! Errors: values with numbers, each with a class for programs and a message for people.

// A new error is a variant in the file of its subject. The errors of other systems' arrays are in `interop/error.rs`.
mod format;
mod operation;
mod tensor;

pub use format::FormatError;
pub(crate) use layout_core::error::from_fn;
pub use operation::OperationError;
pub use tensor::{ArrayName, SparseError};
