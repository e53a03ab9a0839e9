//! Stored coordinates: the sparse level.

use super::error::{self, LevelError, Part};
use super::index::{Index, IndexArray};
use super::inverse::{Inverse, Search};
use super::order::{Ascending, Order};
use super::traits::{Consecutive, Level, Locate};
use super::{Flaw, pair, parents_of};
use core::marker::PhantomData;
use core::ops::{ControlFlow, Range};

/// Parent `p` has the positions `positions[p]..positions[p + 1]`, with the stored `coordinates` of these.
///
/// `O` says what holds of the order below one parent: [`Ascending`](super::Ascending), [`Sorted`](super::Sorted) (MLIR's `nonunique`) or
/// [`Unordered`](super::Unordered). The columns of CSR, both levels of DCSR, every level of CSF.
///
/// ```
/// use layout_core::level::{Compressed, Consecutive, Level, Locate};
/// let columns = Compressed::new([0_u32, 2, 2, 3], [1_u16, 3, 2], 4)?;
/// assert_eq!((columns.range(0), columns.coordinate(2, 2), columns.locate(0, 3), columns.parent(2)), (0..2, 2, Some(1), 2));
/// let error = Compressed::new([0_u32, 2, 2, 3], [3_u16, 1, 2], 4).unwrap_err();
/// assert_eq!(error.to_string(), "coordinates[1] = 1 is smaller than the 3 before it");
/// # Ok::<(), layout_core::level::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compressed<P, C, O = Ascending, V = Search> {
    positions: P,
    coordinates: C,
    extent: usize,
    inverse: V,
    order: PhantomData<O>,
}

impl<P: IndexArray, C: IndexArray> Compressed<P, C> {
    /// The level of these arrays with coordinates that ascend below every parent and are below `extent`.
    pub fn new(positions: P, coordinates: C, extent: usize) -> Result<Self, LevelError> {
        Compressed::with(positions, coordinates, extent, Ascending, Search)
    }
}

impl<P: IndexArray, C: IndexArray, O: Order, V: Inverse> Compressed<P, C, O, V> {
    /// The level of these arrays: positions do not decrease and stay within the coordinates, whose order is as promised.
    pub fn with(positions: P, coordinates: C, extent: usize, _: O, inverse: V) -> Result<Self, LevelError> {
        let (begins, stored) = (positions.indices(), coordinates.indices());
        error::offsets(Part::Positions, begins)?;
        error::at_most(Part::Positions, begins, stored.len())?;
        check_coordinates(stored, extent)?;
        for ends in begins.windows(2) {
            check_order::<_, O>(stored, ends[0].to_usize()..ends[1].to_usize())?;
        }
        inverse.check(begins)?;
        Ok(Compressed { positions, coordinates, extent, inverse, order: PhantomData })
    }
}

impl<P: IndexArray, C: IndexArray, O: Order> Compressed<P, C, O> {
    /// The level of arrays that have been checked elsewhere, without another look at them: of arrays that [`Compressed::with`] refuses, the
    /// answers are some numbers.
    ///
    /// ```
    /// use layout_core::level::{Ascending, Compressed, Level};
    /// static COLUMNS: Compressed<[u16; 3], [u8; 2]> = Compressed::trusted([0, 2, 2], [1, 3], 4, Ascending);
    /// assert_eq!(COLUMNS.range(0), 0..2);
    /// ```
    #[inline(always)]
    pub const fn trusted(positions: P, coordinates: C, extent: usize, _: O) -> Self {
        Compressed { positions, coordinates, extent, inverse: Search, order: PhantomData }
    }
}

impl<P: IndexArray, C: IndexArray, O: Order, V: Inverse> Compressed<P, C, O, V> {
    /// The positions.
    pub fn positions(&self) -> &P {
        &self.positions
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &C {
        &self.coordinates
    }

    /// The positions of `parent`, and their coordinates: one for each.
    #[inline(always)]
    pub fn row(&self, parent: usize) -> (Range<usize>, &[C::Index]) {
        let range = self.range(parent);
        (range.clone(), self.coordinates.indices().get(range).unwrap_or(&[]))
    }
}

/// Coordinates are addresses below `extent`.
pub(super) fn check_coordinates<I: Index>(coordinates: &[I], extent: usize) -> Result<(), LevelError> {
    error::addresses(Part::Coordinates, coordinates)?;
    match extent.checked_sub(1) {
        Some(most) => error::at_most(Part::Coordinates, coordinates, most),
        None if coordinates.is_empty() => Ok(()),
        None => Err(LevelError::new(Part::Coordinates, 0, Flaw::Length { len: coordinates.len(), expected: 0 })),
    }
}

/// Coordinates of one parent are in the order promised.
pub(super) fn check_order<I: Index, O: Order>(coordinates: &[I], range: Range<usize>) -> Result<(), LevelError> {
    let begin = range.start;
    let row = coordinates.get(range).unwrap_or(&[]);
    let flaw = |at: usize| {
        let (before, value) = (row[at].to_usize(), row[at + 1].to_usize());
        let flaw = if value < before { Flaw::Decreases { value, before } } else { Flaw::Repeats { value } };
        LevelError::new(Part::Coordinates, begin + at + 1, flaw)
    };
    let wrong = match (O::ORDERED, O::UNIQUE) {
        (true, true) => row.windows(2).position(|pair| pair[1] <= pair[0]),
        (true, false) => row.windows(2).position(|pair| pair[1] < pair[0]),
        _ => None,
    };
    wrong.map_or(Ok(()), |at| Err(flaw(at)))
}

/// The first position of `coordinate` in a row that begins at `begin`, by the promise of its order.
#[inline]
pub(super) fn find<I: Index, O: Order>(begin: usize, row: &[I], coordinate: usize) -> Option<usize> {
    let at = if O::ORDERED {
        row.partition_point(|stored| stored.to_usize() < coordinate)
    } else {
        row.iter().position(|stored| stored.to_usize() == coordinate)?
    };
    if row.get(at)?.to_usize() == coordinate { Some(begin + at) } else { None }
}

/// Calls `f` with the coordinates of a row and their positions.
#[inline(always)]
pub(super) fn walk_row<I: Index, B>(begin: usize, row: &[I], f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
    for (k, coordinate) in row.iter().enumerate() {
        f(coordinate.to_usize(), begin + k)?;
    }
    ControlFlow::Continue(())
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
        self.coordinates.at(position)
    }

    #[inline(always)]
    fn extent(&self, _: usize) -> usize {
        self.extent
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        let (range, row) = self.row(parent);
        walk_row(range.start, row, f)
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
        let (range, row) = self.row(parent);
        find::<_, O>(range.start, row, coordinate)
    }
}
