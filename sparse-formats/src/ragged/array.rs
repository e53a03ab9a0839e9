//! Ragged arrays: lists of lists of any length, as leaves and offsets.

use super::error::{RaggedError, Result};
use super::level::{DynLevel, Rows, room};
use super::shape::{RaggedShape, fixed};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::level::{Flaw, LevelError, Part, Views, Word};

/// An array whose lists may differ in length, on any axis but the first: leaves, and a level for each further axis.
///
/// Owned or borrowed; offsets may start above 0, and lists may be views anywhere into the leaves. There is no element beyond the end of
/// a list: asking for one is an error.
///
/// ```
/// use sparse_formats::ragged::RaggedArray;
/// // [[6, 5, 5], [], [2], [9, 9]]
/// let offsets = [0_i64, 3, 3, 4, 6];
/// let leaves = [6, 5, 5, 2, 9, 9];
/// let a = RaggedArray::from_offsets(vec![&offsets[..]], &leaves[..])?;
/// assert_eq!((a.get(&[3, 1])?, a.row(0), a.shape().decompose(3)?), (&9, &[6, 5, 5][..], vec![2, 0]));
/// assert_eq!(a.sum(1)?.leaves(), [16, 0, 2, 18]);
/// assert_eq!(a.sum(0)?.leaves(), [17, 14, 5]);
/// assert!(a.get(&[1, 0]).is_err());
/// # Ok::<(), sparse_formats::ragged::RaggedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RaggedArray<'a, T: Clone + 'static> {
    shape: RaggedShape<'a>,
    data: Cow<'a, [T]>,
}

