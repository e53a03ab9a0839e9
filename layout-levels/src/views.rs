//! Rows that lie anywhere: in any order, with gaps between them or overlapping.

use super::error::{self, Flaw, LevelArray, LevelError};
use super::index::{Index, IndexArray};
use super::ranges::{parents_of, walk_range};
use super::traits::{Level, Locate};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::ops::{ControlFlow, Range};

/// A level in which row `p` has the positions `starts[p]..starts[p] + sizes[p]`, with the coordinates `0..sizes[p]`.
///
/// It selects rows of a larger array without a copy. Rows may share positions, so a position has no unique parent.
///
/// ```
/// use layout_levels::{Level, Locate, Views};
/// let rows = Views::new([4_u32, 0, 2], [2_u32, 3, 0], 6)?;
/// assert_eq!((rows.range(0), rows.range(1), rows.locate(1, 2), rows.locate(2, 0)), (4..6, 0..3, Some(2), None));
/// assert!(Views::new([4_u32], [3_u32], 6).is_err());
/// assert_eq!((rows.rows(), rows.starts(), rows.sizes(), rows.is_contiguous()), (3, &[4, 0, 2], &[2, 3, 0], false));
/// assert_eq!(rows.into_parts(), ([4, 0, 2], [2, 3, 0]));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Views<S, Z> {
    starts: S,
    sizes: Z,
    positions: usize,
}

impl<S: IndexArray, Z: IndexArray> Views<S, Z> {
    /// Returns the level of these rows. Fails unless each start has a size and each nonempty row ends at or before `positions`.
    pub fn new(starts: S, sizes: Z, positions: usize) -> Result<Self, LevelError> {
        let (from, by) = (starts.indices(), sizes.indices());
        if from.len() != by.len() {
            return Err(LevelError::new(LevelArray::Sizes, 0, Flaw::Length { len: by.len(), expected: from.len() }));
        }
        error::addresses(LevelArray::Starts, from)?;
        error::addresses(LevelArray::Sizes, by)?;
        for (index, (start, size)) in from.iter().zip(by).enumerate() {
            let (start, size) = (start.to_usize(), size.to_usize());
            // A row without positions may start anywhere.
            if size > 0 && start >= positions {
                return Err(LevelError::new(LevelArray::Starts, index, Flaw::Beyond { value: start, most: positions.saturating_sub(1) }));
            }
            if size > 0 && size > positions - start {
                return Err(LevelError::new(LevelArray::Sizes, index, Flaw::Beyond { value: size, most: positions - start }));
            }
        }
        Ok(Views { starts, sizes, positions })
    }

    /// Returns the level of arrays that the caller has checked, without checking them again. If
    /// [`Views::new`] would refuse the arrays, the level returns arbitrary numbers.
    ///
    /// ```
    /// use layout_levels::{Level, Views};
    /// static ROWS: Views<[u8; 2], [u8; 2]> = Views::trusted([4, 0], [2, 3], 6);
    /// assert_eq!((ROWS.range(0), ROWS.range(1)), (4..6, 0..3));
    /// ```
    #[inline(always)]
    pub const fn trusted(starts: S, sizes: Z, positions: usize) -> Self {
        Views { starts, sizes, positions }
    }

    /// Returns the number of rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.starts.indices().len()
    }

    /// Returns the first position of each row.
    pub fn starts(&self) -> &S {
        &self.starts
    }

    /// Returns the number of positions of each row.
    pub fn sizes(&self) -> &Z {
        &self.sizes
    }

    /// Returns the arrays: starts and sizes.
    pub fn into_parts(self) -> (S, Z) {
        (self.starts, self.sizes)
    }

    /// Returns true if every row starts where the row before it ends, so that offsets can describe the rows.
    pub fn is_contiguous(&self) -> bool {
        (1..self.rows()).all(|row| self.range(row - 1).end == self.range(row).start)
    }
}

impl<S: IndexArray, Z: IndexArray> Level for Views<S, Z> {
    const FULL: bool = true;
    const ORDERED: bool = true;
    const UNIQUE: bool = true;
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        parents_of(self.rows(), parents)?;
        Ok(self.positions)
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        let start = self.starts.at(parent);
        start..start.wrapping_add(self.sizes.at(parent))
    }

    #[inline(always)]
    fn coordinate(&self, parent: usize, position: usize) -> usize {
        position.wrapping_sub(self.starts.at(parent))
    }

    #[inline(always)]
    fn extent(&self, parent: usize) -> usize {
        self.sizes.at(parent)
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        walk_range(self.range(parent), f)
    }
}

impl<S: IndexArray, Z: IndexArray> Locate for Views<S, Z> {
    #[inline(always)]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        if coordinate < self.sizes.at(parent) { Some(self.starts.at(parent).wrapping_add(coordinate)) } else { None }
    }
}

/// Levels over arrays that are borrowed or owned.
///
/// ```
/// use layout_levels::{Level, LevelError, Views};
/// use std::borrow::Cow;
/// let (starts, sizes) = (vec![4_u32, 0], vec![2_u32, 3]);
/// let rows = Views::new(Cow::Borrowed(&starts[..]), Cow::Borrowed(&sizes[..]), 6)?;
/// let kept: Views<Cow<'static, [u32]>, Cow<'static, [u32]>> = rows.into_owned(); // copies the arrays
/// drop((starts, sizes));
/// let view = kept.view(); // borrows them
/// assert_eq!((view.range(0), view == kept), (4..6, true));
/// # Ok::<(), LevelError>(())
/// ```
#[cfg(feature = "alloc")]
impl<S: Index, Z: Index> Views<Cow<'_, [S]>, Cow<'_, [Z]>> {
    /// Returns the level with owned arrays. Copies them if they are borrowed.
    pub fn into_owned(self) -> Views<Cow<'static, [S]>, Cow<'static, [Z]>> {
        let (starts, sizes) = (Cow::Owned(self.starts.into_owned()), Cow::Owned(self.sizes.into_owned()));
        Views { starts, sizes, positions: self.positions }
    }

    /// Returns a level that borrows the arrays of this one.
    pub fn view(&self) -> Views<Cow<'_, [S]>, Cow<'_, [Z]>> {
        Views { starts: Cow::Borrowed(&self.starts), sizes: Cow::Borrowed(&self.sizes), positions: self.positions }
    }
}
