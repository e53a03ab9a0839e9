//! Errors: values with numbers, each with a class for programs and a message.

mod format;
mod operation;
mod tensor;

pub use format::FormatError;
pub(crate) use layout_core::error::from_fn;
pub use operation::OperationError;
pub use tensor::{ArrayName, SparseError};

/// Declares an error whose variants have classes.
macro_rules! errors {
    ($($rows:tt)*) => {
        layout_core::errors! {
            /// The family and the kind of the error, `family/kind`: the same in every version.
            fn class;

            $($rows)*
        }
    };
}
pub(crate) use errors;
