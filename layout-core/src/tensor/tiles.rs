//! Tensors cut into tiles: full ones of static extents, and partial ones at the ends.
//!
//! Tile `g` of a shape `t` has the coordinates `g_k t_k + c_k` with `c_k < t_k`, of each mode that `t` names; the others stay whole. The tiles of
//! an injective layout share no element, so that they can be written side by side.

use super::clipped::Clipped;
use super::error::TensorError;
use super::storage::{Borrow, Storage, StorageMut, Unique};
use super::tensor::Tensor;
use super::tileable::Tileable;
use crate::error::{Cause, LayoutError, Op};
use crate::types::{Coordinate, IntTuple, Layout, MAX_LEAVES, Slots, div_rem, integers};
use core::ops::Range;

/// A tile with all its elements, or with those that the tensor has of it.
///
/// A kernel is one generic function over [`Layout`]; the `match` calls it twice, and the extents of the full tile are constants there.
///
/// ```
/// use layout_core::{Int, Layout, Tensor, Tile, View, make_layout};
/// fn sum<L: Layout>(tile: View<i32, L>) -> i32 {
///     tile.iter().sum()
/// }
/// let data: Vec<i32> = (0..60).collect();
/// let t = Tensor::new(&data, make_layout((10, 6), (Int::<1>, 10)))?;
/// let sums: Vec<i32> = t
///     .tiles((Int::<8>, Int::<4>))
///     .map(|tile| match tile {
///         Tile::Full(tile) => sum(tile),
///         Tile::Partial(tile) => sum(tile),
///     })
///     .collect();
/// assert_eq!(sums.iter().sum::<i32>(), 59 * 30);
/// assert_eq!(sums.len(), 4);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy)]
pub enum Tile<S, L, E> {
    /// Every coordinate of the tile is one of the tensor.
    Full(Tensor<S, L>),
    /// The coordinates below some extents are.
    Partial(Tensor<S, Clipped<L, E>>),
}

macro_rules! either {
    ($self:expr, $tile:ident => $body:expr) => {
        match $self {
            Tile::Full($tile) => $body,
            Tile::Partial($tile) => $body,
        }
    };
}

impl<S: Storage, L: Layout, E: Coordinate> Tile<S, L, E> {
    /// Number of coordinates.
    #[inline(always)]
    pub fn size(&self) -> usize {
        either!(self, tile => tile.size())
    }

    /// The element at `c`, or `None` where the tile has none.
    #[inline(always)]
    pub fn get<C: IntTuple>(&self, c: C) -> Option<&S::Item> {
        either!(self, tile => tile.get(c))
    }

    /// `f` of every element, in colexicographic order of the coordinates.
    #[inline(always)]
    pub fn for_each(&self, f: impl FnMut(&S::Item)) {
        either!(self, tile => tile.for_each(f))
    }

    /// The tile as one with extents of run time, full or not.
    #[inline(always)]
    pub fn into_clipped(self, whole: E) -> Tensor<S, Clipped<L, E>> {
        match self {
            // SAFETY: some of the same indices.
            Tile::Full(tile) => unsafe {
                let layout = Clipped::new(tile.layout(), whole);
                Tensor::from_parts(tile.into_storage(), layout)
            },
            Tile::Partial(tile) => tile,
        }
    }
}

impl<S: StorageMut, L: Layout, E: Coordinate> Tile<S, L, E> {
    /// The element at `c`, or `None` where the tile has none.
    #[inline(always)]
    pub fn get_mut<C: IntTuple>(&mut self, c: C) -> Option<&mut S::Item> {
        either!(self, tile => tile.get_mut(c))
    }

    /// `f` of every element, in colexicographic order of the coordinates.
    #[inline(always)]
    pub fn for_each_mut(&mut self, f: impl FnMut(&mut S::Item)) {
        either!(self, tile => tile.for_each_mut(f))
    }

    /// Sets every element to `value`.
    #[inline(always)]
    pub fn fill(&mut self, value: S::Item)
    where
        S::Item: Clone,
    {
        either!(self, tile => tile.fill(value))
    }
}

