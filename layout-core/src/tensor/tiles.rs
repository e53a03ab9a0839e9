//! Tensors cut into tiles: full tiles of static extents, and partial ones at the ends.
//!
//! With a tiler `t`, tile `g` has the coordinates `g_k t_k + c_k` with `c_k < t_k` in each mode of the tiler; the other
//! modes stay whole. The tiles of an injective layout share no element, so that they can be written at the same time.

use super::error::{TensorError, or_panic};
use super::storage::{Borrow, Storage, StorageMut, Unique};
use super::tensor::Tensor;
use super::tile::Tile;
use super::tileable::Tileable;
use super::window::Window;
use crate::types::{Coordinate, IntTuple, Layout, MAX_LEAVES, ONES, Slots, div_rem, integers, unroll};
use core::mem::MaybeUninit;
use core::ops::Range;

/// An iterator over the tiles of a tensor, the first mode fastest; see [`Tensor::tiles`].
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let data: Vec<i32> = (0..60).collect();
/// let t = Tensor::new(&data, make_layout((10, 6), (Int::<1>, 10)))?;
/// let tiles = t.tiles((Int::<4>, Int::<4>));
/// assert_eq!((tiles.grid(), tiles.len()), ((3, 2), 6));
/// let first: Vec<(i32, usize)> = tiles.map(|tile| (tile[(0, 0)], tile.size())).collect();
/// assert_eq!(first, [(0, 16), (4, 16), (8, 8), (40, 8), (44, 8), (48, 4)]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub struct Tiles<S, L: Tileable<T>, T: IntTuple> {
    // If the storage is a `Unique`, no one else has the elements of the tiles in `range`.
    pub(super) tensor: Tensor<S, L>,
    pub(super) tile: L::Tile,
    /// The extents of a tile.
    pub(super) tiler: T,
    /// The extents of the tensor.
    pub(super) whole: T::Coord,
    /// The number of tiles along each mode that is cut, including partial ones.
    pub(super) grid: T::Coord,
    /// The number of all tiles.
    pub(super) count: usize,
    /// The numbers, from 0, of the tiles that are left; the first mode of the grid is fastest.
    pub(super) range: Range<usize>,
    /// The grid coordinates of the ends of `range`.
    pub(super) at: T::Coord,
    pub(super) end: T::Coord,
}

/// Returns the integers of a coordinate.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn slots<C: Coordinate>(coordinate: &C) -> Slots {
    let mut slots = [0; MAX_LEAVES];
    coordinate.gather(&mut slots, 0);
    slots
}

/// Returns the coordinate with the integers `slots`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn packed<C: Coordinate>(slots: &Slots) -> C {
    C::from_values(slots, &mut 0)
}

/// Sets `grid[k]` to the number of tiles along mode `k`, and multiplies `count` by it, if `k` is below `rank`.
#[cfg_attr(not(unoptimized), inline(always))]
fn grid_of(rank: usize, whole: &Slots, extent: &Slots, grid: &mut Slots, count: &mut usize, k: usize) {
    if k < rank {
        let (full, rest) = div_rem(whole[k], extent[k]);
        grid[k] = full + (rest > 0) as usize;
        // This overflows only if another mode has no coordinate.
        *count = count.wrapping_mul(grid[k]);
    }
}

/// The grid coordinates of the first tile that is left and of the tile behind the last, and the extents of the grid.
struct Bounds {
    at: Slots,
    end: Slots,
    grid: Slots,
}

impl Bounds {
    /// Returns true if the range ends inside the last coordinate of mode `k`.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn is_cut(&self, k: usize) -> bool {
        k > 0 && self.end[0] > 0 || k > 1 && self.end[1] > 0 || k > 2 && self.end[2] > 0
    }
}

/// A tile by its first coordinate and its extents, and whether it is full.
pub(super) struct Region {
    pub(super) corner: Slots,
    extents: Slots,
    full: bool,
}

impl Region {
    const NEW: Region = Region { corner: [0; MAX_LEAVES], extents: [0; MAX_LEAVES], full: true };
}

/// Computes the extent and the first coordinate of the tile at grid coordinate `at` along mode `k`, if `k` is below `rank`.
#[cfg_attr(not(unoptimized), inline(always))]
fn region_of(rank: usize, whole: &Slots, extent: &Slots, at: &Slots, region: &mut Region, k: usize) {
    if k < rank {
        region.corner[k] = at[k].wrapping_mul(extent[k]);
        region.extents[k] = extent[k].min(whole[k].wrapping_sub(region.corner[k]));
        region.full &= region.extents[k] == extent[k];
    }
}

