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

/// Methods that full and partial tiles have, so that code without a fast path for full tiles needs no `match`.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let data: Vec<i32> = (0..12).collect();
/// let t = Tensor::new(&data, make_layout((3, 4), (4, Int::<1>)))?;
/// // Tiles of 2 by 3. The second one has the row 2 only: 8, 9 and 10.
/// let tile = t.tiles((Int::<2>, Int::<3>)).nth(1).expect("there are four tiles");
/// assert_eq!((tile.size(), tile.shape::<(usize, usize)>()), (3, (1, 3)));
/// assert_eq!((tile[(0, 1)], tile.get((1, 1)), tile.contains((1, 1))), (9, None, false));
/// let (mut sum, mut product) = (0, 0);
/// tile.for_each(|x| sum += x);
/// tile.zip(&t.window((0, 0), (1, 3))?, |x, y| product += x * y);
/// assert_eq!((sum, product), (8 + 9 + 10, 8 * 0 + 9 * 1 + 10 * 2));
/// tile.for_each_at(|(i, j): (usize, usize), x| assert_eq!(*x, t[(2 + i, j)]));
/// tile.for_each_indexed(|[i, j], x| assert_eq!(*x, t[(2 + i, j)]));
/// // A tensor of one type, full or partial.
/// let window = tile.view().into_window();
/// assert!(window.iter().eq(&[8, 9, 10]));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
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

/// Methods of tiles that write.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let (data, mut out) = ([1, 2, 3, 4, 5, 6], [0; 6]);
/// let rows = make_layout((Int::<2>, Int::<3>), (Int::<3>, Int::<1>));
/// let (from, mut to) = (Tensor::new(&data, rows)?, Tensor::new(&mut out, rows)?);
/// // A full tile of 2 by 2, and a partial one of 2 by 1.
/// for ((i, j), mut tile) in to.tiles_mut((Int::<2>, Int::<2>)).indexed() {
///     let same = from.window((i, j), tile.shape::<(usize, usize)>())?;
///     tile.fill(100);
///     tile.zip_mut(&same, |x, y| *x += y);
///     tile.for_each_mut(|x| *x *= 2);
///     tile.for_each_at_mut(|(i, _): (usize, usize), x| *x += i as i32);
///     if let Some(x) = tile.get_mut((1, 1)) {
///         *x = 0;
///     }
/// }
/// assert_eq!(out, [202, 204, 206, 209, 0, 213]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
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
    ///
    /// ```
    /// use layout_core::{Int, Layout, Tensor, make_layout};
    /// use layout_core::tensor::{Tile, Unique};
    /// /// Clears a tile: one function for all its elements, which takes the tile by value.
    /// fn clear<L: Layout>(tile: Tile<Unique<'_, i32>, L, (usize,)>) {
    ///     tile.into_window().fill(0);
    /// }
    /// let mut data = [1; 5];
    /// let mut t = Tensor::new(&mut data, make_layout((Int::<5>,), (Int::<1>,)))?;
    /// for mut tile in t.tiles_mut((Int::<2>,)) {
    ///     clear(tile.view_mut());
    ///     tile[(0,)] = 7;
    /// }
    /// assert_eq!(data, [7, 0, 7, 0, 7]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
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
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (data, mut out) = ([1, 2, 3, 4, 5], [0; 5]);
    /// let line = make_layout((Int::<5>,), (Int::<1>,));
    /// let (from, mut to) = (Tensor::new(&data, line)?, Tensor::new(&mut out, line)?);
    /// for (mut tile, same) in to.tiles_mut((Int::<2>,)).zip(from.tiles((Int::<2>,))) {
    ///     tile.assign(&same.into_window());
    /// }
    /// assert_eq!(out, data);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
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
