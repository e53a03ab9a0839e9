//! Treatments of entries that share a coordinate.

use core::ops::Add;

/// A treatment of several elements at one coordinate.
pub enum Duplicates<'f, V> {
    /// One element: `f(f(first, second), third)`, in the order in which they are given.
    Combine(&'f (dyn Fn(&V, &V) -> V + Sync)),
    /// The first stays.
    First,
    /// The last stays.
    Last,
    /// An error.
    Refuse,
    /// All stay, in the order in which they are given: a tensor must then be a multigraph.
    Keep,
}

impl<V: Clone + Add<Output = V>> Duplicates<'static, V> {
    /// One element, the sum.
    ///
    /// ```
    /// use sparse_formats::{Builder, Duplicates, Format};
    /// let coordinates = [vec![1u8, 1, 0].into()];
    /// let vector = Builder::new(Format::vector(), 0).duplicates(Duplicates::sum()).build(&[2], &coordinates, vec![5, 6, 7])?;
    /// assert_eq!(vector.values(), &vec![7, 11].into());
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    pub fn sum() -> Self {
        fn add<V: Clone + Add<Output = V>>(a: &V, b: &V) -> V {
            a.clone() + b.clone()
        }
        Duplicates::Combine(&add::<V>)
    }
}

impl<V> Duplicates<'_, V> {
    /// Tests whether all stay.
    pub(crate) fn keeps(&self) -> bool {
        matches!(self, Duplicates::Keep)
    }

    /// Makes `first` the value of both elements; false where there may not be two.
    #[inline]
    pub(crate) fn fold(&self, first: &mut V, next: &V) -> bool
    where
        V: Clone,
    {
        match self {
            Duplicates::Combine(combine) => *first = combine(first, next),
            Duplicates::First => {}
            Duplicates::Last => *first = next.clone(),
            Duplicates::Refuse | Duplicates::Keep => return false,
        }
        true
    }
}

impl<V> Clone for Duplicates<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Duplicates<'_, V> {}
