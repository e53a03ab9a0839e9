//! Ragged arrays: lists of lists of any length, as leaves and offsets.

use super::structure::{RaggedShape, room};
use super::{RaggedError, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::DynLevel;

/// An array whose lists may differ in length, on any axis but the first: leaves, and a level for each further axis.
///
/// Owned or borrowed; offsets may start above 0, and lists may be views anywhere into the leaves. There is no element beyond the end of
/// a list: asking for one is an error.
///
/// ```
/// use ragged_arrays::RaggedArray;
/// // [[6, 5, 5], [], [2], [9, 9]]
/// let offsets = [0_i64, 3, 3, 4, 6];
/// let leaves = [6, 5, 5, 2, 9, 9];
/// let a = RaggedArray::from_offsets(vec![&offsets[..]], &leaves[..])?;
/// assert_eq!((a.get(&[3, 1])?, a.row(0), a.shape().decompose(3)?), (&9, &[6, 5, 5][..], vec![2, 0]));
/// assert_eq!(a.sum(1)?.leaves(), [16, 0, 2, 18]);
/// assert_eq!(a.sum(0)?.leaves(), [17, 14, 5]);
/// assert!(a.get(&[1, 0]).is_err());
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RaggedArray<'a, T: Clone + 'static> {
    pub(super) shape: RaggedShape<'a>,
    /// All leaves, with those before the first list and after the last.
    pub(super) data: Cow<'a, [T]>,
}

impl<'a, T: Clone + 'static> RaggedArray<'a, T> {
    /// The array of `outer` rows, these levels, outermost first, and these leaves.
    pub fn new(outer: usize, levels: Vec<DynLevel<'a>>, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        Ok(RaggedArray { shape: RaggedShape::new(outer, levels, data.len())?, data })
    }

    /// The array of one axis.
    pub fn from_leaves(data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        RaggedArray::new(data.len(), Vec::new(), data)
    }

    /// The number of outer rows, the levels and the leaves, as [`RaggedArray::new`] takes them.
    pub fn into_parts(self) -> (usize, Vec<DynLevel<'a>>, Cow<'a, [T]>) {
        (self.len(), self.shape.levels, self.data)
    }

    /// The structure.
    pub fn shape(&self) -> &RaggedShape<'a> {
        &self.shape
    }

    /// The number of axes.
    pub fn depth(&self) -> usize {
        self.shape.depth()
    }

    /// The number of outer rows.
    pub fn len(&self) -> usize {
        self.shape.count(0)
    }

    /// Returns true if there is no outer row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The leaves in order, of an array whose lists are consecutive; of views, all that they may show.
    pub fn leaves(&self) -> &[T] {
        self.data.get(self.shape.leaf_span()).unwrap_or(&[])
    }

    /// The leaves, to write to. Borrowed leaves are copied first.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let mut rows = RaggedArray::from_lengths(vec![2, 0, 1], vec![5, 6, 7])?;
    /// rows.leaves_mut()[2] = 70;
    /// assert_eq!(rows.row(2), [70]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn leaves_mut(&mut self) -> &mut [T] {
        self.parts_mut().1
    }

    /// The structure, and the leaves to write to.
    pub(crate) fn parts_mut(&mut self) -> (&RaggedShape<'a>, &mut [T]) {
        let span = self.shape.leaf_span();
        (&self.shape, self.data.to_mut().get_mut(span).unwrap_or(&mut []))
    }

    /// The leaves of list `row` of the last axis; of an array of one axis, all of them.
    pub fn row(&self, row: usize) -> &[T] {
        let range = match self.depth() {
            1 => 0..self.len(),
            depth => self.shape.row(depth - 2, row),
        };
        self.leaves().get(range).unwrap_or(&[])
    }

    /// The element with these coordinates, one of each axis.
    pub fn get(&self, coordinates: &[usize]) -> Result<&T> {
        let leaf = self.shape.locate(coordinates)?;
        let leaves = self.leaves();
        leaves.get(leaf).ok_or(RaggedError::NoSuchLeaf { leaf, leaves: leaves.len() })
    }

    /// The array over the same parts, borrowed.
    pub fn view(&self) -> RaggedArray<'_, T> {
        RaggedArray { shape: self.shape.view(), data: Cow::Borrowed(&self.data) }
    }

    /// The array with parts of its own.
    pub fn into_owned(self) -> RaggedArray<'static, T> {
        RaggedArray { shape: self.shape.into_owned(), data: Cow::Owned(self.data.into_owned()) }
    }

    /// This structure with another leaf for each one.
    pub(crate) fn with_leaves<U: Clone + 'static>(&self, data: Vec<U>) -> Result<RaggedArray<'static, U>> {
        self.above(self.depth(), data)
    }

    /// The first `axes` axes, with leaves for the elements of the last of them; of none, an array of one leaf.
    pub(crate) fn above<U: Clone + 'static>(&self, axes: usize, data: Vec<U>) -> Result<RaggedArray<'static, U>> {
        match axes {
            0 => RaggedArray::from_leaves(data),
            _ => RaggedArray::new(self.len(), self.shape.packed_levels(axes - 1)?, data),
        }
    }

    /// Applies `f` to every leaf.
    pub fn map<U: Clone + 'static>(&self, f: impl FnMut(&T) -> U) -> Result<RaggedArray<'static, U>> {
        let a = self.settled()?;
        let mut out = room(a.leaves().len())?;
        out.extend(a.leaves().iter().map(f));
        a.with_leaves(out)
    }
}

/// Equal lists of equal leaves, however they are stored.
impl<T: Clone + PartialEq + 'static> PartialEq for RaggedArray<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        match (self.settled(), other.settled()) {
            (Ok(a), Ok(b)) => a.shape.same(&b.shape).is_ok() && a.leaves() == b.leaves(),
            _ => false,
        }
    }
}
