//! Why an array has no counterpart in another system, or one from there none here.

use crate::ragged::RaggedError;
use crate::{AttributesError, BuildError, LevelsError};
use core::fmt;

mod from_sparse;
mod to_sparse;

/// Why a conversion from or to sparse tensors, or Arrow, is refused: where, and the numbers.
#[derive(Debug)]
#[non_exhaustive]
pub enum InterchangeError {
    /// The arrays are no ragged array.
    Ragged(RaggedError),
    /// The arrays are no sparse tensor.
    Levels(LevelsError),
    /// A sparse tensor is not converted to levels that lists can have.
    Build(BuildError),
    /// Stored elements stand for others as well.
    Attributes(AttributesError),
    /// The stored elements of a list are not its first ones, in order.
    Gap {
        /// The axis.
        axis: usize,
        /// The list, among those of its axis.
        list: usize,
        /// The coordinate that is missing,
        expected: usize,
        /// and the one in its place.
        found: u64,
    },
    /// A sparse tensor whose values are not stored.
    NoValues,
    /// A tensor without an axis with coordinates.
    NoCoordinates,
    /// A coordinate that its type does not hold.
    Coordinate {
        /// The greatest that occurs.
        most: u64,
    },
    /// A null, which a ragged array cannot have.
    #[cfg(feature = "arrow")]
    Null {
        /// The axis.
        axis: usize,
        /// The element, as the Arrow array of this axis numbers them.
        index: usize,
    },
    /// Leaves of another type.
    #[cfg(feature = "arrow")]
    Leaf {
        /// The axis on which they are.
        axis: usize,
        /// Their type.
        found: arrow_schema::DataType,
        /// The type asked for.
        expected: arrow_schema::DataType,
    },
    /// Lists of one size that Arrow has no number for.
    #[cfg(feature = "arrow")]
    Size {
        /// The axis.
        axis: usize,
        /// The size.
        size: usize,
    },
    /// Arrow refuses.
    #[cfg(feature = "arrow")]
    Arrow(arrow_schema::ArrowError),
}

impl fmt::Display for InterchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterchangeError::Ragged(error) => error.fmt(f),
            InterchangeError::Levels(error) => error.fmt(f),
            InterchangeError::Build(error) => error.fmt(f),
            InterchangeError::Attributes(error) => error.fmt(f),
            InterchangeError::Gap { axis, list, expected, found } => {
                write!(f, "axis {axis}: list {list} has no element {expected}, but element {found} after it")
            }
            InterchangeError::NoValues => f.write_str("the values of the tensor are not stored"),
            InterchangeError::NoCoordinates => f.write_str("the tensor stores no coordinates"),
            InterchangeError::Coordinate { most } => write!(f, "the type of the coordinates does not hold {most}"),
            #[cfg(feature = "arrow")]
            InterchangeError::Null { axis, index } => write!(f, "axis {axis}: element {index} is null, which a ragged array cannot have"),
            #[cfg(feature = "arrow")]
            InterchangeError::Leaf { axis, found, expected } => write!(f, "axis {axis}: elements are {found}, not {expected}"),
            #[cfg(feature = "arrow")]
            InterchangeError::Size { axis, size } => write!(f, "axis {axis}: lists of {size} elements exceed the sizes of Arrow"),
            #[cfg(feature = "arrow")]
            InterchangeError::Arrow(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for InterchangeError {}

macro_rules! from {
    ($($(#[$cfg:meta])? $error:ty => $variant:ident;)*) => { $(
        $(#[$cfg])?
        impl From<$error> for InterchangeError {
            fn from(error: $error) -> Self {
                InterchangeError::$variant(error)
            }
        }
    )* };
}

from! {
    RaggedError => Ragged;
    LevelsError => Levels;
    BuildError => Build;
    AttributesError => Attributes;
    #[cfg(feature = "arrow")] arrow_schema::ArrowError => Arrow;
}
