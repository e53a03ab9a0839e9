//! A level of a kind known at run time: from a file, from another library.

use super::offset_index::OffsetIndex;
use crate::{RaggedError, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory;
use core::ops::Range;
use layout_levels::{Consecutive, Fixed, Flaw, Index, Level, LevelError, Locate, Part, Ragged, Views};

/// One level of a [`RaggedArray`](crate::RaggedArray): rows by offsets of one of four widths, of one size, or anywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DynLevel<'a> {
    /// Rows of one size.
    Fixed(Fixed<usize>),
    /// Offsets of 32 bits.
    U32(Ragged<Cow<'a, [u32]>>),
    /// Offsets of 64 bits.
    U64(Ragged<Cow<'a, [u64]>>),
    /// Offsets of 32 bits, signed: Arrow's `List`.
    I32(Ragged<Cow<'a, [i32]>>),
    /// Offsets of 64 bits, signed: Arrow's `LargeList`, NumPy.
    I64(Ragged<Cow<'a, [i64]>>),
    /// Starts and sizes of 32 bits.
    Views32(Views<Cow<'a, [u32]>, Cow<'a, [u32]>>),
    /// Starts and sizes of 64 bits.
    Views64(Views<Cow<'a, [u64]>, Cow<'a, [u64]>>),
    /// Starts and sizes of 32 bits, signed: Arrow's `ListView`.
    ViewsI32(Views<Cow<'a, [i32]>, Cow<'a, [i32]>>),
    /// Starts and sizes of 64 bits, signed: Arrow's `LargeListView`.
    ViewsI64(Views<Cow<'a, [i64]>, Cow<'a, [i64]>>),
}

/// A body for every kind of level, or one each for a fixed size, offsets and views, with the typed level bound.
macro_rules! by_kind {
    ($this:expr, $level:ident => $body:expr) => {
        by_kind!($this, fixed($level) => $body, offsets($level) => $body, views($level) => $body)
    };
    ($this:expr, fixed($f:pat) => $fixed:expr, offsets($o:pat) => $offsets:expr, views($v:pat) => $views:expr) => {
        match $this {
            DynLevel::Fixed($f) => $fixed,
            DynLevel::U32($o) => $offsets,
            DynLevel::U64($o) => $offsets,
            DynLevel::I32($o) => $offsets,
            DynLevel::I64($o) => $offsets,
            DynLevel::Views32($v) => $views,
            DynLevel::Views64($v) => $views,
            DynLevel::ViewsI32($v) => $views,
            DynLevel::ViewsI64($v) => $views,
        }
    };
}

impl<'a> DynLevel<'a> {
    /// The level of rows of `size` elements each.
    pub fn fixed(size: usize) -> DynLevel<'static> {
        DynLevel::Fixed(Fixed::new(size))
    }

    /// The level of these offsets, one more than rows, none smaller than the one before: a vector, or a slice, which stays where it is.
    pub fn offsets<I: OffsetIndex>(offsets: impl Into<Cow<'a, [I]>>) -> core::result::Result<DynLevel<'a>, LevelError> {
        Ok(I::ragged(Ragged::new(offsets.into())?))
    }

    /// The level of rows of these lengths, one after the other.
    pub fn of_lengths(lengths: &[usize]) -> Result<DynLevel<'static>> {
        let mut rows = Rows::with_capacity(lengths.len())?;
        lengths.iter().for_each(|len| rows.push(*len));
        rows.finish()
    }

    /// The level of rows that lie anywhere among `positions` elements, as many as the next level has rows, or as there are leaves.
    pub fn views<I: OffsetIndex>(
        starts: impl Into<Cow<'a, [I]>>,
        sizes: impl Into<Cow<'a, [I]>>,
        positions: usize,
    ) -> core::result::Result<DynLevel<'a>, LevelError> {
        Ok(I::views(Views::new(starts.into(), sizes.into(), positions)?))
    }

    /// The offsets as a typed level, if they are of this type: for chains of levels that the compiler knows.
    ///
    /// ```
    /// use layout_levels::{Level, Ragged};
    /// use ragged_arrays::DynLevel;
    /// let level = DynLevel::offsets(vec![0_u32, 3, 3, 4])?;
    /// let rows: Ragged<&[u32]> = level.as_ragged().ok_or("offsets of another width")?;
    /// assert_eq!((rows.range(2), level.as_ragged::<i64>()), (3..4, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_ragged<I: OffsetIndex>(&self) -> Option<Ragged<&[I]>> {
        let offsets = by_kind!(self, fixed(_) => None, offsets(level) => I::downcast(Index::erase(level.offsets())), views(_) => None);
        offsets.map(Ragged::trusted)
    }

    /// Its kind, as errors name it.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            DynLevel::Fixed(_) => "fixed",
            DynLevel::U32(_) => u32::OFFSETS,
            DynLevel::U64(_) => u64::OFFSETS,
            DynLevel::I32(_) => i32::OFFSETS,
            DynLevel::I64(_) => i64::OFFSETS,
            _ => "views",
        }
    }

    /// The size of its rows, if that is fixed.
    pub(crate) fn size_of_all(&self) -> Option<usize> {
        if let DynLevel::Fixed(level) = self { Some(level.extent(0)) } else { None }
    }

    /// The number of rows; `None` for any number.
    pub fn rows(&self) -> Option<usize> {
        by_kind!(self, fixed(_) => None, offsets(level) => Some(level.rows()), views(level) => Some(level.rows()))
    }

    /// Returns true if the rows follow one another, as offsets make them.
    pub const fn is_consecutive(&self) -> bool {
        !matches!(self, DynLevel::Views32(_) | DynLevel::Views64(_) | DynLevel::ViewsI32(_) | DynLevel::ViewsI64(_))
    }

    /// Tests whether these are offsets of which the first is 0.
    pub(crate) fn begins_at_0(&self) -> bool {
        by_kind!(self, fixed(_) => false, offsets(level) => level.begin(0) == 0, views(_) => false)
    }

    /// Checks that all offsets, and the elements of the first `rows` rows, are within so many elements.
    pub(crate) fn check_within(&self, rows: usize, most: usize) -> core::result::Result<(), LevelError> {
        fn beyond<I: Index>(offsets: &[I], most: usize) -> Option<(usize, usize)> {
            // They do not decrease.
            let at = offsets.partition_point(|offset| offset.to_usize() <= most);
            Some((at, offsets.get(at)?.to_usize()))
        }
        if let Some((index, value)) = by_kind!(self, fixed(_) => None, offsets(level) => beyond(level.offsets(), most), views(_) => None) {
            return Err(LevelError::new(Part::Offsets, index, Flaw::Beyond { value, most }));
        }
        match self.size(rows)? {
            size if size > most => Err(LevelError::new(Part::Level, 0, Flaw::Parents { parents: most, expected: size })),
            _ => Ok(()),
        }
    }

    /// The address, the length and the kind of its offsets: levels that share them have the same rows.
    pub(crate) fn identity(&self) -> (*const (), usize, &'static str) {
        by_kind!(self,
            fixed(level) => (core::ptr::null(), level.extent(0), self.kind()),
            offsets(level) => (level.offsets().as_ptr().cast(), level.rows(), self.kind()),
            views(level) => (core::ptr::from_ref(level).cast(), 0, self.kind()))
    }

    /// The level with arrays of its own.
    pub fn into_owned(self) -> DynLevel<'static> {
        by_kind!(self,
            fixed(level) => DynLevel::Fixed(level),
            offsets(level) => OffsetIndex::ragged(level.into_owned()),
            views(level) => OffsetIndex::views(level.into_owned()))
    }

    /// The level over the same arrays, borrowed.
    pub fn view(&self) -> DynLevel<'_> {
        by_kind!(self,
            fixed(level) => DynLevel::Fixed(*level),
            offsets(level) => OffsetIndex::ragged(level.view()),
            views(level) => OffsetIndex::views(level.view()))
    }

    /// Calls `f` with `0..count` and the rows `begin..begin + count`: one dispatch for all of them.
    #[inline(always)]
    pub(crate) fn for_rows(&self, begin: usize, count: usize, mut f: impl FnMut(usize, Range<usize>)) {
        fn pairs<I: Index>(offsets: &[I], begin: usize, count: usize, f: &mut impl FnMut(usize, Range<usize>)) {
            let Some(offsets) = offsets.get(begin..) else { return };
            for (row, pair) in offsets.windows(2).take(count).enumerate() {
                f(row, pair[0].to_usize()..pair[1].to_usize());
            }
        }
        by_kind!(self,
            fixed(level) => (0..count).for_each(|row| f(row, level.range(begin + row))),
            offsets(level) => pairs(level.offsets(), begin, count, &mut f),
            views(level) => (0..count).for_each(|row| f(row, level.range(begin + row))))
    }
}

