//! The sparse level with gaps between its rows.

use super::error::{self, Flaw, LevelArray, LevelError};
use super::index::{Index, IndexArray};
use super::order::{Ascending, Order};
use super::ranges::parents_of;
use super::stored::Stored;
use super::traits::{Level, Locate};
use core::ops::{ControlFlow, Range};

/// A level in which parent `p` has the positions `positions[2 * p]..positions[2 * p + 1]`, with stored `coordinates`.
///
/// This is MLIR's `loose_compressed`. The gaps between rows leave room to insert, or pad the rows to an alignment.
///
/// ```
/// use layout_levels::{Level, Locate, Loose};
/// // Rows {1, 3}, {} and {2}, each in room for four.
/// let columns = Loose::new([0_u32, 2, 4, 4, 8, 9], [1_u8, 3, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0], 4)?;
/// assert_eq!((columns.range(0), columns.range(2), columns.locate(2, 2), columns.locate(0, 0)), (0..2, 8..9, Some(8), None));
/// // New elements at the end of a row keep no order.
/// use layout_levels::Unordered;
/// let appended = Loose::with([0_u32, 3, 4, 4], [1_u8, 3, 0, 0], 4, Unordered)?;
/// assert_eq!((appended.row(0), appended.locate(0, 0)), ((0..3, &[1, 3, 0][..]), Some(2)));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loose<P, C, O = Ascending> {
    positions: P,
    stored: Stored<C, O>,
}

impl<P: IndexArray, C: IndexArray> Loose<P, C> {
    /// Returns the level of these arrays. Fails as `Loose::with` does; coordinates must ascend below every parent.
    pub fn new(positions: P, coordinates: C, extent: usize) -> Result<Self, LevelError> {
        Loose::with(positions, coordinates, extent, Ascending)
    }
}

impl<P: IndexArray, C: IndexArray, O: Order> Loose<P, C, O> {
    /// Returns the level of these arrays. Fails unless each parent has two numbers `begin <= end` in `positions`, neither
    /// above the number of coordinates, and unless the coordinates are below `extent` and have the order `O` below a parent.
    pub fn with(positions: P, coordinates: C, extent: usize, _: O) -> Result<Self, LevelError> {
        let ends = positions.indices();
        if !ends.len().is_multiple_of(2) {
            return Err(LevelError::new(LevelArray::Positions, 0, Flaw::Length { len: ends.len(), expected: ends.len() + 1 }));
        }
        error::addresses(LevelArray::Positions, ends)?;
        error::at_most(LevelArray::Positions, ends, coordinates.indices().len())?;
        let stored = Stored::new(coordinates, extent)?;
        for (parent, pair) in ends.chunks_exact(2).enumerate() {
            let (before, value) = (pair[0].to_usize(), pair[1].to_usize());
            if value < before {
                return Err(LevelError::new(LevelArray::Positions, 2 * parent + 1, Flaw::Decreases { value, before }));
            }
            stored.check_order(before..value)?;
        }
        Ok(Loose { positions, stored })
    }

    /// Returns the positions of `parent` and their coordinates, one for each.
    #[inline(always)]
    pub fn row(&self, parent: usize) -> (Range<usize>, &[C::Index]) {
        let range = self.range(parent);
        (range.clone(), self.stored.row(range).1)
    }
}

impl<P: IndexArray, C: IndexArray, O: Order> Level for Loose<P, C, O> {
    const ORDERED: bool = O::ORDERED;
    const UNIQUE: bool = O::UNIQUE;
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        parents_of(self.positions.indices().len() / 2, parents)?;
        Ok(self.stored.len())
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        match self.positions.indices().as_chunks::<2>().0.get(parent) {
            Some([begin, end]) => begin.to_usize()..end.to_usize(),
            None => 0..0,
        }
    }

    #[inline(always)]
    fn coordinate(&self, _: usize, position: usize) -> usize {
        self.stored.at(position)
    }

    #[inline(always)]
    fn extent(&self, _: usize) -> usize {
        self.stored.extent
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        self.stored.walk(self.range(parent), f)
    }
}

impl<P: IndexArray, C: IndexArray, O: Order> Locate for Loose<P, C, O> {
    #[inline]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        self.stored.locate(self.range(parent), coordinate)
    }
}
