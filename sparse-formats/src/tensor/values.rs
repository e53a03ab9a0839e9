//! The values of stored elements.

use crate::memory;
use alloc::borrow::Cow;
use alloc::vec::Vec;

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

    /// Whether each element has its own value and there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The same values, owned.
    pub fn into_owned(self) -> Values<'static, V> {
        match self {
            Values::Each(values) => Values::Each(Cow::Owned(memory::owned(values))),
            Values::Iso(value) => Values::Iso(value),
            Values::PatternOnly => Values::PatternOnly,
        }
    }

    /// The same values, borrowed.
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

    /// The values of the blocks at `places`, each of `block` values.
    pub(crate) fn gather(&self, places: impl ExactSizeIterator<Item = usize>, block: usize) -> Values<'static, V> {
        match self {
            Values::Each(values) => {
                let mut out = Vec::with_capacity(places.len() * block);
                places.for_each(|place| out.extend_from_slice(&values[place * block..][..block]));
                Values::Each(out.into())
            }
            Values::Iso(value) => Values::Iso(value.clone()),
            Values::PatternOnly => Values::PatternOnly,
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