/// The kind is known at run time, so the constants promise what all kinds keep.
impl Level for DynLevel<'_> {
    const FULL: bool = true;
    const ORDERED: bool = true;
    const UNIQUE: bool = true;
    type Coord = usize;

    fn size(&self, parents: usize) -> core::result::Result<usize, LevelError> {
        by_kind!(self, level => level.size(parents))
    }

    #[inline]
    fn range(&self, parent: usize) -> Range<usize> {
        by_kind!(self, level => level.range(parent))
    }

    #[inline]
    fn coordinate(&self, parent: usize, position: usize) -> usize {
        by_kind!(self, level => level.coordinate(parent, position))
    }

    #[inline]
    fn extent(&self, parent: usize) -> usize {
        by_kind!(self, level => level.extent(parent))
    }
}

impl Locate for DynLevel<'_> {
    #[inline]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        by_kind!(self, level => level.locate(parent, coordinate))
    }
}

/// A level under construction, row by row, with offsets of 32 bits until they no longer hold them.
pub(crate) struct Rows {
    narrow: Vec<u32>,
    wide: Vec<u64>,
    end: usize,
    overflow: bool,
}

impl Rows {
    /// No row so far, with room for some.
    pub(crate) fn with_capacity(rows: usize) -> Result<Rows> {
        let mut narrow = room(rows.saturating_add(1))?;
        narrow.push(0);
        Ok(Rows { narrow, wide: Vec::new(), end: 0, overflow: false })
    }

