//! Why there is no such tensor.

use crate::error::LayoutError;

/// Why a tensor, or a part of one, cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorError {
    /// An index lies outside of the storage.
    Storage {
        /// The least index of the layout,
        first: isize,
        /// and the greatest.
        last: isize,
        /// Number of elements of the storage,
        elements: usize,
        /// of which this one has index 0.
        origin: usize,
    },
    /// Two coordinates share an index, so that no two parts can be written at once.
    Shared,
    /// Whether two coordinates share an index takes too long to decide.
    Undecided,
    /// The memory is not aligned for the elements that it is to be seen as.
    Misaligned {
        /// What their alignment is.
        align: usize,
    },
    /// The layout is refused.
    Layout(LayoutError),
}

impl core::fmt::Display for TensorError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            TensorError::Storage { first, last, elements, origin } => {
                write!(f, "the layout has indices from {first} to {last}, the storage has {elements} elements, with index 0 at {origin}")
            }
            TensorError::Shared => write!(f, "two coordinates of the layout share an index"),
            TensorError::Undecided => write!(f, "whether two coordinates of the layout share an index takes too long to decide"),
            TensorError::Misaligned { align } => write!(f, "the memory is not aligned to {align} bytes"),
            TensorError::Layout(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for TensorError {}

impl From<LayoutError> for TensorError {
    fn from(error: LayoutError) -> Self {
        TensorError::Layout(error)
    }
}
