//! Creates ragged arrays from other forms: offsets, lengths, row numbers, starts and sizes.

// `nest` converts vectors of vectors, and `regular` regular arrays. Forms that are flat lists of numbers are here.
mod nest;
mod regular;

pub use nest::Nest;

use crate::structure::room;
use crate::{RaggedArray, RaggedError, Result, add_up, product, sum};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::{DynLevel, OffsetIndex};
use layout_levels::{Flaw, LevelArray, LevelError};

impl<'a, T: Clone + 'static> RaggedArray<'a, T> {
    /// Creates an array from offsets: one list of offsets for each axis but the first, outermost first.
    ///
    /// Every list has one offset more than rows. Fails, level by level, if an offset is negative, smaller than the one
    /// before it, or beyond the rows of the next level.
    pub fn from_offsets<I: OffsetIndex>(offsets: Vec<impl Into<Cow<'a, [I]>>>, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        let offsets: Vec<Cow<'a, [I]>> = offsets.into_iter().map(Into::into).collect();
        let Some(outer) = offsets.first() else { return Err(RaggedError::NoLevels) };
        let outer = outer.len().saturating_sub(1);
        if let Some(q) = offsets.iter().position(|level| level.is_empty()) {
            return Err(LevelError::new(LevelArray::Offsets, 0, Flaw::Empty).at_level(q).into());
        }
        let rows: Vec<usize> = offsets.iter().skip(1).map(|level| level.len() - 1).chain([data.len()]).collect();
        let mut levels = Vec::with_capacity(offsets.len());
        for (q, (level, most)) in offsets.into_iter().zip(rows).enumerate() {
            let level = DynLevel::offsets(level).and_then(|level| level.check_within(0, most).map(|()| level));
            levels.push(level.map_err(|error| error.at_level(q))?);
        }
        RaggedArray::new(outer, levels, data)
    }

    /// Creates an array from the lengths of its rows. Fails unless they add up to the number of leaves.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec!['a', 'b', 'c'])?;
    /// assert_eq!((a.row(0), a.row(1), a.row(2)), (&['a', 'b'][..], &[][..], &['c'][..]));
    /// let error = RaggedArray::from_lengths(vec![2, 2], vec!['a', 'b', 'c']).unwrap_err();
    /// assert_eq!(error.to_string(), "the lengths add up to 4, but there are 3 elements");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_lengths(lengths: Vec<usize>, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        RaggedArray::from_nested_lengths(&[lengths], data)
    }

    /// Creates an array from the lengths of its lists: one vector for each axis but the first, outermost first.
    ///
    /// Fails unless the lengths of each axis add up to the number of lengths of the next axis, or at last of leaves.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_nested_lengths(&[vec![2, 0, 1], vec![1, 0, 3]], vec!['a', 'b', 'c', 'd'])?;
    /// assert_eq!(a.to_nested::<3, Vec<Vec<Vec<char>>>>()?, [vec![vec!['a'], vec![]], vec![], vec![vec!['b', 'c', 'd']]]);
    /// let error = RaggedArray::from_nested_lengths(&[vec![2, 0, 2], vec![1, 0, 3]], vec!['a', 'b', 'c', 'd']).unwrap_err();
    /// assert_eq!(error.to_string(), "level 1: sizes has 3 numbers, but 4 are needed");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_nested_lengths(lengths: &[impl AsRef<[usize]>], data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        let Some(outer) = lengths.first() else { return Err(RaggedError::NoLevels) };
        let (outer, mut levels, mut expected) = (outer.as_ref().len(), Vec::with_capacity(lengths.len()), None);
        for (q, lengths) in lengths.iter().map(AsRef::as_ref).enumerate() {
            if let Some(expected) = expected.filter(|expected| *expected != lengths.len()) {
                return Err(LevelError::new(LevelArray::Sizes, 0, Flaw::Length { len: lengths.len(), expected }).at_level(q).into());
            }
            expected = Some(sum(lengths)?);
            levels.push(DynLevel::of_lengths(lengths)?);
        }
        add_up(expected.unwrap_or(outer), data.len())?;
        RaggedArray::new(outer, levels, data)
    }

    /// Creates an array of `rows` rows from the row number of each leaf, from 0, in ascending order. `rows` counts trailing rows
    /// without leaves, too. Fails if a number is too great, or below the one before it.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_row_ids(4, &[0, 2, 2], vec!['a', 'b', 'c'])?;
    /// assert_eq!(a.shape().offsets(), [[0, 1, 1, 3, 3]]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_row_ids(rows: usize, ids: &[usize], data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        add_up(ids.len(), data.len())?;
        let lengths = count_ids(rows, ids)?;
        match ids.windows(2).position(|pair| pair[1] < pair[0]) {
            Some(at) => Err(RaggedError::UnsortedRows { index: at + 1, row: ids[at + 1], before: ids[at] }),
            None => RaggedArray::from_lengths(lengths, data),
        }
    }

    /// Creates an array as `from_row_ids` does, but from row numbers in any order. Leaves of one row keep their order. Fails
    /// unless there is one number for each leaf, and if a number is too great.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// // The events of three users, in the order in which they came.
    /// let events = RaggedArray::from_unsorted_row_ids(3, &[2, 0, 2, 0], &["open", "edit", "close", "save"])?;
    /// assert_eq!((events.row(0), events.row(2)), (&["edit", "save"][..], &["open", "close"][..]));
    /// assert!(events.row(1).is_empty());
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_unsorted_row_ids(rows: usize, ids: &[usize], data: &[T]) -> Result<RaggedArray<'static, T>> {
        add_up(ids.len(), data.len())?;
        let lengths = count_ids(rows, ids)?;
        // The next position of each row, as in a counting sort.
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

    /// Creates an array of `rows` outer rows from the array I of every level, outermost first: for each element of a further
    /// axis, the number of its list, in ascending order. Fails with the first number that does not fit.
    ///
    /// This is the inverse of [`RaggedShape::parents`](super::RaggedShape::parents) if trailing lists are not empty.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_nested_row_ids(3, &[vec![0, 0, 2], vec![0, 2, 2, 2]], vec!['a', 'b', 'c', 'd'])?;
    /// assert_eq!(a.shape().offsets(), [[0, 2, 2, 3], [0, 1, 1, 4]]);
    /// let error = RaggedArray::from_nested_row_ids(3, &[vec![0, 0, 2], vec![0, 2, 1]], vec![1, 2, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "level 1: parents[2] = 1 is smaller than the 2 before it");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_nested_row_ids(rows: usize, ids: &[impl AsRef<[usize]>], data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        let (mut levels, mut above) = (Vec::with_capacity(ids.len()), rows);
        for (q, ids) in ids.iter().map(AsRef::as_ref).enumerate() {
            let wrong = |index, flaw| RaggedError::Level(LevelError::new(LevelArray::Parents, index, flaw).at_level(q));
            let lengths = count_ids(above, ids).map_err(|error| match error {
                RaggedError::NoSuchRow { index, row, rows } => wrong(index, Flaw::Beyond { value: row, most: rows.saturating_sub(1) }),
                other => other,
            })?;
            if let Some(k) = ids.windows(2).position(|pair| pair[1] < pair[0]) {
                return Err(wrong(k + 1, Flaw::Decreases { value: ids[k + 1], before: ids[k] }));
            }
            levels.push(DynLevel::of_lengths(&lengths)?);
            above = ids.len();
        }
        add_up(above, data.len())?;
        RaggedArray::new(rows, levels, data)
    }

    /// Creates an array of rows that lie anywhere in the leaves, like Arrow's `ListView`: row `i` is `starts[i] .. starts[i] +
    /// sizes[i]`. Fails if a row exceeds the leaves. For deeper arrays, use [`DynLevel::views`].
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let (starts, sizes, leaves) = ([2_i32, 0, 1], [2_i32, 1, 2], ['a', 'b', 'c', 'd']);
    /// let a = RaggedArray::from_views(&starts[..], &sizes[..], &leaves[..])?;
    /// assert_eq!((a.row(0), a.row(2)), (&['c', 'd'][..], &['b', 'c'][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_views<I: OffsetIndex>(
        starts: impl Into<Cow<'a, [I]>>,
        sizes: impl Into<Cow<'a, [I]>>,
        data: impl Into<Cow<'a, [T]>>,
    ) -> Result<Self> {
        let (starts, data) = (starts.into(), data.into());
        let rows = starts.len();
        let level = DynLevel::views(starts, sizes, data.len()).map_err(|error| error.at_level(0))?;
        RaggedArray::new(rows, alloc::vec![level], data)
    }

    /// Creates an array of rows with `size` leaves each. Fails if `size` is 0 or does not divide the number of leaves.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let pairs = RaggedArray::from_regular_rows(2, vec![1, 2, 3, 4, 5, 6])?;
    /// assert_eq!((pairs.len(), pairs.row(1)), (3, &[3, 4][..]));
    /// let error = RaggedArray::from_regular_rows(4, vec![1, 2, 3, 4, 5, 6]).unwrap_err();
    /// assert_eq!(error.to_string(), "6 elements are not a multiple of 4, the size of a row");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_regular_rows(size: usize, data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        RaggedArray::new(whole_arrays(&[size], data.len())?, alloc::vec![DynLevel::fixed(size)], data)
    }
}

/// Returns the number of regular arrays with these extents that `len` elements make. Fails if elements are left over, or if an
/// extent is 0.
pub(crate) fn whole_arrays(extents: &[usize], len: usize) -> Result<usize> {
    match product(extents)? {
        0 => Err(RaggedError::UnknownRows),
        size if len.is_multiple_of(size) => Ok(len / size),
        size => Err(RaggedError::Remainder { len, size }),
    }
}

/// Returns how often `ids` has each of the numbers `0..rows`. Fails if it has another number.
fn count_ids(rows: usize, ids: &[usize]) -> Result<Vec<usize>> {
    if let Some(index) = ids.iter().position(|row| *row >= rows) {
        return Err(RaggedError::NoSuchRow { index, row: ids[index], rows });
    }
    let mut lengths = room(rows)?;
    lengths.resize(rows, 0);
    ids.iter().for_each(|row| lengths[*row] += 1);
    Ok(lengths)
}
