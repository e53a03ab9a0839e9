//! The treatments of entries that share a coordinate. Builders and kernels merge two such entries with `fold`.

use core::ops::Add;

/// A treatment of several elements with the same coordinate.
///
/// ```
/// use sparse_formats::{Builder, Duplicates, Format, Indices};
/// // Two elements are at 1: first 5, then 6.
/// let columns: [Indices; 1] = [vec![1u8, 1].into()];
/// let build = |duplicates| Builder::new(Format::vector(), 0).duplicates(duplicates).build(&[2], &columns, vec![5, 6]);
/// assert_eq!(build(Duplicates::First)?.at(&[1]), Some(&5));
/// assert_eq!(build(Duplicates::Last)?.at(&[1]), Some(&6));
/// assert_eq!(build(Duplicates::Combine(&|a, b| a * 10 + b))?.at(&[1]), Some(&56));
/// assert!(build(Duplicates::Refuse).is_err());
/// let list = Builder::new(Format::vector().with_multigraph(true)?, 0).duplicates(Duplicates::Keep);
/// assert_eq!(list.build(&[2], &columns, vec![5, 6])?.stored(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub enum Duplicates<'f, V> {
    /// Combines them to one element, `f(f(first, second), third)`, in the order in which they are given.
    Combine(&'f (dyn Fn(&V, &V) -> V + Sync)),
    /// Keeps the first element in the order in which they are given.
    First,
    /// Keeps the last element in the order in which they are given.
    Last,
    /// Fails if two elements have the same coordinate.
    Refuse,
    /// Keeps all elements, in the order in which they are given. The tensor must be a multigraph.
    Keep,
}

impl<V: Clone + Add<Output = V>> Duplicates<'static, V> {
    /// Returns the treatment that adds the elements.
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
    /// Tests whether this treatment keeps all elements.
    pub(crate) fn keeps(&self) -> bool {
        matches!(self, Duplicates::Keep)
    }

    /// Sets `first` to the value that replaces `first` and `next`. Returns false, without a change, if this treatment does
    /// not merge elements.
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