/// Steps the grid coordinate along mode `k` if the modes before it begin anew. The last mode ends behind the last tile instead.
#[cfg_attr(not(unoptimized), inline(always))]
fn advance(rank: usize, grid: &Slots, at: &mut Slots, carry: &mut bool, k: usize) {
    if k < rank && *carry {
        at[k] += 1;
        *carry = at[k] == grid[k] && k + 1 < rank;
        if *carry {
            at[k] = 0;
        }
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> Tiles<S, L, T> {
    /// The number of modes that are cut.
    pub(super) const RANK: usize = T::DESCRIPTOR.modes();

    /// Cuts the tensor into tiles of the extents `tiler`. Fails if a tile has no layout or no element.
    ///
    /// # Safety
    ///
    /// If the storage is a [`Unique`], the layout is injective.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) unsafe fn new(tensor: Tensor<S, L>, tiler: &T) -> Result<Self, TensorError> {
        let layout = tensor.layout();
        // SAFETY: `tile_of` clips the coordinates of a tile that the tensor lacks.
        let tile = unsafe { layout.tile(tiler)? };
        let (extent, whole) = (integers(tiler).1, layout.extents());
        let (mut grid, mut count) = (ONES, 1);
        unroll!(Self::RANK, grid_of(const { Self::RANK }, &whole, &extent, &mut grid, &mut count));
        // A tensor without coordinates has no tiles, whichever mode is empty.
        let empty = Self::RANK < layout.rank() && layout.size() == 0;
        let (count, end) = if empty { (0, [0; MAX_LEAVES]) } else { (count, Self::behind(&grid)) };
        let (whole, grid, at, end) = (packed(&whole), packed(&grid), packed(&[0; MAX_LEAVES]), packed(&end));
        Ok(Tiles { tensor, tile, tiler: *tiler, whole, grid, count, range: 0..count, at, end })
    }

    /// Returns the grid coordinate behind the last of all tiles.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) fn behind(grid: &Slots) -> Slots {
        let mut end = [0; MAX_LEAVES];
        let last = const { if Self::RANK == 0 { 0 } else { Self::RANK - 1 } };
        end[last] = grid[last];
        end
    }

    /// Returns the number of tiles along each mode that is cut: the extents of the grid of tiles.
    pub fn grid(&self) -> T::Coord {
        self.grid
    }

    /// Splits the remaining tiles into the first `count` and the others.
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
        let at = packed(&self.coordinate(middle));
        // SAFETY: the two have different tiles.
        let tensor = unsafe { self.tensor.alias() };
        let Tiles { tile, tiler, whole, grid, count: all, end, .. } = self;
        let right = Tiles { tensor, tile, tiler, whole, grid, count: all, range: middle..self.range.end, at, end };
        (Tiles { range: self.range.start..middle, end: at, ..self }, right)
    }

    /// Returns the grid coordinate of tile number `k`, from 0, or the coordinate behind the last tile if there is no such tile.
    fn coordinate(&self, k: usize) -> Slots {
        let (grid, mut at, mut rest) = (slots(&self.grid), [0; MAX_LEAVES], k);
        for (mode, slot) in at.iter_mut().enumerate().take(Self::RANK) {
            (rest, *slot) = div_rem(rest, grid[mode]);
        }
        if rest > 0 { Self::behind(&grid) } else { at }
    }

    /// Returns the tile from the coordinate `corner` on.
    ///
    /// # Safety
    ///
    /// Tiles may begin at `corner`. The tensor has all elements of the tile, or nobody uses those that it lacks. If `S` is a
    /// [`Unique`], no one else has this tile.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) unsafe fn tile_from(&self, corner: &Slots) -> Tensor<S, L::Tile> {
        // SAFETY: the caller keeps coordinates that the tensor lacks from the tile.
        let (offset, layout) = unsafe { self.tensor.layout().tile_at(&self.tile, corner) };
        // SAFETY: the indices are indices of the tensor.
        unsafe { Tensor::from_parts(self.tensor.storage().moved(offset), layout) }
    }

    /// Returns the region of the tile at the grid coordinate `at`.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn region(&self, at: &Slots) -> Region {
        let (whole, extent, mut region) = (slots(&self.whole), integers(&self.tiler).1, Region::NEW);
        unroll!(Self::RANK, region_of(const { Self::RANK }, &whole, &extent, at, &mut region));
        region
    }

    /// Returns the region of the next tile, or `None` if no tile is left.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) fn step(&mut self) -> Option<Region> {
        if self.range.is_empty() {
            return None;
        }
        self.range.start += 1;
        let (grid, mut at, mut carry) = (slots(&self.grid), slots(&self.at), true);
        let region = self.region(&at);
        unroll!(Self::RANK, advance(const { Self::RANK }, &grid, &mut at, &mut carry));
        self.at = packed(&at);
        Some(region)
    }

    /// Returns the region of the last tile that is left, or `None` if there is none.
    pub(super) fn step_back(&mut self) -> Option<Region> {
        if self.range.is_empty() {
            return None;
        }
        self.range.end -= 1;
        let end = self.coordinate(self.range.end);
        self.end = packed(&end);
        Some(self.region(&end))
    }

    /// Returns the tile of a region, full or partial.
    ///
    /// # Safety
    ///
    /// If the storage is a [`Unique`], no one else has this tile.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) unsafe fn tile_of(&self, region: &Region) -> Tile<S, L::Tile, T::Coord> {
        // SAFETY: the caller promises this. The code below clips the coordinates that the tensor lacks.
        let tile = unsafe { self.tile_from(&region.corner) };
        if region.full {
            return Tile::Full(tile);
        }
        let layout = Window::clipped(tile.layout(), packed(&region.extents));
        // SAFETY: the coordinates below `extents` are coordinates of the tensor.
        Tile::Partial(unsafe { Tensor::from_parts(tile.into_storage(), layout) })
    }

    /// Returns the range of grid coordinate `k` that is left. `begins` and `ends`: all outer coordinates are the first, or the last.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn span(&self, bounds: &Bounds, k: usize, begins: bool, ends: bool) -> Range<usize> {
        if const { Self::RANK == 0 } {
            return 0..self.range.len();
        }
        let Bounds { at, end, grid } = bounds;
        (if begins { at[k] } else { 0 })..(if ends { end[k] + bounds.is_cut(k) as usize } else { grid[k] })
    }

    /// Folds every region that is left, by loops over the grid: calls `f` with its last result, at first `init`. Returns the last result.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) fn fold_regions<A>(mut self, init: A, mut f: impl FnMut(A, &Self, &Region) -> A) -> A {
        if const { Self::RANK > 4 } {
            let mut state = init;
            while let Some(region) = self.step() {
                state = f(state, &self, &region);
            }
            return state;
        }
        let bounds = Bounds { at: slots(&self.at), end: slots(&self.end), grid: slots(&self.grid) };
        // Return early if there is no tile: the outer loops would still step.
        if cfg!(rows) && const { Self::RANK > 0 } && bounds.grid[0] == 0 {
            return init;
        }
        let mut state = MaybeUninit::new(init);
        self.along_3(&bounds, [0; MAX_LEAVES], true, true, &mut |at: &Slots| {
            let region = self.region(at);
            // SAFETY: the state is read once and written again. If `f` panics, nobody reads it.
            unsafe { state.write(f(state.assume_init_read(), &self, &region)) };
        });
        // SAFETY: the last write was in the line above, or nobody has read the state.
        unsafe { state.assume_init() }
    }
}

