//! Chains of levels: the formats of arrays.

use super::error::LevelError;
use super::traits::{Consecutive, Level, Locate};
use core::ops::{ControlFlow, Range};
use layout_core::layouts::IntTuple;

/// Levels from the outermost to the innermost: `Then(rows, Then(columns, End))`.
///
/// The positions of each level are the parents of the next level. The positions of the last level are the
/// *leaves*, which number the values. A coordinate is nested as the chain is: `(i, (j, ()))`.
/// [`Root`](super::Root) is a chain below one parent whose levels fit each other.
///
/// ```
/// use layout_levels::{Chain, Compressed, End, Fixed, LevelError, Then};
/// use std::ops::ControlFlow;
/// /// Returns the number of levels, and the number of values below `parents` parents.
/// fn extent<C: Chain>(chain: &C, parents: usize) -> Result<(usize, usize), LevelError> {
///     Ok((C::DEPTH, chain.size(parents)?))
/// }
/// // Two matrices of 2 x 4. Their rows have elements in the columns {1, 3}, {}, {2} and {0}.
/// let matrices = Then(Fixed::new(2), Then(Compressed::new([0_u8, 2, 2, 3, 4], [1_u8, 3, 2, 0], 4)?, End));
/// assert_eq!(extent(&matrices, 2)?, (2, 4));
/// assert_eq!(extent(&matrices, 3).unwrap_err().to_string(), "level 1: there are ranges for 4 parents, but 6 are needed");
/// // Each matrix is a parent.
/// assert!(matrices.leaves(1).eq([((0, (2, ())), 2), ((1, (0, ())), 3)]));
/// let first = matrices.walk(0, &mut |(row, (column, ())), leaf| ControlFlow::Break((row, column, leaf)));
/// assert_eq!(first, ControlFlow::Break((0, 1, 0)));
/// # Ok::<(), LevelError>(())
/// ```
pub trait Chain {
    /// The number of levels.
    const DEPTH: usize;

    /// The coordinates of a leaf, one for each level.
    type Coord: IntTuple + PartialEq;

    /// An iterator over the leaves below a parent, in order.
    type Leaves<'a>: Iterator<Item = (Self::Coord, usize)>
    where
        Self: 'a;

    /// Returns an exclusive upper bound of the leaves below the first `parents` parents. Returns an error if
    /// a level has fewer parents than the level above has positions.
    fn size(&self, parents: usize) -> Result<usize, LevelError>;

    /// Iterates over the leaves below `parent`, in order, as pairs of coordinates and leaf.
    fn leaves(&self, parent: usize) -> Self::Leaves<'_>;

    /// Calls `f(coordinates, leaf)` for each leaf below `parent`, in order, and returns the first break of `f`: one loop a level.
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(Self::Coord, usize) -> ControlFlow<B>) -> ControlFlow<B>;
}

/// A chain that finds the leaf of a coordinate.
///
/// ```
/// use layout_core::Int;
/// use layout_levels::{Compressed, End, Fixed, Lookup, Then};
/// /// Returns an element of array `array`; elements that are not stored are 0.
/// fn element<C: Lookup>(arrays: &C, values: &[f32], array: usize, at: C::Coord) -> f32 {
///     arrays.locate(array, at).and_then(|leaf| values.get(leaf)).copied().unwrap_or(0.0)
/// }
/// let rows = Then(Compressed::new([0_u8, 2, 3], [1_u8, 3, 2], 4)?, End);
/// assert_eq!((element(&rows, &[0.5, 1.5, 2.5], 0, (3, ())), element(&rows, &[0.5, 1.5, 2.5], 1, (3, ()))), (1.5, 0.0));
/// // `place` computes the leaf without a branch, and says whether it exists.
/// let dense = Then(Fixed::new(Int::<2>), Then(Fixed::new(Int::<4>), End));
/// assert_eq!((dense.place(10, (1, (3, ()))), dense.place(10, (1, (4, ()))).1), ((87, true), false));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
pub trait Lookup: Chain {
    /// Returns the first leaf below `parent` with these coordinates, or `None` if there is none.
    fn locate(&self, parent: usize, coordinate: Self::Coord) -> Option<usize>;

    /// Returns the leaf that [`Lookup::locate`] finds, and true. If there is none, returns an arbitrary number and false.
    #[inline(always)]
    fn place(&self, parent: usize, coordinate: Self::Coord) -> (usize, bool) {
        let found = self.locate(parent, coordinate);
        (found.unwrap_or(0), found.is_some())
    }
}

