//! Sparse tensors in files: Matrix Market, FROSTT, NumPy, SciPy, Binsparse.
#![deny(missing_docs, unsafe_code)]

mod element;
mod error;
mod kind;
pub mod matrix_market;
mod text;
pub mod tns;
mod value;

pub use element::{ElementType, types};
pub use error::{FileError, Result};
pub use value::{AnyArray, AnyTensor, AnyValues, Dedupe, Element, Word};
