//! Why a format has no counterpart, or arrays are not those of one.

use crate::LevelsError;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

/// Why a format has no counterpart in another system, or one from there has none here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InteropError {
    /// What a level says cannot be said there.
    NoCounterpart {
        /// The level.
        level: usize,
        /// What has none.
        what: &'static str,
    },
    /// A level of no axis.
    EmptyLevel {
        /// The level.
        level: usize,
    },
    /// Levels of another number of axes.
    Axes {
        /// The axes that the levels have.
        levels: usize,
        /// The order of the axes.
        axes: Vec<usize>,
    },
    /// A text that names no level.
    Level {
        /// The text.
        text: String,
    },
    /// A rule of the other system that the levels break.
    Rule {
        /// The level.
        level: usize,
        /// The rule.
        rule: &'static str,
    },
    /// The positions of the first level are not `[0, n]`.
    Root {
        /// The positions.
        found: Vec<u64>,
        /// The number of coordinates.
        expected: usize,
    },
    /// An array of tuples that is no whole number of them.
    Tuples {
        /// The first level.
        level: usize,
        /// The length of the array.
        found: usize,
        /// The coordinates of a tuple.
        width: usize,
    },
    /// The arrays.
    Levels(LevelsError),
}

impl InteropError {
    /// `levels/` and the kind of the error, the same in every version.
    pub const fn class(&self) -> &'static str {
        match self {
            InteropError::NoCounterpart { .. } => "levels/counterpart",
            InteropError::EmptyLevel { .. } | InteropError::Level { .. } => "levels/token",
            InteropError::Axes { .. } => "levels/axes",
            InteropError::Rule { .. } => "levels/rule",
            InteropError::Root { .. } => "levels/pointers",
            InteropError::Tuples { .. } => "levels/length",
            InteropError::Levels(error) => error.class(),
        }
    }
}

impl Display for InteropError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            InteropError::NoCounterpart { level, what } => write!(f, "level {level}: {what} has no counterpart"),
            InteropError::EmptyLevel { level } => write!(f, "level {level} has no axis"),
            InteropError::Axes { levels, axes } => write!(f, "{axes:?} is not an order of the axes of levels of {levels} axes"),
            InteropError::Level { text } => write!(f, "`{text}` is not a level"),
            InteropError::Rule { level, rule } => write!(f, "level {level}: {rule}"),
            InteropError::Root { found, expected } => write!(f, "the positions of level 0 are {found:?} instead of [0, {expected}]"),
            InteropError::Tuples { level, found, width } => {
                write!(f, "level {level}: {found} coordinates are no whole number of tuples of {width}")
            }
            InteropError::Levels(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for InteropError {}

impl From<LevelsError> for InteropError {
    fn from(error: LevelsError) -> Self {
        InteropError::Levels(error)
    }
}
