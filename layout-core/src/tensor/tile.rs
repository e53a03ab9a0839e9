//! One tile, full or partial. `tiles` iterates over tiles, and `tileable` makes their layouts.

use super::companions::CompanionTensors;
use super::storage::{Storage, StorageMut, Unique};
use super::tensor::Tensor;
use super::window::Window;
use crate::types::{Coordinate, IntTuple, Layout};
use core::ops::{Index, IndexMut};

/// A tile with all its elements, or with only those elements that the tensor has.
///
/// A kernel is one generic function over [`Layout`]. The `match` calls it twice, once with the constant extents of the full tile.
///
/// ```
/// use layout_core::{Int, Layout, Tensor, View, make_layout};
/// use layout_core::tensor::Tile;
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
pub enum Tile<S, L, E: Coordinate> {
    /// Every coordinate of the tile is a coordinate of the tensor.
    Full(Tensor<S, L>),
    /// Only the coordinates below the extents of the window are coordinates of the tensor.
    Partial(Tensor<S, Window<L, E, ()>>),
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
    /// Returns the number of coordinates that have an element.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn size(&self) -> usize {
        either!(self, tile => tile.size())
    }

    /// Returns the element at `c`, or `None` if the tile has none there.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn get<C: IntTuple>(&self, c: C) -> Option<&S::Item> {
        either!(self, tile => tile.get(c))
    }

    /// Returns the extents of the tile, see [`Tensor::shape`].
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn shape<C: Coordinate>(&self) -> C {
        either!(self, tile => tile.shape())
    }

    /// Returns true if the tile has an element at `c`.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn contains<C: IntTuple>(&self, c: C) -> bool {
        either!(self, tile => tile.contains(c))
    }

    /// Returns a tile that borrows the elements of this one.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn view(&self) -> Tile<S::Shared<'_>, L, E> {
        match self {
            Tile::Full(tile) => Tile::Full(tile.view()),
            Tile::Partial(tile) => Tile::Partial(tile.view()),
        }
    }

    /// Calls `f` with every coordinate and its element, see [`Tensor::for_each_at`].
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_at<C: Coordinate>(&self, f: impl FnMut(C, &S::Item)) {
        either!(self, tile => tile.for_each_at(f))
    }

    /// Calls `f` as [`Tensor::for_each_indexed`] does.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_indexed<const RANK: usize>(&self, f: impl FnMut([usize; RANK], &S::Item)) {
        either!(self, tile => tile.for_each_indexed(f))
    }

    /// Calls `f` with every element and the elements of other tensors at the same coordinate, see [`Tensor::zip`].
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip<O: CompanionTensors>(&self, others: O, f: impl FnMut(&S::Item, O::Items)) {
        either!(self, tile => tile.zip(others, f))
    }

    /// Calls `f` with every element, in the order of memory, see [`Tensor::for_each`].
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(&self, f: impl FnMut(&S::Item)) {
        either!(self, tile => tile.for_each(f))
    }

    /// Returns the tile, full or partial, as a tensor with run-time extents.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn into_window(self) -> Tensor<S, Window<L, E, ()>> {
        match self {
            Tile::Full(tile) => {
                let layout = Window::clipped(tile.layout(), E::from_values(&tile.layout().extents(), &mut 0));
                // SAFETY: the layout has the same indices.
                unsafe { Tensor::from_parts(tile.into_storage(), layout) }
            }
            Tile::Partial(tile) => tile,
        }
    }
}

impl<S: StorageMut, L: Layout, E: Coordinate> Tile<S, L, E> {
    /// Returns the element at `c`, mutably, or `None` if the tile has none there.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn get_mut<C: IntTuple>(&mut self, c: C) -> Option<&mut S::Item> {
        either!(self, tile => tile.get_mut(c))
    }

    /// Calls `f` with every element, mutably, in the order of memory, see [`Tensor::for_each_mut`].
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_mut(&mut self, f: impl FnMut(&mut S::Item)) {
        either!(self, tile => tile.for_each_mut(f))
    }

    /// Returns a tile that borrows the elements of this one mutably.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn view_mut(&mut self) -> Tile<Unique<'_, S::Item>, L, E> {
        match self {
            Tile::Full(tile) => Tile::Full(tile.view_mut()),
            Tile::Partial(tile) => Tile::Partial(tile.view_mut()),
        }
    }

    /// Calls `f` with every coordinate and its element, see [`Tensor::for_each_at_mut`].
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_at_mut<C: Coordinate>(&mut self, f: impl FnMut(C, &mut S::Item)) {
        either!(self, tile => tile.for_each_at_mut(f))
    }

    /// Calls `f` as [`Tensor::for_each_indexed_mut`] does.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [0; 15];
    /// let mut t = Tensor::new(&mut data, make_layout((3, 5), (5, Int::<1>)))?.injective()?;
    /// for mut tile in t.tiles_mut((Int::<2>, Int::<2>)) {
    ///     tile.for_each_indexed_mut(|[i, j], x| *x = 10 * i + j);
    /// }
    /// assert_eq!(data, [0, 1, 0, 1, 0, 10, 11, 10, 11, 10, 0, 1, 0, 1, 0]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_indexed_mut<const RANK: usize>(&mut self, f: impl FnMut([usize; RANK], &mut S::Item)) {
        either!(self, tile => tile.for_each_indexed_mut(f))
    }

    /// Calls `f` with every element and the elements of other tensors at the same coordinate, see [`Tensor::zip_mut`].
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip_mut<O: CompanionTensors>(&mut self, others: O, f: impl FnMut(&mut S::Item, O::Items)) {
        either!(self, tile => tile.zip_mut(others, f))
    }

    /// Sets every element to the element of `other` at the same coordinate, see [`Tensor::assign`].
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn assign<R: Storage<Item = S::Item>, M: Layout>(&mut self, other: &Tensor<R, M>)
    where
        S::Item: Clone,
    {
        either!(self, tile => tile.assign(other))
    }

    /// Sets every element to `value`.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn fill(&mut self, value: S::Item)
    where
        S::Item: Clone,
    {
        either!(self, tile => tile.fill(value))
    }
}

/// Returns the element at `c`. Panics if the tile has no element there.
impl<C: IntTuple, S: Storage, L: Layout, E: Coordinate> Index<C> for Tile<S, L, E> {
    type Output = S::Item;
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    fn index(&self, c: C) -> &S::Item {
        either!(self, tile => &tile[c])
    }
}

impl<C: IntTuple, S: StorageMut, L: Layout, E: Coordinate> IndexMut<C> for Tile<S, L, E> {
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    fn index_mut(&mut self, c: C) -> &mut S::Item {
        either!(self, tile => &mut tile[c])
    }
}
