//! Errors of conversions from and to lists of Arrow.

use crate::RaggedError;
use alloc::string::{String, ToString};

layout_core::errors! {
    /// The error of lists of Arrow that make no ragged array, or of a ragged array that makes no lists of Arrow.
    #[non_exhaustive]
    ListError of Ragged(RaggedError) {
        /// A null, which a ragged array cannot have; elements are numbered as in the Arrow array of the axis.
        Null { axis: usize, index: usize } => "arrow/null", "axis {axis}: element {index} is null, which a ragged array cannot have";
        /// Leaves of another type.
        Leaf { axis: usize, found: String, expected: String } => "arrow/type", "axis {axis}: elements are {found}, not {expected}";
        /// Lists of one size that Arrow has no number for.
        Size { axis: usize, size: usize } => "arrow/overflow", "axis {axis}: lists of {size} elements exceed the sizes of Arrow";
        /// A refusal of Arrow, in its words.
        Refused { message: String } => "levels/structure", "{message}";
    }
}

impl From<arrow_schema::ArrowError> for ListError {
    fn from(error: arrow_schema::ArrowError) -> Self {
        ListError::Refused { message: error.to_string() }
    }
}
