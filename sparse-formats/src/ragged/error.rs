//! Why something is not a ragged array, or an operation on one is refused.

use core::fmt;
use layout_core::level::{Flaw, LevelError};

/// What was refused, where, and the numbers.
///
/// ```
/// use sparse_formats::ragged::RaggedArray;
/// let error = RaggedArray::from_offsets(vec![vec![0_u32, 2], vec![0, 2, 1]], vec![1.0]).unwrap_err();
/// assert_eq!(error.to_string(), "level 1: offsets[2] = 1 is smaller than the 2 before it");
/// assert_eq!((error.kind(), error.level(), error.index()), ("not_monotone", Some(1), Some(2)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RaggedError {
    /// A ragged array has at least one level of offsets.
    NoLevels,
    /// The arrays of a level are not right, or do not fit the level below.
    Level(LevelError),
    /// There is no such axis, or none that the operation can use.
    Axis {
        /// The axis asked for.
        axis: usize,
        /// It must be at least this,
        least: usize,
        /// and below this.
        depth: usize,
    },
    /// Lengths do not add up.
    Lengths {
        /// What they add up to.
        sum: usize,
        /// What there is.
        expected: usize,
    },
    /// An element names a row that does not exist.
    NoSuchRow {
        /// The element.
        index: usize,
        /// The row it names.
        row: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// The rows of elements are not in order.
    UnsortedRows {
        /// The first element whose row is smaller than the one before.
        index: usize,
    },
    /// Rows of size 0 need their number given.
    UnknownRows,
    /// The elements are no whole number of rows.
    Remainder {
        /// How many elements there are.
        len: usize,
        /// The size of a row.
        size: usize,
    },
    /// There is no such element.
    OutOfRange {
        /// The axis.
        axis: usize,
        /// The coordinate asked for.
        index: isize,
        /// The length of the list it is asked of.
        len: usize,
        /// The number of this list among those of its axis.
        list: usize,
    },
    /// There is no such leaf.
    NoSuchLeaf {
        /// The leaf.
        leaf: usize,
        /// How many there are.
        leaves: usize,
    },
    /// Lists have different lengths where one is needed.
    NotRegular {
        /// The axis.
        axis: usize,
        /// The first list of another length than the first,
        list: usize,
        /// its length,
        len: usize,
        /// and that of the first.
        expected: usize,
    },
    /// Two arrays differ in structure.
    Different {
        /// The axis.
        axis: usize,
        /// The first list that differs in length, or nothing where the number of lists does.
        list: Option<usize>,
        /// The length in the first array,
        left: usize,
        /// and in the second.
        right: usize,
    },
    /// A group of elements crosses the end of a list.
    Straddles {
        /// The group.
        group: usize,
        /// The list.
        list: usize,
    },
    /// Axes of fixed size do not make up a block.
    NotABlock {
        /// The first of them,
        axis: usize,
        /// how many elements they have together,
        size: usize,
        /// and how many a block has.
        expected: usize,
    },
    /// An axis is of another kind than the level of a chain.
    Kind {
        /// The axis.
        axis: usize,
        /// The kind in the chain,
        expected: &'static str,
        /// and in the array.
        found: &'static str,
    },
    /// A number exceeds what can be represented.
    Overflow,
    /// A step of 0.
    ZeroStep,
}

