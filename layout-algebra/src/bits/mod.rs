//! Linear maps of bits: matrices over F2, where a sum is an exclusive-or.

mod matrix;
mod span;

pub use matrix::BitMatrix;
pub use span::Span;

/// The maximum number of bits of an input or an output.
pub const MAX_BITS: usize = 64;
