//! The values of stored elements.

use crate::{OperationError, SparseError};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory::{self, room};
use core::ops::Range;

/// The values of stored elements, in storage order; those of a block over dense axes follow each other.
#[derive(Clone, Debug, PartialEq)]
pub enum Values<'a, V: Clone> {
    /// One for each.
    Each(Cow<'a, [V]>),
    /// One for all.
    Iso(V),
    /// None: only the pattern is known.
    PatternOnly,
}

impl<V: Clone> Values<'_, V> {
    /// The value of element `k`, if values are stored.
    pub fn get(&self, k: usize) -> Option<&V> {
        match self {
            Values::Each(values) => values.get(k),
            Values::Iso(value) => Some(value),
            Values::PatternOnly => None,
        }
    }

    /// Number of values, where each element has its own.
    pub fn len(&self) -> Option<usize> {
        match self {
            Values::Each(values) => Some(values.len()),
            _ => None,
        }
    }

    /// Tests whether each element has its own value and there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The values, owned.
    pub fn into_owned(self) -> Values<'static, V> {
        match self {
            Values::Each(values) => Values::Each(Cow::Owned(memory::owned(values))),
            Values::Iso(value) => Values::Iso(value),
            Values::PatternOnly => Values::PatternOnly,
        }
    }

    /// The values, borrowed.
    pub fn view(&self) -> Values<'_, V> {
        match self {
            Values::Each(values) => Values::Each(Cow::Borrowed(values)),
            Values::Iso(value) => Values::Iso(value.clone()),
            Values::PatternOnly => Values::PatternOnly,
        }
    }

    /// With `f` of each value.
    pub fn map<'w, W: Clone + 'w>(&self, f: impl FnMut(&V) -> W) -> Values<'w, W> {
        let mut f = f;
        match self {
            Values::Each(values) => Values::Each(values.iter().map(f).collect()),
            Values::Iso(value) => Values::Iso(f(value)),
            Values::PatternOnly => Values::PatternOnly,
        }
    }

    /// The values of these runs of elements, of which there are `count`, each with a block of values.
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

    /// With `f` of the values, where each element has its own.
    pub(crate) fn with_each(&self, f: impl FnOnce(&[V]) -> Result<Vec<V>, SparseError>) -> Result<Values<'static, V>, SparseError> {
        Ok(match self {
            Values::Each(values) => f(values)?.into(),
            Values::Iso(value) => Values::Iso(value.clone()),
            Values::PatternOnly => Values::PatternOnly,
        })
    }

    /// The values, and how far those of neighbours are apart: 0 where all have one.
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
