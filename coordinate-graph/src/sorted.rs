//! Maps and sets in sorted vectors. A graph or a program has few entries, so a tree is not needed. Trees, one for
//! each key type, would be a quarter of the code that the compiler generates for graphs, and every build of the
//! macros waits for that code.

use core::borrow::Borrow;
use layout_algebra::heap::Vec;

/// A map in the order of its keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SortedMap<K, V>(Vec<(K, V)>);

impl<K: Ord, V> SortedMap<K, V> {
    pub(crate) const fn new() -> Self {
        SortedMap(Vec::new())
    }

    /// Returns the position of the key as `Ok`, or the position where it would be inserted as `Err`.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> core::result::Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(k, _)| k.borrow().cmp(key))
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|k| &self.0[k].1)
    }

    pub(crate) fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets the value of a key and returns true if the key is new.
    pub(crate) fn insert(&mut self, key: K, value: V) -> bool {
        let place = self.find(&key);
        match place {
            Ok(k) => self.0[k].1 = value,
            Err(k) => self.0.insert(k, (key, value)),
        }
        place.is_err()
    }

    /// Returns the value of a key. Inserts `value` first if the key is missing.
    pub(crate) fn or_insert(&mut self, key: K, value: V) -> &mut V {
        let k = match self.find(&key) {
            Ok(k) => k,
            Err(k) => {
                self.0.insert(k, (key, value));
                k
            }
        };
        &mut self.0[k].1
    }

    pub(crate) fn remove(&mut self, key: &K) {
        if let Ok(k) = self.find(key) {
            self.0.remove(k);
        }
    }

    pub(crate) fn retain(&mut self, mut keeps: impl FnMut(&K, &V) -> bool) {
        self.0.retain(|(k, v)| keeps(k, v));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(k, v)| (k, v))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(k, _)| k)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, v)| v)
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap(Vec::new())
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = SortedMap::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

/// A set in the order of its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SortedSet<K>(SortedMap<K, ()>);

impl<K: Ord> SortedSet<K> {
    pub(crate) const fn new() -> Self {
        SortedSet(SortedMap::new())
    }

    pub(crate) fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Adds an element and returns true if it is new.
    pub(crate) fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &K> {
        self.0.keys()
    }
}

impl<K> IntoIterator for SortedSet<K> {
    type Item = K;
    type IntoIter = core::iter::Map<alloc::vec::IntoIter<(K, ())>, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.0.into_iter().map(|(k, ())| k)
    }
}

impl<K: Ord> Extend<K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(elements: I) -> Self {
        let mut set = SortedSet::new();
        set.extend(elements);
        set
    }
}