impl RaggedError {
    /// A name for programs.
    pub const fn kind(&self) -> &'static str {
        match self {
            RaggedError::NoLevels => "no_levels",
            RaggedError::Level(error) => match error.flaw {
                Flaw::Empty => "empty_offsets",
                Flaw::NotAnAddress { value } if value < 0 => "negative",
                Flaw::NotAnAddress { .. } => "not_an_address",
                Flaw::Decreases { .. } => "not_monotone",
                Flaw::Beyond { .. } | Flaw::Parents { .. } => "beyond_child",
                Flaw::Length { .. } => "length_mismatch",
                _ => "level",
            },
            RaggedError::Axis { .. } => "no_such_axis",
            RaggedError::Lengths { .. } => "length_sum_mismatch",
            RaggedError::NoSuchRow { .. } => "row_out_of_range",
            RaggedError::UnsortedRows { .. } => "unsorted_rows",
            RaggedError::UnknownRows => "ambiguous_zero_size",
            RaggedError::Remainder { .. } => "remainder",
            RaggedError::OutOfRange { .. } => "column_out_of_range",
            RaggedError::NoSuchLeaf { .. } => "leaf_out_of_range",
            RaggedError::NotRegular { .. } => "not_regular",
            RaggedError::Different { .. } => "different_shapes",
            RaggedError::Straddles { .. } => "straddles",
            RaggedError::NotABlock { .. } => "not_a_block",
            RaggedError::Kind { .. } => "kind",
            RaggedError::Overflow => "overflow",
            RaggedError::ZeroStep => "zero_step",
        }
    }

    /// Its name, for errors that pass it on.
    pub(crate) const fn class(&self) -> &'static str {
        self.kind()
    }

    /// The level or axis, where the error has one.
    pub const fn level(&self) -> Option<usize> {
        match self {
            RaggedError::Level(error) => error.level,
            RaggedError::Axis { axis, .. }
            | RaggedError::OutOfRange { axis, .. }
            | RaggedError::NotRegular { axis, .. }
            | RaggedError::NotABlock { axis, .. }
            | RaggedError::Kind { axis, .. }
            | RaggedError::Different { axis, .. } => Some(*axis),
            _ => None,
        }
    }

    /// The place in an array, or the list, where the error has one.
    pub const fn index(&self) -> Option<usize> {
        match self {
            RaggedError::Level(error) => match error.flaw {
                Flaw::Empty | Flaw::Length { .. } | Flaw::Parents { .. } => None,
                _ => Some(error.index),
            },
            RaggedError::NoSuchRow { index, .. } | RaggedError::UnsortedRows { index } => Some(*index),
            RaggedError::OutOfRange { list, .. } | RaggedError::NotRegular { list, .. } | RaggedError::Straddles { list, .. } => {
                Some(*list)
            }
            RaggedError::Different { list, .. } => *list,
            RaggedError::NoSuchLeaf { leaf, .. } => Some(*leaf),
            _ => None,
        }
    }
}

impl From<LevelError> for RaggedError {
    fn from(error: LevelError) -> Self {
        RaggedError::Level(error)
    }
}

impl fmt::Display for RaggedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RaggedError::NoLevels => write!(f, "there are no offsets; a ragged array has at least one level"),
            RaggedError::Level(error) => write!(f, "{error}"),
            RaggedError::Axis { axis, least, depth } => write!(f, "axis {axis} is not one of {least}..{depth}"),
            RaggedError::Lengths { sum, expected } => write!(f, "the lengths add up to {sum}, but there are {expected} elements"),
            RaggedError::NoSuchRow { index, row, rows } => write!(f, "element {index} is of row {row}, but there are {rows} rows"),
            RaggedError::UnsortedRows { index } => write!(f, "element {index} is of an earlier row than the one before it"),
            RaggedError::UnknownRows => write!(f, "rows of size 0 need their number given"),
            RaggedError::Remainder { len, size } => write!(f, "{len} elements are no whole number of rows of {size}"),
            RaggedError::OutOfRange { axis, index, len, list } => {
                write!(f, "axis {axis}: there is no element {index} in list {list}, which has {len}")
            }
            RaggedError::NoSuchLeaf { leaf, leaves } => write!(f, "there is no leaf {leaf} among {leaves}"),
            RaggedError::NotRegular { axis, list, len, expected } => {
                write!(f, "axis {axis}: list {list} has {len} elements, but list 0 has {expected}")
            }
            RaggedError::Different { axis, list: Some(list), left, right } => {
                write!(f, "axis {axis}: list {list} has {left} elements in one array and {right} in the other")
            }
            RaggedError::Different { axis, list: None, left, right } => {
                write!(f, "axis {axis}: one array has {left} lists, the other {right}")
            }
            RaggedError::Straddles { group, list } => write!(f, "group {group} crosses the end of list {list}"),
            RaggedError::NotABlock { axis, size, expected } => {
                write!(f, "a block has {expected} elements, but the fixed axes from {axis} on have {size}")
            }
            RaggedError::Kind { axis, expected, found } => write!(f, "axis {axis} is {found}, not {expected}"),
            RaggedError::Overflow => write!(f, "the result exceeds what can be represented"),
            RaggedError::ZeroStep => write!(f, "the step of a slice is 0"),
        }
    }
}

impl core::error::Error for RaggedError {}

/// `Result` of ragged arrays.
pub type Result<T> = core::result::Result<T, RaggedError>;
