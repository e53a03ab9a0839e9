//! The coordinates that a level stores.

use super::error::{self, Flaw, LevelArray, LevelError};
use super::index::{Index, IndexArray};
use super::order::Order;
use core::marker::PhantomData;
use core::ops::{ControlFlow, Range};

/// The stored coordinates of a level, one a position. All are below `extent`, and below one parent they have the order `O`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stored<C, O> {
    pub(super) coordinates: C,
    pub(super) extent: usize,
    order: PhantomData<O>,
}

impl<C, O> Stored<C, O> {
    #[inline(always)]
    pub(super) const fn trusted(coordinates: C, extent: usize) -> Self {
        Stored { coordinates, extent, order: PhantomData }
    }
}

impl<C: IndexArray, O: Order> Stored<C, O> {
    /// Wraps the coordinates. Fails if one is no address below `extent`. Does not check their order.
    pub(super) fn new(coordinates: C, extent: usize) -> Result<Self, LevelError> {
        let stored = coordinates.indices();
        error::addresses(LevelArray::Coordinates, stored)?;
        match extent.checked_sub(1) {
            Some(most) => error::at_most(LevelArray::Coordinates, stored, most)?,
            None if stored.is_empty() => (),
            None => return Err(LevelError::new(LevelArray::Coordinates, 0, Flaw::Length { len: stored.len(), expected: 0 })),
        }
        Ok(Stored::trusted(coordinates, extent))
    }

    /// Fails if the coordinates at the positions `range`, which belong to one parent, break the order `O`.
    pub(super) fn check_order(&self, range: Range<usize>) -> Result<(), LevelError> {
        let (begin, row) = self.row(range);
        let wrong = match (O::ORDERED, O::UNIQUE) {
            (true, true) => row.windows(2).position(|pair| pair[1] <= pair[0]),
            (true, false) => row.windows(2).position(|pair| pair[1] < pair[0]),
            _ => None,
        };
        let Some(at) = wrong else { return Ok(()) };
        let (before, value) = (row[at].to_usize(), row[at + 1].to_usize());
        let flaw = if value < before { Flaw::Decreases { value, before } } else { Flaw::Repeats { value } };
        Err(LevelError::new(LevelArray::Coordinates, begin + at + 1, flaw))
    }

    /// Returns the number of stored coordinates.
    pub(super) fn len(&self) -> usize {
        self.coordinates.indices().len()
    }

    #[inline(always)]
    pub(super) fn at(&self, position: usize) -> usize {
        self.coordinates.at(position)
    }

    /// Returns `range.start` and the coordinates at the positions `range`, or none if the range ends beyond the array.
    #[inline(always)]
    pub(super) fn row(&self, range: Range<usize>) -> (usize, &[C::Index]) {
        (range.start, self.coordinates.indices().get(range).unwrap_or(&[]))
    }

    /// Returns the first position in `range` with `coordinate`, or `None`: by binary search if `O` is ordered, else by a scan.
    #[inline]
    pub(super) fn locate(&self, range: Range<usize>, coordinate: usize) -> Option<usize> {
        let (begin, row) = self.row(range);
        let at = if O::ORDERED {
            row.partition_point(|stored| stored.to_usize() < coordinate)
        } else {
            row.iter().position(|stored| stored.to_usize() == coordinate)?
        };
        if row.get(at)?.to_usize() == coordinate { Some(begin + at) } else { None }
    }

    /// Calls `f(coordinate, position)` for the positions of `range`, and returns the first break of `f`.
    #[inline(always)]
    pub(super) fn walk<B>(&self, range: Range<usize>, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        let (begin, row) = self.row(range);
        for (k, coordinate) in row.iter().enumerate() {
            f(coordinate.to_usize(), begin + k)?;
        }
        ControlFlow::Continue(())
    }
}
