//! Policies for the last tiles: keep only full tiles, require that all are full, or shift the last ones inward.

use super::error::TensorError;
use super::storage::{Borrow, Shared, Unique};
use super::tensor::{Tensor, View, ViewMut};
use super::tileable::Tileable;
use super::tiles::{Region, Tiles, packed, slots};
use crate::types::{IntTuple, MAX_LEAVES, Slots, div_rem, integers, unroll};
use layout_algebra::error::{Cause, LayoutError, Op};

/// Limits `corner[k]`, the first coordinate of a tile along mode `k`, so that the tile ends inside, if `k` is below `rank`.
#[cfg_attr(not(unoptimized), inline(always))]
fn inward_of(rank: usize, whole: &Slots, extent: &Slots, corner: &mut Slots, k: usize) {
    if k < rank {
        corner[k] = corner[k].min(whole[k].wrapping_sub(extent[k]));
    }
}

/// Sets `short` if mode `k` is shorter than a tile, and `error` if it is the first such mode. Does nothing unless `k` is below `rank`.
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

/// Sets `grid[k]` to the number of full tiles along mode `k`, and multiplies `count` by it, if `k` is below `rank`.
#[cfg_attr(not(unoptimized), inline(always))]
fn full_grid_of(rank: usize, whole: &Slots, extent: &Slots, grid: &mut Slots, count: &mut usize, k: usize) {
    if k < rank {
        grid[k] = div_rem(whole[k], extent[k]).0;
        *count = count.wrapping_mul(grid[k]);
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> Tiles<S, L, T> {
    /// Returns only the tiles whose elements are all in the tensor.
    ///
    /// Panics if the iterator no longer has all tiles, unless it has returned all of them from the end.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<i32> = (0..10).collect();
    /// let t = Tensor::new(&data, make_layout((10,), (Int::<1>,)))?;
    /// let sums: Vec<i32> = t.tiles((Int::<4>,)).full().map(|tile| tile.iter().sum()).collect();
    /// assert_eq!(sums, [6, 22]); // 8 and 9 are in no full tile
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
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

    /// Panics if the iterator no longer has all tiles, because others then hold elements, unless all tiles were returned from the end.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    fn require_all(&self) {
        assert!(self.range.start == 0 && (self.range.end == self.count || self.range.end == 0), "some tiles are taken");
    }

    /// Returns all tiles, which must be full. Fails if the tile does not divide the extent of a mode. Panics as [`Tiles::full`] does.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<i32> = (0..10).collect();
    /// let t = Tensor::new(&data, make_layout((10,), (Int::<1>,)))?;
    /// let sums: Vec<i32> = t.tiles((Int::<5>,)).exact()?.map(|tile| tile.iter().sum()).collect();
    /// assert_eq!(sums, [10, 35]);
    /// let error = t.tiles((Int::<4>,)).exact().err().expect("4 does not divide 10");
    /// assert_eq!(error.to_string(), "zipped_divide: tile 4 does not divide the extent 10 of mode 0");
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
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

    /// Checks that partial tiles can move inward. Fails if a mode is shorter than a tile, or if a tile can begin only at a multiple of
    /// its extents: in a nested mode, and with XOR strides.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn fits_inward(&self) -> Result<(), TensorError> {
        // The initial error is never returned.
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

    /// Returns the first coordinate of the tile of a region, moved inward if the tile is partial.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn inward(&self, region: &Region) -> Slots {
        let (whole, extent, mut corner) = (slots(&self.whole), integers(&self.tiler).1, region.corner);
        unroll!(Self::RANK, inward_of(const { Self::RANK }, &whole, &extent, &mut corner));
        corner
    }
}

impl<'a, X, L: Tileable<T>, T: IntTuple> Tiles<Shared<'a, X>, L, T> {
    /// Returns the tiles, all of them full. The last tile of a mode ends where the tensor does, and may overlap the tile before it.
    ///
    /// Fails if a mode is shorter than a tile, if the tiler names a nested mode, and for XOR strides.
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
    /// Calls `f` with every tile, one by one, all full. The last tile of a mode ends where the tensor does, and may overlap others.
    ///
    /// Fails as [`Tiles::shifted`] does. Panics as `full` does: the last tiles would share elements with tiles returned before.
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
        // SAFETY: the tile lies inside and begins where a tile may. No one else has a tile, as `require_all` has checked,
        // and the borrow of this one ends with the call.
        self.fold_regions((), |(), tiles, region| f(unsafe { tiles.tile_from(&tiles.inward(region)) }));
        Ok(())
    }
}

/// An iterator over full tiles, the last of which overlap others; see [`Tiles::shifted`].
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// use layout_core::tensor::ShiftedTiles;
/// let data = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
/// let t = Tensor::new(&data, make_layout((10,), (Int::<1>,)))?;
/// let tiles: ShiftedTiles<i32, _, _> = t.tiles((Int::<4>,)).shifted()?;
/// assert_eq!(tiles.len(), 3);
/// let greatest: Vec<_> = tiles.map(|tile| *tile.iter().max().expect("a tile has elements")).collect();
/// assert_eq!(greatest, [4, 9, 6]); // of the elements 0 to 3, 4 to 7, and 6 to 9
/// # Ok::<(), layout_core::TensorError>(())
/// ```
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
        // SAFETY: as for `next`.
        self.tiles.fold_regions(init, |state, tiles, region| f(state, unsafe { tiles.tile_from(&tiles.inward(region)) }))
    }
}

impl<X, L: Tileable<T>, T: IntTuple> ExactSizeIterator for ShiftedTiles<'_, X, L, T> {}

/// An iterator over the tiles whose elements are all in the tensor; see [`Tiles::full`] and [`Tiles::exact`].
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let mut data = [0; 35];
/// let mut t = Tensor::new(&mut data, make_layout((Int::<5>, Int::<7>), (Int::<7>, Int::<1>)))?;
/// let tiles = t.tiles_mut((Int::<2>, Int::<3>)).full();
/// assert_eq!((tiles.grid(), tiles.len()), ((2, 2), 4));
/// // Each tile is a tensor whose extents are constants.
/// let (mut left, right) = tiles.split_at(2);
/// assert_eq!(left.next().map(|tile| (tile.size(), size_of_val(&tile.layout()))), Some((6, 0)));
/// right.for_each(|mut tile| tile.fill(1));
/// assert_eq!((t[(0, 3)], t[(3, 5)], t[(4, 5)]), (1, 1, 0));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub struct FullTiles<S, L: Tileable<T>, T: IntTuple> {
    pub(super) tiles: Tiles<S, L, T>,
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> FullTiles<S, L, T> {
    /// Returns the number of tiles along each mode that is cut: the extents of the grid of tiles.
    pub fn grid(&self) -> T::Coord {
        self.tiles.grid()
    }

    /// Splits the remaining tiles into the first `count` and the others. Panics if there are fewer, see [`Tiles::split_at`].
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
        // SAFETY: as for `next`.
        Some(unsafe { self.tiles.tile_from(&region.corner) })
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> ExactSizeIterator for FullTiles<S, L, T> {}