/// A chain of [`Consecutive`] levels: leaves of successive parents follow one another, and a leaf finds its parent.
///
/// ```
/// use layout_levels::{Ascend, End, Ragged, Then};
/// // Document 0 has sentences of 2 and 3 words, document 1 has one of 4 words.
/// let words = Then(Ragged::new([0_u8, 2, 3])?, Then(Ragged::new([0_u8, 2, 5, 9])?, End));
/// assert_eq!((words.begin(1), words.begin(2)), (5, 9));
/// assert_eq!(words.ascend(4), (0, (1, (2, ())))); // document 0, sentence 1, word 2
/// let (document, rest) = words.resume(3);
/// assert_eq!((document, rest.map(|(_, leaf)| leaf).collect::<Vec<_>>()), (0, vec![3, 4]));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
pub trait Ascend: Chain {
    /// Returns the first leaf below `parent`. If `parent` is the number of parents, returns the end of all leaves.
    fn begin(&self, parent: usize) -> usize;

    /// Returns the parent above `leaf`, and the coordinates of `leaf` below it.
    fn ascend(&self, leaf: usize) -> (usize, Self::Coord);

    /// Returns the parent above `leaf`, and an iterator over the leaves of that parent from `leaf` on.
    fn resume(&self, leaf: usize) -> (usize, Self::Leaves<'_>);
}

/// A chain whose first level has one parent, so that a leaf determines all its coordinates.
///
/// ```
/// use layout_levels::{Compressed, Decompose, End, Fixed, Then};
/// /// Returns the coordinates of the greatest value.
/// fn greatest<C: Decompose>(chain: &C, values: &[f32]) -> Option<C::Coord> {
///     let (leaf, _) = values.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
///     Some(chain.decompose(leaf))
/// }
/// let csr = Then(Fixed::new(3), Then(Compressed::new([0_u8, 2, 2, 3], [1_u8, 3, 2], 4)?, End));
/// assert_eq!(greatest(&csr, &[0.5, 2.5, 1.5]), Some((0, (3, ()))));
/// assert!(csr.leaves_from(1).eq([((0, (3, ())), 1), ((2, (2, ())), 2)]));
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
pub trait Decompose: Chain {
    /// Returns the coordinates of `leaf`, one for each level.
    fn decompose(&self, leaf: usize) -> Self::Coord;

    /// Iterates over the leaves from `leaf` on, in order, as pairs of coordinates and leaf.
    fn leaves_from(&self, leaf: usize) -> Self::Leaves<'_>;
}

/// The level `L`, and below it the chain `R`.
///
/// ```
/// use layout_levels::{Compressed, End, Fixed, LevelError, Root, Then};
/// /// The type of a field: a CSR matrix of slices.
/// type Csr<'a> = Root<Then<Fixed<usize>, Then<Compressed<&'a [u32], &'a [u16]>, End>>>;
/// fn csr<'a>(positions: &'a [u32], columns: &'a [u16], [m, n]: [usize; 2]) -> Result<Csr<'a>, LevelError> {
///     Root::new(Then(Fixed::new(m), Then(Compressed::new(positions, columns, n)?, End)))
/// }
/// let matrix = csr(&[0, 2, 2, 3], &[1, 3, 2], [3, 4])?;
/// let Then(_, Then(columns, End)) = matrix.chain();
/// assert_eq!(columns.row(0), (0..2, &[1, 3][..]));
/// # Ok::<(), LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Then<L, R>(pub L, pub R);

/// The end of a chain: the positions of the level above are the leaves.
///
/// ```
/// use layout_levels::{End, LevelError, Root};
/// // A chain without levels has one leaf, and is the structure of a scalar.
/// let scalar = Root::new(End)?;
/// assert_eq!((scalar.size(), scalar.locate(()), scalar.iter().count()), (1, Some(0), 1));
/// # Ok::<(), LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct End;

impl Chain for End {
    const DEPTH: usize = 0;
    type Coord = ();
    type Leaves<'a> = core::option::IntoIter<((), usize)>;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        Ok(parents)
    }

    #[inline(always)]
    fn leaves(&self, parent: usize) -> Self::Leaves<'_> {
        Some(((), parent)).into_iter()
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut((), usize) -> ControlFlow<B>) -> ControlFlow<B> {
        f((), parent)
    }
}

impl Lookup for End {
    #[inline(always)]
    fn locate(&self, parent: usize, (): ()) -> Option<usize> {
        Some(parent)
    }

    #[inline(always)]
    fn place(&self, parent: usize, (): ()) -> (usize, bool) {
        (parent, true)
    }
}

impl Ascend for End {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        parent
    }

    #[inline(always)]
    fn ascend(&self, leaf: usize) -> (usize, ()) {
        (leaf, ())
    }

    #[inline(always)]
    fn resume(&self, leaf: usize) -> (usize, Self::Leaves<'_>) {
        (leaf, self.leaves(leaf))
    }
}

