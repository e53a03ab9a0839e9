//! Errors of ragged arrays.

use array_kernels::ChainError;
use layout_levels::{Flaw, LevelError};

layout_core::errors! {
    /// The error of arrays that make no ragged array, or of an operation on one: where, and the numbers.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let error = RaggedArray::from_offsets(vec![vec![0_u32, 2], vec![0, 2, 1]], vec![1.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "level 1: offsets[2] = 1 is smaller than the 2 before it");
    /// assert_eq!((error.class(), error.level(), error.index()), ("level/not_monotone", Some(1), Some(2)));
    /// ```
    #[derive(Copy)]
    #[non_exhaustive]
    RaggedError of Level(LevelError), Chain(ChainError) {
        /// A ragged array has at least one level of offsets.
        NoLevels => "ragged/no_levels", "there are no offsets; a ragged array has at least one level";
        /// There is no such axis, or none that the operation can use.
        Axis { axis: usize, least: usize, depth: usize } => "ragged/no_such_axis", "axis {axis} is not one of {least}..{depth}";
        /// Lengths do not add up.
        Lengths { sum: usize, expected: usize } =>
            "ragged/length_sum_mismatch", "the lengths add up to {sum}, but there are {expected} elements";
        /// An element names a row that does not exist.
        NoSuchRow { index: usize, row: usize, rows: usize } =>
            "ragged/row_out_of_range", "element {index} is of row {row}, but there are {rows} rows";
        /// The rows of elements are not in order.
        UnsortedRows { index: usize } => "ragged/unsorted_rows", "element {index} is of an earlier row than the one before it";
        /// Rows of size 0, of which there may be any number.
        UnknownRows => "ragged/ambiguous_zero_size", "rows of size 0 need their number given";
        /// The elements are no whole number of rows.
        Remainder { len: usize, size: usize } => "ragged/remainder", "{len} elements are no whole number of rows of {size}";
        /// There is no such element.
        OutOfRange { axis: usize, index: isize, len: usize, list: usize } =>
            "ragged/column_out_of_range", "axis {axis}: there is no element {index} in list {list}, which has {len}";
        /// There is no such leaf.
        NoSuchLeaf { leaf: usize, leaves: usize } => "ragged/leaf_out_of_range", "there is no leaf {leaf} among {leaves}";
        /// Lists have different lengths where one is needed.
        NotRegular { axis: usize, list: usize, len: usize, expected: usize } =>
            "ragged/not_regular", "axis {axis}: list {list} has {len} elements, but list 0 has {expected}";
        /// Lists of two arrays differ in length.
        Different { axis: usize, list: usize, left: usize, right: usize } =>
            "ragged/different_shapes", "axis {axis}: list {list} has {left} elements in one array and {right} in the other";
        /// Two arrays differ in the number of their lists.
        DifferentCounts { axis: usize, left: usize, right: usize } =>
            "ragged/different_shapes", "axis {axis}: one array has {left} lists, the other {right}";
        /// A group of elements crosses the end of a list.
        Straddles { group: usize, list: usize } => "ragged/straddles", "group {group} crosses the end of list {list}";
        /// Axes of fixed size do not make up a block.
        NotABlock { axis: usize, size: usize, expected: usize } =>
            "ragged/not_a_block", "a block has {expected} elements, but the fixed axes from {axis} on have {size}";
        /// An axis is of another kind than it has to be.
        Kind { axis: usize, expected: &'static str, found: &'static str } => "ragged/kind", "axis {axis} is {found}, not {expected}";
        /// An offset that the type asked for does not hold.
        Narrow { level: usize, index: usize, offset: usize, word: &'static str } =>
            "ragged/overflow", "level {level}: offsets[{index}] = {offset} does not fit {word}";
        /// A number exceeds what can be represented.
        Overflow => "ragged/overflow", "the result exceeds what can be represented";
        /// A step of 0.
        ZeroStep => "ragged/zero_step", "the step of a slice is 0";
    }
}

impl RaggedError {
    /// The level or axis, where the error has one.
    pub const fn level(&self) -> Option<usize> {
        match self {
            RaggedError::Level(error) => error.level,
            RaggedError::Chain(error) => error.level(),
            RaggedError::Narrow { level, .. } => Some(*level),
            RaggedError::Axis { axis, .. }
            | RaggedError::OutOfRange { axis, .. }
            | RaggedError::NotRegular { axis, .. }
            | RaggedError::NotABlock { axis, .. }
            | RaggedError::Kind { axis, .. }
            | RaggedError::Different { axis, .. }
            | RaggedError::DifferentCounts { axis, .. } => Some(*axis),
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
            RaggedError::NoSuchRow { index, .. } | RaggedError::UnsortedRows { index } | RaggedError::Narrow { index, .. } => Some(*index),
            RaggedError::OutOfRange { list, .. }
            | RaggedError::NotRegular { list, .. }
            | RaggedError::Straddles { list, .. }
            | RaggedError::Different { list, .. } => Some(*list),
            RaggedError::NoSuchLeaf { leaf, .. } => Some(*leaf),
            _ => None,
        }
    }
}

/// `Result` of ragged arrays.
pub type Result<T> = core::result::Result<T, RaggedError>;

/// The product of extents.
pub(crate) fn product(extents: &[usize]) -> Result<usize> {
    extents.iter().try_fold(1_usize, |size, n| size.checked_mul(*n)).ok_or(RaggedError::Overflow)
}

/// The sum of lengths.
pub(crate) fn sum(lengths: &[usize]) -> Result<usize> {
    lengths.iter().try_fold(0_usize, |sum, len| sum.checked_add(*len)).ok_or(RaggedError::Overflow)
}

/// Checks that lengths add up to what there is.
pub(crate) fn add_up(sum: usize, expected: usize) -> Result<()> {
    if sum == expected { Ok(()) } else { Err(RaggedError::Lengths { sum, expected }) }
}
