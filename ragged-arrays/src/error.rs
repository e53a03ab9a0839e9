//! The errors of ragged arrays, and sums and products of lengths that fail with them.

use array_kernels::ChainError;
use layout_levels::{Flaw, LevelError};

layout_core::errors! {
    /// The error of a constructor or an operation of ragged arrays, with the position and the numbers.
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
        /// A ragged array needs at least one level of offsets.
        NoLevels => "ragged/no_levels", "there are no offsets; a ragged array needs at least one level of them";
        /// There is no such axis, or the operation cannot use it: it takes axes `least..depth`.
        Axis { axis: usize, least: usize, depth: usize } => "ragged/no_such_axis", "axis {axis} is out of range; expected {least}..{depth}";
        /// The lengths do not add up to the number of elements.
        Lengths { sum: usize, expected: usize } =>
            "ragged/length_sum_mismatch", "the lengths add up to {sum}, but there are {expected} elements";
        /// The row number of an element is not below the number of rows.
        NoSuchRow { index: usize, row: usize, rows: usize } =>
            "ragged/row_out_of_range", "element {index} is in row {row}, but there are {rows} rows";
        /// The row numbers of elements are not in ascending order.
        UnsortedRows { index: usize, row: usize, before: usize } => "ragged/unsorted_rows",
            "element {index} is in row {row}, but the element before it is in row {before}: sort the elements by row";
        /// The number of rows of size 0 does not follow from the elements.
        UnknownRows => "ragged/ambiguous_zero_size", "the number of rows of size 0 is unknown: give it";
        /// The number of elements is no multiple of the size of a row.
        Remainder { len: usize, size: usize } => "ragged/remainder", "{len} elements are not a multiple of {size}, the size of a row";
        /// A list has no element with this index.
        OutOfRange { axis: usize, index: isize, len: usize, list: usize } =>
            "ragged/column_out_of_range", "axis {axis}: index {index} is out of range for list {list}, which has {len} elements";
        /// The array has no leaf with this number.
        NoSuchLeaf { leaf: usize, leaves: usize } => "ragged/leaf_out_of_range", "leaf {leaf} is out of range: there are {leaves} leaves";
        /// List `list` of an axis has another length than list 0, but the operation needs one length.
        NotRegular { axis: usize, list: usize, len: usize, expected: usize } =>
            "ragged/not_regular", "axis {axis}: list {list} has {len} elements, but list 0 has {expected}";
        /// List `list` of an axis has different lengths in two arrays, which must have the same.
        Different { axis: usize, list: usize, left: usize, right: usize } =>
            "ragged/different_shapes", "axis {axis}: list {list} has {left} elements in one array, but {right} in the other";
        /// Two arrays have different numbers of lists.
        DifferentCounts { axis: usize, left: usize, right: usize } =>
            "ragged/different_shapes", "axis {axis}: one array has {left} lists, but the other has {right}";
        /// A group of elements crosses the end of a list.
        Straddles { group: usize, list: usize } => "ragged/straddles",
            "group {group} does not end with list {list} or before it: sizes of groups add up to the length of each list";
        /// The innermost axes of fixed size do not have the elements of a block.
        NotABlock { axis: usize, size: usize, expected: usize } =>
            "ragged/not_a_block", "a block has {expected} elements, but the fixed axes from axis {axis} on have {size}";
        /// An axis has another kind than the operation needs.
        Kind { axis: usize, expected: &'static str, found: &'static str } => "ragged/kind", "axis {axis}: the kind is {found}; expected: {expected}";
        /// An offset does not fit the requested type.
        Narrow { level: usize, index: usize, offset: usize, word: &'static str } =>
            "ragged/overflow", "level {level}: offsets[{index}] = {offset} does not fit {word}";
        /// A number exceeds its integer type, or memory has no room for an array.
        Overflow => "ragged/overflow", "a number is too large for its integer type, or an array is too large for memory";
        /// An index or a mask has no value for an element whose place cannot stay empty: only leaves may be missing.
        Missing { axis: usize, element: usize } =>
            "ragged/missing", "axis {axis}: element {element} of the indices or the mask is missing, but only leaves may be missing";
        /// A list is missing, but the operation needs it.
        MissingList { axis: usize, element: usize } =>
            "ragged/missing", "axis {axis}: element {element} is missing: drop or fill missing lists before";
        /// The step of a slice is 0.
        ZeroStep => "ragged/zero_step", "the step of a slice is 0";
    }
}

impl RaggedError {
    /// Returns the number of the level or axis of the error, from 0, or `None` if the error has none.
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
            | RaggedError::DifferentCounts { axis, .. }
            | RaggedError::Missing { axis, .. }
            | RaggedError::MissingList { axis, .. } => Some(*axis),
            _ => None,
        }
    }

    /// Returns the index in an array, or the number of the list or leaf, from 0. Returns `None` if the error has none.
    pub const fn index(&self) -> Option<usize> {
        match self {
            RaggedError::Level(error) => match error.flaw {
                Flaw::Empty | Flaw::Length { .. } | Flaw::Parents { .. } => None,
                _ => Some(error.index),
            },
            RaggedError::NoSuchRow { index, .. } | RaggedError::UnsortedRows { index, .. } | RaggedError::Narrow { index, .. } => {
                Some(*index)
            }
            RaggedError::OutOfRange { list, .. }
            | RaggedError::NotRegular { list, .. }
            | RaggedError::Straddles { list, .. }
            | RaggedError::Different { list, .. } => Some(*list),
            RaggedError::NoSuchLeaf { leaf, .. } => Some(*leaf),
            RaggedError::Missing { element, .. } | RaggedError::MissingList { element, .. } => Some(*element),
            _ => None,
        }
    }
}

/// The result of an operation that may fail with a [`RaggedError`].
///
/// ```
/// use ragged_arrays::{RaggedArray, Result};
/// fn means(rows: &RaggedArray<'_, f32>) -> Result<Vec<f64>> {
///     Ok(rows.mean(1)?.leaves().to_vec())
/// }
/// assert_eq!(means(&RaggedArray::from_lengths(vec![2, 1], vec![1.0, 4.0, 3.0])?)?, [2.5, 3.0]);
/// let error = means(&RaggedArray::from_leaves(vec![1.0])?).unwrap_err();
/// assert_eq!(error.to_string(), "axis 1 is out of range; expected 0..1");
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
pub type Result<T> = core::result::Result<T, RaggedError>;

/// Returns the product of extents. Fails if it overflows.
pub(crate) fn product(extents: &[usize]) -> Result<usize> {
    extents.iter().try_fold(1_usize, |size, n| size.checked_mul(*n)).ok_or(RaggedError::Overflow)
}

/// Returns the sum of lengths. Fails if it overflows.
pub(crate) fn sum(lengths: &[usize]) -> Result<usize> {
    lengths.iter().try_fold(0_usize, |sum, len| sum.checked_add(*len)).ok_or(RaggedError::Overflow)
}

/// Fails unless the sum of lengths is the expected number.
pub(crate) fn add_up(sum: usize, expected: usize) -> Result<()> {
    if sum == expected { Ok(()) } else { Err(RaggedError::Lengths { sum, expected }) }
}
