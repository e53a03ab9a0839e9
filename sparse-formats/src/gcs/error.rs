//! Why groups of axes, or coordinates in them, are refused.

use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

/// Why groups of axes, or coordinates in them, are refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GcsError {
    /// Not an order of the axes.
    Axes {
        /// The axes.
        axes: Vec<usize>,
        /// How many there must be.
        rank: usize,
    },
    /// Not places between so many axes, in order.
    Splits {
        /// The places.
        splits: Vec<usize>,
        /// The number of axes.
        rank: usize,
    },
    /// A group whose size does not fit 64 bits.
    Overflow {
        /// The group.
        group: usize,
        /// The extents of its axes.
        extents: Vec<u64>,
    },
    /// Another number of coordinates than of axes or groups.
    Rank {
        /// The number of coordinates.
        found: usize,
        /// The number there must be.
        expected: usize,
    },
    /// Arrays of coordinates of different lengths.
    Lengths {
        /// The length of the first.
        first: usize,
        /// Another.
        found: usize,
    },
    /// A coordinate beyond the extent of its axis.
    Range {
        /// The axis.
        axis: usize,
        /// The position in an array of coordinates.
        at: Option<usize>,
        /// The coordinate.
        coordinate: u64,
        /// The extent.
        extent: u64,
    },
    /// A coordinate beyond the size of its group.
    GroupRange {
        /// The group.
        group: usize,
        /// The position in an array of coordinates.
        at: Option<usize>,
        /// The coordinate.
        coordinate: u64,
        /// The size.
        size: u64,
    },
}

impl GcsError {
    /// `gcs/` and the kind of the error, the same in every version.
    pub const fn class(&self) -> &'static str {
        match self {
            GcsError::Axes { .. } => "gcs/axes",
            GcsError::Splits { .. } => "gcs/split",
            GcsError::Overflow { .. } => "gcs/overflow",
            GcsError::Rank { .. } => "gcs/rank",
            GcsError::Lengths { .. } => "gcs/length",
            GcsError::Range { .. } | GcsError::GroupRange { .. } => "gcs/range",
        }
    }
}

impl Display for GcsError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let place = |f: &mut Formatter<'_>, at: &Option<usize>| at.map_or(Ok(()), |at| write!(f, " at position {at}"));
        match self {
            GcsError::Axes { axes, rank } => write!(f, "{axes:?} is not an order of {rank} axes"),
            GcsError::Splits { splits, rank } => write!(f, "{splits:?} are not places between {rank} axes, in order"),
            GcsError::Overflow { group, extents } => {
                write!(f, "group {group}: the product of the extents {extents:?} does not fit 64 bits")
            }
            GcsError::Rank { found, expected } => write!(f, "{found} coordinates instead of {expected}"),
            GcsError::Lengths { first, found } => write!(f, "arrays of {first} and of {found} coordinates"),
            GcsError::Range { axis, at, coordinate, extent } => {
                write!(f, "axis {axis}: coordinate {coordinate}")?;
                place(f, at)?;
                write!(f, " is beyond its extent {extent}")
            }
            GcsError::GroupRange { group, at, coordinate, size } => {
                write!(f, "group {group}: coordinate {coordinate}")?;
                place(f, at)?;
                write!(f, " is beyond its size {size}")
            }
        }
    }
}

impl core::error::Error for GcsError {}
