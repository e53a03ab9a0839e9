//! Descriptors of binary sparse files.

mod error;
mod header;
mod tensor;
mod types;

pub use error::{ArrayError, HeaderError};
pub use header::Header;
pub use types::{DataType, Scalar};
