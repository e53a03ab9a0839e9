//! Arrays and tensors whose type of values is known only at run time.

// `array` and `tensor` have the types, and `list` more constructors. `element` relates types of values to words, `widening`
// computes with words, and `encoding` adds the types that only files have.
mod array;
mod element;
mod encoding;
mod list;
mod tensor;
mod widening;

pub use array::AnyArray;
pub(crate) use array::{WordVariant, Words, map_words, with_words};
pub use element::Element;
pub(crate) use encoding::Encoding;
#[cfg(feature = "parquet")]
pub(crate) use encoding::of_half;
pub use tensor::{AnyTensor, AnyValues, Dedupe};
