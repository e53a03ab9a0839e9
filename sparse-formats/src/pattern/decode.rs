//! Decodes the coordinates of all elements at once.

use super::SparsityPattern;
use crate::{Indices, LevelKind, SparseError, Width, with_indices};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory::{room, try_repeated};
use array_kernels::merge_path::Offsets;
use array_kernels::spread::repeat;
use array_kernels::with_width;
use layout_core::number::FastDiv64;
use layout_levels::Index;

impl<'a> SparsityPattern<'a> {
    /// Returns the coordinates of all elements, one array for each level in storage order. An array is
    /// borrowed if the level stores exactly these coordinates.
    ///
    /// Fails if memory has no room for the coordinates.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// // Column 1 has the rows 0 and 2, column 2 has row 1.
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 0, 2, 3]).with_indices(1, vec![0u8, 2, 1]);
    /// let pattern = SparsityPattern::from_parts(&[3, 3], Format::csc(), arrays)?;
    /// // The first level of CSC has the columns of the matrix.
    /// assert_eq!(pattern.level_columns()?, [vec![1u8, 1, 2].into(), vec![0u8, 2, 1].into()]);
    /// assert_eq!(pattern.coordinates()?, [vec![0u8, 2, 1].into(), vec![1u8, 1, 2].into()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn level_columns(&self) -> Result<Vec<Indices<'_>>, SparseError> {
        match self.counts.iter().all(|count| u32::try_from(*count).is_ok()) {
            true => self.columns_by::<u32>(),
            false => self.columns_by::<u64>(),
        }
    }

    /// Returns the coordinates of all elements, one array for each axis that has a level, in the order of the axes. Fails
    /// if memory has no room for the coordinates.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
    /// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays)?;
    /// assert_eq!(pattern.coordinates()?, [vec![0u8, 0, 2].into(), vec![1u8, 3, 0].into()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coordinates(&self) -> Result<Vec<Indices<'_>>, SparseError> {
        let mut columns: Vec<(usize, Indices)> = self.format().axis_order().iter().copied().zip(self.level_columns()?).collect();
        columns.sort_by_key(|(axis, _)| *axis);
        Ok(columns.into_iter().map(|(_, column)| column).collect())
    }

    /// Returns the columns that `SparsityPattern::level_columns` returns, or its error. Computes them from the last level
    /// up; `E` must hold the number of every entry.
    fn columns_by<E: Index>(&self) -> Result<Vec<Indices<'_>>, SparseError> {
        let levels = self.format().levels();
        if self.stored() == 0 {
            // All columns are empty. Next to an extent of 0, other extents and the entries of `C` levels may
            // be any numbers, so computing with them could overflow.
            return (0..levels).map(|level| self.column(level, Some(&[E::default()]))).collect();
        }
        // The number of the first element below each entry of the level, then the number of all elements. `None` while each
        // entry is one element: below the last level with pointers.
        let mut offsets: Option<Cow<[E]>> = None;
        let mut columns = Vec::with_capacity(levels);
        for level in (0..levels).rev() {
            let full = || self.full(level);
            offsets = match (self.pointers(level), offsets) {
                (Some(pointers), None) => Some(pointers.cast().ok_or_else(full)?),
                (Some(pointers), Some(below)) => Some(with_indices!(pointers, pointers => {
                    let mut out = room(pointers.len()).ok_or_else(full)?;
                    out.extend(pointers.iter().map(|child| below[child.to_usize()]));
                    out.into()
                })),
                // The next level is `C` and has the pointers: it has `extent` entries for each entry of this level.
                (None, Some(below)) if self.kind(level) != LevelKind::Indices => {
                    let mut out = room(self.entries(level) + 1).ok_or_else(full)?;
                    let extent = self.extents[level + 1] as usize;
                    out.extend((0..=self.entries(level)).map(|entry| below[entry * extent]));
                    Some(out.into())
                }
                (None, offsets) => offsets,
            };
            columns.push(self.column(level, offsets.as_deref())?);
        }
        columns.reverse();
        Ok(columns)
    }

    /// Tests whether one parent has all entries of a `C` level, so that coordinates are numbers of entries.
    fn is_whole(&self, level: usize) -> bool {
        self.kind(level) == LevelKind::Pointers && self.entries(level) as u64 <= self.extents[level]
    }

    /// Returns the error for coordinates of a level that memory has no room for.
    fn full(&self, level: usize) -> SparseError {
        SparseError::Overflow { level, parents: self.stored(), extent: 1 }
    }

    /// Returns the coordinates of all elements in one level. `offsets` has the first element of each entry and the number of
    /// all elements, or is `None` if entries are elements. Fails if memory has no room.
    fn column<E: Index>(&self, level: usize, offsets: Option<&[E]>) -> Result<Indices<'_>, SparseError> {
        let (indices, extent) = (self.indices(level), self.extents[level]);
        let offsets = match (indices, offsets) {
            (Some(indices), None) => return Ok(indices.view()),
            (_, offsets) => Offsets::new(offsets.ok_or_else(|| self.full(level))?),
        };
        Ok(with_width!(Width::below(extent), T => {
            let mut out: Vec<T> = try_repeated(T::default(), self.stored()).ok_or_else(|| self.full(level))?;
            match indices {
                Some(indices) => with_indices!(indices, array => repeat(&offsets, &mut out, |entry| T::from_low_bits(array[entry].to_u64()))),
                None => {
                    let (by, whole) = (FastDiv64::total(extent), self.is_whole(level));
                    repeat(&offsets, &mut out, |entry| T::from_low_bits(if whole { entry as u64 } else { by.remainder(entry as u64) }));
                }
            }
            out.into()
        }))
    }
}
