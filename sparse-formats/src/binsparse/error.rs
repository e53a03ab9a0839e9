//! Why a descriptor, or an array that it describes, is refused.

use crate::{ArrayName, AttributesError, InteropError, LevelsError};
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{Display, Formatter, Result};

/// Why a descriptor is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeaderError {
    /// The text is not JSON.
    Json(String),
    /// A key that is missing.
    Missing(&'static str),
    /// A version that is not known.
    Version(String),
    /// A format that is not known.
    Format(String),
    /// Extents that are none, or another number of them than the format has axes.
    Shape(String),
    /// A number of stored values that is none.
    Stored(String),
    /// Types of arrays that are no object.
    DataTypes(String),
    /// A type that is not known.
    DataType {
        /// The type.
        text: String,
    },
    /// Levels that are not well-formed.
    Custom(String),
    /// Not an order of the axes.
    Transpose(String),
    /// A structure that is not known, or not one of a matrix of this shape and type.
    Structure(String),
    /// A value of `fill` that is not a boolean.
    Fill(String),
    /// A number that indices begin with, and that is neither 0 nor 1.
    IndexBase(String),
    /// A key of a level that is not known: it might change what the arrays mean.
    Extension(String),
}

impl HeaderError {
    /// `header/` and the kind of the error, the same in every version.
    pub const fn class(&self) -> &'static str {
        match self {
            HeaderError::Json(_) => "header/json",
            HeaderError::Missing(_) => "header/missing",
            HeaderError::Version(_) => "header/version",
            HeaderError::Format(_) => "header/format",
            HeaderError::Shape(_) => "header/shape",
            HeaderError::Stored(_) => "header/nnz",
            HeaderError::DataTypes(_) | HeaderError::DataType { .. } => "header/dtype",
            HeaderError::Custom(_) => "header/custom",
            HeaderError::Transpose(_) => "header/transpose",
            HeaderError::Structure(_) => "header/structure",
            HeaderError::Fill(_) => "header/fill",
            HeaderError::IndexBase(_) => "header/index_base",
            HeaderError::Extension(_) => "header/extension",
        }
    }
}

impl Display for HeaderError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            HeaderError::Json(message) => f.write_str(message),
            HeaderError::Missing(key) => write!(f, "the key `{key}` is missing"),
            HeaderError::Version(text) => write!(f, "version {text} is not 0.1"),
            HeaderError::Format(text) => write!(f, "the format {text} is not known"),
            HeaderError::Shape(text) => write!(f, "the shape {text}"),
            HeaderError::Stored(text) => write!(f, "number_of_stored_values is {text}, not a whole number of 64 bits"),
            HeaderError::DataTypes(text) => write!(f, "data_types is {text}, not an object of types"),
            HeaderError::DataType { text } => write!(f, "`{text}` is not a type"),
            HeaderError::Custom(text) => write!(f, "custom: {text}"),
            HeaderError::Transpose(text) => write!(f, "transpose: {text} is not an order of the axes"),
            HeaderError::Structure(text) => write!(f, "structure: {text}"),
            HeaderError::Fill(text) => write!(f, "fill is {text}, not a boolean"),
            HeaderError::IndexBase(text) => write!(f, "index_base is {text}, neither 0 nor 1"),
            HeaderError::Extension(key) => write!(f, "the key `{key}` of a level is not known: it might change what the arrays mean"),
        }
    }
}

impl core::error::Error for HeaderError {}

/// Why the arrays of a file are refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArrayError {
    /// An array that is missing.
    Missing {
        /// Its name.
        array: String,
    },
    /// An array of another length.
    Length {
        /// Its name.
        array: String,
        /// Its length.
        found: usize,
        /// The length that the descriptor says.
        expected: u64,
    },
    /// The arrays store another number of values than the descriptor says.
    Stored {
        /// The number that they store.
        found: u64,
        /// The number that is said.
        said: u64,
    },
    /// A 0 where indices begin with 1.
    Base {
        /// The name of the array.
        array: String,
        /// Its position.
        at: usize,
    },
    /// The arrays of the levels.
    Levels(InteropError),
    /// A stored element that contradicts the structure.
    Structure(AttributesError),
}

impl ArrayError {
    /// `array/` and the kind of the error.
    pub fn class(&self) -> String {
        let class = match self {
            ArrayError::Missing { .. } => "missing",
            ArrayError::Length { .. } | ArrayError::Stored { .. } => "length",
            ArrayError::Base { array, .. } => {
                if array.starts_with("pointers") {
                    "pointers"
                } else {
                    "range"
                }
            }
            ArrayError::Levels(error) => error.class(),
            ArrayError::Structure(_) => "structure",
        };
        format!("array/{}", class.rsplit('/').next().unwrap_or(class))
    }
}

impl Display for ArrayError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            ArrayError::Missing { array } => write!(f, "{array} is missing"),
            ArrayError::Length { array, found, expected } => write!(f, "{array} has {found} elements instead of {expected}"),
            ArrayError::Stored { found, said } => write!(f, "{found} values are stored, but number_of_stored_values is {said}"),
            ArrayError::Base { array, at } => write!(f, "{array}[{at}] is 0, but index_base is 1"),
            ArrayError::Levels(InteropError::Levels(error)) => match named(error) {
                Some(name) => write!(f, "{name}: {error}"),
                None => error.fmt(f),
            },
            ArrayError::Levels(error) => error.fmt(f),
            ArrayError::Structure(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ArrayError {}

/// The name in files of a pointer array that an error names.
fn named(error: &LevelsError) -> Option<String> {
    let array = match error {
        LevelsError::Missing { array }
        | LevelsError::Length { array, .. }
        | LevelsError::First { array, .. }
        | LevelsError::Decreasing { array, .. }
        | LevelsError::Last { array, .. } => *array,
        _ => return None,
    };
    match array {
        ArrayName::Pointers(level) => Some(format!("pointers_to_{}", level + 1)),
        other => Some(other.to_string()),
    }
}
