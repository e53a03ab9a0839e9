//! Linear maps of bits: matrices over F2, where a sum is an exclusive-or.

mod matrix;
mod span;

pub use matrix::{BitMatrix, MAX_BITS};
pub use span::Span;
