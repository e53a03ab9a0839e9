//! The diagonals of a matrix: below every parent a contiguous range of columns.

use super::error::{self, Flaw, LevelArray, LevelError};
use super::index::{Index, IndexArray};
use super::ranges::parents_of;
use super::traits::{Level, Locate};
use core::ops::{self, ControlFlow};

/// A level of diagonals (DIA): parent `p` is the diagonal `diagonals[p] = column - row + rows - 1` of a matrix.
///
/// Every diagonal has room for `columns` positions, as in SciPy's `data[p, column]`: `p * columns + c` is the
/// position of column `c`. The columns that exist are `max(0, offset) .. min(columns, rows + offset)`, where
/// `offset = diagonals[p] + 1 - rows`. The element in row `i` has the coordinate `i + offset`.
///
/// ```
/// use layout_levels::{Level, Locate, Range};
/// // The diagonals below and above the main one of a matrix of 3 x 4: offsets -1 and 1.
/// let columns = Range::new([1_u8, 3], 3, 4)?;
/// assert_eq!((columns.offset(0), columns.range(0), columns.offset(1), columns.range(1)), (-1, 0..2, 1, 5..8));
/// assert_eq!((columns.coordinate(1, 6), columns.row(1, 2), columns.locate(1, 2), columns.locate(1, 0)), (2, 1, Some(6), None));
/// let error = Range::new([1_u8, 6], 3, 4).unwrap_err();
/// assert_eq!(error.to_string(), "diagonals[1] = 6 is greater than 5");
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range<D> {
    diagonals: D,
    rows: usize,
    columns: usize,
}

impl<D: IndexArray> Range<D> {
    /// Returns the level of these diagonals of a matrix of `rows` by `columns`.
    ///
    /// # Errors
    /// Fails if a number is no diagonal: negative, or above `rows + columns - 2`. If the matrix has no
    /// element, every number is an error.
    pub fn new(diagonals: D, rows: usize, columns: usize) -> Result<Self, LevelError> {
        let numbers = diagonals.indices();
        error::addresses(LevelArray::Diagonals, numbers)?;
        match (rows.min(columns), numbers.len()) {
            (0, 0) => {}
            (0, len) => return Err(LevelError::new(LevelArray::Diagonals, 0, Flaw::Length { len, expected: 0 })),
            _ => error::at_most(LevelArray::Diagonals, numbers, (rows - 1).saturating_add(columns - 1))?,
        }
        Ok(Range::trusted(diagonals, rows, columns))
    }

    /// Returns the level of diagonals that the caller has checked, without checking them again. If
    /// [`Range::new`] would refuse the numbers, the level returns arbitrary numbers.
    ///
    /// ```
    /// use layout_levels::Range;
    /// // The three diagonals of a tridiagonal matrix of 4 x 4.
    /// static BANDS: Range<[u8; 3]> = Range::trusted([2, 3, 4], 4, 4);
    /// assert_eq!(([0, 1, 2].map(|band| BANDS.offset(band)), BANDS.columns(0)), ([-1, 0, 1], 0..3));
    /// ```
    #[inline(always)]
    pub const fn trusted(diagonals: D, rows: usize, columns: usize) -> Self {
        Range { diagonals, rows, columns }
    }

    /// Returns the array of diagonals.
    pub fn diagonals(&self) -> &D {
        &self.diagonals
    }

    /// Returns `column - row` of the elements of diagonal `parent`. If there is no such diagonal, returns an arbitrary number.
    #[inline(always)]
    pub fn offset(&self, parent: usize) -> isize {
        self.diagonals.at(parent).wrapping_add(1).wrapping_sub(self.rows) as isize
    }

    /// Returns the row in which diagonal `parent` crosses `column`. The diagonal must have an element in that column.
    #[inline(always)]
    pub fn row(&self, parent: usize, column: usize) -> usize {
        column.wrapping_sub(self.offset(parent) as usize)
    }

    /// Returns the range of columns in which diagonal `parent` has elements, or `0..0` if there is no such diagonal.
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
        parents.checked_mul(fanout).ok_or(LevelError::new(LevelArray::Level, 0, Flaw::Overflow { parents, fanout }))
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
