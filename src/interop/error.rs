//! Why an array is no tensor, or a tensor no array of another crate.

use crate::TensorError;

/// Why an array of another crate cannot be made a tensor where it lies, or a tensor one of its arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InteropError {
    /// The tensor is refused: its layout, its storage, or that coordinates share an element which is to be written.
    Tensor(TensorError),
    /// The other side has another number of dimensions.
    Rank {
        /// The rank of the tensor.
        rank: usize,
        /// What the other side has.
        dimensions: usize,
    },
    /// A mode has no single stride: it is nested, or the layout is swizzled.
    Stride {
        /// The mode,
        mode: usize,
        /// and its extent.
        extent: usize,
    },
    /// The other side has no strides below 0.
    NegativeStride {
        /// The mode,
        mode: usize,
        /// and its stride.
        stride: isize,
    },
    /// The other side's type has another extent.
    FixedExtent {
        /// The mode,
        mode: usize,
        /// its extent,
        extent: usize,
        /// and that of the type.
        fixed: usize,
    },
    /// The other side's type has another stride.
    FixedStride {
        /// The mode,
        mode: usize,
        /// its stride,
        stride: isize,
        /// and that of the type.
        fixed: usize,
    },
    /// The modes interleave, and the other side writes only to arrays whose strides nest.
    Interleaved,
    /// The extents have a product beyond `isize::MAX`, which is more than the other side can count.
    Size,
}

impl core::fmt::Display for InteropError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            InteropError::Tensor(error) => error.fmt(f),
            InteropError::Rank { rank, dimensions } => {
                write!(f, "the tensor has rank {rank}, the other side {dimensions} dimensions")
            }
            InteropError::Stride { mode, extent } => {
                write!(f, "mode {mode} of extent {extent} has no single stride: it is nested, or the layout is swizzled")
            }
            InteropError::NegativeStride { mode, stride } => {
                write!(f, "mode {mode} has the stride {stride}, the other side none below 0")
            }
            InteropError::FixedExtent { mode, extent, fixed } => {
                write!(f, "mode {mode} has the extent {extent}, the other side's type {fixed}")
            }
            InteropError::FixedStride { mode, stride, fixed } => {
                write!(f, "mode {mode} has the stride {stride}, the other side's type {fixed}")
            }
            InteropError::Interleaved => {
                write!(f, "the modes of the layout interleave, the other side writes only to arrays whose strides nest")
            }
            InteropError::Size => write!(f, "the product of the extents exceeds {}", isize::MAX),
        }
    }
}

impl core::error::Error for InteropError {}

impl From<TensorError> for InteropError {
    fn from(error: TensorError) -> Self {
        InteropError::Tensor(error)
    }
}

impl From<crate::LayoutError> for InteropError {
    fn from(error: crate::LayoutError) -> Self {
        InteropError::Tensor(error.into())
    }
}
