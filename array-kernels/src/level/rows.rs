//! Levels of rows without stored coordinates, as in ragged arrays.

use super::{DynLevel, Ranges, numbers};
use crate::{Indices, OffsetIndex, memory, with_indices};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::ops::Range;
use layout_levels::{Fixed, Flaw, Index, Level, LevelArray, LevelError, Ragged, Views};

impl<'a> DynLevel<'a> {
    /// Returns the level of rows of `size` elements each.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// use layout_levels::Level;
    /// let rows = DynLevel::fixed(4);
    /// assert_eq!((rows.range(2), rows.rows(), rows.fixed_size()), (8..12, None, Some(4)));
    /// ```
    pub fn fixed(size: usize) -> DynLevel<'static> {
        DynLevel::trusted(Ranges::Uniform(Fixed::new(size)), None)
    }

    /// Returns the level of these offsets, one more than rows. Fails if there is none, or one is negative or below the one before.
    pub fn offsets<I: OffsetIndex>(offsets: impl Into<Cow<'a, [I]>>) -> Result<DynLevel<'a>, LevelError> {
        let offsets = Ragged::new(offsets.into())?.into_offsets();
        Ok(DynLevel { signed: I::SIGNED, ..DynLevel::trusted(Ranges::Pointers(I::into_indices(offsets)), None) })
    }

    /// Returns the level of rows of these lengths, one after the other.
    ///
    /// # Errors
    /// Fails if memory has no room for the offsets, or does not address that many elements.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// assert_eq!(DynLevel::of_lengths(&[2, 0, 1])?, DynLevel::offsets(vec![0_u32, 2, 2, 3])?);
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    pub fn of_lengths(lengths: &[usize]) -> Result<DynLevel<'static>, LevelError> {
        let mut rows = RowLengths::with_capacity(lengths.len())?;
        lengths.iter().for_each(|len| rows.push(*len));
        rows.finish()
    }

    /// Returns the level of rows anywhere in `0..positions`: the rows of the next level, or the leaves after the last one.
    /// Fails if `starts` and `sizes` differ in length or a nonempty row ends beyond `positions`.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// use layout_levels::Level;
    /// // Two windows of three elements, which overlap, and an empty row.
    /// let rows = DynLevel::views(vec![0_u32, 2, 0], vec![3, 3, 0], 5)?;
    /// assert_eq!([rows.range(0), rows.range(1), rows.range(2)], [0..3, 2..5, 0..0]);
    /// assert!(DynLevel::views(vec![0_u32, 3], vec![3, 3], 5).is_err());
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    pub fn views<I: OffsetIndex>(
        starts: impl Into<Cow<'a, [I]>>,
        sizes: impl Into<Cow<'a, [I]>>,
        positions: usize,
    ) -> Result<DynLevel<'a>, LevelError> {
        let (starts, sizes) = Views::new(starts.into(), sizes.into(), positions)?.into_parts();
        let ranges = Ranges::Views { starts: I::into_indices(starts), sizes: I::into_indices(sizes), positions };
        Ok(DynLevel { signed: I::SIGNED, ..DynLevel::trusted(ranges, None) })
    }

    /// Returns the level of the columns of diagonals of a matrix, where `diagonals[p]` is `column - row + rows - 1`.
    ///
    /// # Errors
    /// Fails if a number is no diagonal, as [`Range::new`](layout_levels::Range::new) does.
    ///
    /// ```
    /// use array_kernels::{DynLevel, Indices};
    /// use layout_levels::{Level, Locate};
    /// // A matrix of 3 by 4 with its main diagonal, number 2, and the one to its right.
    /// let level = DynLevel::diagonals(Indices::from(vec![2_u8, 3]), 3, 4)?;
    /// assert_eq!((level.range(0), level.range(1)), (0..3, 5..8));
    /// assert_eq!((level.locate(1, 0), level.locate(1, 3)), (None, Some(7)));
    /// assert!(DynLevel::diagonals(Indices::from(vec![6_u8]), 3, 4).is_err());
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    pub fn diagonals(diagonals: impl Into<Indices<'a>>, rows: usize, columns: usize) -> Result<DynLevel<'a>, LevelError> {
        let diagonals = diagonals.into();
        with_indices!(&diagonals, array => layout_levels::Range::new(&array[..], rows, columns).map(drop))?;
        Ok(DynLevel::trusted(Ranges::Diagonals { diagonals, rows, columns }, None))
    }

    /// Returns the ranges and drops the stored coordinates.
    ///
    /// ```
    /// use array_kernels::{DynLevel, Indices, Ranges};
    /// let level = DynLevel::of_lengths(&[2, 0, 1])?;
    /// let Ranges::Pointers(offsets) = level.into_ranges() else { panic!("rows of different lengths have offsets") };
    /// assert_eq!(offsets, Indices::from(vec![0_u32, 2, 2, 3]));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    pub fn into_ranges(self) -> Ranges<Indices<'a>> {
        self.ranges
    }
}