/// The tiles of a tensor, the first mode fastest; see [`Tensor::tiles`].
pub struct Tiles<S, L: Tileable<T>, T: IntTuple> {
    // Of a `Unique`, no one else has the elements of the tiles in `next..end`.
    tensor: Tensor<S, L>,
    tile: L::Tile,
    /// Number of modes that are cut.
    rank: usize,
    /// The extents of a tile and of the tensor,
    extent: Slots,
    whole: Slots,
    /// and how many tiles there are, the partial ones included.
    grid: Slots,
    /// Those that are left, of all, and the coordinate of the first of these.
    range: Range<usize>,
    at: Slots,
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> Tiles<S, L, T> {
    /// # Safety
    ///
    /// Of a [`Unique`], the layout is injective.
    #[inline(always)]
    pub(super) unsafe fn new(tensor: Tensor<S, L>, tiler: &T) -> Result<Self, TensorError> {
        let layout = tensor.layout();
        let tile = layout.tile(tiler)?;
        let ((rank, extent), whole) = (integers(tiler), layout.extents());
        let (mut grid, mut count) = ([1; MAX_LEAVES], 1);
        for k in 0..rank {
            grid[k] = whole[k].div_ceil(extent[k].max(1));
            // It overflows only where another mode has no coordinate.
            count = usize::wrapping_mul(count, grid[k]);
        }
        // Of no coordinates there are no tiles, whatever mode has none.
        let count = if layout.size() == 0 { 0 } else { count };
        Ok(Tiles { tensor, tile, rank, extent, whole, grid, range: 0..count, at: [0; MAX_LEAVES] })
    }

    /// How many tiles there are of each mode that is cut: the extents of their grid.
    pub fn grid(&self) -> T::Coord {
        T::Coord::from_values(&self.grid, &mut 0)
    }

    /// The first `count` of the tiles that are left, and the others.
    ///
    /// Panics if there are fewer.
    ///
    /// ```
    /// use layout_core::{Int, Owned, Strided};
    /// type L = Strided<(Int<4>, Int<4>), (Int<1>, Int<4>)>;
    /// let mut t = Owned::<i32, L, 16>::filled(L::default(), 0);
    /// let (left, right) = t.tiles_mut((Int::<4>, Int::<1>)).split_at(2);
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| left.for_each(|mut tile| tile.fill(1)));
    ///     scope.spawn(|| right.for_each(|mut tile| tile.fill(2)));
    /// });
    /// assert_eq!(t.as_slice(), [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
    /// ```
    pub fn split_at(self, count: usize) -> (Self, Self) {
        assert!(count <= self.range.len(), "there are {} tiles, not {count}", self.range.len());
        let middle = self.range.start + count;
        let at = self.coordinate(middle);
        // SAFETY: the two have different tiles.
        let tensor = unsafe { self.tensor.alias() };
        let Tiles { tile, rank, extent, whole, grid, .. } = self;
        let right = Tiles { tensor, tile, rank, extent, whole, grid, range: middle..self.range.end, at };
        (Tiles { range: self.range.start..middle, ..self }, right)
    }

    /// The coordinate in the grid of tile `k` of all.
    fn coordinate(&self, k: usize) -> Slots {
        let (mut at, mut rest) = ([0; MAX_LEAVES], k);
        for (mode, slot) in at.iter_mut().enumerate().take(self.rank) {
            (rest, *slot) = div_rem(rest, self.grid[mode]);
        }
        at
    }

    /// The tiles that the tensor has all elements of.
    ///
    /// Panics if some tiles were taken before.
    #[inline(always)]
    #[track_caller]
    pub fn full(mut self) -> FullTiles<S, L, T> {
        let (mut count, mut all) = (1, 1);
        for k in 0..self.rank {
            all *= if self.range.end == 0 { 0 } else { self.grid[k] };
            self.grid[k] = self.whole[k] / self.extent[k];
            count *= if self.range.end == 0 { 0 } else { self.grid[k] };
        }
        assert!(self.range == (0..all) || self.range.end == 0, "some tiles are taken");
        self.range = 0..count;
        FullTiles { tiles: self }
    }

    /// The tiles, if the tensor has all elements of each.
    pub fn exact(self) -> Result<FullTiles<S, L, T>, TensorError> {
        for k in 0..self.rank {
            let (tile, extent) = (self.extent[k] as i64, self.whole[k] as i64);
            if extent % tile != 0 {
                return Err(LayoutError::at_mode(Op::ZippedDivide, k, Cause::TileDoesNotDivide, tile, extent).into());
            }
        }
        Ok(self.full())
    }

    /// The tile at the grid coordinate `at`, which the tensor has all elements of.
    ///
    /// # Safety
    ///
    /// It does, and no one else has this tile of a [`Unique`].
    #[inline(always)]
    unsafe fn tile_from(&self, corner: &Slots) -> Tensor<S, L::Tile> {
        let (offset, layout) = self.tensor.layout().tile_at(&self.tile, corner);
        // SAFETY: the indices are some of the whole.
        unsafe { Tensor::from_parts(self.tensor.storage().moved(offset), layout) }
    }

    /// The first coordinate of the next tile, and whether all its elements are there.
    #[inline(always)]
    fn step(&mut self) -> Option<(Slots, Slots, bool)> {
        if self.range.is_empty() {
            return None;
        }
        self.range.start += 1;
        let (mut corner, mut extents, mut full) = ([0; MAX_LEAVES], [0; MAX_LEAVES], true);
        let mut carry = true;
        for k in 0..self.rank {
            corner[k] = self.at[k] * self.extent[k];
            extents[k] = self.extent[k].min(self.whole[k] - corner[k]);
            full &= extents[k] == self.extent[k];
            if carry {
                self.at[k] += 1;
                carry = self.at[k] == self.grid[k];
                if carry {
                    self.at[k] = 0;
                }
            }
        }
        Some((corner, extents, full))
    }

