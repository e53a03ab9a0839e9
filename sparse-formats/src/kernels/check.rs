//! Checks of arguments, which return errors with the numbers in them.

use crate::{ArrayName, SparseError};
use array_kernels::parallel;
use layout_levels::Index;

/// Fails unless `found == expected`. `array` is the name of the argument in the error.
pub(crate) fn same_length(array: &'static str, found: usize, expected: usize) -> Result<(), SparseError> {
    if found == expected { Ok(()) } else { Err(SparseError::Length { array: ArrayName::Argument(array), found, expected }) }
}

/// Returns the length that all columns have (0 without columns). Fails if two lengths differ.
pub(crate) fn same_lengths<'c>(columns: impl IntoIterator<Item = &'c crate::Indices<'c>>) -> Result<usize, SparseError> {
    let mut lengths = columns.into_iter().map(crate::Indices::len);
    let first = lengths.next().unwrap_or(0);
    lengths.try_for_each(|length| same_length("column", length, first)).map(|()| first)
}

/// Fails unless `number <= most`. `what` names in the error what is counted.
pub(crate) fn fits(what: &'static str, number: u64, most: u64) -> Result<(), SparseError> {
    if number <= most { Ok(()) } else { Err(SparseError::TooLarge { what, number, most }) }
}

/// Fails unless all `numbers` are below `extent`. The error names the first one that is not, and `array`.
pub(crate) fn below<T: Index>(array: &'static str, numbers: &[T], extent: u64) -> Result<(), SparseError> {
    let parts = parallel::ranges(numbers.len(), parallel::threads(numbers.len()));
    // A negative number exceeds every extent as `u64`.
    let most = |part: &[T]| if T::SIGNED { part.iter().map(|x| x.to_u64()).max() } else { part.iter().max().map(|x| x.to_u64()) };
    match parallel::map(parts, |part| most(&numbers[part])).into_iter().max().flatten() {
        Some(most) if most >= extent => {
            let at = numbers.iter().position(|x| x.to_u64() >= extent).unwrap_or(0);
            Err(SparseError::Range { array: ArrayName::Argument(array), at, found: numbers[at].to_u64(), extent })
        }
        _ => Ok(()),
    }
}
