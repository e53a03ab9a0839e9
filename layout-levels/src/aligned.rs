//! Levels whose rows begin at multiples of a tile.

use super::error::{Flaw, LevelArray, LevelError};
use super::traits::{Consecutive, Level, Locate};
use core::ops::{ControlFlow, Range};

/// The level `L`, all of whose ranges begin at multiples of `ALIGN`. Loads are aligned, and no tile spans two rows.
///
/// The compiler knows the alignment. To pad rows, take [`Views`](super::Views), [`Loose`](super::Loose), or full tiles.
///
/// ```
/// use layout_levels::{Aligned, Level, Views};
/// let rows = Views::new([0_u32, 8, 8], [5_u32, 0, 3], 16)?;
/// let aligned = Aligned::<_, 8>::new(rows, 3)?;
/// assert_eq!((aligned.range(2), aligned.inner()), (8..11, &rows));
/// assert!(Aligned::<_, 16>::new(rows, 3).is_err());
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aligned<L, const ALIGN: usize>(L);

impl<L: Level, const ALIGN: usize> Aligned<L, ALIGN> {
    const POSITIVE: () = assert!(ALIGN > 0, "Aligned: the alignment must be at least 1");

    /// Wraps `level`. Fails if it has fewer than `parents` parents, or if one of them has a nonempty range that begins at no
    /// multiple of `ALIGN`. Does not check later parents.
    pub fn new(level: L, parents: usize) -> Result<Self, LevelError> {
        let () = Self::POSITIVE;
        level.size(parents)?;
        let begins = |parent| Some(level.range(parent)).filter(|range| !range.is_empty()).map_or(0, |range| range.start);
        match (0..parents).find(|parent| !begins(*parent).is_multiple_of(ALIGN)) {
            None => Ok(Aligned(level)),
            Some(index) => Err(LevelError::new(LevelArray::Level, index, Flaw::Misaligned { value: begins(index), align: ALIGN })),
        }
    }

    /// Returns the level `L`, which does not promise the alignment.
    pub fn inner(&self) -> &L {
        &self.0
    }
}

impl<L: Level, const ALIGN: usize> Level for Aligned<L, ALIGN> {
    const FULL: bool = L::FULL;
    const ORDERED: bool = L::ORDERED;
    const UNIQUE: bool = L::UNIQUE;
    const BRANCHLESS: bool = L::BRANCHLESS;
    const COMPACT: bool = L::COMPACT;
    const UNIFORM: bool = L::UNIFORM;
    const FANOUT: Option<usize> = L::FANOUT;
    const ALIGN: usize = ALIGN;
    type Coord = L::Coord;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        self.0.size(parents)
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        let range = self.0.range(parent);
        // For the parents that `new` checked, this changes no nonempty range; it shows the compiler the alignment.
        let start = range.start / ALIGN * ALIGN;
        start..start + range.len()
    }

    #[inline(always)]
    fn coordinate(&self, parent: usize, position: usize) -> L::Coord {
        self.0.coordinate(parent, position)
    }

    #[inline(always)]
    fn extent(&self, parent: usize) -> usize {
        self.0.extent(parent)
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(L::Coord, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.walk(parent, f)
    }
}

impl<L: Consecutive, const ALIGN: usize> Consecutive for Aligned<L, ALIGN> {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        self.0.begin(parent)
    }

    #[inline(always)]
    fn parent(&self, position: usize) -> usize {
        self.0.parent(position)
    }

    #[inline(always)]
    fn split(&self, position: usize) -> (usize, L::Coord) {
        self.0.split(position)
    }
}

impl<L: Locate, const ALIGN: usize> Locate for Aligned<L, ALIGN> {
    #[inline(always)]
    fn locate(&self, parent: usize, coordinate: L::Coord) -> Option<usize> {
        self.0.locate(parent, coordinate)
    }
}
