//! The leaves of a chain with their coordinates, one after the other, without storing anything.

use super::chain::{Chain, Then};
use super::traits::Level;
use core::ops::Range;

/// The leaves below one parent: coordinates and numbers, in order. Holds one position of each level.
///
/// `next` costs a branch for each level; `for_each` and `fold` are nested loops.
pub struct Leaves<'a, L: Level, R: Chain + 'a> {
    chain: &'a Then<L, R>,
    parent: usize,
    /// The positions of this level that have not begun.
    positions: Range<usize>,
    /// The coordinate of the position that has, and its leaves.
    begun: Option<(L::Coord, R::Leaves<'a>)>,
}

impl<'a, L: Level, R: Chain> Leaves<'a, L, R> {
    #[inline(always)]
    pub(super) fn new(chain: &'a Then<L, R>, parent: usize) -> Self {
        Leaves { chain, parent, positions: chain.0.range(parent), begun: None }
    }

    /// From `below` on, which are leaves of `position`.
    #[inline(always)]
    pub(super) fn resumed(chain: &'a Then<L, R>, parent: usize, position: usize, below: R::Leaves<'a>) -> Self {
        let range = chain.0.range(parent);
        if !range.contains(&position) {
            return Leaves { chain, parent, positions: range.end..range.end, begun: None };
        }
        let begun = Some((chain.0.coordinate(parent, position), below));
        Leaves { chain, parent, positions: position + 1..range.end, begun }
    }
}

impl<L: Level, R: Chain> Iterator for Leaves<'_, L, R> {
    type Item = ((L::Coord, R::Coord), usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((coordinate, leaves)) = &mut self.begun
                && let Some((below, leaf)) = leaves.next()
            {
                return Some(((*coordinate, below), leaf));
            }
            let position = self.positions.next()?;
            self.begun = Some((self.chain.0.coordinate(self.parent, position), self.chain.1.leaves(position)));
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let mut folded = init;
        if let Some((coordinate, leaves)) = self.begun {
            folded = leaves.fold(folded, |folded, (below, leaf)| f(folded, ((coordinate, below), leaf)));
        }
        for position in self.positions {
            let coordinate = self.chain.0.coordinate(self.parent, position);
            folded = self.chain.1.leaves(position).fold(folded, |folded, (below, leaf)| f(folded, ((coordinate, below), leaf)));
        }
        folded
    }
}

/// Once at its end, it stays there.
impl<L: Level, R: Chain> core::iter::FusedIterator for Leaves<'_, L, R> {}