impl<L: Level, R: Chain> Chain for Then<L, R> {
    const DEPTH: usize = 1 + R::DEPTH;
    type Coord = (L::Coord, R::Coord);
    type Leaves<'a>
        = Leaves<'a, L, R>
    where
        Self: 'a;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        let positions = self.0.size(parents).map_err(|error| error.at_level(0))?;
        self.1.size(positions).map_err(|error| error.at_level(1 + error.level.unwrap_or(0)))
    }

    #[inline(always)]
    fn leaves(&self, parent: usize) -> Leaves<'_, L, R> {
        Leaves::new(self, parent)
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(Self::Coord, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.walk(parent, &mut |coordinate, position| {
            self.1.walk(position, &mut |below, leaf| f((coordinate, below), leaf)) //
        })
    }
}

impl<L: Locate, R: Lookup> Lookup for Then<L, R> {
    #[inline]
    fn locate(&self, parent: usize, (coordinate, below): Self::Coord) -> Option<usize> {
        if L::UNIFORM {
            let (leaf, exists) = self.place(parent, (coordinate, below));
            return if exists { Some(leaf) } else { None };
        }
        let first = self.0.locate(parent, coordinate)?;
        if L::UNIQUE {
            return self.1.locate(first, below);
        }
        // Several positions may have this coordinate, and any of them may have `below` under it.
        for position in first..self.0.range(parent).end {
            if self.0.coordinate(parent, position) == coordinate {
                if let Some(leaf) = self.1.locate(position, below) {
                    return Some(leaf);
                }
            } else if L::ORDERED {
                return None;
            }
        }
        None
    }

    #[inline(always)]
    fn place(&self, parent: usize, (coordinate, below): Self::Coord) -> (usize, bool) {
        if !L::UNIFORM {
            let found = self.locate(parent, (coordinate, below));
            return (found.unwrap_or(0), found.is_some());
        }
        // No branch: a position that does not exist yields some leaf, and the flag says so.
        let (position, exists) = self.0.place(parent, coordinate);
        let (leaf, exists_below) = self.1.place(position, below);
        (leaf, exists & exists_below)
    }
}

impl<L: Consecutive, R: Ascend> Ascend for Then<L, R> {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        self.1.begin(self.0.begin(parent))
    }

    #[inline(always)]
    fn ascend(&self, leaf: usize) -> (usize, Self::Coord) {
        let (position, below) = self.1.ascend(leaf);
        let (parent, coordinate) = self.0.split(position);
        (parent, (coordinate, below))
    }

    #[inline]
    fn resume(&self, leaf: usize) -> (usize, Self::Leaves<'_>) {
        let (position, below) = self.1.resume(leaf);
        let parent = self.0.parent(position);
        (parent, Leaves::resumed(self, parent, position, below))
    }
}

impl Decompose for End {
    #[inline(always)]
    fn decompose(&self, _: usize) {}

    #[inline(always)]
    fn leaves_from(&self, leaf: usize) -> Self::Leaves<'_> {
        self.leaves(leaf)
    }
}

impl<L: Level, R: Ascend> Decompose for Then<L, R> {
    #[inline(always)]
    fn decompose(&self, leaf: usize) -> Self::Coord {
        let (position, below) = self.1.ascend(leaf);
        (self.0.coordinate(0, position), below)
    }

    #[inline]
    fn leaves_from(&self, leaf: usize) -> Self::Leaves<'_> {
        let (position, below) = self.1.resume(leaf);
        Leaves::resumed(self, 0, position, below)
    }
}

/// An iterator over the leaves below one parent, with their coordinates, in order. It holds one position of each level.
///
/// `next` costs a branch for each level; `for_each` and `fold` run nested loops.
///
/// ```
/// use layout_levels::{Chain, End, Leaves, Ragged, Then};
/// let rows = Then(Ragged::new([0_u8, 2, 2, 5])?, End);
/// let mut leaves: Leaves<'_, Ragged<[u8; 4]>, End> = rows.leaves(2);
/// assert_eq!(leaves.next(), Some(((0, ()), 2)));
/// assert_eq!(leaves.map(|(_, leaf)| leaf).sum::<usize>(), 3 + 4);
/// # Ok::<(), layout_levels::LevelError>(())
/// ```
pub struct Leaves<'a, L: Level, R: Chain + 'a> {
    chain: &'a Then<L, R>,
    parent: usize,
    /// The positions of the first level whose leaves have not begun.
    positions: Range<usize>,
    /// The coordinate of the position whose leaves have begun, and its remaining leaves.
    begun: Option<(L::Coord, R::Leaves<'a>)>,
}

impl<'a, L: Level, R: Chain> Leaves<'a, L, R> {
    #[inline(always)]
    fn new(chain: &'a Then<L, R>, parent: usize) -> Self {
        Leaves { chain, parent, positions: chain.0.range(parent), begun: None }
    }

    /// Returns an iterator that resumes at `position`, whose remaining leaves are `below`. It is empty if `parent` lacks `position`.
    #[inline(always)]
    fn resumed(chain: &'a Then<L, R>, parent: usize, position: usize, below: R::Leaves<'a>) -> Self {
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

/// The iterator returns `None` forever once it has ended.
impl<L: Level, R: Chain> core::iter::FusedIterator for Leaves<'_, L, R> {}
