//! Why a tensor is not built.

use crate::{ArrayName, AttributesError, FormatError, LevelsError, Width};
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

/// Why a tensor is not built from coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// The format.
    Format(FormatError),
    /// The arrays of a tensor that is converted.
    Levels(LevelsError),
    /// What is said of a tensor that is converted does not permit it.
    Attributes(AttributesError),
    /// The shape has another number of axes than the format.
    Rank {
        /// The number of extents.
        shape: usize,
        /// The number of axes of the format.
        format: usize,
    },
    /// Another number of coordinate arrays than of axes.
    Columns {
        /// The number of arrays.
        found: usize,
        /// The number of axes that take one.
        expected: usize,
    },
    /// Coordinate arrays of different lengths.
    Length {
        /// The axis.
        axis: usize,
        /// The length of its array.
        found: usize,
        /// That of the first array.
        expected: usize,
    },
    /// Another number of values than of elements.
    Values {
        /// The number of values.
        found: usize,
        /// The number there must be.
        expected: usize,
    },
    /// A coordinate beyond the extent of its axis.
    Range {
        /// The axis.
        axis: usize,
        /// The element.
        at: usize,
        /// The coordinate.
        found: u64,
        /// The extent.
        extent: u64,
    },
    /// Two elements of one coordinate, where there may be one.
    Duplicate {
        /// The elements.
        at: (usize, usize),
        /// Their coordinates, in storage order.
        found: Vec<u64>,
    },
    /// An array of a given width that does not hold its numbers.
    Width {
        /// The array.
        array: ArrayName,
        /// The width.
        width: Width,
        /// The greatest number it has to hold.
        most: u64,
    },
    /// More entries of a level than memory can hold.
    Entries {
        /// The level.
        level: usize,
        /// The number of parents.
        parents: usize,
        /// The extents of the entries below each.
        extents: Vec<u64>,
    },
    /// Blocks over dense axes that memory cannot hold.
    Blocks {
        /// The number of blocks.
        blocks: usize,
        /// Their extents.
        extents: Vec<u64>,
    },
    /// Memory has no room for so many elements.
    Memory {
        /// The number of elements.
        elements: usize,
    },
    /// Elements of a multigraph with dense axes: which of them are in one block is not said.
    MultigraphBlocks,
}

impl BuildError {
    /// `levels/` and the kind of the error, the same in every version.
    pub const fn class(&self) -> &'static str {
        match self {
            BuildError::Format(error) => error.class(),
            BuildError::Levels(error) => error.class(),
            BuildError::Attributes(error) => error.class(),
            BuildError::Rank { .. } | BuildError::Columns { .. } => "levels/shape",
            BuildError::Length { .. } | BuildError::Values { .. } => "levels/length",
            BuildError::Range { .. } => "levels/range",
            BuildError::Duplicate { .. } => "levels/duplicate",
            BuildError::Width { .. } => "levels/width",
            BuildError::Entries { .. } | BuildError::Blocks { .. } | BuildError::Memory { .. } => "levels/overflow",
            BuildError::MultigraphBlocks => "levels/multigraph",
        }
    }
}

impl Display for BuildError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            BuildError::Format(error) => error.fmt(f),
            BuildError::Levels(error) => error.fmt(f),
            BuildError::Attributes(error) => error.fmt(f),
            BuildError::Rank { shape, format } => write!(f, "{shape} extents for a format of {format} axes"),
            BuildError::Columns { found, expected } => write!(f, "{found} arrays of coordinates for {expected} axes"),
            BuildError::Length { axis, found, expected } => {
                write!(f, "axis {axis}: {found} coordinates, but the first axis has {expected}")
            }
            BuildError::Values { found, expected } => write!(f, "{found} values instead of {expected}"),
            BuildError::Range { axis, at, found, extent } => {
                write!(f, "axis {axis}: coordinate {found} of element {at} is beyond the extent {extent}")
            }
            BuildError::Duplicate { at: (first, second), found } => {
                write!(f, "elements {first} and {second} are both at {found:?} in storage order")
            }
            BuildError::Width { array, width, most } => write!(f, "{array}: {} bits do not hold {most}", width.bits()),
            BuildError::Entries { level, parents, extents } => {
                write!(f, "level {level}: {parents} times {extents:?} entries do not fit memory, or the limit that is set")
            }
            BuildError::Blocks { blocks, extents } => {
                write!(f, "{blocks} blocks of {extents:?} elements do not fit memory, or the limit that is set")
            }
            BuildError::Memory { elements } => write!(f, "{elements} elements do not fit memory"),
            BuildError::MultigraphBlocks => f.write_str("elements of a multigraph with dense axes must be given as blocks"),
        }
    }
}

impl core::error::Error for BuildError {}

impl From<FormatError> for BuildError {
    fn from(error: FormatError) -> Self {
        BuildError::Format(error)
    }
}

impl From<LevelsError> for BuildError {
    fn from(error: LevelsError) -> Self {
        BuildError::Levels(error)
    }
}

impl From<AttributesError> for BuildError {
    fn from(error: AttributesError) -> Self {
        BuildError::Attributes(error)
    }
}
