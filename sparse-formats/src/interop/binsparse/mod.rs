//! Descriptors of binary sparse files.

/// The error of a descriptor of this class.
macro_rules! header_error {
    ($class:literal, $($message:tt)*) => {
        $crate::interop::InterchangeError::Header { class: concat!("header/", $class), message: alloc::format!($($message)*) }
    };
}

mod distinct;
mod header;
mod tensor;
mod types;
mod write;

pub use distinct::distinct;
pub use header::Header;
pub use types::{DataType, Scalar};
