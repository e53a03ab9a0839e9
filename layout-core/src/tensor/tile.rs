//! A tile, full or partial.

use super::storage::{Storage, StorageMut};
use super::tensor::Tensor;
use super::window::Window;
use crate::types::{Coordinate, IntTuple, Layout};

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
pub enum Tile<S, L, E: Coordinate> {
    /// Every coordinate of the tile is one of the tensor.
    Full(Tensor<S, L>),
    /// The coordinates below some extents are.
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
    /// Number of coordinates.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn size(&self) -> usize {
        either!(self, tile => tile.size())
    }

    /// The element at `c`, or `None` where the tile has none.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn get<C: IntTuple>(&self, c: C) -> Option<&S::Item> {
        either!(self, tile => tile.get(c))
    }

    /// `f` of every element, in colexicographic order of the coordinates.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each(&self, f: impl FnMut(&S::Item)) {
        either!(self, tile => tile.for_each(f))
    }

    /// The tile as one with extents of run time, full or not.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn into_window(self) -> Tensor<S, Window<L, E, ()>> {
        match self {
            Tile::Full(tile) => {
                let layout = Window::clipped(tile.layout(), E::from_values(&tile.layout().extents(), &mut 0));
                // SAFETY: the same indices.
                unsafe { Tensor::from_parts(tile.into_storage(), layout) }
            }
            Tile::Partial(tile) => tile,
        }
    }
}

impl<S: StorageMut, L: Layout, E: Coordinate> Tile<S, L, E> {
    /// The element at `c`, or `None` where the tile has none.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn get_mut<C: IntTuple>(&mut self, c: C) -> Option<&mut S::Item> {
        either!(self, tile => tile.get_mut(c))
    }

    /// `f` of every element, in colexicographic order of the coordinates.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn for_each_mut(&mut self, f: impl FnMut(&mut S::Item)) {
        either!(self, tile => tile.for_each_mut(f))
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
