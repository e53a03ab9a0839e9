//! The errors of conversions from and to lists of Arrow.

use crate::RaggedError;
use alloc::string::{String, ToString};

layout_core::errors! {
    /// The error of a conversion between lists of Arrow and a ragged array.
    ///
    /// ```
    /// use arrow_array::{ListArray, types::{Int32Type, Int64Type}};
    /// use ragged_arrays::{RaggedArray, arrow::ListError};
    /// let rows = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(6), None])]);
    /// let error = RaggedArray::from_arrow::<Int32Type>(&rows).unwrap_err();
    /// assert!(matches!(error, ListError::Null { axis: 1, index: 1 }) && error.class() == "arrow/null");
    /// let error = RaggedArray::from_arrow::<Int64Type>(&rows).unwrap_err();
    /// assert_eq!(error.to_string(), "axis 1: the elements have the type Int32; expected: Int64");
    /// ```
    #[non_exhaustive]
    ListError of Ragged(RaggedError) {
        /// An element is null, which a ragged array cannot have. Elements are numbered as in the Arrow array of the axis.
        Null { axis: usize, index: usize } => "arrow/null", "axis {axis}: element {index} is null, but a ragged array has no nulls";
        /// The leaves have another type.
        Leaf { axis: usize, found: String, expected: String } => "arrow/type", "axis {axis}: the elements have the type {found}; expected: {expected}";
        /// The lists of an axis have a size that Arrow cannot represent.
        Size { axis: usize, size: usize } => "arrow/overflow", "axis {axis}: lists of {size} elements are too long for Arrow";
        /// Arrow refuses the arrays; the message is Arrow's.
        Refused { message: String } => "levels/structure", "{message}";
    }
}

impl From<arrow_schema::ArrowError> for ListError {
    fn from(error: arrow_schema::ArrowError) -> Self {
        ListError::Refused { message: error.to_string() }
    }
}
