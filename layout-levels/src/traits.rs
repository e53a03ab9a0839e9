//! The traits of levels: the abstraction of Chou, Kjolstad, Amarasinghe (OOPSLA 2018), and the inverse of positions.

use super::error::LevelError;
use core::ops::{ControlFlow, Range};
use layout_core::layouts::IntTuple;

/// One dimension of a stored array: a range of *positions* below each parent, and a coordinate for each position.
///
/// A parent is a position of the level above. A position indexes the arrays of the level below; a position of
/// the last level indexes the values. Every method is total: a parent that does not exist has an empty range,
/// and a position that does not exist has some coordinate. The constants are promises that algorithms may
/// use. By default a level promises nothing.
///
/// ```
/// use layout_levels::{Compressed, Level};
/// // The columns of a matrix with rows {1, 3}, {} and {2}.
/// let columns = Compressed::new([0_u16, 2, 2, 3], [1_u8, 3, 2], 4)?;
/// assert_eq!(columns.range(0), 0..2);
/// assert_eq!((columns.coordinate(0, 1), columns.extent(0)), (3, 4));
/// assert!(columns.range(1).is_empty() && columns.range(99).is_empty());
/// assert_eq!((columns.size(3)?, columns.size(4).is_err()), (3, true));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
///
/// An algorithm over any level reads its promises:
///
/// ```
/// use layout_core::Int;
/// use layout_levels::{Aligned, Compressed, Fixed, Level, Views};
/// use std::ops::ControlFlow;
/// /// Returns whether the coordinates below each parent are all there, sorted and different, for a merge of two levels.
/// fn merges<L: Level>(_: &L) -> [bool; 3] {
///     [L::FULL, L::ORDERED, L::UNIQUE]
/// }
/// /// Returns whether positions need no array: one position each, ranges without gaps, ranges of one length.
/// fn positions<L: Level>(_: &L) -> [bool; 3] {
///     [L::BRANCHLESS, L::COMPACT, L::UNIFORM]
/// }
/// let (columns, pixels) = (Compressed::new([0_u16, 2, 3], [1_u8, 3, 2], 4)?, Fixed::new(Int::<4>));
/// assert_eq!((merges(&columns), positions(&columns)), ([false, true, true], [false, true, false]));
/// assert_eq!((merges(&pixels), positions(&pixels)), ([true; 3], [false, true, true]));
/// assert_eq!((Fixed::<Int<4>>::FANOUT, Aligned::<Views<[u32; 2], [u32; 2]>, 8>::ALIGN), (Some(4), 8));
/// // `walk` stops at a break: the position of the first column from 2 on.
/// let found = columns.walk(0, &mut |column, position| if column >= 2 { ControlFlow::Break(position) } else { ControlFlow::Continue(()) });
/// assert_eq!(found, ControlFlow::Break(1));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a level",
    label = "levels are `Fixed`, `Block`, `Ragged`, `Views`, `Compressed`, ..."
)]
pub trait Level {
    /// True if every coordinate below the extent of a parent has a position.
    const FULL: bool = false;

    /// True if the coordinates below each parent never decrease. They may repeat.
    const ORDERED: bool = false;

    /// True if the coordinates below each parent differ.
    const UNIQUE: bool = false;

    /// True if every parent has exactly one position.
    const BRANCHLESS: bool = false;

    /// True if the ranges of successive parents follow one another without a gap, so that the level is [`Consecutive`].
    const COMPACT: bool = false;

    /// True if the level is a mode of a layout: every parent `p` has the positions `p * n .. (p + 1) * n`, for one `n`.
    const UNIFORM: bool = false;

    /// The number of positions of every parent, if the type alone determines it.
    const FANOUT: Option<usize> = None;

    /// A divisor of the first position of every range.
    const ALIGN: usize = 1;

    /// The type of a coordinate: a `usize`, or a tuple of them.
    type Coord: IntTuple + PartialEq;

    /// Returns an exclusive upper bound of the positions of the first `parents` parents. Fails if the level has fewer parents.
    fn size(&self, parents: usize) -> Result<usize, LevelError>;

    /// Returns the range of positions of `parent`, empty if there is no such parent.
    fn range(&self, parent: usize) -> Range<usize>;

    /// Returns the coordinate of `position`, which must be a position of `parent`.
    fn coordinate(&self, parent: usize, position: usize) -> Self::Coord;

    /// Returns an exclusive upper bound of the coordinates below `parent`.
    fn extent(&self, parent: usize) -> usize;

    /// Calls `f(coordinate, position)` for each position of `parent`, in order, and returns the first break of `f`.
    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(Self::Coord, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        for position in self.range(parent) {
            f(self.coordinate(parent, position), position)?;
        }
        ControlFlow::Continue(())
    }
}

/// A level that finds the position of a coordinate.
///
/// ```
/// use layout_core::Int;
/// use layout_levels::{Fixed, Locate};
/// /// Returns the value at a coordinate, or 0 without a branch on where it is.
/// fn value<L: Locate<Coord = usize>>(level: &L, values: &[f32; 16], parent: usize, coordinate: usize) -> f32 {
///     let (position, exists) = level.place(parent, coordinate);
///     values[position % 16] * f32::from(u8::from(exists))
/// }
/// let (rows, values) = (Fixed::new(Int::<4>), std::array::from_fn(|k| k as f32));
/// assert_eq!((value(&rows, &values, 2, 3), value(&rows, &values, 2, 4)), (11.0, 0.0));
/// ```
pub trait Locate: Level {
    /// Returns the first position of `coordinate` below `parent`, or `None` if the coordinate has no position.
    ///
    /// ```
    /// use layout_levels::{Compressed, Locate};
    /// let columns = Compressed::new([0_u16, 2, 2, 3], [1_u8, 3, 2], 4)?;
    /// assert_eq!((columns.locate(0, 3), columns.locate(0, 2), columns.locate(1, 3)), (Some(1), None, None));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    fn locate(&self, parent: usize, coordinate: Self::Coord) -> Option<usize>;

    /// Returns the position that [`Locate::locate`] finds and true, or an arbitrary number and false. Uniform levels do not branch.
    #[inline(always)]
    fn place(&self, parent: usize, coordinate: Self::Coord) -> (usize, bool) {
        let found = self.locate(parent, coordinate);
        (found.unwrap_or(0), found.is_some())
    }
}

/// A level whose ranges follow one another: `range(p) = begin(p)..begin(p + 1)`, so every position has one parent.
///
/// In a ragged array, [`Consecutive::parent`] is the row of an element.
///
/// ```
/// use layout_levels::{Consecutive, Ragged};
/// let rows = Ragged::new([0, 0, 3, 3, 4])?;
/// assert_eq!([0, 1, 2, 3].map(|element| rows.parent(element)), [1, 1, 1, 3]);
/// assert_eq!((rows.begin(3), rows.split(2)), (3, (1, 2)));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
pub trait Consecutive: Level {
    /// Returns the first position of `parent`. If `parent` is the number of parents, returns the end of the last range.
    fn begin(&self, parent: usize) -> usize;

    /// Returns the parent whose range contains `position`.
    fn parent(&self, position: usize) -> usize;

    /// Returns the parent of `position`, and the coordinate of `position` below that parent.
    #[inline(always)]
    fn split(&self, position: usize) -> (usize, Self::Coord) {
        let parent = self.parent(position);
        (parent, self.coordinate(parent, position))
    }
}
