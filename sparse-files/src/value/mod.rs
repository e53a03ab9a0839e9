//! Values of types that are known at run time: arrays and tensors.

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
