//! Diagonals of a matrix: one run of coordinates below every parent.

use super::error::{self, Flaw, LevelError, Part};
use super::index::{Index, IndexArray};
use super::ranges::parents_of;
use super::traits::{Level, Locate};
use core::ops::{self, ControlFlow};

/// Parent `p` is the diagonal `diagonals[p] = column - row + rows - 1` of a matrix, and has the columns of its elements: the range level of DIA.
///
/// Every diagonal has room for `columns` positions, as in SciPy's `data[p, column]`: `p * columns + c` is the position of column `c`. Those
/// that exist are `max(0, offset) .. min(columns, rows + offset)`, where `offset = diagonals[p] + 1 - rows`. So the element in row `i` has the
/// coordinate `i + offset`.
///
/// ```
/// use layout_levels::{Level, Locate, Range};
/// // The diagonals below and above the main one of a matrix of 3 x 4: offsets -1 and 1.
/// let columns = Range::new([1_u8, 3], 3, 4)?;
/// assert_eq!((columns.offset(0), columns.range(0), columns.offset(1), columns.range(1)), (-1, 0..2, 1, 5..8));
/// assert_eq!((columns.coordinate(1, 6), columns.row(1, 2), columns.locate(1, 2), columns.locate(1, 0)), (2, 1, Some(6), None));
/// let error = Range::new([1_u8, 6], 3, 4).unwrap_err();
/// assert_eq!(error.to_string(), "diagonals[1] = 6 is beyond 5");
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range<D> {
    diagonals: D,
    rows: usize,
    columns: usize,
}

impl<D: IndexArray> Range<D> {
    /// The level of these diagonals of a matrix of `rows` by `columns`.
    ///
    /// # Errors
    /// A number that is no diagonal: negative, or above `rows + columns - 2`. Any number, if the matrix has no element.
    pub fn new(diagonals: D, rows: usize, columns: usize) -> Result<Self, LevelError> {
        let numbers = diagonals.indices();
        error::addresses(Part::Diagonals, numbers)?;
        match (rows.min(columns), numbers.len()) {
            (0, 0) => {}
            (0, len) => return Err(LevelError::new(Part::Diagonals, 0, Flaw::Length { len, expected: 0 })),
            _ => error::at_most(Part::Diagonals, numbers, (rows - 1).saturating_add(columns - 1))?,
        }
        Ok(Range::trusted(diagonals, rows, columns))
    }

    /// The level of diagonals that have been checked elsewhere, without another look at them: of numbers that [`Range::new`] refuses, the answers are
    /// some numbers.
    #[inline(always)]
    pub const fn trusted(diagonals: D, rows: usize, columns: usize) -> Self {
        Range { diagonals, rows, columns }
    }

    /// The diagonals.
    pub fn diagonals(&self) -> &D {
        &self.diagonals
    }

    /// The offset of a diagonal: `column - row` of each of its elements. Some number for parents that do not exist.
    #[inline(always)]
    pub fn offset(&self, parent: usize) -> isize {
        self.diagonals.at(parent).wrapping_add(1).wrapping_sub(self.rows) as isize
    }

    /// The row of the element of a diagonal in a column, which has one.
    #[inline(always)]
    pub fn row(&self, parent: usize, column: usize) -> usize {
        column.wrapping_sub(self.offset(parent) as usize)
    }

    /// The columns of the elements of a diagonal.
    #[inline(always)]
    pub fn columns(&self, parent: usize) -> ops::Range<usize> {
        match self.diagonals.indices().get(parent) {
            Some(diagonal) => {
                let end = diagonal.to_usize().saturating_add(1);
                end.saturating_sub(self.rows).min(self.columns)..end.min(self.columns)
            }
            None => 0..0,
        }
    }
}

impl<D: IndexArray> Level for Range<D> {
    const ORDERED: bool = true;
    const UNIQUE: bool = true;
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        parents_of(self.diagonals.indices().len(), parents)?;
        let fanout = self.columns;
        parents.checked_mul(fanout).ok_or(LevelError::new(Part::Level, 0, Flaw::Overflow { parents, fanout }))
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> ops::Range<usize> {
        let (begin, columns) = (parent.wrapping_mul(self.columns), self.columns(parent));
        begin.wrapping_add(columns.start)..begin.wrapping_add(columns.end)
    }

    #[inline(always)]
    fn coordinate(&self, parent: usize, position: usize) -> usize {
        position.wrapping_sub(parent.wrapping_mul(self.columns))
    }

    #[inline(always)]
    fn extent(&self, _: usize) -> usize {
        self.columns
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        let begin = parent.wrapping_mul(self.columns);
        for column in self.columns(parent) {
            f(column, begin.wrapping_add(column))?;
        }
        ControlFlow::Continue(())
    }
}

impl<D: IndexArray> Locate for Range<D> {
    #[inline(always)]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        if self.columns(parent).contains(&coordinate) { Some(parent.wrapping_mul(self.columns).wrapping_add(coordinate)) } else { None }
    }
}
