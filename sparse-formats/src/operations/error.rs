//! Why an operation is refused.

use crate::{AttributesError, BuildError, LevelsError};
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

/// Why an operation on tensors is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperationError {
    /// The result cannot be built.
    Build(BuildError),
    /// What is said of the tensor does not permit it.
    Attributes(AttributesError),
    /// Another number of slices, axes or coordinates than the tensor has axes.
    Rank {
        /// The number given.
        found: usize,
        /// The number of axes.
        expected: usize,
    },
    /// A slice beyond the extent of its axis, or in no steps.
    Slice {
        /// The axis.
        axis: usize,
        /// Its first coordinate.
        start: u64,
        /// The end of its coordinates.
        end: u64,
        /// Its step.
        step: u64,
        /// The extent.
        extent: u64,
    },
    /// An axis that the tensor does not have, or that is dense.
    Axis {
        /// The axis.
        axis: usize,
        /// The number of axes.
        rank: usize,
    },
    /// Two tensors, or a tensor and an array, of different extents.
    Shapes {
        /// Those of the first.
        left: Vec<u64>,
        /// Those of the second.
        right: Vec<u64>,
    },
    /// A shape of another number of elements.
    Size {
        /// The extents.
        from: Vec<u64>,
        /// The new ones.
        to: Vec<u64>,
    },
    /// Groups of extents of equal products that do not fit 64 bits, and cannot be cut.
    Overflow {
        /// The extents.
        from: Vec<u64>,
        /// The new ones.
        to: Vec<u64>,
    },
    /// Values are not stored, but the operation needs them.
    PatternOnly,
    /// Coordinates that repeat: which elements belong together is not said.
    Multigraph,
}

impl OperationError {
    /// `levels/` and the kind of the error, the same in every version.
    pub const fn class(&self) -> &'static str {
        match self {
            OperationError::Build(error) => error.class(),
            OperationError::Attributes(error) => error.class(),
            OperationError::Slice { .. } => "levels/slice",
            OperationError::Axis { .. } => "levels/axes",
            OperationError::Rank { .. } | OperationError::Shapes { .. } | OperationError::Size { .. } => "levels/shape",
            OperationError::Overflow { .. } => "levels/overflow",
            OperationError::PatternOnly => "levels/missing",
            OperationError::Multigraph => "levels/multigraph",
        }
    }
}

impl Display for OperationError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            OperationError::Build(error) => error.fmt(f),
            OperationError::Attributes(error) => error.fmt(f),
            OperationError::Rank { found, expected } => write!(f, "{found} given for {expected} axes"),
            OperationError::Slice { axis, start, end, step, extent } => {
                write!(f, "axis {axis}: {start}..{end} in steps of {step} is not a slice of the extent {extent}")
            }
            OperationError::Axis { axis, rank } => write!(f, "axis {axis} is not an axis with a level of a tensor of {rank} axes"),
            OperationError::Shapes { left, right } => write!(f, "extents {left:?} and {right:?} do not match"),
            OperationError::Size { from, to } => write!(f, "{from:?} and {to:?} have different numbers of elements"),
            OperationError::Overflow { from, to } => {
                write!(f, "{from:?} as {to:?}: products of extents that must be equal do not fit 64 bits")
            }
            OperationError::PatternOnly => f.write_str("the tensor has no values"),
            OperationError::Multigraph => {
                f.write_str("coordinates repeat in a multigraph: convert it with a treatment of duplicates first")
            }
        }
    }
}

impl core::error::Error for OperationError {}

impl From<BuildError> for OperationError {
    fn from(error: BuildError) -> Self {
        OperationError::Build(error)
    }
}

impl From<LevelsError> for OperationError {
    fn from(error: LevelsError) -> Self {
        OperationError::Build(error.into())
    }
}

impl From<AttributesError> for OperationError {
    fn from(error: AttributesError) -> Self {
        OperationError::Attributes(error)
    }
}
