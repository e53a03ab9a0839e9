//! A chain below one parent: the index structure of an array.

use super::chain::{Ascend, Chain, Decompose, Lookup};
use super::error::LevelError;
use core::ops::{ControlFlow, Range};

/// The index structure of an array: a chain of levels that fit each other, below one parent with the number 0.
///
/// ```
/// use layout_levels::{Compressed, End, Fixed, Root, Then};
/// // A CSR matrix of 3 x 4 in flash: no heap, no copy.
/// static POSITIONS: [u16; 4] = [0, 2, 2, 3];
/// static COLUMNS: [u8; 3] = [1, 3, 2];
/// static VALUES: [f32; 3] = [0.5, 1.5, 2.5];
/// let matrix = Root::new(Then(Fixed::new(3), Then(Compressed::new(&POSITIONS, &COLUMNS, 4)?, End)))?;
/// assert_eq!(matrix.locate((0, (3, ()))).and_then(|leaf| VALUES.get(leaf)), Some(&1.5));
/// assert_eq!(matrix.checked_decompose(2), Some((2, (2, ()))));
/// assert_eq!((matrix.size(), matrix.chain().0), (VALUES.len(), Fixed::new(3)));
/// let mut y = [0.0; 3];
/// matrix.for_each(|(i, (j, ())), leaf| y[i] += VALUES[leaf] * [1.0, 2.0, 3.0, 4.0][j]);
/// assert_eq!(y, [7.0, 0.0, 7.5]);
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
///
/// A ragged array is a chain without stored coordinates, to any depth:
///
/// ```
/// use layout_levels::{End, Fixed, Ragged, Root, Then};
/// // [[[a, b, c], [d, e]], [], [[], [f]]]
/// let (outer, inner) = (Ragged::new([0_u32, 2, 2, 4])?, Ragged::new([0_u32, 3, 5, 5, 6])?);
/// let array = Root::new(Then(Fixed::new(3), Then(outer, Then(inner, End))))?;
/// assert_eq!(array.decompose(4), (0, (1, (1, ()))));
/// assert_eq!(array.locate((2, (1, (0, ())))), Some(5));
/// assert!(array.iter().map(|(_, leaf)| leaf).eq(0..6));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root<C> {
    chain: C,
    size: usize,
}

impl<C: Chain> Root<C> {
    /// Returns the chain below one parent. Fails at a level that has fewer parents than the level above has positions.
    pub fn new(chain: C) -> Result<Self, LevelError> {
        let size = chain.size(1)?;
        Ok(Root { chain, size })
    }

    /// Returns the chain of levels.
    #[inline(always)]
    pub fn chain(&self) -> &C {
        &self.chain
    }

    /// Returns the number of values that the array needs: an exclusive upper bound of the leaves.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Iterates over the coordinates and numbers of all leaves, in order.
    #[inline(always)]
    pub fn iter(&self) -> C::Leaves<'_> {
        self.chain.leaves(0)
    }

    /// Calls `f` with the coordinates and the number of each leaf, in order. Runs one loop for each level.
    #[inline(always)]
    pub fn for_each(&self, mut f: impl FnMut(C::Coord, usize)) {
        let _ = self.try_for_each(|coordinate, leaf| {
            f(coordinate, leaf);
            ControlFlow::<core::convert::Infallible>::Continue(())
        });
    }

    /// Calls `f` with the coordinates and the number of each leaf, in order, and returns the first break of `f`.
    ///
    /// ```
    /// use layout_levels::{Compressed, End, Fixed, Root, Then};
    /// use std::ops::ControlFlow;
    /// let matrix = Root::new(Then(Fixed::new(3), Then(Compressed::new([0_u8, 2, 2, 3], [1_u8, 3, 2], 4)?, End)))?;
    /// // Is there an element below the diagonal?
    /// let below = matrix.try_for_each(|(i, (j, ())), _| if j < i { ControlFlow::Break((i, j)) } else { ControlFlow::Continue(()) });
    /// assert_eq!(below, ControlFlow::Continue(()));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    #[inline(always)]
    pub fn try_for_each<B>(&self, mut f: impl FnMut(C::Coord, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        self.chain.walk(0, &mut f)
    }

    /// Returns the first leaf with these coordinates, or `None` if there is none.
    #[inline(always)]
    pub fn locate(&self, coordinate: C::Coord) -> Option<usize>
    where
        C: Lookup,
    {
        self.chain.locate(0, coordinate)
    }

    /// Returns the coordinates of `leaf`, which must be a leaf. For other numbers it returns some coordinates.
    #[inline(always)]
    pub fn decompose(&self, leaf: usize) -> C::Coord
    where
        C: Decompose,
    {
        self.chain.decompose(leaf)
    }

    /// Returns the range of leaves: `0..size`, unless the arrays are slices of larger ones.
    ///
    /// ```
    /// use layout_levels::{End, Fixed, Ragged, Root, Then};
    /// let offsets = [0_u32, 3, 4, 6, 9];
    /// // Rows 1 and 2 alone. The values stay where they are.
    /// let part = Root::new(Then(Fixed::new(2), Then(Ragged::new(&offsets[1..4])?, End)))?;
    /// assert_eq!((part.span(), part.size()), (3..6, 6));
    /// assert_eq!((part.checked_decompose(4), part.checked_decompose(2)), (Some((1, (0, ()))), None));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    #[inline(always)]
    pub fn span(&self) -> Range<usize>
    where
        C: Ascend,
    {
        self.chain.begin(0)..self.chain.begin(1)
    }

    /// Returns the coordinates of `leaf`, or `None` if there is no such leaf.
    #[inline(always)]
    pub fn checked_decompose(&self, leaf: usize) -> Option<C::Coord>
    where
        C: Decompose + Ascend,
    {
        if self.span().contains(&leaf) { Some(self.decompose(leaf)) } else { None }
    }

    /// Iterates over the leaves from `leaf` on. Threads can each start at a leaf of their own.
    ///
    /// ```
    /// use layout_levels::{End, Fixed, Ragged, Root, Then};
    /// let rows = Root::new(Then(Fixed::new(4), Then(Ragged::new([0_u8, 2, 2, 5, 6])?, End)))?;
    /// let part: Vec<_> = rows.iter_from(4).collect();
    /// assert_eq!(part, [((2, (2, ())), 4), ((3, (0, ())), 5)]);
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    #[inline(always)]
    pub fn iter_from(&self, leaf: usize) -> C::Leaves<'_>
    where
        C: Decompose,
    {
        self.chain.leaves_from(leaf)
    }
}
