//! What is wrong with the arrays of a tensor.

use crate::FormatError;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

/// One of the arrays of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum ArrayName {
    /// The coordinates of a level.
    Indices(usize),
    /// The bounds of the children of the entries of a level.
    Pointers(usize),
    /// The values.
    Values,
}

impl Display for ArrayName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            ArrayName::Indices(level) => write!(f, "indices_{level}"),
            ArrayName::Pointers(level) => write!(f, "pointers_{level}"),
            ArrayName::Values => f.write_str("values"),
        }
    }
}

/// What is wrong with the arrays of a tensor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LevelsError {
    /// The format.
    Format(FormatError),
    /// The shape has another number of axes than the format.
    Rank {
        /// The number of extents.
        shape: usize,
        /// The number of axes of the format.
        format: usize,
    },
    /// The level has this array, which is missing.
    Missing {
        /// The array.
        array: ArrayName,
    },
    /// The level has no such array.
    Unexpected {
        /// The array.
        array: ArrayName,
    },
    /// An array of another length.
    Length {
        /// The array.
        array: ArrayName,
        /// Its length.
        found: usize,
        /// The length that the levels above ask for.
        expected: usize,
    },
    /// The first pointer is not 0.
    First {
        /// The array.
        array: ArrayName,
        /// The first pointer.
        found: u64,
    },
    /// A pointer that is less than the one before it.
    Decreasing {
        /// The array.
        array: ArrayName,
        /// Its position.
        at: usize,
        /// The pointer before it.
        before: u64,
        /// The pointer.
        found: u64,
    },
    /// The last pointer is not the number of children.
    Last {
        /// The array.
        array: ArrayName,
        /// The last pointer.
        found: u64,
        /// The number of children.
        expected: usize,
    },
    /// An entry that occurs has no element below it.
    Childless {
        /// The level.
        level: usize,
        /// The entry.
        at: usize,
    },
    /// A coordinate beyond the extent of its axis.
    Range {
        /// The array.
        array: ArrayName,
        /// Its position.
        at: usize,
        /// The coordinate.
        found: u64,
        /// The extent.
        extent: u64,
    },
    /// An entry that is less than the one before it below the same parent.
    Unsorted {
        /// The level, the last of its group.
        level: usize,
        /// The entry.
        at: usize,
        /// The coordinates of the entry before it in the levels of the group.
        before: Vec<u64>,
        /// Its own.
        found: Vec<u64>,
    },
    /// An entry that occurs twice below the same parent.
    Duplicate {
        /// The level, the last of its group.
        level: usize,
        /// The entry.
        at: usize,
        /// Its coordinates in the levels of the group.
        found: Vec<u64>,
    },
    /// Before a compressed level each entry is repeated for each of its coordinates, and this one is not.
    Repetition {
        /// The array.
        array: ArrayName,
        /// Its position.
        at: usize,
        /// The coordinate at the start of the block.
        expected: u64,
        /// The coordinate.
        found: u64,
    },
    /// The entries before a compressed level are no blocks of its extent.
    Blocks {
        /// The array.
        array: ArrayName,
        /// Its length, or the pointer that ends between blocks.
        found: u64,
        /// The extent.
        extent: u64,
    },
    /// A node that should have been split.
    Children {
        /// The level.
        level: usize,
        /// The entry.
        at: usize,
        /// How many children it has.
        found: u64,
        /// The most it may have.
        most: usize,
    },
    /// More entries than memory can address.
    Overflow {
        /// The level, or the number of levels for the values.
        level: usize,
        /// Parents, or elements.
        parents: usize,
        /// Entries for each.
        extent: u64,
    },
}

