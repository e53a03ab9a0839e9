//! The sparse level: stored coordinates.

use super::error::{self, LevelArray, LevelError};
use super::index::{Index, IndexArray};
use super::inverse::{Inverse, Search};
use super::order::{Ascending, Order};
use super::ranges::{pair, parents_of};
use super::stored::Stored;
use super::traits::{Consecutive, Level, Locate};
use core::ops::{ControlFlow, Range};

/// A level in which parent `p` has the positions `positions[p]..positions[p + 1]`, with stored `coordinates`.
///
/// `O` is the order below one parent: [`Ascending`](super::Ascending), [`Sorted`](super::Sorted) (MLIR's `nonunique`)
/// or [`Unordered`](super::Unordered). `V` is the method that finds the parent of a position. Examples of compressed levels are
/// the columns of CSR, both levels of DCSR, and every level of CSF.
///
/// ```
/// use layout_levels::{Compressed, Consecutive, Level, Locate};
/// let columns = Compressed::new([0_u32, 2, 2, 3], [1_u16, 3, 2], 4)?;
/// assert_eq!((columns.range(0), columns.coordinate(2, 2), columns.locate(0, 3), columns.parent(2)), (0..2, 2, Some(1), 2));
/// let error = Compressed::new([0_u32, 2, 2, 3], [3_u16, 1, 2], 4).unwrap_err();
/// assert_eq!(error.to_string(), "coordinates[1] = 1 is smaller than the 3 before it");
///
/// // The rows of a coordinate list: row 1 stands for two entries.
/// use layout_levels::{Search, Sorted};
/// let rows = Compressed::with([0_u32, 3], [1_u16, 1, 4], 5, Sorted, Search)?;
/// assert_eq!((rows.positions(), rows.coordinates()), (&[0, 3], &[1, 1, 4]));
/// assert_eq!((rows.row(0), rows.locate(0, 1)), ((0..3, &[1, 1, 4][..]), Some(0)));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compressed<P, C, O = Ascending, V = Search> {
    positions: P,
    stored: Stored<C, O>,
    inverse: V,
}

impl<P: IndexArray, C: IndexArray> Compressed<P, C> {
    /// Returns the level of these arrays. Fails as `Compressed::with` does; coordinates must ascend below every parent.
    pub fn new(positions: P, coordinates: C, extent: usize) -> Result<Self, LevelError> {
        Compressed::with(positions, coordinates, extent, Ascending, Search)
    }
}

impl<P: IndexArray, C: IndexArray, O: Order, V: Inverse> Compressed<P, C, O, V> {
    /// Returns the level of these arrays. Fails if `positions` decrease or exceed the number of coordinates, if coordinates
    /// reach `extent` or break the order `O` below one parent, or if `inverse` disagrees with `positions`.
    pub fn with(positions: P, coordinates: C, extent: usize, _: O, inverse: V) -> Result<Self, LevelError> {
        let begins = positions.indices();
        error::offsets(LevelArray::Positions, begins)?;
        error::at_most(LevelArray::Positions, begins, coordinates.indices().len())?;
        let stored = Stored::new(coordinates, extent)?;
        begins.windows(2).try_for_each(|ends| stored.check_order(ends[0].to_usize()..ends[1].to_usize()))?;
        inverse.check(begins)?;
        Ok(Compressed { positions, stored, inverse })
    }
}

impl<P: IndexArray, C: IndexArray, O: Order> Compressed<P, C, O> {
    /// Returns the level of arrays that the caller has checked, without checking them again. If
    /// [`Compressed::with`] would refuse the arrays, the level returns arbitrary numbers.
    ///
    /// ```
    /// use layout_levels::{Ascending, Compressed, Level};
    /// static COLUMNS: Compressed<[u16; 3], [u8; 2]> = Compressed::trusted([0, 2, 2], [1, 3], 4, Ascending);
    /// assert_eq!(COLUMNS.range(0), 0..2);
    /// ```
    #[inline(always)]
    pub const fn trusted(positions: P, coordinates: C, extent: usize, _: O) -> Self {
        Compressed { positions, stored: Stored::trusted(coordinates, extent), inverse: Search }
    }
}

impl<P: IndexArray, C: IndexArray, O: Order, V: Inverse> Compressed<P, C, O, V> {
    /// Returns the array of positions: parent `p` has `positions[p]..positions[p + 1]`.
    pub fn positions(&self) -> &P {
        &self.positions
    }

    /// Returns the array of coordinates, one for each position.
    pub fn coordinates(&self) -> &C {
        &self.stored.coordinates
    }

    /// Returns the positions of `parent` and their coordinates, one for each.
    #[inline(always)]
    pub fn row(&self, parent: usize) -> (Range<usize>, &[C::Index]) {
        let range = self.range(parent);
        (range.clone(), self.stored.row(range).1)
    }
}

impl<P: IndexArray, C: IndexArray, O: Order, V: Inverse> Level for Compressed<P, C, O, V> {
    const ORDERED: bool = O::ORDERED;
    const UNIQUE: bool = O::UNIQUE;
    const COMPACT: bool = true;
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        parents_of(self.positions.indices().len().saturating_sub(1), parents)?;
        Ok(self.positions.at(parents))
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        pair(self.positions.indices(), parent)
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

impl<P: IndexArray, C: IndexArray, O: Order, V: Inverse> Consecutive for Compressed<P, C, O, V> {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        self.positions.at(parent)
    }

    #[inline(always)]
    fn parent(&self, position: usize) -> usize {
        self.inverse.find(self.positions.indices(), position)
    }
}

impl<P: IndexArray, C: IndexArray, O: Order, V: Inverse> Locate for Compressed<P, C, O, V> {
    #[inline]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        self.stored.locate(self.range(parent), coordinate)
    }
}
