//! Why compressed rows of groups of axes are refused.

use super::renamed;
use crate::{BuildError, GcsError, LevelsError, OperationError};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

/// Why compressed rows of groups of axes are refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GcxsError {
    /// Axes that are not increasing, or none or all of them, or some of a tensor of one axis.
    Axes {
        /// The axes.
        axes: Vec<usize>,
        /// The number of axes of the tensor.
        rank: usize,
    },
    /// Coordinates that repeat.
    Multigraph,
    /// A slice of no axis.
    Scalar,
    /// The groups.
    Groups(GcsError),
    /// The arrays.
    Arrays(LevelsError),
    /// The matrix cannot be built.
    Build(BuildError),
    /// The slices.
    Slice(OperationError),
}

impl GcxsError {
    /// `gcxs/` and the kind of the error, the same in every version.
    pub fn class(&self) -> String {
        let detail = |class: &str| format!("gcxs/{}", class.rsplit('/').next().unwrap_or(class));
        match self {
            GcxsError::Axes { .. } => "gcxs/axes".into(),
            GcxsError::Multigraph => "gcxs/duplicate".into(),
            GcxsError::Scalar => "gcxs/slice".into(),
            GcxsError::Groups(error) => detail(error.class()),
            GcxsError::Arrays(error) => detail(error.class()),
            GcxsError::Build(error) => detail(error.class()),
            GcxsError::Slice(error) => detail(error.class()),
        }
    }
}

impl Display for GcxsError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            GcxsError::Axes { axes, rank: 1 } => write!(f, "compressed axes {axes:?} of a tensor of one axis: it has none"),
            GcxsError::Axes { axes, rank } => {
                write!(f, "compressed axes {axes:?} are not some, and not all, of {rank} axes in increasing order")
            }
            GcxsError::Multigraph => f.write_str("coordinates may not repeat"),
            GcxsError::Scalar => f.write_str("a slice that leaves no axis"),
            GcxsError::Groups(error) => error.fmt(f),
            GcxsError::Arrays(error) => match renamed(error) {
                Some(name) => write!(f, "{name}: {error}"),
                None => error.fmt(f),
            },
            GcxsError::Build(error) => error.fmt(f),
            GcxsError::Slice(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for GcxsError {}

impl From<GcsError> for GcxsError {
    fn from(error: GcsError) -> Self {
        GcxsError::Groups(error)
    }
}

impl From<LevelsError> for GcxsError {
    fn from(error: LevelsError) -> Self {
        GcxsError::Arrays(error)
    }
}

impl From<BuildError> for GcxsError {
    fn from(error: BuildError) -> Self {
        GcxsError::Build(error)
    }
}

impl From<OperationError> for GcxsError {
    fn from(error: OperationError) -> Self {
        GcxsError::Slice(error)
    }
}