impl LevelsError {
    /// The kind of the error, the same in every version.
    pub const fn detail(&self) -> &'static str {
        match self {
            LevelsError::Format(_) => "format",
            LevelsError::Rank { .. } => "shape",
            LevelsError::Missing { .. } => "missing",
            LevelsError::Unexpected { .. } => "unexpected",
            LevelsError::Length { .. } | LevelsError::Blocks { .. } => "length",
            LevelsError::First { .. } | LevelsError::Decreasing { .. } | LevelsError::Last { .. } | LevelsError::Childless { .. } => {
                "pointers"
            }
            LevelsError::Range { .. } => "range",
            LevelsError::Unsorted { .. } => "unsorted",
            LevelsError::Duplicate { .. } => "duplicate",
            LevelsError::Repetition { .. } => "repetition",
            LevelsError::Children { .. } => "balance",
            LevelsError::Overflow { .. } => "overflow",
        }
    }

    /// `levels/` and the kind of the error.
    pub const fn class(&self) -> &'static str {
        match self {
            LevelsError::Format(error) => error.class(),
            LevelsError::Rank { .. } => "levels/shape",
            LevelsError::Missing { .. } => "levels/missing",
            LevelsError::Unexpected { .. } => "levels/unexpected",
            LevelsError::Length { .. } | LevelsError::Blocks { .. } => "levels/length",
            LevelsError::First { .. } | LevelsError::Decreasing { .. } | LevelsError::Last { .. } | LevelsError::Childless { .. } => {
                "levels/pointers"
            }
            LevelsError::Range { .. } => "levels/range",
            LevelsError::Unsorted { .. } => "levels/unsorted",
            LevelsError::Duplicate { .. } => "levels/duplicate",
            LevelsError::Repetition { .. } => "levels/repetition",
            LevelsError::Children { .. } => "levels/balance",
            LevelsError::Overflow { .. } => "levels/overflow",
        }
    }
}

impl Display for LevelsError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            LevelsError::Format(error) => error.fmt(f),
            LevelsError::Rank { shape, format } => write!(f, "{shape} extents for a format of {format} axes"),
            LevelsError::Missing { array } => write!(f, "{array} is missing"),
            LevelsError::Unexpected { array } => write!(f, "{array} has no place in this format"),
            LevelsError::Length { array, found, expected } => write!(f, "{array} has {found} elements instead of {expected}"),
            LevelsError::First { array, found } => write!(f, "{array}[0] is {found} instead of 0"),
            LevelsError::Decreasing { array, at, before, found } => write!(f, "{array}[{at}] is {found}, less than {before} before it"),
            LevelsError::Last { array, found, expected } => write!(f, "{array} ends with {found}, but there are {expected} children"),
            LevelsError::Childless { level, at } => write!(f, "indices_{level}[{at}] has no element below it"),
            LevelsError::Range { array, at, found, extent } => write!(f, "{array}[{at}] is {found}, but the extent is {extent}"),
            LevelsError::Unsorted { level, at, before, found } => {
                place(f, *level, found.len(), *at)?;
                match (before.as_slice(), found.as_slice()) {
                    ([before], [found]) => write!(f, " is {found}, less than {before} before it"),
                    _ => write!(f, " is {found:?}, less than {before:?} before it"),
                }
            }
            LevelsError::Duplicate { level, at, found } => {
                place(f, *level, found.len(), *at)?;
                match found.as_slice() {
                    [found] => write!(f, " repeats {found}"),
                    _ => write!(f, " repeats {found:?}"),
                }
            }
            LevelsError::Repetition { array, at, expected, found } => {
                write!(f, "{array}[{at}] is {found}, but its block before a compressed level began with {expected}")
            }
            LevelsError::Blocks { array, found, extent } => {
                write!(f, "{array}: {found} is no multiple of the extent {extent} of the compressed level after it")
            }
            LevelsError::Children { level, at, found, most } => {
                write!(f, "indices_{level}[{at}] has {found} children, but there may be {most}")
            }
            LevelsError::Overflow { level, parents, extent } => {
                write!(f, "level {level}: {parents} times {extent} entries do not fit memory")
            }
        }
    }
}

/// A position in the arrays of a group of levels that ends with this one: `indices_1[7]`, `(indices_0, indices_1)[7]`.
fn place(f: &mut Formatter<'_>, level: usize, levels: usize, at: usize) -> Result {
    if levels == 1 {
        return write!(f, "indices_{level}[{at}]");
    }
    for (k, level) in (level + 1 - levels..=level).enumerate() {
        write!(f, "{}indices_{level}", if k == 0 { "(" } else { ", " })?;
    }
    write!(f, ")[{at}]")
}

impl core::error::Error for LevelsError {}

impl From<FormatError> for LevelsError {
    fn from(error: FormatError) -> Self {
        LevelsError::Format(error)
    }
}
