//! The values that replace nulls, and the check that no list shows a null that is not replaced.

use super::ListError;
use crate::{RaggedError, RaggedShape};
use alloc::vec::Vec;
use arrow_array::Array;
use arrow_buffer::NullBuffer;

/// The values that replace nulls. By default there are none, and nulls are errors.
///
/// ```
/// use arrow_array::{Int32Array, types::Int32Type};
/// use ragged_arrays::{RaggedArray, arrow::Nulls};
/// let column = Int32Array::from(vec![Some(4), None]);
/// let zeros = Nulls { leaf: Some(0), ..Nulls::default() }; // null lists stay errors
/// assert_eq!(RaggedArray::from_arrow_with::<Int32Type>(&column, zeros)?.leaves(), [4, 0]);
/// assert!(RaggedArray::from_arrow_with::<Int32Type>(&column, Nulls::default()).is_err());
/// # Ok::<(), ragged_arrays::arrow::ListError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nulls<T> {
    /// True if null lists become empty lists, false if they are errors.
    pub empty_lists: bool,
    /// The leaf that replaces null leaves; `None` if null leaves are errors.
    pub leaf: Option<T>,
}

impl<T> Default for Nulls<T> {
    fn default() -> Self {
        Nulls { empty_lists: false, leaf: None }
    }
}

/// The axes whose nulls are not replaced, and the nulls of each.
#[derive(Default)]
pub(super) struct Masks<'a>(Vec<(usize, &'a NullBuffer)>);

impl<'a> Masks<'a> {
    /// Returns the nulls of an array if it has any and they are replaced. Otherwise records them for [`Masks::check`]: `None`.
    pub(super) fn of(&mut self, axis: usize, array: &'a dyn Array, replaced: bool) -> Option<&'a NullBuffer> {
        let mask = array.nulls().filter(|mask| mask.null_count() > 0)?;
        if replaced {
            return Some(mask);
        }
        self.0.push((axis, mask));
        None
    }

    /// Fails with the first recorded null that a list of `shape` shows.
    pub(super) fn check(&self, shape: &RaggedShape<'_>) -> Result<(), ListError> {
        for (axis, mask) in &self.0 {
            let (span, shown) = (shape.span(*axis), shown(shape, *axis)?);
            let is_shown = |k: usize| shown.as_ref().is_none_or(|shown| shown.get(k - span.start) == Some(&true));
            if let Some(index) = span.clone().find(|k| mask.is_null(*k) && is_shown(*k)) {
                return Err(ListError::Null { axis: *axis, index });
            }
        }
        Ok(())
    }
}

/// Returns, for each used element of `axis`, whether a list shows it, or `None` if all are shown.
fn shown(shape: &RaggedShape<'_>, axis: usize) -> Result<Option<Vec<bool>>, RaggedError> {
    let above = shape.truncated(axis + 1);
    if above.is_consecutive() {
        return Ok(None);
    }
    let mut shown = alloc::vec![true; above.count(0)];
    for q in 0..axis {
        // Add 1 where a list starts and subtract 1 where it ends: lists may overlap any number of times.
        let mut steps = alloc::vec![0_isize; above.count(q + 1) + 1];
        above.for_rows(q, |row, range| {
            if shown[row] && !range.is_empty() {
                steps[range.start] += 1;
                steps[range.end] -= 1;
            }
        });
        let mut lists = 0;
        shown = steps[..steps.len() - 1]
            .iter()
            .map(|step| {
                lists += step;
                lists > 0
            })
            .collect();
    }
    Ok(Some(shown))
}
