//! A level of a kind known at run time: from a file, from another library.

use super::words::{OffsetWord, OffsetsOf};
use crate::memory;
use crate::ragged::{RaggedError, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::level::{Extent, Fixed, Index, IndexArray, Level, LevelError, Locate, Ragged, Views};

/// One level of a [`RaggedArray`](super::RaggedArray): rows by offsets of one of four widths, of one size, or anywhere.
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

/// `body` with `level` bound to the level of `this`, whatever its kind.
macro_rules! with_level {
    ($this:expr, $level:ident => $body:expr) => {
        match $this {
            DynLevel::Fixed($level) => $body,
            DynLevel::U32($level) => $body,
            DynLevel::U64($level) => $body,
            DynLevel::I32($level) => $body,
            DynLevel::I64($level) => $body,
            DynLevel::Views32($level) => $body,
            DynLevel::Views64($level) => $body,
            DynLevel::ViewsI32($level) => $body,
            DynLevel::ViewsI64($level) => $body,
        }
    };
}

impl<'a> DynLevel<'a> {
    /// Rows of `size` elements each.
    pub fn fixed(size: usize) -> DynLevel<'static> {
        DynLevel::Fixed(Fixed::new(size))
    }

    /// Rows of these lengths, one after the other.
    pub fn of_lengths(lengths: &[usize]) -> Result<DynLevel<'static>> {
        let mut rows = Rows::with_capacity(lengths.len())?;
        lengths.iter().for_each(|len| rows.push(*len));
        rows.finish()
    }

    /// Rows that lie anywhere among `positions` elements, as many as the next level has rows, or as there are leaves.
    pub fn views<O: OffsetsOf<'a>>(starts: O, sizes: O, positions: usize) -> Result<DynLevel<'a>> {
        Ok(O::Word::views(starts.into_words(), sizes.into_words(), positions)?)
    }

    /// The offsets as a typed level, if they are of this type: for chains of levels that the compiler knows.
    ///
    /// ```
    /// use layout_core::level::{Level, Ragged};
    /// use sparse_formats::ragged::DynLevel;
    /// let level = DynLevel::try_from(vec![0_u32, 3, 3, 4])?;
    /// let rows: Ragged<&[u32]> = level.as_ragged().ok_or("offsets of another width")?;
    /// assert_eq!((rows.range(2), level.as_ragged::<i64>()), (3..4, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_ragged<W: OffsetWord>(&self) -> Option<Ragged<&[W]>> {
        W::offsets_of(self).map(Ragged::trusted)
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
        match self {
            DynLevel::Fixed(level) => Some(level.extent(0)),
            _ => None,
        }
    }

    /// How many rows there are; `None` for any number.
    pub fn rows(&self) -> Option<usize> {
        match self {
            DynLevel::Fixed(_) => None,
            DynLevel::U32(level) => Some(level.rows()),
            DynLevel::U64(level) => Some(level.rows()),
            DynLevel::I32(level) => Some(level.rows()),
            DynLevel::I64(level) => Some(level.rows()),
            DynLevel::Views32(level) => Some(level.rows()),
            DynLevel::Views64(level) => Some(level.rows()),
            DynLevel::ViewsI32(level) => Some(level.rows()),
            DynLevel::ViewsI64(level) => Some(level.rows()),
        }
    }

    /// Whether the rows follow one another, as offsets make them.
    pub const fn is_consecutive(&self) -> bool {
        !matches!(self, DynLevel::Views32(_) | DynLevel::Views64(_) | DynLevel::ViewsI32(_) | DynLevel::ViewsI64(_))
    }

    /// Whether these are offsets of which the first is 0.
    pub(crate) fn begins_at_0(&self) -> bool {
        match self {
            DynLevel::U32(level) => level.offsets().at(0) == 0,
            DynLevel::U64(level) => level.offsets().at(0) == 0,
            DynLevel::I32(level) => level.offsets().at(0) == 0,
            DynLevel::I64(level) => level.offsets().at(0) == 0,
            _ => false,
        }
    }

    /// Whether these are `rows` rows that begin at 0, and no others.
    pub(crate) fn is_packed(&self, rows: usize) -> bool {
        let first = match self {
            DynLevel::Fixed(_) => return true,
            DynLevel::U32(level) => level.offsets().at(0),
            DynLevel::U64(level) => level.offsets().at(0),
            DynLevel::I32(level) => level.offsets().at(0),
            DynLevel::I64(level) => level.offsets().at(0),
            _ => return false,
        };
        first == 0 && self.rows() == Some(rows)
    }

    /// The first place where an offset exceeds `most`, and the offset.
    pub(crate) fn beyond(&self, most: usize) -> Option<(usize, usize)> {
        fn first(offsets: &impl IndexArray, most: usize) -> Option<(usize, usize)> {
            // They do not decrease.
            let at = offsets.words().partition_point(|word| word.to_usize() <= most);
            (at < offsets.words().len()).then(|| (at, offsets.at(at)))
        }
        match self {
            DynLevel::U32(level) => first(level.offsets(), most),
            DynLevel::U64(level) => first(level.offsets(), most),
            DynLevel::I32(level) => first(level.offsets(), most),
            DynLevel::I64(level) => first(level.offsets(), most),
            _ => None,
        }
    }

    /// The same, owning its arrays.
    pub fn into_owned(self) -> DynLevel<'static> {
        match self {
            DynLevel::Fixed(level) => DynLevel::Fixed(level),
            DynLevel::U32(level) => DynLevel::U32(level.into_owned()),
            DynLevel::U64(level) => DynLevel::U64(level.into_owned()),
            DynLevel::I32(level) => DynLevel::I32(level.into_owned()),
            DynLevel::I64(level) => DynLevel::I64(level.into_owned()),
            DynLevel::Views32(level) => DynLevel::Views32(level.into_owned()),
            DynLevel::Views64(level) => DynLevel::Views64(level.into_owned()),
            DynLevel::ViewsI32(level) => DynLevel::ViewsI32(level.into_owned()),
            DynLevel::ViewsI64(level) => DynLevel::ViewsI64(level.into_owned()),
        }
    }

    /// The same rows, borrowed.
    pub fn view(&self) -> DynLevel<'_> {
        match self {
            DynLevel::Fixed(level) => DynLevel::Fixed(*level),
            DynLevel::U32(level) => DynLevel::U32(level.view()),
            DynLevel::U64(level) => DynLevel::U64(level.view()),
            DynLevel::I32(level) => DynLevel::I32(level.view()),
            DynLevel::I64(level) => DynLevel::I64(level.view()),
            DynLevel::Views32(level) => DynLevel::Views32(level.view()),
            DynLevel::Views64(level) => DynLevel::Views64(level.view()),
            DynLevel::ViewsI32(level) => DynLevel::ViewsI32(level.view()),
            DynLevel::ViewsI64(level) => DynLevel::ViewsI64(level.view()),
        }
    }

    /// Calls `f` with `0..count` and the rows `begin..begin + count`: one dispatch for all of them.
    #[inline(always)]
    pub(crate) fn for_rows(&self, begin: usize, count: usize, mut f: impl FnMut(usize, Range<usize>)) {
        fn pairs<W: Index>(offsets: &[W], begin: usize, count: usize, f: &mut impl FnMut(usize, Range<usize>)) {
            let Some(offsets) = offsets.get(begin..) else { return };
            for (row, pair) in offsets.windows(2).take(count).enumerate() {
                f(row, pair[0].to_usize()..pair[1].to_usize());
            }
        }
        match self {
            DynLevel::U32(level) => pairs(level.offsets(), begin, count, &mut f),
            DynLevel::U64(level) => pairs(level.offsets(), begin, count, &mut f),
            DynLevel::I32(level) => pairs(level.offsets(), begin, count, &mut f),
            DynLevel::I64(level) => pairs(level.offsets(), begin, count, &mut f),
            _ => {
                with_level!(self, level => (0..count).for_each(|row| f(row, level.range(begin + row))))
            }
        }
    }
}

