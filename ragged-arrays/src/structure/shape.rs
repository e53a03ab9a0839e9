//! The structure of a ragged array without its leaves: the axes, their lists, and the range of each list.
//!
//! Positions are counted from the first position of their level that is in use, so a slice of a larger array looks
//! like any other array.

use super::room::room;
use crate::{RaggedError, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::{ChainError, DynLevel, FromLevels, LevelView, OffsetIndex, Ranges, RowLengths};
use core::ops::Range;
use layout_levels::{Consecutive, Fixed, Level, LevelError, Root};

/// The structure of a [`RaggedArray`](crate::RaggedArray) without its leaves: a number of outer rows, and a level for
/// each further axis.
///
/// Axis `a` has as many elements as level `a - 1` has positions. The depth is the number of axes.
///
/// ```
/// use ragged_arrays::{DynLevel, RaggedArray, RaggedShape};
/// // Rows of 2, 0 and 3 pairs of leaves.
/// let shape = RaggedShape::new(3, vec![DynLevel::offsets(vec![0_u32, 2, 2, 5])?, DynLevel::fixed(2)], 10)?;
/// assert_eq!((shape.depth(), shape.levels().len()), (3, 2));
/// assert_eq!([0, 1, 2].map(|axis| shape.count(axis)), [3, 5, 10]);
/// assert_eq!((shape.row(0, 2), shape.row(1, 2), shape.longest(0)), (2..5, 4..6, 3));
/// let mut begins = Vec::new();
/// shape.for_rows(0, |_row, pairs| begins.push(pairs.start));
/// assert_eq!(begins, [0, 2, 2]);
/// // The same rows without their pairs, and an array of another structure.
/// assert_eq!(shape.truncated(2).offsets(), [[0, 2, 2, 5]]);
/// let other = RaggedArray::from_lengths(vec![2, 1, 2], vec![(); 5])?;
/// let error = shape.truncated(2).same(other.shape()).unwrap_err();
/// assert_eq!(error.to_string(), "axis 1: list 1 has 0 elements in one array, but 1 in the other");
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RaggedShape<'a> {
    pub(crate) levels: Vec<DynLevel<'a>>,
    /// The positions in use of each axis, as numbered in the arrays of the levels and in the leaves.
    spans: Vec<Range<usize>>,
}

impl<'a> RaggedShape<'a> {
    /// Creates the structure of `outer` rows and these levels, outermost first, over `len` leaves.
    ///
    /// Fails if a level stores coordinates, or refers to elements that the next level or the leaves do not have.
    pub fn new(outer: usize, levels: Vec<DynLevel<'a>>, len: usize) -> Result<Self> {
        let mut spans = Vec::with_capacity(levels.len() + 1);
        spans.push(0..outer);
        bounded(outer)?;
        if levels.is_empty() && outer > len {
            return Err(RaggedError::Lengths { sum: outer, expected: len });
        }
        for (q, level) in levels.iter().enumerate() {
            let at = |error: LevelError| RaggedError::Level(error.at_level(q));
            if !level.is_full() {
                return Err(RaggedError::Kind { axis: q + 1, expected: "rows without coordinates", found: level.kind() });
            }
            let rows: Range<usize> = spans[q].clone();
            let size = level.size(rows.end).map_err(at)?;
            if let Some(child) = levels.get(q + 1).map_or(Some(len), DynLevel::rows) {
                level.check_within(rows.end, child).map_err(at)?;
            }
            // Consecutive rows use everything from the first row to the last; other rows may use anything.
            let span = match (rows.is_empty(), level.is_consecutive()) {
                (true, _) => 0..0,
                (false, true) => level.range(rows.start).start..size,
                (false, false) => 0..size,
            };
            bounded(span.len())?;
            spans.push(span);
        }
        Ok(RaggedShape { levels, spans })
    }

    /// Returns the number of axes, at least 1.
    pub fn depth(&self) -> usize {
        self.spans.len()
    }

    /// Returns the levels, outermost first. There is one level less than there are axes.
    pub fn levels(&self) -> &[DynLevel<'a>] {
        &self.levels
    }

