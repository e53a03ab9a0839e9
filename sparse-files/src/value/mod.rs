//! Values of types that are known at run time: arrays and tensors.

mod array;
mod element;
mod list;
mod tensor;
mod wide;

pub use array::AnyArray;
pub(crate) use array::{Held, Words, map_words, with_words};
pub use element::{Element, Word};
pub use tensor::{AnyTensor, AnyValues, Dedupe};
