//! Policies for the last tiles: none, all or an error, and shifted inward.

use super::error::TensorError;
use super::storage::{Borrow, Shared, Unique};
use super::tensor::{Tensor, View, ViewMut};
use super::tileable::Tileable;
use super::tiles::{Region, Tiles, packed, slots};
use crate::types::{IntTuple, MAX_LEAVES, Slots, div_rem, integers, unroll};
use layout_algebra::error::{Cause, LayoutError, Op};

/// The first coordinate of a tile along one mode of `rank`, at most where the last whole one begins.
#[cfg_attr(not(unoptimized), inline(always))]
fn inward_of(rank: usize, whole: &Slots, extent: &Slots, corner: &mut Slots, k: usize) {
    if k < rank {
        corner[k] = corner[k].min(whole[k].wrapping_sub(extent[k]));
    }
}

/// Whether one mode of `rank` is shorter than a tile, and what the first one gets.
#[cfg_attr(not(unoptimized), inline(always))]
fn short_of(rank: usize, whole: &Slots, extent: &Slots, short: &mut bool, error: &mut TensorError, k: usize) {
    if k < rank {
        let is_short = whole[k] < extent[k];
        if is_short && !*short {
            *error = TensorError::Window { mode: k, first: 0, count: extent[k], extent: whole[k] };
        }
        *short |= is_short;
    }
}

/// The grid of full tiles along one mode of `rank`.
#[cfg_attr(not(unoptimized), inline(always))]
fn full_grid_of(rank: usize, whole: &Slots, extent: &Slots, grid: &mut Slots, count: &mut usize, k: usize) {
    if k < rank {
        grid[k] = div_rem(whole[k], extent[k]).0;
        *count = count.wrapping_mul(grid[k]);
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> Tiles<S, L, T> {
    /// The tiles that the tensor has all elements of.
    ///
    /// Panics if some tiles were taken before.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn full(mut self) -> FullTiles<S, L, T> {
        self.require_all();
        let mut count = 1;
        let (whole, extent, mut grid) = (slots(&self.whole), integers(&self.tiler).1, [0; MAX_LEAVES]);
        unroll!(Self::RANK, full_grid_of(const { Self::RANK }, &whole, &extent, &mut grid, &mut count));
        let mut end = Self::behind(&grid);
        // A tensor without coordinates has no tiles, whichever mode is empty.
        let empty = Self::RANK < self.tensor.layout().rank() && self.count == 0;
        if self.range.end != self.count || empty {
            (end, count) = ([0; MAX_LEAVES], 0);
        }
        (self.grid, self.end) = (packed(&grid), packed(&end));
        (self.count, self.range) = (count, 0..count);
        FullTiles { tiles: self }
    }

    /// Panics if some tiles were taken before, as their holder has the elements; the exception is a tensor whose tiles were all taken from the end.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    fn require_all(&self) {
        assert!(self.range.start == 0 && (self.range.end == self.count || self.range.end == 0), "some tiles are taken");
    }

    /// The tiles, if the tensor has all elements of each.
    pub fn exact(self) -> Result<FullTiles<S, L, T>, TensorError> {
        let (extent, whole) = (integers(&self.tiler).1, slots(&self.whole));
        for k in 0..Self::RANK {
            let (tile, extent) = (extent[k] as i64, whole[k] as i64);
            if extent % tile != 0 {
                return Err(LayoutError::at_mode(Op::ZippedDivide, k, Cause::TileDoesNotDivide, tile, extent).into());
            }
        }
        Ok(self.full())
    }

    /// Fails where a mode is shorter than a tile, or a tile cannot begin but at a multiple of its extents: in a nested mode.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn fits_inward(&self) -> Result<(), TensorError> {
        // Nothing yet.
        let (mut short, mut error) = (false, TensorError::Window { mode: 0, first: 0, count: 0, extent: 0 });
        unroll!(Self::RANK, short_of(const { Self::RANK }, &slots(&self.whole), &integers(&self.tiler).1, &mut short, &mut error));
        if short {
            return Err(error);
        }
        if self.tensor.layout().begins_anywhere() {
            Ok(())
        } else {
            Err(LayoutError::plain(Op::ZippedDivide, Cause::Undecided, 0, 0).into())
        }
    }

    /// The first coordinate of the tile of a region, moved inward where it is partial.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn inward(&self, region: &Region) -> Slots {
        let (whole, extent, mut corner) = (slots(&self.whole), integers(&self.tiler).1, region.corner);
        unroll!(Self::RANK, inward_of(const { Self::RANK }, &whole, &extent, &mut corner));
        corner
    }
}