    /// Returns the number of elements that an axis has in all its lists; for the last axis, the number of leaves.
    /// Returns 0 if there is no such axis.
    pub fn count(&self, axis: usize) -> usize {
        self.spans.get(axis).map_or(0, Range::len)
    }

    /// Returns the positions in use of the last axis, as numbered in the arrays.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// // A slice of a larger array: the leaves 'a' and 'e' are not in use.
    /// let slice = RaggedArray::from_offsets(vec![vec![1_u32, 3, 4]], vec!['a', 'b', 'c', 'd', 'e'])?;
    /// assert_eq!((slice.shape().leaf_span(), slice.shape().row(0, 1)), (1..4, 2..3)); // rows count from 'b'
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn leaf_span(&self) -> Range<usize> {
        self.span(self.depth() - 1)
    }

    /// Returns the positions in use of an axis, as numbered in the arrays. The range is empty if there is no such axis.
    pub(crate) fn span(&self, axis: usize) -> Range<usize> {
        self.spans.get(axis).cloned().unwrap_or(0..0)
    }

    /// Tests whether the lists of every axis are consecutive by their kind, as with offsets and fixed sizes. Views are not.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let views = RaggedArray::from_views(vec![0_u32, 2], vec![2, 2], vec!['a', 'b', 'c', 'd'])?;
    /// assert!(!views.shape().is_consecutive() && views.pack()?.shape().is_consecutive());
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn is_consecutive(&self) -> bool {
        self.levels.iter().all(DynLevel::is_consecutive)
    }

    /// Tests whether every list starts where the list before it ends, on every axis. Views may pass this test, too.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let rows = |starts: Vec<u32>| RaggedArray::from_views(starts, vec![2, 2], vec!['a', 'b', 'c', 'd']);
    /// assert!(rows(vec![0, 2])?.shape().is_contiguous());
    /// assert!(!rows(vec![2, 0])?.shape().is_contiguous()); // the second row comes first
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn is_contiguous(&self) -> bool {
        self.levels.iter().zip(&self.spans).all(|(level, rows)| {
            level.is_consecutive() || rows.clone().skip(1).all(|row| level.range(row - 1).end == level.range(row).start)
        })
    }

    /// Tests whether no element is in two lists, on every axis, so that lists may be written in parallel.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let rows = |starts: Vec<u32>| RaggedArray::from_views(starts, vec![2, 2], vec!['a', 'b', 'c', 'd']);
    /// assert!(rows(vec![2, 0])?.shape().is_disjoint());
    /// assert!(!rows(vec![0, 1])?.shape().is_disjoint()); // 'b' is in both rows
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn is_disjoint(&self) -> bool {
        self.levels.iter().zip(&self.spans).all(|(level, rows)| level.is_consecutive() || disjoint(level, rows))
    }

    /// Returns the elements of axis `q + 1` that list `row` of level `q` has. The range is empty if there is no such list.
    #[inline]
    pub fn row(&self, q: usize, row: usize) -> Range<usize> {
        let (Some(rows), Some(level)) = (self.spans.get(q), self.levels.get(q)) else { return 0..0 };
        if row >= rows.len() {
            return 0..0;
        }
        let range = level.range(rows.start + row);
        let base = self.spans[q + 1].start;
        range.start.wrapping_sub(base)..range.end.wrapping_sub(base)
    }

    /// Calls `f` with the number and the elements of every list of level `q`, in order.
    #[inline(always)]
    pub fn for_rows(&self, q: usize, f: impl FnMut(usize, Range<usize>)) {
        self.for_some_rows(q, 0..self.count(q), f);
    }

