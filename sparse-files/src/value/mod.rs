//! Arrays and tensors whose type of values is known only at run time.

mod array;
mod element;
mod encoding;
mod list;
mod tensor;
mod wide;

pub use array::AnyArray;
pub(crate) use array::{Held, Words, map_words, with_words};
pub use element::{Element, Word};
pub(crate) use encoding::Encoding;
#[cfg(feature = "parquet")]
pub(crate) use encoding::of_half;
pub use tensor::{AnyTensor, AnyValues, Dedupe};