    /// [`Tiles::step`] of the last tile.
    fn step_back(&mut self) -> Option<(Slots, Slots, bool)> {
        if self.range.is_empty() {
            return None;
        }
        let (start, last, at) = (self.range.start, self.range.end - 1, self.at);
        self.at = self.coordinate(last);
        let step = self.step();
        (self.range, self.at) = (start..last, at);
        step
    }

    /// The tile of a step.
    #[inline(always)]
    fn tile_of(&self, (corner, extents, full): (Slots, Slots, bool)) -> Tile<S, L::Tile, T::Coord> {
        // SAFETY: each tile comes once.
        let tile = unsafe { self.tile_from(&corner) };
        if full {
            return Tile::Full(tile);
        }
        let layout = Clipped::new(tile.layout(), T::Coord::from_values(&extents, &mut 0));
        // SAFETY: the coordinates below `extents` are some of the tensor's.
        Tile::Partial(unsafe { Tensor::from_parts(tile.into_storage(), layout) })
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> Iterator for Tiles<S, L, T> {
    type Item = Tile<S, L::Tile, T::Coord>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step()?;
        Some(self.tile_of(step))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.range.len(), Some(self.range.len()))
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> DoubleEndedIterator for Tiles<S, L, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let step = self.step_back()?;
        Some(self.tile_of(step))
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> ExactSizeIterator for Tiles<S, L, T> {}

/// Tiles that the tensor has all elements of; see [`Tiles::full`] and [`Tiles::exact`].
pub struct FullTiles<S, L: Tileable<T>, T: IntTuple> {
    tiles: Tiles<S, L, T>,
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> FullTiles<S, L, T> {
    /// How many tiles there are of each mode that is cut: the extents of their grid.
    pub fn grid(&self) -> T::Coord {
        self.tiles.grid()
    }

    /// [`Tiles::split_at`].
    pub fn split_at(self, count: usize) -> (Self, Self) {
        let (left, right) = self.tiles.split_at(count);
        (FullTiles { tiles: left }, FullTiles { tiles: right })
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> Iterator for FullTiles<S, L, T> {
    type Item = Tensor<S, L::Tile>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (corner, _, _) = self.tiles.step()?;
        // SAFETY: the grid has full tiles only, and each comes once.
        Some(unsafe { self.tiles.tile_from(&corner) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.tiles.size_hint()
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> DoubleEndedIterator for FullTiles<S, L, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (corner, _, _) = self.tiles.step_back()?;
        // SAFETY: as of `next`.
        Some(unsafe { self.tiles.tile_from(&corner) })
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> ExactSizeIterator for FullTiles<S, L, T> {}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// The tiles of the shape `tiler`, which has an integer for each of the first modes; the last ones of a mode may be partial.
    ///
    /// Fails to compile where whether there are such tiles depends on run-time leaves, see [`Tensor::try_tiles`]. Panics if a tile is empty.
    #[inline(always)]
    #[track_caller]
    pub fn tiles<T: IntTuple>(&self, tiler: T) -> Tiles<S::Shared<'_>, L, T>
    where
        L: Tileable<T>,
    {
        const { assert!(<L as Tileable<T>>::UNCONDITIONAL, "tiles: run-time leaves decide whether there are such tiles: use `try_tiles`") };
        self.try_tiles(tiler).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`Tensor::tiles`] with the run-time leaves checked.
    ///
    /// Fails where a tile crosses a boundary inside a mode, or is empty.
    #[inline(always)]
    pub fn try_tiles<T: IntTuple>(&self, tiler: T) -> Result<Tiles<S::Shared<'_>, L, T>, TensorError>
    where
        L: Tileable<T>,
    {
        // SAFETY: it is read only.
        unsafe { Tiles::new(self.view(), &tiler) }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// [`Tensor::tiles`] to be written side by side: the layout is known to be injective, or said to be by [`Tensor::injective`].
    #[inline(always)]
    #[track_caller]
    pub fn tiles_mut<T: IntTuple>(&mut self, tiler: T) -> Tiles<Unique<'_, S::Item>, L, T>
    where
        L: Tileable<T>,
    {
        const {
            assert!(
                <L as Tileable<T>>::UNCONDITIONAL,
                "tiles_mut: run-time leaves decide whether there are such tiles: use `try_tiles_mut`"
            )
        };
        self.try_tiles_mut(tiler).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`Tensor::tiles_mut`] with the run-time leaves checked.
    #[inline(always)]
    pub fn try_tiles_mut<T: IntTuple>(&mut self, tiler: T) -> Result<Tiles<Unique<'_, S::Item>, L, T>, TensorError>
    where
        L: Tileable<T>,
    {
        const { require_injective::<L>() };
        // SAFETY: it is injective.
        unsafe { Tiles::new(self.view_mut(), &tiler) }
    }
}

/// Fails the build where a layout is not known to be injective.
pub(super) const fn require_injective<L: Layout>() {
    match L::INJECTIVE {
        Some(true) => {}
        Some(false) => panic!("two coordinates of the layout share an index: its parts overlap"),
        None => panic!("whether two coordinates share an index is known at run time only: ask once, by `tensor.injective()?`"),
    }
}
