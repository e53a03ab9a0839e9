//! The values of stored elements: one for each, one for all, or none.

use crate::{OperationError, SparseError};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory::{self, room};
use core::ops::Range;

/// The values of stored elements, in storage order. The values of a block over dense axes are adjacent.
///
/// ```
/// use sparse_formats::Values;
/// let weights = [0.5, 2.0];
/// let each = Values::from(&weights[..]);
/// assert_eq!((each.len(), each.is_empty(), each.get(1), each.get(2)), (Some(2), false, Some(&2.0), None));
/// assert_eq!(each.map(|x| x * 2.0), Values::from(vec![1.0, 4.0]));
/// // One value for all elements has no length, and stays one value.
/// let ones = Values::Iso(1.0);
/// assert_eq!((ones.len(), ones.get(7), ones.map(|x| x + 1.0)), (None, Some(&1.0), Values::Iso(2.0)));
/// assert_eq!(Values::<f64>::PatternOnly.get(0), None);
/// let owned: Values<'static, f64> = each.view().into_owned();
/// assert_eq!(owned, each);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Values<'a, V: Clone> {
    /// A value for each element.
    Each(Cow<'a, [V]>),
    /// One value for all elements.
    Iso(V),
    /// No values: only the pattern is known.
    PatternOnly,
}

impl<V: Clone> Values<'_, V> {
    /// Returns the value of element `k`, or `None` if there is none.
    pub fn get(&self, k: usize) -> Option<&V> {
        match self {
            Values::Each(values) => values.get(k),
            Values::Iso(value) => Some(value),
            Values::PatternOnly => None,
        }
    }

    /// Returns the number of values if each element has its own, otherwise `None`.
    pub fn len(&self) -> Option<usize> {
        match self {
            Values::Each(values) => Some(values.len()),
            _ => None,
        }
    }

    /// Tests whether each element has its own value and there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Returns the values, copied if they are borrowed.
    pub fn into_owned(self) -> Values<'static, V> {
        match self {
            Values::Each(values) => Values::Each(Cow::Owned(memory::owned(values))),
            Values::Iso(value) => Values::Iso(value),
            Values::PatternOnly => Values::PatternOnly,
        }
    }

    /// Returns the values, borrowed.
    pub fn view(&self) -> Values<'_, V> {
        match self {
            Values::Each(values) => Values::Each(Cow::Borrowed(values)),
            Values::Iso(value) => Values::Iso(value.clone()),
            Values::PatternOnly => Values::PatternOnly,
        }
    }

    /// Returns the values with `f` applied to each. A single value for all elements stays single.
    pub fn map<'w, W: Clone + 'w>(&self, f: impl FnMut(&V) -> W) -> Values<'w, W> {
        let mut f = f;
        match self {
            Values::Each(values) => Values::Each(values.iter().map(f).collect()),
            Values::Iso(value) => Values::Iso(f(value)),
            Values::PatternOnly => Values::PatternOnly,
        }
    }

    /// Returns the values of runs of elements. `count` is the number of elements in all runs, `block` the number of
    /// values of each element. Fails if memory has no room.
    pub(crate) fn gather(
        &self,
        runs: impl IntoIterator<Item = Range<usize>>,
        count: usize,
        block: usize,
    ) -> Result<Values<'static, V>, SparseError> {
        self.with_each(|values| {
            let mut out = count.checked_mul(block).and_then(room).ok_or(SparseError::Memory { elements: count })?;
            runs.into_iter().for_each(|run| out.extend_from_slice(&values[run.start * block..run.end * block]));
            Ok(out)
        })
    }

    /// Applies `f` to the array of values if each element has its own, and returns its result or error. Returns other values
    /// unchanged.
    pub(crate) fn with_each(&self, f: impl FnOnce(&[V]) -> Result<Vec<V>, SparseError>) -> Result<Values<'static, V>, SparseError> {
        Ok(match self {
            Values::Each(values) => f(values)?.into(),
            Values::Iso(value) => Values::Iso(value.clone()),
            Values::PatternOnly => Values::PatternOnly,
        })
    }

    /// Returns the values, and the stride from the value of one element to the next: 1, or 0 if all elements have one value.
    /// Fails if there are no values.
    pub(crate) fn strided(&self) -> Result<(&[V], usize), OperationError> {
        match self {
            Values::Each(values) => Ok((values, 1)),
            Values::Iso(value) => Ok((core::slice::from_ref(value), 0)),
            Values::PatternOnly => Err(OperationError::PatternOnly),
        }
    }
}

impl<V: Clone> From<Vec<V>> for Values<'_, V> {
    fn from(values: Vec<V>) -> Self {
        Values::Each(values.into())
    }
}

impl<'a, V: Clone> From<&'a [V]> for Values<'a, V> {
    fn from(values: &'a [V]) -> Self {
        Values::Each(values.into())
    }
}
