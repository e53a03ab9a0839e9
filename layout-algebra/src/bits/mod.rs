//! Linear maps of bits: matrices over F2, where a sum is an exclusive-or.

mod matrix;
mod span;

pub use matrix::BitMatrix;
pub use span::Span;

/// The maximum number of bits of an input or an output.
///
/// ```
/// use layout_algebra::bits::{BitMatrix, MAX_BITS};
/// assert!(BitMatrix::identity(MAX_BITS as u32).is_some() && BitMatrix::identity(MAX_BITS as u32 + 1).is_none());
/// ```
pub const MAX_BITS: usize = 64;
