//! Why a tensor is not a matrix of sprs.

use crate::{ArrayName, BuildError, Format, LevelsError};
use alloc::boxed::Box;
use core::fmt::{Display, Formatter, Result};
use sprs::errors::StructureError;

/// Why a tensor is not a matrix of sprs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SprsError {
    /// A format other than CSR and CSC, or that of a multigraph or of unsorted levels.
    Format(Box<Format>),
    /// A fill value that is not 0: in sprs, what is not stored is 0.
    Fill,
    /// One triangle that stands for both: in sprs, it would not.
    OneTriangle,
    /// Values that are not stored one for each element.
    Values,
    /// An array whose width is not that of the index type.
    Width {
        /// The array.
        array: ArrayName,
        /// Its bits.
        found: u32,
        /// The bits of the index type.
        expected: u32,
    },
    /// An extent, or one more than an extent for pointers, that the index type does not hold.
    Extent {
        /// The axis.
        axis: usize,
        /// The extent.
        extent: u64,
        /// The bits of the index type, its sign not counted.
        bits: u32,
    },
    /// More elements than the type of pointers counts.
    Stored {
        /// The number of elements.
        stored: usize,
        /// The bits of the type, its sign not counted.
        bits: u32,
    },
    /// What sprs refuses for reasons of its own.
    Refused(StructureError),
    /// The arrays.
    Levels(LevelsError),
    /// The matrix cannot be built.
    Build(BuildError),
}

impl SprsError {
    /// `levels/` and the kind of the error, the same in every version.
    pub const fn class(&self) -> &'static str {
        match self {
            SprsError::Format(_) | SprsError::Fill => "levels/counterpart",
            SprsError::OneTriangle => "levels/structure",
            SprsError::Values => "levels/missing",
            SprsError::Width { .. } => "levels/width",
            SprsError::Extent { .. } | SprsError::Stored { .. } => "levels/overflow",
            SprsError::Refused(_) => "levels/structure",
            SprsError::Levels(error) => error.class(),
            SprsError::Build(error) => error.class(),
        }
    }
}

impl Display for SprsError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            SprsError::Format(format) => write!(f, "{format} has no counterpart in sprs: C-S-R and C-S-C have"),
            SprsError::Fill => f.write_str("the fill value is not 0: in sprs, what is not stored is 0"),
            SprsError::OneTriangle => f.write_str("one triangle stands for both: expand it first"),
            SprsError::Values => f.write_str("the tensor has not a value for each element"),
            SprsError::Width { array, found, expected } => write!(f, "{array} has {found} bits, but the index type has {expected}"),
            SprsError::Extent { axis, extent, bits } => {
                write!(f, "axis {axis}: the extent {extent} does not fit an index type of {bits} bits")
            }
            SprsError::Stored { stored, bits } => write!(f, "{stored} elements are more than pointers of {bits} bits count"),
            SprsError::Refused(error) => write!(f, "{error}"),
            SprsError::Levels(error) => error.fmt(f),
            SprsError::Build(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SprsError {}

impl From<LevelsError> for SprsError {
    fn from(error: LevelsError) -> Self {
        SprsError::Levels(error)
    }
}

impl From<BuildError> for SprsError {
    fn from(error: BuildError) -> Self {
        SprsError::Build(error)
    }
}