    /// Calls `f` with the number and the elements of every list of level `q`, in order, until `f` fails. Returns its error.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 5, 9], vec![(); 16])?;
    /// let most_four = |row, leaves: std::ops::Range<usize>| if leaves.len() > 4 { Err(row) } else { Ok(()) };
    /// assert_eq!(a.shape().try_for_rows(0, most_four), Err(2)); // the first row that is too long
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn try_for_rows<E>(
        &self,
        q: usize,
        mut f: impl FnMut(usize, Range<usize>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        let mut out = Ok(());
        self.for_rows(q, |list, range| {
            if out.is_ok() {
                out = f(list, range);
            }
        });
        out
    }

    /// Calls `f` with the numbers of the lists `rows` of level `q`, which must exist, and their elements.
    #[inline(always)]
    pub(crate) fn for_some_rows(&self, q: usize, rows: Range<usize>, mut f: impl FnMut(usize, Range<usize>)) {
        let (Some(span), Some(level)) = (self.spans.get(q), self.levels.get(q)) else { return };
        let base = self.spans[q + 1].start;
        level.for_rows(span.start + rows.start, rows.len(), |row, range| {
            f(rows.start + row, range.start.wrapping_sub(base)..range.end.wrapping_sub(base));
        });
    }

    /// Returns `axis` if it exists and is at least `least`. Fails otherwise.
    pub(crate) fn axis(&self, axis: usize, least: usize) -> Result<usize> {
        if axis < least || axis >= self.depth() {
            return Err(RaggedError::Axis { axis, least, depth: self.depth() });
        }
        Ok(axis)
    }

    /// Returns the length of every list of level `q`, in order.
    pub(crate) fn lengths(&self, q: usize) -> Vec<usize> {
        let mut out = Vec::with_capacity(self.count(q));
        self.for_rows(q, |_, range| out.push(range.len()));
        out
    }

    /// Calls `f` with the leaves of every list of the last axis, in order. For an array of one axis, it calls `f` once
    /// with all leaves.
    pub(crate) fn for_last_rows(&self, mut f: impl FnMut(Range<usize>)) {
        match self.depth() {
            1 => f(0..self.count(0)),
            depth => self.for_rows(depth - 2, |_, range| f(range)),
        }
    }

    /// Returns level `q` with offsets that start at 0, and without unused entries. Fails if memory is short.
    ///
    /// ```
    /// use layout_levels::Level;
    /// use ragged_arrays::RaggedArray;
    /// let views = RaggedArray::from_views(vec![2, 0], vec![2, 1], vec!['a', 'b', 'c', 'd'])?;
    /// let level = views.shape().packed_level(0)?;
    /// assert_eq!((level.range(0), level.range(1)), (0..2, 2..3)); // the rows of `views.pack()`
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn packed_level(&self, q: usize) -> Result<DynLevel<'static>> {
        if let Some(level) = self.levels.get(q)
            && (level.fixed_size().is_some() || self.is_packed(q))
        {
            return Ok(level.clone().into_owned());
        }
        let mut rows = RowLengths::with_capacity(self.count(q))?;
        self.for_rows(q, |_, range| rows.push(range.len()));
        Ok(rows.finish()?)
    }