impl<'a, A: Borrow<Indices<'a>>> DynLevel<'a, A> {
    /// Returns the offsets as a typed level, or `None` if they are not of type `I` or the level has stored coordinates.
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

    /// Returns the kind for error messages: the kind of the typed level, or for offsets their integer type.
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

    /// Returns true if the arrays were given as signed integers. No number is negative.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// let [signed, unsigned] = [DynLevel::offsets(vec![0_i64, 2])?, DynLevel::offsets(vec![0_u64, 2])?];
    /// assert_eq!((signed.is_signed(), unsigned.is_signed()), (true, false));
    /// assert!(DynLevel::offsets(vec![-1_i64, 2]).is_err());
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    pub fn is_signed(&self) -> bool {
        self.signed
    }

    /// Returns the number of elements of each row if the level is `fixed`, otherwise `None`.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// assert_eq!((DynLevel::fixed(4).fixed_size(), DynLevel::of_lengths(&[4, 4])?.fixed_size()), (Some(4), None));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    pub fn fixed_size(&self) -> Option<usize> {
        if let Ranges::Uniform(level) = &self.ranges { Some(level.extent(0)) } else { None }
    }

    /// Returns the number of rows, or `None` if the level fits any number.
    pub fn rows(&self) -> Option<usize> {
        match &self.ranges {
            Ranges::Uniform(_) | Ranges::One(_) => None,
            Ranges::Root(_) => Some(1),
            Ranges::Pointers(offsets) => Some(numbers(offsets).len().saturating_sub(1)),
            Ranges::Views { starts, .. } => Some(numbers(starts).len()),
            Ranges::Diagonals { diagonals, .. } => Some(numbers(diagonals).len()),
        }
    }

    /// Fails if an offset exceeds `most`, if a position of the first `rows` rows may reach `most`, or if there are fewer rows.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// let rows = DynLevel::offsets(vec![0_u32, 2, 5])?;
    /// assert!(rows.check_within(2, 5).is_ok());
    /// // An array of 4 leaves is too short for 5, and there is no third row.
    /// assert!(rows.check_within(2, 4).is_err());
    /// assert!(rows.check_within(3, 5).is_err());
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    pub fn check_within(&self, rows: usize, most: usize) -> Result<(), LevelError> {
        if let Ranges::Pointers(offsets) = &self.ranges {
            with_indices!(numbers(offsets), offsets => {
                // Offsets do not decrease, so a binary search finds the first one that is too large.
                let index = offsets.partition_point(|offset| offset.to_usize() <= most);
                if let Some(value) = offsets.get(index) {
                    return Err(LevelError::new(LevelArray::Offsets, index, Flaw::Beyond { value: value.to_usize(), most }));
                }
            });
        }
        match self.size(rows)? {
            size if size > most => Err(LevelError::new(LevelArray::Level, 0, Flaw::Parents { parents: most, expected: size })),
            _ => Ok(()),
        }
    }

    /// Returns true if both levels have one fixed size, or offsets at one address in memory. If so, they have equal rows.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// let rows = DynLevel::of_lengths(&[2, 0, 1])?;
    /// assert!(rows.shares_rows(&rows.view()));
    /// // A copy has the same rows, but only a comparison of all offsets shows that.
    /// let copy = rows.clone();
    /// assert!(!rows.shares_rows(&copy) && rows == copy);
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
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

    /// Calls `f` with each `k` of `0..count` and the range of row `begin + k`. Dispatches on the kind only once.
    ///
    /// ```
    /// use array_kernels::DynLevel;
    /// let (rows, values) = (DynLevel::of_lengths(&[2, 0, 3])?, [1, 2, 3, 4, 5]);
    /// let mut sums = [0; 2];
    /// rows.for_rows(1, 2, |k, range| sums[k] = values[range].iter().sum());
    /// assert_eq!(sums, [0, 3 + 4 + 5]);
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
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

/// A builder of offsets, row by row, with 32 bits until the offsets need 64.
///
/// ```
/// use array_kernels::{DynLevel, RowLengths};
/// let (mut leaves, mut rows) = (Vec::new(), RowLengths::with_capacity(3)?);
/// for word in ["one", "", "three"] {
///     leaves.extend(word.chars());
///     rows.push(word.chars().count());
/// }
/// assert_eq!((rows.end(), leaves.len()), (8, 8));
/// assert_eq!(rows.finish()?, DynLevel::offsets(vec![0_u32, 3, 3, 8])?);
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Debug)]
pub struct RowLengths {
    narrow: Vec<u32>,
    wide: Vec<u64>,
    end: usize,
    overflow: bool,
}

impl RowLengths {
    /// Returns a builder without rows, with room for `rows` of them.
    ///
    /// # Errors
    /// Fails if memory has no room for `rows + 1` offsets.
    pub fn with_capacity(rows: usize) -> Result<RowLengths, LevelError> {
        let mut narrow = memory::room(rows.saturating_add(1)).ok_or(beyond_memory(rows))?;
        narrow.push(0);
        Ok(RowLengths { narrow, wide: Vec::new(), end: 0, overflow: false })
    }

    /// Adds a row of `len` elements. `finish` reports an overflow.
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

    /// Returns the number of elements of all rows so far.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Returns the level of the rows.
    ///
    /// # Errors
    /// Fails if there are more elements than memory addresses.
    pub fn finish(self) -> Result<DynLevel<'static>, LevelError> {
        let offsets = if self.wide.is_empty() { Indices::from(self.narrow) } else { Indices::from(self.wide) };
        if self.overflow { Err(beyond_memory(offsets.len() - 1)) } else { Ok(DynLevel::trusted(Ranges::Pointers(offsets), None)) }
    }
}

#[cold]
fn beyond_memory(rows: usize) -> LevelError {
    LevelError::new(LevelArray::Offsets, 0, Flaw::Memory { rows })
}
