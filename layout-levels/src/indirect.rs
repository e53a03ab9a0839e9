//! Levels that read their parents from a table: pages of a pool, or rows that are shared or permuted.

use super::error::{Flaw, LevelArray, LevelError};
use super::index::{Index, IndexArray};
use super::ranges::parents_of;
use super::traits::{Level, Locate};
use core::ops::{ControlFlow, Range};

/// A level in which parent `p` has the positions of parent `table[p]` of the level `L`.
///
/// Over a [`Block`](super::Block) this is a block table: an entry names a page of a pool, and the slots of
/// the page are the positions. Two entries may name one page, so the parent of a position is not unique.
///
/// ```
/// use layout_core::{Int, Strided};
/// use layout_levels::{Block, End, Fixed, Indirect, Level, Ragged, Root, Then};
/// // Two sequences in pages of 4 slots, of a pool of 8 pages: [5, 2] and [5, 1].
/// let slots = Block::new(Strided::<(Int<4>,), (Int<1>,)>::default());
/// let pages = Indirect::new([5_u32, 2, 5, 1], slots, 8)?;
/// assert_eq!((pages.range(1), pages.range(4)), (8..12, 0..0));
/// let tokens = Root::new(Then(Fixed::new(2), Then(Ragged::new([0_u32, 2, 4])?, Then(pages, End))))?;
/// assert_eq!(tokens.locate((1, (0, (3, ())))), Some(5 * 4 + 3));
/// assert_eq!((pages.table(), pages.level().layout()), (&[5, 2, 5, 1], slots.layout()));
/// assert!(Indirect::new([5_u32, 8], slots, 8).is_err());
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Indirect<T, L> {
    table: T,
    level: L,
    parents: usize,
}

impl<T: IndexArray, L: Level> Indirect<T, L> {
    /// Returns the level of a table. Fails if a number in `table` is not below `parents`, or if `level` has fewer parents.
    pub fn new(table: T, level: L, parents: usize) -> Result<Self, LevelError> {
        level.size(parents)?;
        for (index, number) in table.indices().iter().enumerate() {
            match number.address() {
                Some(number) if number < parents => {}
                Some(value) => {
                    return Err(LevelError::new(LevelArray::Table, index, Flaw::Beyond { value, most: parents.saturating_sub(1) }));
                }
                None => return Err(LevelError::new(LevelArray::Table, index, Flaw::NotAnAddress { value: number.exact() })),
            }
        }
        Ok(Indirect { table, level, parents })
    }

    /// Returns the table: the parents of the level `L`.
    pub fn table(&self) -> &T {
        &self.table
    }

    /// Returns the level `L`, whose parents the table names.
    pub fn level(&self) -> &L {
        &self.level
    }

    #[inline(always)]
    fn named(&self, parent: usize) -> Option<usize> {
        self.table.indices().get(parent).map(|number| number.to_usize())
    }
}

impl<T: IndexArray, L: Level> Level for Indirect<T, L> {
    const FULL: bool = L::FULL;
    const ORDERED: bool = L::ORDERED;
    const UNIQUE: bool = L::UNIQUE;
    const BRANCHLESS: bool = L::BRANCHLESS;
    const FANOUT: Option<usize> = L::FANOUT;
    const ALIGN: usize = L::ALIGN;
    type Coord = L::Coord;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        parents_of(self.table.indices().len(), parents)?;
        self.level.size(self.parents)
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        self.named(parent).map_or(0..0, |parent| self.level.range(parent))
    }

    #[inline(always)]
    fn coordinate(&self, parent: usize, position: usize) -> L::Coord {
        self.level.coordinate(self.table.at(parent), position)
    }

    #[inline(always)]
    fn extent(&self, parent: usize) -> usize {
        self.named(parent).map_or(0, |parent| self.level.extent(parent))
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(L::Coord, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        self.named(parent).map_or(ControlFlow::Continue(()), |parent| self.level.walk(parent, f))
    }
}

impl<T: IndexArray, L: Locate> Locate for Indirect<T, L> {
    #[inline(always)]
    fn locate(&self, parent: usize, coordinate: L::Coord) -> Option<usize> {
        self.level.locate(self.named(parent)?, coordinate)
    }
}