impl<'a, T: Clone + 'static> RaggedArray<'a, T> {
    /// The array of `outer` rows, these levels, outermost first, and these leaves.
    pub fn new(outer: usize, levels: Vec<DynLevel<'a>>, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        Ok(RaggedArray { shape: RaggedShape::new(outer, levels, data.len())?, data })
    }

    /// The array of these offsets, one list of them for each axis but the first, outermost first.
    ///
    /// Every list has one offset more than rows. Refused, level after level: an offset that is negative, smaller than the one before it, or
    /// beyond the rows of the next level.
    pub fn from_offsets<O>(offsets: Vec<O>, data: impl Into<Cow<'a, [T]>>) -> Result<Self>
    where
        O: AsRef<[O::Word]> + OffsetsOf<'a>,
    {
        let data = data.into();
        let Some(outer) = offsets.first() else { return Err(RaggedError::NoLevels) };
        let outer = outer.as_ref().len().saturating_sub(1);
        if let Some(q) = offsets.iter().position(|level| level.as_ref().is_empty()) {
            return Err(LevelError::new(Part::Offsets, 0, Flaw::Empty).at_level(q).into());
        }
        let rows: Vec<usize> = offsets.iter().skip(1).map(|level| level.as_ref().len() - 1).chain([data.len()]).collect();
        let mut levels = Vec::with_capacity(offsets.len());
        for (q, (level, most)) in offsets.into_iter().zip(rows).enumerate() {
            let level = level.into_level().map_err(|error| error.at_level(q))?;
            if let Some((index, value)) = level.beyond(most) {
                return Err(LevelError::new(Part::Offsets, index, Flaw::Beyond { value, most }).at_level(q).into());
            }
            levels.push(level);
        }
        RaggedArray::new(outer, levels, data)
    }

    /// The array of rows of these lengths, which add up to the number of leaves.
    pub fn from_lengths(lengths: Vec<usize>, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        let sum = lengths.iter().try_fold(0_usize, |sum, len| sum.checked_add(*len)).ok_or(RaggedError::Overflow)?;
        if sum != data.len() {
            return Err(RaggedError::Lengths { sum, expected: data.len() });
        }
        RaggedArray::new(lengths.len(), alloc::vec![of_lengths(&lengths)?], data)
    }

    /// The array of `rows` rows whose leaves name their row, in order. Trailing rows may be empty, which only `rows` can tell.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_row_ids(4, &[0, 2, 2], vec!['a', 'b', 'c'])?;
    /// assert_eq!(a.shape().offsets(), [[0, 1, 1, 3, 3]]);
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn from_row_ids(rows: usize, ids: &[usize], data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        if ids.len() != data.len() {
            return Err(RaggedError::Lengths { sum: ids.len(), expected: data.len() });
        }
        let lengths = count_ids(rows, ids)?;
        match ids.windows(2).position(|pair| pair[1] < pair[0]) {
            Some(at) => Err(RaggedError::UnsortedRows { index: at + 1 }),
            None => RaggedArray::from_lengths(lengths, data),
        }
    }

    /// The array of `rows` rows whose leaves name their row in any order; leaves of one row keep theirs.
    pub fn from_unsorted_row_ids(rows: usize, ids: &[usize], data: &[T]) -> Result<RaggedArray<'static, T>> {
        if ids.len() != data.len() {
            return Err(RaggedError::Lengths { sum: ids.len(), expected: data.len() });
        }
        let lengths = count_ids(rows, ids)?;
        // The next place of each row, as in a counting sort.
        let mut places: Vec<usize> = Vec::with_capacity(rows);
        lengths.iter().fold(0, |begin, len| {
            places.push(begin);
            begin + len
        });
        let mut sources = alloc::vec![0; ids.len()];
        for (leaf, row) in ids.iter().enumerate() {
            sources[places[*row]] = leaf;
            places[*row] += 1;
        }
        RaggedArray::from_lengths(lengths, sources.into_iter().map(|leaf| data[leaf].clone()).collect::<Vec<T>>())
    }

    /// The array of rows that lie anywhere in the leaves: Arrow's `ListView`.
    pub fn from_views(starts: Vec<u64>, sizes: Vec<u64>, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        let rows = starts.len();
        let views = Views::new(Cow::Owned(starts), Cow::Owned(sizes), data.len())?;
        RaggedArray::new(rows, alloc::vec![DynLevel::Views64(views)], data)
    }

    /// The array of rows of `size` leaves each.
    pub fn from_regular_rows(size: usize, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        if size == 0 {
            return Err(RaggedError::UnknownRows);
        }
        if data.len() % size != 0 {
            return Err(RaggedError::Remainder { len: data.len(), size });
        }
        RaggedArray::new(data.len() / size, alloc::vec![fixed(size)], data)
    }

    /// The array of one axis.
    pub fn from_leaves(data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        RaggedArray::new(data.len(), Vec::new(), data)
    }

    /// The structure.
    pub fn shape(&self) -> &RaggedShape<'a> {
        &self.shape
    }

    /// Number of axes.
    pub fn depth(&self) -> usize {
        self.shape.depth()
    }

    /// Number of outer rows.
    pub fn len(&self) -> usize {
        self.shape.count(0)
    }

    /// Whether there is no outer row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The leaves in order, of an array whose lists are consecutive; of views, all that they may show.
    pub fn leaves(&self) -> &[T] {
        self.data.get(self.shape.leaf_span()).unwrap_or(&[])
    }

    /// The leaves, to write to. Borrowed leaves are copied first.
    pub fn leaves_mut(&mut self) -> &mut [T] {
        let span = self.shape.leaf_span();
        self.data.to_mut().get_mut(span).unwrap_or(&mut [])
    }

    /// The structure, and the leaves to write to.
    pub(super) fn parts_mut(&mut self) -> (&RaggedShape<'a>, &mut [T]) {
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

    /// The same array, borrowed.
    pub fn view(&self) -> RaggedArray<'_, T> {
        RaggedArray { shape: self.shape.view(), data: Cow::Borrowed(&self.data) }
    }

    /// The same array, owning its parts.
    pub fn into_owned(self) -> RaggedArray<'static, T> {
        RaggedArray { shape: self.shape.into_owned(), data: Cow::Owned(self.data.into_owned()) }
    }

    /// This structure with another leaf for each one.
    pub(super) fn with_leaves<U: Clone + 'static>(&self, data: Vec<U>) -> Result<RaggedArray<'static, U>> {
        let levels = self.shape.packed_levels(self.depth() - 1)?;
        RaggedArray::new(self.len(), levels, data)
    }

    /// `f` of every leaf.
    pub fn map<U: Clone + 'static>(&self, f: impl FnMut(&T) -> U) -> Result<RaggedArray<'static, U>> {
        let a = self.settled()?;
        a.with_leaves(a.leaves().iter().map(f).collect())
    }

    /// The lists of one axis: leaf ranges of consecutive lists.
    pub(super) fn last_rows(&self, f: impl FnMut(usize, Range<usize>)) {
        match self.depth() {
            1 => {
                let mut f = f;
                f(0, 0..self.len());
            }
            depth => self.shape.for_rows(depth - 2, f),
        }
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

/// A level of lists of these lengths.
pub(super) fn of_lengths(lengths: &[usize]) -> Result<DynLevel<'static>> {
    let mut rows = Rows::with_capacity(lengths.len())?;
    lengths.iter().for_each(|len| rows.push(*len));
    rows.finish()
}

/// How many times each row is named.
fn count_ids(rows: usize, ids: &[usize]) -> Result<Vec<usize>> {
    if let Some(index) = ids.iter().position(|row| *row >= rows) {
        return Err(RaggedError::NoSuchRow { index, row: ids[index], rows });
    }
    let mut lengths = room(rows)?;
    lengths.resize(rows, 0);
    ids.iter().for_each(|row| lengths[*row] += 1);
    Ok(lengths)
}

/// A list of offsets that a level can be made of: slices and vectors of `u32`, `u64`, `i32`, `i64`.
pub trait OffsetsOf<'a> {
    /// The numbers.
    type Word: Word;
    /// The level.
    fn into_level(self) -> core::result::Result<DynLevel<'a>, LevelError>;
}

macro_rules! offsets_of {
    ($($word:ident)*) => { $(
        impl<'a> OffsetsOf<'a> for Vec<$word> {
            type Word = $word;
            fn into_level(self) -> core::result::Result<DynLevel<'a>, LevelError> {
                DynLevel::try_from(self)
            }
        }

        impl<'a> OffsetsOf<'a> for &'a [$word] {
            type Word = $word;
            fn into_level(self) -> core::result::Result<DynLevel<'a>, LevelError> {
                DynLevel::try_from(self)
            }
        }
    )* };
}

offsets_of! { u32 u64 i32 i64 }
