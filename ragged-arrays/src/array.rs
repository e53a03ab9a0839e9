//! The ragged array itself: leaves and levels, element access, and conversion of its parts. Other modules add operations.

use super::structure::{RaggedShape, room};
use super::{RaggedError, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::DynLevel;

/// An array whose lists may differ in length on any axis but the first. It stores the leaves, and a level for each
/// further axis.
///
/// Its parts are owned or borrowed. Offsets may start above 0, and lists may be views anywhere in the leaves. There is
/// no element beyond the end of a list: reading one is an error.
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
    /// All leaves, including unused ones before the first list and after the last.
    pub(super) data: Cow<'a, [T]>,
}

/// The parts of an array, its size, and its elements.
///
/// ```
/// use ragged_arrays::{DynLevel, RaggedArray};
/// // Documents of sentences of words: [[[1, 2], [3]], [[4, 5, 6]]].
/// let levels = vec![DynLevel::offsets(vec![0_u32, 2, 3])?, DynLevel::offsets(vec![0_u32, 2, 3, 6])?];
/// let words = RaggedArray::new(2, levels, vec![1, 2, 3, 4, 5, 6])?;
/// assert_eq!((words.depth(), words.len(), words.is_empty()), (3, 2, false));
/// assert_eq!((words.row(2), words.map(|word| word * 10)?.row(2)), (&[4, 5, 6][..], &[40, 50, 60][..]));
/// let copy = words.view().into_owned(); // `view` borrows, and `into_owned` copies what is borrowed
/// let (outer, levels, leaves) = words.into_parts(); // moves the vectors out
/// assert_eq!(RaggedArray::new(outer, levels, leaves)?, copy);
/// let line = RaggedArray::from_leaves(vec![7, 8])?;
/// assert_eq!((line.depth(), line.row(0)), (1, &[7, 8][..]));
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
impl<'a, T: Clone + 'static> RaggedArray<'a, T> {
    /// Creates an array of `outer` rows from its levels, outermost first, and its leaves.
    ///
    /// Fails if a level refers to elements that the next level or the leaves do not have.
    pub fn new(outer: usize, levels: Vec<DynLevel<'a>>, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        Ok(RaggedArray { shape: RaggedShape::new(outer, levels, data.len())?, data })
    }

    /// Creates an array of one axis. Fails beyond `isize::MAX / 64` leaves.
    pub fn from_leaves(data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        RaggedArray::new(data.len(), Vec::new(), data)
    }

    /// Returns the number of outer rows, the levels and all leaves, used or not, as [`RaggedArray::new`] takes them.
    pub fn into_parts(self) -> (usize, Vec<DynLevel<'a>>, Cow<'a, [T]>) {
        (self.len(), self.shape.levels, self.data)
    }

    /// Returns the structure of the array, without the leaves: the axes and the range of each list.
    pub fn shape(&self) -> &RaggedShape<'a> {
        &self.shape
    }

    /// Returns the number of axes, at least 1.
    pub fn depth(&self) -> usize {
        self.shape.depth()
    }

    /// Returns the number of outer rows: the elements of axis 0.
    pub fn len(&self) -> usize {
        self.shape.count(0)
    }

    /// Tests whether the array has no outer row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the leaves from the first used one to the last. If lists are consecutive, these are the leaves in order; with
    /// views, they are all leaves that a view may show.
    pub fn leaves(&self) -> &[T] {
        self.data.get(self.shape.leaf_span()).unwrap_or(&[])
    }

    /// Returns the leaves that `RaggedArray::leaves` returns, for writing. Borrowed leaves are copied first.
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

    /// Returns the structure, and the leaves of `RaggedArray::leaves` for writing.
    pub(crate) fn parts_mut(&mut self) -> (&RaggedShape<'a>, &mut [T]) {
        let span = self.shape.leaf_span();
        (&self.shape, self.data.to_mut().get_mut(span).unwrap_or(&mut []))
    }

    /// Returns the leaves of list `row` of the last axis, none if it does not exist. An array of one axis returns all its leaves.
    pub fn row(&self, row: usize) -> &[T] {
        let range = match self.depth() {
            1 => 0..self.len(),
            depth => self.shape.row(depth - 2, row),
        };
        self.leaves().get(range).unwrap_or(&[])
    }

    /// Returns the element with these coordinates, one for each axis. Fails if there is none.
    pub fn get(&self, coordinates: &[usize]) -> Result<&T> {
        let leaf = self.shape.locate(coordinates)?;
        let leaves = self.leaves();
        leaves.get(leaf).ok_or(RaggedError::NoSuchLeaf { leaf, leaves: leaves.len() })
    }

    /// Returns an array that borrows the levels and leaves of this one.
    pub fn view(&self) -> RaggedArray<'_, T> {
        RaggedArray { shape: self.shape.view(), data: Cow::Borrowed(&self.data) }
    }

    /// Returns an array that owns its levels and leaves. Borrowed ones are copied.
    pub fn into_owned(self) -> RaggedArray<'static, T> {
        RaggedArray { shape: self.shape.into_owned(), data: Cow::Owned(self.data.into_owned()) }
    }

    /// Returns an array of this structure with the leaves `data`. Fails if they are too few, or if memory is short.
    pub(crate) fn with_leaves<U: Clone + 'static>(&self, data: Vec<U>) -> Result<RaggedArray<'static, U>> {
        self.above(self.depth(), data)
    }

    /// Returns an array of the first `axes` axes, with one leaf of `data` for each element of the last of them. Without axes it
    /// has one leaf. Fails if `data` is too short, or if memory is.
    pub(crate) fn above<U: Clone + 'static>(&self, axes: usize, data: Vec<U>) -> Result<RaggedArray<'static, U>> {
        match axes {
            0 => RaggedArray::from_leaves(data),
            _ => RaggedArray::new(self.len(), self.shape.packed_levels(axes - 1)?, data),
        }
    }

    /// Applies `f` to every leaf, and returns the results in the same structure. Fails if memory is short.
    pub fn map<U: Clone + 'static>(&self, f: impl FnMut(&T) -> U) -> Result<RaggedArray<'static, U>> {
        let a = self.settled()?;
        let mut out = room(a.leaves().len())?;
        out.extend(a.leaves().iter().map(f));
        a.with_leaves(out)
    }
}

/// Two arrays are equal if their lists and leaves are, however they are stored.
impl<T: Clone + PartialEq + 'static> PartialEq for RaggedArray<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        match (self.settled(), other.settled()) {
            (Ok(a), Ok(b)) => a.shape.same(&b.shape).is_ok() && a.leaves() == b.leaves(),
            _ => false,
        }
    }
}