/// The kind is known at run time, so the constants promise what all kinds keep.
impl Level for DynLevel<'_> {
    const FULL: bool = true;
    const ORDERED: bool = true;
    const UNIQUE: bool = true;
    const BRANCHLESS: bool = false;
    const COMPACT: bool = false;
    const UNIFORM: bool = false;
    type Coord = usize;

    fn size(&self, parents: usize) -> core::result::Result<usize, LevelError> {
        with_level!(self, level => level.size(parents))
    }

    #[inline]
    fn range(&self, parent: usize) -> Range<usize> {
        with_level!(self, level => level.range(parent))
    }

    #[inline]
    fn coordinate(&self, parent: usize, position: usize) -> usize {
        with_level!(self, level => level.coordinate(parent, position))
    }
}

impl Locate for DynLevel<'_> {
    #[inline]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        with_level!(self, level => level.locate(parent, coordinate))
    }
}

impl Extent for DynLevel<'_> {
    #[inline]
    fn extent(&self, parent: usize) -> usize {
        with_level!(self, level => level.extent(parent))
    }
}

/// A level made row by row, with offsets of 32 bits until they no longer hold them.
pub(crate) struct Rows {
    narrow: Vec<u32>,
    wide: Vec<u64>,
    end: usize,
    overflow: bool,
}

impl Rows {
    /// No row so far, and room for some.
    pub(crate) fn with_capacity(rows: usize) -> Result<Rows> {
        let mut narrow = room(rows.saturating_add(1))?;
        narrow.push(0);
        Ok(Rows { narrow, wide: Vec::new(), end: 0, overflow: false })
    }

    /// A row of this length.
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

    /// All elements so far.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    pub(crate) fn finish(self) -> Result<DynLevel<'static>> {
        if self.overflow {
            return Err(RaggedError::Overflow);
        }
        Ok(if self.wide.is_empty() { DynLevel::try_from(self.narrow)? } else { DynLevel::try_from(self.wide)? })
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
