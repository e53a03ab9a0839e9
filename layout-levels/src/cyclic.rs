//! A dense level below stored coordinates that repeat.

use super::error::LevelError;
use super::traits::{Consecutive, Level, Locate};
use core::ops::Range;

/// A level in which position `p` is the only one of parent `p` and has the coordinate `p % extent`. The level
/// above stores each of its coordinates `extent` times.
///
/// ```
/// use layout_levels::{Compressed, Cyclic, End, Root, Search, Sorted, Then};
/// // S-C: rows 1 and 4 of a matrix of 5 x 2, each stored for both columns.
/// let rows = Compressed::with([0_u8, 4], [1_u8, 1, 4, 4], 5, Sorted, Search)?;
/// let matrix = Root::new(Then(rows, Then(Cyclic::new(2), End)))?;
/// assert_eq!((matrix.decompose(2), matrix.locate((4, (1, ())))), ((4, (0, ())), Some(3)));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cyclic(usize);

impl Cyclic {
    /// Returns the level with the coordinates `0..extent`.
    #[inline(always)]
    pub const fn new(extent: usize) -> Self {
        Cyclic(extent)
    }
}

impl Level for Cyclic {
    const ORDERED: bool = true;
    const UNIQUE: bool = true;
    const BRANCHLESS: bool = true;
    const COMPACT: bool = true;
    const UNIFORM: bool = true;
    const FANOUT: Option<usize> = Some(1);
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        Ok(parents)
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        parent..parent.saturating_add(1)
    }

    #[inline(always)]
    fn coordinate(&self, _: usize, position: usize) -> usize {
        position.checked_rem(self.0).unwrap_or(0)
    }

    #[inline(always)]
    fn extent(&self, _: usize) -> usize {
        self.0
    }
}

impl Consecutive for Cyclic {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        parent
    }

    #[inline(always)]
    fn parent(&self, position: usize) -> usize {
        position
    }
}

impl Locate for Cyclic {
    #[inline(always)]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        if self.coordinate(parent, parent) == coordinate && self.0 > 0 { Some(parent) } else { None }
    }
}
