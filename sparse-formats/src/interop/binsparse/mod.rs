//! Descriptors of binary sparse files: parsing, writing, and the tensors that they describe.

/// Makes the error of a descriptor, with the class `header/$class` and a formatted message.
macro_rules! header_error {
    ($class:literal, $($message:tt)*) => {
        $crate::interop::InterchangeError::Header { class: concat!("header/", $class), message: alloc::format!($($message)*) }
    };
}

// `header` parses a descriptor and `write` prints one. `types` has the types of arrays, `tensor` makes the tensor, and
// `parse` refuses repeated keys.
mod header;
mod parse;
mod tensor;
mod types;
mod write;

pub use header::Header;
pub use parse::parse_json;
pub use types::{DataType, ScalarType};