impl<'a, X, L: Tileable<T>, T: IntTuple> Tiles<Shared<'a, X>, L, T> {
    /// The tiles, all full: the last of a mode ends where the tensor does, and has elements of the one before.
    ///
    /// Fails where a mode is shorter than a tile, and where the tiler names a nested mode.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<i32> = (0..10).collect();
    /// let t = Tensor::new(&data, make_layout((10,), (Int::<1>,)))?;
    /// let first: Vec<i32> = t.tiles((Int::<4>,)).shifted()?.map(|tile| tile[(0,)]).collect();
    /// assert_eq!(first, [0, 4, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn shifted(self) -> Result<ShiftedTiles<'a, X, L, T>, TensorError> {
        self.fits_inward()?;
        Ok(ShiftedTiles { tiles: self })
    }
}

impl<X, L: Tileable<T>, T: IntTuple> Tiles<Unique<'_, X>, L, T> {
    /// `f` of every tile, one after the other, all full: the last of a mode ends where the tensor does, and has elements of the one before.
    ///
    /// Fails as [`Tiles::shifted`] does. Panics if some tiles were taken before: the last tiles would share elements with them.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [0; 10];
    /// let mut t = Tensor::new(&mut data, make_layout((Int::<10>,), (Int::<1>,)))?;
    /// t.tiles_mut((Int::<4>,)).for_each_shifted(|mut tile| tile.for_each_mut(|x| *x += 1))?;
    /// assert_eq!(data, [1, 1, 1, 1, 1, 1, 2, 2, 1, 1]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn for_each_shifted(self, mut f: impl FnMut(ViewMut<'_, X, L::Tile>)) -> Result<(), TensorError> {
        self.require_all();
        self.fits_inward()?;
        // SAFETY: the tile lies inside and begins where a tile may. No one else has a tile, as `require_all` has checked, and the borrow of this one ends with
        // the call.
        self.fold_regions((), |(), tiles, region| f(unsafe { tiles.tile_from(&tiles.inward(region)) }));
        Ok(())
    }
}

/// Full tiles, of which the last overlap; see [`Tiles::shifted`].
pub struct ShiftedTiles<'a, X, L: Tileable<T>, T: IntTuple> {
    tiles: Tiles<Shared<'a, X>, L, T>,
}

impl<'a, X, L: Tileable<T>, T: IntTuple> Iterator for ShiftedTiles<'a, X, L, T> {
    type Item = View<'a, X, L::Tile>;

    #[cfg_attr(not(unoptimized), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        let region = self.tiles.step()?;
        // SAFETY: the tile lies inside and begins where a tile may.
        Some(unsafe { self.tiles.tile_from(&self.tiles.inward(&region)) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.tiles.size_hint()
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, init: A, mut f: F) -> A {
        // SAFETY: as of `next`.
        self.tiles.fold_regions(init, |state, tiles, region| f(state, unsafe { tiles.tile_from(&tiles.inward(region)) }))
    }
}

impl<X, L: Tileable<T>, T: IntTuple> ExactSizeIterator for ShiftedTiles<'_, X, L, T> {}

/// Tiles that the tensor has all elements of; see [`Tiles::full`] and [`Tiles::exact`].
pub struct FullTiles<S, L: Tileable<T>, T: IntTuple> {
    pub(super) tiles: Tiles<S, L, T>,
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

    #[cfg_attr(not(unoptimized), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        let region = self.tiles.step()?;
        // SAFETY: the grid has full tiles only, and each comes once.
        Some(unsafe { self.tiles.tile_from(&region.corner) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.tiles.size_hint()
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, init: A, mut f: F) -> A {
        // SAFETY: the grid has full tiles only, and each comes once.
        self.tiles.fold_regions(init, |state, tiles, region| f(state, unsafe { tiles.tile_from(&region.corner) }))
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> DoubleEndedIterator for FullTiles<S, L, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let region = self.tiles.step_back()?;
        // SAFETY: as of `next`.
        Some(unsafe { self.tiles.tile_from(&region.corner) })
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> ExactSizeIterator for FullTiles<S, L, T> {}
