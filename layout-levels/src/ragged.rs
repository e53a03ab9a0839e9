//! Rows of any length, whose positions have no stored coordinates.

use super::error::{self, LevelArray, LevelError};
use super::index::IndexArray;
use super::inverse::{Inverse, Search};
use super::ranges::{pair, parents_of, walk_range};
use super::traits::{Consecutive, Level, Locate};
use core::ops::{ControlFlow, Range};
#[cfg(feature = "alloc")]
use {super::index::Index, alloc::borrow::Cow};

/// A level in which row `p` has the positions `offsets[p]..offsets[p + 1]`, with the coordinates `0, 1, 2, ...`.
///
/// It is a compressed level that need not store its coordinates. The first offset may be above 0, as in a
/// slice of a larger array. `V` is the method that finds the row of an element.
///
/// ```
/// use layout_levels::{Consecutive, Level, Locate, Ragged};
/// static OFFSETS: [u16; 5] = [0, 3, 3, 4, 6];
/// let rows = Ragged::new(&OFFSETS)?;
/// assert_eq!((rows.range(0), rows.range(1)), (0..3, 3..3));
/// assert_eq!((rows.parent(4), rows.coordinate(3, 4)), (3, 0));
/// assert_eq!((rows.locate(3, 1), rows.locate(3, 2)), (Some(5), None));
///
/// // A table finds the row of an element in one read. It takes a number for each element.
/// use layout_levels::Table;
/// let by_table = Ragged::with(&OFFSETS, Table([0_u8, 0, 0, 2, 3, 3]))?;
/// assert_eq!((by_table, by_table.parent(4)), (rows.inverted(Table([0, 0, 0, 2, 3, 3]))?, 3));
/// assert_eq!((by_table.rows(), by_table.offsets()[2], by_table.into_offsets().len()), (4, 3, 5));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ragged<O, V = Search> {
    offsets: O,
    inverse: V,
}

impl<O: IndexArray> Ragged<O> {
    /// Returns the level of these offsets. Fails if there is none, one is no address, or one is below the offset before it.
    pub fn new(offsets: O) -> Result<Self, LevelError> {
        Ragged::with(offsets, Search)
    }

    /// Returns the level of offsets that the caller has checked, without checking them again. If
    /// [`Ragged::new`] would refuse the offsets, the level returns arbitrary numbers.
    ///
    /// ```
    /// use layout_levels::{Level, Ragged};
    /// static ROWS: Ragged<[u16; 4]> = Ragged::trusted([0, 3, 3, 4]);
    /// assert_eq!((ROWS.range(0), ROWS.range(2)), (0..3, 3..4));
    /// ```
    #[inline(always)]
    pub const fn trusted(offsets: O) -> Self {
        Ragged { offsets, inverse: Search }
    }
}

impl<O: IndexArray, V: Inverse> Ragged<O, V> {
    /// Returns the level of these offsets, with `inverse` to find rows. Fails as `Ragged::new`, or if `inverse` disagrees with them.
    pub fn with(offsets: O, inverse: V) -> Result<Self, LevelError> {
        error::offsets(LevelArray::Offsets, offsets.indices())?;
        inverse.check(offsets.indices())?;
        Ok(Ragged { offsets, inverse })
    }

    /// Returns the number of rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.offsets.indices().len().saturating_sub(1)
    }

    /// Returns the offsets: row `p` has the positions `offsets[p]..offsets[p + 1]`.
    #[inline(always)]
    pub fn offsets(&self) -> &O {
        &self.offsets
    }

    /// Exchanges the method that finds the row of an element. Fails if `inverse` disagrees with the offsets.
    pub fn inverted<W: Inverse>(self, inverse: W) -> Result<Ragged<O, W>, LevelError> {
        inverse.check(self.offsets.indices())?;
        Ok(Ragged { offsets: self.offsets, inverse })
    }

    /// Returns the offsets and drops the level.
    pub fn into_offsets(self) -> O {
        self.offsets
    }
}

impl<O: IndexArray, V: Inverse> Level for Ragged<O, V> {
    const FULL: bool = true;
    const ORDERED: bool = true;
    const UNIQUE: bool = true;
    const COMPACT: bool = true;
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        parents_of(self.rows(), parents)?;
        Ok(self.offsets.at(parents))
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        pair(self.offsets.indices(), parent)
    }

    #[inline(always)]
    fn coordinate(&self, parent: usize, position: usize) -> usize {
        position.wrapping_sub(self.offsets.at(parent))
    }

    #[inline(always)]
    fn extent(&self, parent: usize) -> usize {
        self.range(parent).len()
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        walk_range(self.range(parent), f)
    }
}

impl<O: IndexArray, V: Inverse> Consecutive for Ragged<O, V> {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        self.offsets.at(parent)
    }

    #[inline(always)]
    fn parent(&self, position: usize) -> usize {
        self.inverse.find(self.offsets.indices(), position)
    }
}

impl<O: IndexArray, V: Inverse> Locate for Ragged<O, V> {
    #[inline(always)]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        let range = self.range(parent);
        if coordinate < range.len() { Some(range.start + coordinate) } else { None }
    }
}

/// Levels over offsets that are borrowed or owned.
///
/// ```
/// use layout_levels::{Level, LevelError, Ragged};
/// use std::borrow::Cow;
/// let file = vec![0_u32, 2, 5];
/// let rows = Ragged::new(Cow::Borrowed(&file[..]))?;
/// let kept: Ragged<Cow<'static, [u32]>> = rows.into_owned(); // copies the offsets
/// drop(file);
/// let view = kept.view(); // borrows them
/// assert_eq!((view.range(1), view == kept), (2..5, true));
/// # Ok::<(), LevelError>(())
/// ```
#[cfg(feature = "alloc")]
impl<I: Index, V> Ragged<Cow<'_, [I]>, V> {
    /// Returns the level with owned offsets. Copies them if they are borrowed.
    pub fn into_owned(self) -> Ragged<Cow<'static, [I]>, V> {
        Ragged { offsets: Cow::Owned(self.offsets.into_owned()), inverse: self.inverse }
    }

    /// Returns a level that borrows the offsets of this one.
    pub fn view(&self) -> Ragged<Cow<'_, [I]>, V>
    where
        V: Clone,
    {
        Ragged { offsets: Cow::Borrowed(&self.offsets), inverse: self.inverse.clone() }
    }
}