    /// Returns the first `count` levels, each as `RaggedShape::packed_level` does. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// // A mask for the sentences of a text: the structure of axes 0 and 1, with other leaves.
    /// let text = RaggedArray::from_nested_lengths(&[vec![2, 1], vec![2, 0, 3]], vec!['a', 'b', 'c', 'd', 'e'])?;
    /// let kept = RaggedArray::new(text.len(), text.shape().packed_levels(1)?, vec![true, true, false])?;
    /// assert_eq!(text.filter(&kept)?.shape().offsets(), [vec![0, 2, 2], vec![0, 2, 2]]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn packed_levels(&self, count: usize) -> Result<Vec<DynLevel<'static>>> {
        (0..count).map(|q| self.packed_level(q)).collect()
    }

    /// Returns the shape as a chain of typed levels over its arrays, for kernels: typed levels read slices and divide
    /// by constants. Fails if a level has another kind or width.
    ///
    /// Axis 0 is a `Fixed`. A `Block` of a static layout takes the fewest axes of fixed size, at least one, that have
    /// as many elements as the layout; axis 0 counts as fixed. Innermost, a block is a tile; outermost, it is a grid
    /// of rows. Leaves are numbered as in the arrays, from `chain.span().start` on.
    ///
    /// ```
    /// use layout_levels::{Block, Cursor, End, Fixed, Ragged, Then};
    /// use layout_core::{Int, Strided};
    /// use ragged_arrays::RaggedArray;
    /// // Rows of tiles of 2 x 4, each column by column.
    /// type Tile = Strided<(Int<2>, Int<4>), (Int<1>, Int<2>)>;
    /// type Rows<'s, W> = Then<Fixed<usize>, Then<Ragged<&'s [W], Cursor>, Then<Block<Tile>, End>>>;
    /// let tiles = RaggedArray::from_cu_seqlens(vec![0_u32, 2, 2, 3], &[4, 2], (0..24).collect::<Vec<i32>>())?;
    /// let chain = tiles.shape().chain::<Rows<u32>>()?;
    /// let (row, (place, (inside, ()))) = chain.decompose(21);
    /// assert_eq!((row, place, Tile::default().idx2crd(inside)), (2, 0, (1, 2)));
    /// let error = tiles.shape().chain::<Rows<i64>>().err();
    /// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some("level 1: the kind is u32 offsets; expected: i64 offsets"));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn chain<'s, C: FromLevels<'s>>(&'s self) -> core::result::Result<Root<C>, ChainError> {
        let rows = LevelView::trusted(Ranges::Uniform(Fixed::new(self.count(0))), None);
        let levels: Vec<_> = core::iter::once(rows).chain(self.levels.iter().map(DynLevel::by_ref)).collect();
        array_kernels::chain(&levels)
    }

    /// Returns a structure that borrows the arrays of this one.
    ///
    /// ```
    /// use ragged_arrays::{RaggedArray, RaggedShape};
    /// fn shape_of(lengths: Vec<usize>) -> ragged_arrays::Result<RaggedShape<'static>> {
    ///     let leaves = vec![(); lengths.iter().sum()];
    ///     let array = RaggedArray::from_lengths(lengths, leaves)?;
    ///     Ok(array.shape().view().into_owned()) // the structure outlives the array
    /// }
    /// assert_eq!(shape_of(vec![2, 0, 1])?.offsets(), [[0, 2, 2, 3]]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn view(&self) -> RaggedShape<'_> {
        self.truncated(self.depth())
    }

    /// Returns a structure that owns its arrays. Borrowed ones are copied.
    ///
    /// ```
    /// use ragged_arrays::{DynLevel, RaggedShape};
    /// let owned = {
    ///     let offsets = [0_u32, 2, 2, 3];
    ///     RaggedShape::new(3, vec![DynLevel::offsets(&offsets[..])?], 3)?.into_owned()
    /// };
    /// assert_eq!(owned.row(0, 2), 2..3);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn into_owned(self) -> RaggedShape<'static> {
        RaggedShape { levels: self.levels.into_iter().map(DynLevel::into_owned).collect(), spans: self.spans }
    }

    /// Returns the packed offsets of every level, outermost first.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let slice = RaggedArray::from_offsets(vec![vec![1_u32, 3, 3, 4]], vec!['x', 'a', 'b', 'c', 'x']).expect("offsets");
    /// assert_eq!(slice.shape().offsets(), [[0, 2, 2, 3]]);
    /// ```
    pub fn offsets(&self) -> Vec<Vec<usize>> {
        (0..self.levels.len()).map(|q| self.offsets_of(q)).collect()
    }

    /// Returns the packed offsets of level `q`: from 0 on, one more than there are lists.
    pub(crate) fn offsets_of(&self, q: usize) -> Vec<usize> {
        let mut out = Vec::with_capacity(self.count(q) + 1);
        let mut end = 0;
        out.push(end);
        self.for_rows(q, |_, range| {
            end += range.len();
            out.push(end);
        });
        out
    }

    /// Returns the packed offsets of level `q` in the type `I`. It borrows the array of the level if that is exactly
    /// these offsets, and makes a new one otherwise.
    ///
    /// Attention kernels call the offsets of level 0 `cu_seqlens` and take them as `i32`. Fails if there is no level `q`, or with
    /// the first offset that does not fit the type.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_offsets(vec![vec![1_u64, 3, 3, 4]], vec!['x', 'a', 'b', 'c'])?;
    /// assert_eq!(a.shape().packed_offsets::<i32>(0)?, &[0, 2, 2, 3][..]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn packed_offsets<I: OffsetIndex>(&self, q: usize) -> Result<Cow<'_, [I]>> {
        self.axis(q.saturating_add(1), 1)?;
        if self.is_packed(q)
            && let Some(level) = self.levels[q].as_ragged::<I>()
        {
            return Ok(Cow::Borrowed(level.into_offsets()));
        }
        let mut out = room(self.count(q).saturating_add(1))?;
        let (mut end, mut beyond) = (0_usize, None);
        out.push(I::default());
        self.for_rows(q, |row, range| {
            end = end.saturating_add(range.len());
            match I::from_usize(end) {
                Some(end) => out.push(end),
                None if beyond.is_none() => beyond = Some((row + 1, end)),
                None => {}
            }
        });
        match beyond {
            None => Ok(Cow::Owned(out)),
            Some((index, offset)) => Err(RaggedError::Narrow { level: q, index, offset, word: I::WORD }),
        }
    }

    /// Tests whether the offsets of level `q`, which must exist, start at 0 and have nothing after the last list.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let rows = |offsets: Vec<u32>| RaggedArray::from_offsets(vec![offsets], vec!['a', 'b', 'c']);
    /// assert!(rows(vec![0, 2, 3])?.shape().is_packed(0));
    /// assert!(!rows(vec![1, 2, 3])?.shape().is_packed(0)); // a slice: it begins at 'b'
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn is_packed(&self, q: usize) -> bool {
        let level = &self.levels[q];
        self.span(q).start == 0 && level.is_consecutive() && level.rows() == Some(self.count(q)) && level.begin(0) == 0
    }

    /// Returns the length of the longest list of level `q`, or 0 without lists. Attention kernels call the number of
    /// level 0 `max_seqlen`.
    pub fn longest(&self, q: usize) -> usize {
        let mut longest = 0;
        self.for_rows(q, |_, range| longest = longest.max(range.len()));
        longest
    }

    /// Checks that both structures have the same lists. Fails with the first difference.
    ///
    /// Levels that share their arrays are compared by address only.
    pub fn same(&self, other: &RaggedShape<'_>) -> Result<()> {
        if self.depth() != other.depth() {
            return Err(RaggedError::Axis { axis: other.depth() - 1, least: 0, depth: self.depth() });
        }
        if self.count(0) != other.count(0) {
            return Err(RaggedError::DifferentCounts { axis: 0, left: self.count(0), right: other.count(0) });
        }
        for q in 0..self.levels.len() {
            if self.levels[q].shares_rows(&other.levels[q]) && self.spans[q] == other.spans[q] {
                continue;
            }
            self.try_for_rows(q, |list, range| match (range.len(), other.row(q, list).len()) {
                (left, right) if left == right => Ok(()),
                (left, right) => Err(RaggedError::Different { axis: q + 1, list, left, right }),
            })?;
        }
        Ok(())
    }

    /// Checks that the first `axes` axes of both structures have the same lists. Fails with the first difference.
    pub(crate) fn same_above(&self, other: &RaggedShape<'_>, axes: usize) -> Result<()> {
        self.truncated(axes).same(&other.truncated(axes))
    }

    /// Returns the structure of the first `axes` axes, borrowed: at least one axis, at most all.
    pub fn truncated(&self, axes: usize) -> RaggedShape<'_> {
        let axes = axes.clamp(1, self.depth());
        RaggedShape { levels: self.levels[..axes - 1].iter().map(DynLevel::view).collect(), spans: self.spans[..axes].to_vec() }
    }
}

/// Tests whether no position is in two of the rows `rows` of a level.
fn disjoint(level: &DynLevel<'_>, rows: &Range<usize>) -> bool {
    let mut ranges: Vec<Range<usize>> = rows.clone().map(|row| level.range(row)).filter(|range| !range.is_empty()).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.windows(2).all(|pair| pair[0].end <= pair[1].start)
}

/// Fails beyond `isize::MAX / 64` elements, so that they can be numbered in memory. Lists of size 0 take no memory themselves, so
/// their number needs this limit.
fn bounded(elements: usize) -> Result<()> {
    if elements > isize::MAX as usize / 64 { Err(RaggedError::Overflow) } else { Ok(()) }
}
