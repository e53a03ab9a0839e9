//! The traits of levels: the abstraction of Chou, Kjolstad and Amarasinghe (OOPSLA 2018), and the inverse that ragged arrays need.

use super::error::LevelError;
use core::ops::{ControlFlow, Range};
use layout_core::layouts::IntTuple;

/// One dimension of a stored array: below each *position* of the level above, its parent, lie positions with a coordinate each.
///
/// Positions are numbers that index the arrays of the level below, and after the last level the values. Everything here is total:
/// what does not exist has an empty range, and its coordinate is some number. The constants are promises that algorithms may use; by default
/// nothing is promised.
///
/// ```
/// use layout_levels::{Compressed, Level};
/// // The columns of a matrix with rows {1, 3}, {} and {2}.
/// let columns = Compressed::new([0_u16, 2, 2, 3], [1_u8, 3, 2], 4)?;
/// assert_eq!(columns.range(0), 0..2);
/// assert_eq!((columns.coordinate(0, 1), columns.extent(0)), (3, 4));
/// assert!(columns.range(1).is_empty() && columns.range(99).is_empty());
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a level",
    label = "levels are `Fixed`, `Block`, `Ragged`, `Views`, `Compressed`, ..."
)]
pub trait Level {
    /// Every coordinate of the extent of a parent has a position.
    const FULL: bool = false;

    /// The coordinates below a parent ascend, or repeat.
    const ORDERED: bool = false;

    /// The coordinates below a parent differ.
    const UNIQUE: bool = false;

    /// Every parent has exactly one position.
    const BRANCHLESS: bool = false;

    /// Parent after parent, the ranges follow one another without a gap: the level is [`Consecutive`].
    const COMPACT: bool = false;

    /// Every parent `p` has the positions `p * n .. (p + 1) * n`, for one `n`: the level is a mode of a layout.
    const UNIFORM: bool = false;

    /// The number of positions of every parent, where that is static.
    const FANOUT: Option<usize> = None;

    /// Every range begins at a multiple of this.
    const ALIGN: usize = 1;

    /// A coordinate: a `usize`, or a tuple of them.
    type Coord: IntTuple + PartialEq;

    /// The number that all positions of the first `parents` parents are less than; an error if there are fewer parents.
    fn size(&self, parents: usize) -> Result<usize, LevelError>;

    /// The positions of `parent`.
    fn range(&self, parent: usize) -> Range<usize>;

    /// The coordinate of `position`, which is one of `parent`.
    fn coordinate(&self, parent: usize, position: usize) -> Self::Coord;

    /// The number that all coordinates below `parent` are less than.
    fn extent(&self, parent: usize) -> usize;

    /// Calls `f` with every coordinate below `parent` and its position, in the order of the positions, until `f` breaks.
    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(Self::Coord, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        for position in self.range(parent) {
            f(self.coordinate(parent, position), position)?;
        }
        ControlFlow::Continue(())
    }
}

/// Levels that find the position of a coordinate.
pub trait Locate: Level {
    /// The first position of `coordinate` below `parent`, if it has one.
    ///
    /// ```
    /// use layout_levels::{Compressed, Locate};
    /// let columns = Compressed::new([0_u16, 2, 2, 3], [1_u8, 3, 2], 4)?;
    /// assert_eq!((columns.locate(0, 3), columns.locate(0, 2), columns.locate(1, 3)), (Some(1), None, None));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    fn locate(&self, parent: usize, coordinate: Self::Coord) -> Option<usize>;

    /// [`Locate::locate`] as a number and whether it is the position: uniform levels need no branch to compute one.
    #[inline(always)]
    fn place(&self, parent: usize, coordinate: Self::Coord) -> (usize, bool) {
        let found = self.locate(parent, coordinate);
        (found.unwrap_or(0), found.is_some())
    }
}

/// Levels whose ranges follow one another, `range(p) = begin(p)..begin(p + 1)`, so that every position has one parent: of a ragged level, the
/// row of an element.
///
/// ```
/// use layout_levels::{Consecutive, Ragged};
/// let rows = Ragged::new([0, 0, 3, 3, 4])?;
/// assert_eq!([0, 1, 2, 3].map(|element| rows.parent(element)), [1, 1, 1, 3]);
/// assert_eq!((rows.begin(3), rows.split(2)), (3, (1, 2)));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
pub trait Consecutive: Level {
    /// Where the positions of `parent` begin; for the number of parents, where the last ones end.
    fn begin(&self, parent: usize) -> usize;

    /// The parent of `position`.
    fn parent(&self, position: usize) -> usize;

    /// The parent of `position`, and its coordinate there.
    #[inline(always)]
    fn split(&self, position: usize) -> (usize, Self::Coord) {
        let parent = self.parent(position);
        (parent, self.coordinate(parent, position))
    }
}