    /// Adds a row of this length.
    #[inline]
    pub(crate) fn push(&mut self, len: usize) {
        match self.end.checked_add(len) {
            Some(end) => self.end = end,
            None => self.overflow = true,
        }
        if self.wide.is_empty() {
            match u32::try_from(self.end) {
                Ok(end) => return self.narrow.push(end),
                Err(_) => self.wide = core::mem::take(&mut self.narrow).into_iter().map(u64::from).collect(),
            }
        }
        self.wide.push(self.end as u64);
    }

    /// The number of elements so far.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    pub(crate) fn finish(self) -> Result<DynLevel<'static>> {
        if self.overflow {
            return Err(RaggedError::Overflow);
        }
        Ok(if self.wide.is_empty() { DynLevel::offsets(self.narrow)? } else { DynLevel::offsets(self.wide)? })
    }
}

/// An empty vector with room for `len` elements, if there is.
pub(crate) fn room<T>(len: usize) -> Result<Vec<T>> {
    memory::room(len).ok_or(RaggedError::Overflow)
}

/// Makes room for `len` numbers, whose values do not matter; an error where there is none.
pub(crate) fn resized<V: Clone + Default>(out: &mut Vec<V>, len: usize) -> Result<()> {
    if out.capacity() < len {
        // New memory is zero already; `vec!` would not return where there is none.
        *out = Vec::new();
        room::<V>(len)?;
        *out = memory::defaults(len);
    }
    out.resize(len, V::default());
    Ok(())
}