/// Calls `f` with every grid coordinate that is left. A function for each loop, as opt-level `z` inlines no closure that is called twice.
macro_rules! nest {
    ($($name:ident $k:literal $inner:expr;)*) => {
        impl<S: Borrow, L: Tileable<T>, T: IntTuple> Tiles<S, L, T> { $(
            #[cfg_attr(not(unoptimized), inline(always))]
            fn $name<F: FnMut(&Slots)>(&self, bounds: &Bounds, mut at: Slots, begins: bool, ends: bool, f: &mut F) {
                let inner = $inner;
                if const { Self::RANK <= $k && $k > 0 } {
                    return inner(self, bounds, at, begins, ends, f);
                }
                for i in self.span(bounds, $k, begins, ends) {
                    at[$k] = i;
                    inner(self, bounds, at, begins && i == bounds.at[$k], ends && bounds.is_cut($k) && i == bounds.end[$k], f);
                }
            }
        )* }
    };
}

nest! {
    along_3 3 Self::along_2;
    along_2 2 Self::along_1;
    along_1 1 Self::along_0;
    along_0 0 |_: &Self, _: &Bounds, at: Slots, _: bool, _: bool, f: &mut F| f(&at);
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> Iterator for Tiles<S, L, T> {
    type Item = Tile<S, L::Tile, T::Coord>;

    #[cfg_attr(not(unoptimized), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        let region = self.step()?;
        // SAFETY: each tile comes once.
        Some(unsafe { self.tile_of(&region) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.range.len(), Some(self.range.len()))
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, init: A, mut f: F) -> A {
        // SAFETY: each tile comes once.
        self.fold_regions(init, |state, tiles, region| f(state, unsafe { tiles.tile_of(region) }))
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> DoubleEndedIterator for Tiles<S, L, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let region = self.step_back()?;
        // SAFETY: each tile comes once.
        Some(unsafe { self.tile_of(&region) })
    }
}

impl<S: Borrow, L: Tileable<T>, T: IntTuple> ExactSizeIterator for Tiles<S, L, T> {}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Cuts the tensor into tiles of the shape `tiler`, with an integer for each of the first modes. The last tiles may be partial.
    ///
    /// Does not compile unless the types prove that tiles cross no boundary in a mode, see [`Tensor::try_tiles`]; panics for empty tiles.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::Tile;
    /// let data: Vec<i32> = (0..10).collect();
    /// let t = Tensor::new(&data, make_layout((10,), (Int::<1>,)))?;
    /// let kinds: Vec<&str> = t.tiles((Int::<4>,)).map(|tile| if let Tile::Full(_) = tile { "full" } else { "partial" }).collect();
    /// assert_eq!(kinds, ["full", "full", "partial"]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn tiles<T: IntTuple>(&self, tiler: T) -> Tiles<S::Shared<'_>, L, T>
    where
        L: Tileable<T>,
    {
        const {
            assert!(
                <L as Tileable<T>>::UNCONDITIONAL,
                "tiles: that no tile crosses a boundary inside a mode is not known here: use `try_tiles`"
            )
        };
        or_panic(self.try_tiles(tiler))
    }

    /// Cuts the tensor as [`Tensor::tiles`] does, with the run-time leaves checked.
    ///
    /// Fails if a tile crosses a boundary inside a mode, or if an integer of `tiler` is 0.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (inner, data): (usize, Vec<i32>) = (2, (0..12).collect());
    /// // Mode 0 has pairs of rows. Only the program knows that a tile of 4 has whole pairs, and a tile of 3 has not.
    /// let t = Tensor::new(&data, make_layout(((inner, 2), 3), ((1, 6), 2)))?;
    /// assert_eq!(t.try_tiles((Int::<4>, Int::<3>))?.len(), 1);
    /// assert!(t.try_tiles((Int::<3>, Int::<3>)).is_err());
    /// assert!(t.try_tiles((0, 3)).is_err());
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn try_tiles<T: IntTuple>(&self, tiler: T) -> Result<Tiles<S::Shared<'_>, L, T>, TensorError>
    where
        L: Tileable<T>,
    {
        // SAFETY: the tiles are read only.
        unsafe { Tiles::new(self.view(), &tiler) }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Cuts the tensor into tiles that can be written at the same time, see [`Tensor::tiles`]. The layout type must be
    /// injective, or [`Tensor::injective`] must have proven it.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [0; 12];
    /// let mut t = Tensor::new(&mut data, make_layout((Int::<2>, Int::<6>), (Int::<6>, Int::<1>)))?;
    /// let mut tiles: Vec<_> = t.tiles_mut((Int::<2>, Int::<4>)).collect();
    /// tiles[1].fill(1);
    /// tiles[0].fill(2); // the first tile is still there
    /// assert_eq!(data, [2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 1, 1]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn tiles_mut<T: IntTuple>(&mut self, tiler: T) -> Tiles<Unique<'_, S::Item>, L, T>
    where
        L: Tileable<T>,
    {
        // `try_tiles_mut` is not called, so that the error message has the line that calls this function.
        const { require_injective::<L>() };
        const {
            assert!(
                <L as Tileable<T>>::UNCONDITIONAL,
                "tiles_mut: that no tile crosses a boundary inside a mode is not known here: use `try_tiles_mut`"
            )
        };
        // SAFETY: the layout is injective.
        or_panic(unsafe { Tiles::new(self.view_mut(), &tiler) })
    }

    /// Cuts the tensor as [`Tensor::tiles_mut`] does, with the run-time leaves checked. Fails as `try_tiles` does.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (inner, mut data) = (2, [0; 8]);
    /// let mut t = Tensor::new(&mut data, make_layout(((inner, 4),), ((1, inner),)))?.injective()?;
    /// t.try_tiles_mut((Int::<4>,))?.enumerate().for_each(|(k, mut tile)| tile.fill(k));
    /// assert!(t.try_tiles_mut((Int::<3>,)).is_err());
    /// assert_eq!(data, [0, 0, 0, 0, 1, 1, 1, 1]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn try_tiles_mut<T: IntTuple>(&mut self, tiler: T) -> Result<Tiles<Unique<'_, S::Item>, L, T>, TensorError>
    where
        L: Tileable<T>,
    {
        const { require_injective::<L>() };
        // SAFETY: the layout is injective.
        unsafe { Tiles::new(self.view_mut(), &tiler) }
    }
}

/// Fails the build if a layout type is not known to be injective.
pub(super) const fn require_injective<L: Layout>() {
    match L::INJECTIVE {
        Some(true) => {}
        Some(false) => panic!("two coordinates of the layout share an index: its parts overlap"),
        None => panic!("whether two coordinates share an index is known at run time only: ask once, by `tensor.injective()?`"),
    }
}
