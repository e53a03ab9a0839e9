//! Levels of rows, whose coordinates are not stored: as ragged arrays have them.

use super::{DynLevel, Ranges, numbers};
use crate::{Indices, OffsetIndex, memory, with_indices};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::ops::Range;
use layout_levels::{Fixed, Flaw, Index, Level, LevelError, Part, Ragged, Views};

impl<'a> DynLevel<'a> {
    /// The level of rows of `size` elements each.
    pub fn fixed(size: usize) -> DynLevel<'static> {
        DynLevel::trusted(Ranges::Uniform(Fixed::new(size)), None)
    }

    /// The level of these offsets, one more than rows, none smaller than the one before: a vector, or a slice, which stays where it is.
    pub fn offsets<I: OffsetIndex>(offsets: impl Into<Cow<'a, [I]>>) -> Result<DynLevel<'a>, LevelError> {
        let offsets = Ragged::new(offsets.into())?.into_offsets();
        Ok(DynLevel { signed: I::SIGNED, ..DynLevel::trusted(Ranges::Pointers(I::into_indices(offsets)), None) })
    }

    /// The level of rows of these lengths, one after the other.
    ///
    /// # Errors
    /// Memory has no room for the offsets, or does not address so many elements.
    pub fn of_lengths(lengths: &[usize]) -> Result<DynLevel<'static>, LevelError> {
        let mut rows = RowLengths::with_capacity(lengths.len())?;
        lengths.iter().for_each(|len| rows.push(*len));
        rows.finish()
    }

    /// The level of rows that lie anywhere among `positions` elements, as many as the next level has rows, or as there are leaves.
    pub fn views<I: OffsetIndex>(
        starts: impl Into<Cow<'a, [I]>>,
        sizes: impl Into<Cow<'a, [I]>>,
        positions: usize,
    ) -> Result<DynLevel<'a>, LevelError> {
        let (starts, sizes) = Views::new(starts.into(), sizes.into(), positions)?.into_parts();
        let ranges = Ranges::Views { starts: I::into_indices(starts), sizes: I::into_indices(sizes), positions };
        Ok(DynLevel { signed: I::SIGNED, ..DynLevel::trusted(ranges, None) })
    }

    /// The level of the columns of diagonals of a matrix: `diagonals[p]` is `column - row + rows - 1`.
    ///
    /// # Errors
    /// A number that is no diagonal, as [`Range::new`](layout_levels::Range::new) refuses it.
    pub fn diagonals(diagonals: impl Into<Indices<'a>>, rows: usize, columns: usize) -> Result<DynLevel<'a>, LevelError> {
        let diagonals = diagonals.into();
        with_indices!(&diagonals, array => layout_levels::Range::new(&array[..], rows, columns).map(drop))?;
        Ok(DynLevel::trusted(Ranges::Diagonals { diagonals, rows, columns }, None))
    }

    /// The ranges, owned.
    pub fn into_ranges(self) -> Ranges<Indices<'a>> {
        self.ranges
    }
}

