//! The level with one stored coordinate for every parent.

use super::error::LevelError;
use super::index::{Index, IndexArray};
use super::order::{Ascending, Order};
use super::ranges::parents_of;
use super::stored::Stored;
use super::traits::{Consecutive, Level, Locate};
use core::ops::Range;

/// A level in which position `p` is the only one of parent `p`, with the stored coordinate `coordinates[p]`.
///
/// The later columns of a coordinate list are such levels. `O` is the order of neighbours that agree in all
/// levels above. This level does not see those levels, so it does not check the order.
///
/// ```
/// use layout_levels::{Compressed, End, Root, Search, Singleton, Sorted, Then};
/// // COO: the entries (0, 1), (0, 3) and (2, 2) of a matrix of 3 x 4.
/// let rows = Compressed::with([0_u8, 3], [0_u8, 0, 2], 3, Sorted, Search)?;
/// let columns = Singleton::new([1_u8, 3, 2], 4)?;
/// let entries = Root::new(Then(rows, Then(columns, End)))?;
/// assert_eq!((entries.decompose(1), entries.locate((2, (2, ())))), ((0, (3, ())), Some(2)));
/// assert_eq!(columns.coordinates(), &[1, 3, 2]);
/// assert_eq!(Singleton::new([1_u8, 4], 4).unwrap_err().to_string(), "coordinates[1] = 4 is greater than 3");
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Singleton<C, O = Ascending>(Stored<C, O>);

impl<C: IndexArray> Singleton<C> {
    /// Returns the level of these coordinates. Fails if a coordinate is not below `extent`.
    pub fn new(coordinates: C, extent: usize) -> Result<Self, LevelError> {
        Singleton::with(coordinates, extent, Ascending)
    }
}

impl<C: IndexArray, O: Order> Singleton<C, O> {
    /// Returns the level of these coordinates, with the unchecked promise `O`. Fails if a coordinate is not below `extent`.
    pub fn with(coordinates: C, extent: usize, _: O) -> Result<Self, LevelError> {
        Stored::new(coordinates, extent).map(Singleton)
    }

    /// Returns the level of coordinates that the caller has checked, without checking them again. If
    /// [`Singleton::with`] would refuse the coordinates, the level returns arbitrary numbers.
    ///
    /// ```
    /// use layout_levels::{Ascending, Level, Singleton};
    /// static COLUMNS: Singleton<[u8; 3]> = Singleton::trusted([1, 3, 2], 4, Ascending);
    /// assert_eq!((COLUMNS.range(1), COLUMNS.coordinate(1, 1)), (1..2, 3));
    /// ```
    #[inline(always)]
    pub const fn trusted(coordinates: C, extent: usize, _: O) -> Self {
        Singleton(Stored::trusted(coordinates, extent))
    }

    /// Returns the array of coordinates, one for each position.
    pub fn coordinates(&self) -> &C {
        &self.0.coordinates
    }
}

impl<C: IndexArray, O: Order> Level for Singleton<C, O> {
    const ORDERED: bool = O::ORDERED;
    const UNIQUE: bool = O::UNIQUE;
    const BRANCHLESS: bool = true;
    const COMPACT: bool = true;
    const UNIFORM: bool = true;
    const FANOUT: Option<usize> = Some(1);
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        parents_of(self.0.len(), parents)?;
        Ok(parents)
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        parent..parent.saturating_add(1)
    }

    #[inline(always)]
    fn coordinate(&self, _: usize, position: usize) -> usize {
        self.0.at(position)
    }

    #[inline(always)]
    fn extent(&self, _: usize) -> usize {
        self.0.extent
    }
}

impl<C: IndexArray, O: Order> Consecutive for Singleton<C, O> {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        parent
    }

    #[inline(always)]
    fn parent(&self, position: usize) -> usize {
        position
    }
}

impl<C: IndexArray, O: Order> Locate for Singleton<C, O> {
    #[inline]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        if self.0.coordinates.indices().get(parent)?.to_usize() == coordinate { Some(parent) } else { None }
    }
}