impl<'a, A: Borrow<Indices<'a>>> DynLevel<'a, A> {
    /// The offsets as a typed level, if they are of this type: for chains of levels that the compiler knows.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// use layout_levels::{Level, Ragged};
    /// let level = DynLevel::offsets(vec![0_u32, 3, 3, 4])?;
    /// let rows: Ragged<&[u32]> = level.as_ragged().ok_or("offsets of another width")?;
    /// assert_eq!((rows.range(2), level.as_ragged::<i64>()), (3..4, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_ragged<I: OffsetIndex>(&self) -> Option<Ragged<&[I]>> {
        match (&self.ranges, &self.stored) {
            (Ranges::Pointers(offsets), None) if self.signed == I::SIGNED => I::slice_of(numbers(offsets)).map(Ragged::trusted),
            _ => None,
        }
    }

    /// The kind of the level, as errors name it: that of the typed level, of offsets with their integers.
    pub fn kind(&self) -> &'static str {
        match (&self.ranges, self.stored.is_some()) {
            (Ranges::Uniform(_), _) => "fixed",
            (Ranges::Root(_), _) => "compressed below one parent",
            (Ranges::One(_), false) => "cyclic",
            (Ranges::One(_), true) => "singleton",
            (Ranges::Pointers(_), true) => "compressed",
            (Ranges::Pointers(offsets), false) => match (numbers(offsets), self.signed) {
                (Indices::U8(_), false) => u8::OFFSETS,
                (Indices::U16(_), false) => u16::OFFSETS,
                (Indices::U32(_), false) => u32::OFFSETS,
                (Indices::U64(_), false) => u64::OFFSETS,
                (Indices::U8(_), true) => i8::OFFSETS,
                (Indices::U16(_), true) => i16::OFFSETS,
                (Indices::U32(_), true) => i32::OFFSETS,
                (Indices::U64(_), true) => i64::OFFSETS,
            },
            (Ranges::Views { .. }, _) => "views",
            (Ranges::Diagonals { .. }, _) => "range",
        }
    }

    /// Returns true if its arrays came as signed integers; none of their numbers is negative.
    pub fn is_signed(&self) -> bool {
        self.signed
    }

    /// The size of its rows, if that is fixed.
    pub fn fixed_size(&self) -> Option<usize> {
        if let Ranges::Uniform(level) = &self.ranges { Some(level.extent(0)) } else { None }
    }

    /// The number of rows; `None` for any number.
    pub fn rows(&self) -> Option<usize> {
        match &self.ranges {
            Ranges::Uniform(_) | Ranges::One(_) => None,
            Ranges::Root(_) => Some(1),
            Ranges::Pointers(offsets) => Some(numbers(offsets).len().saturating_sub(1)),
            Ranges::Views { starts, .. } => Some(numbers(starts).len()),
            Ranges::Diagonals { diagonals, .. } => Some(numbers(diagonals).len()),
        }
    }

    /// Checks that all offsets, and the elements of the first `rows` rows, are within so many elements.
    pub fn check_within(&self, rows: usize, most: usize) -> Result<(), LevelError> {
        if let Ranges::Pointers(offsets) = &self.ranges {
            with_indices!(numbers(offsets), offsets => {
                // They do not decrease.
                let index = offsets.partition_point(|offset| offset.to_usize() <= most);
                if let Some(value) = offsets.get(index) {
                    return Err(LevelError::new(Part::Offsets, index, Flaw::Beyond { value: value.to_usize(), most }));
                }
            });
        }
        match self.size(rows)? {
            size if size > most => Err(LevelError::new(Part::Level, 0, Flaw::Parents { parents: most, expected: size })),
            _ => Ok(()),
        }
    }

    /// Tests whether two levels have one size or share their offsets: then they have the same rows.
    pub fn shares_rows(&self, other: &Self) -> bool {
        match (&self.ranges, &other.ranges) {
            (Ranges::Uniform(a), Ranges::Uniform(b)) => a == b,
            (Ranges::Pointers(a), Ranges::Pointers(b)) => match (numbers(a), numbers(b)) {
                (Indices::U8(a), Indices::U8(b)) => core::ptr::eq(&a[..], &b[..]),
                (Indices::U16(a), Indices::U16(b)) => core::ptr::eq(&a[..], &b[..]),
                (Indices::U32(a), Indices::U32(b)) => core::ptr::eq(&a[..], &b[..]),
                (Indices::U64(a), Indices::U64(b)) => core::ptr::eq(&a[..], &b[..]),
                _ => false,
            },
            _ => false,
        }
    }

    /// Calls `f` with `0..count` and the rows `begin..begin + count`: one dispatch for all of them.
    #[inline(always)]
    pub fn for_rows(&self, begin: usize, count: usize, mut f: impl FnMut(usize, Range<usize>)) {
        if let Ranges::Pointers(offsets) = &self.ranges {
            return with_indices!(numbers(offsets), offsets => {
                for (row, pair) in offsets.get(begin..).unwrap_or(&[]).windows(2).take(count).enumerate() {
                    f(row, pair[0].to_usize()..pair[1].to_usize());
                }
            });
        }
        crate::with_ranges!(&self.ranges, level => (0..count).for_each(|row| f(row, level.range(begin + row))));
    }
}

/// A level of offsets under construction, row by row: of 32 bits until they no longer hold the offsets.
#[derive(Debug)]
pub struct RowLengths {
    narrow: Vec<u32>,
    wide: Vec<u64>,
    end: usize,
    overflow: bool,
}

impl RowLengths {
    /// No row so far, with room for some.
    ///
    /// # Errors
    /// Memory has no room for them.
    pub fn with_capacity(rows: usize) -> Result<RowLengths, LevelError> {
        let mut narrow = memory::room(rows.saturating_add(1)).ok_or(beyond_memory(rows))?;
        narrow.push(0);
        Ok(RowLengths { narrow, wide: Vec::new(), end: 0, overflow: false })
    }

    /// Adds a row of this length.
    #[inline]
    pub fn push(&mut self, len: usize) {
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
    pub fn end(&self) -> usize {
        self.end
    }

    /// The level.
    ///
    /// # Errors
    /// More elements than memory addresses.
    pub fn finish(self) -> Result<DynLevel<'static>, LevelError> {
        let offsets = if self.wide.is_empty() { Indices::from(self.narrow) } else { Indices::from(self.wide) };
        if self.overflow { Err(beyond_memory(offsets.len() - 1)) } else { Ok(DynLevel::trusted(Ranges::Pointers(offsets), None)) }
    }
}

#[cold]
fn beyond_memory(rows: usize) -> LevelError {
    LevelError::new(Part::Offsets, 0, Flaw::Memory { rows })
}
