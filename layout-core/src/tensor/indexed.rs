//! Iterators over tiles with the coordinate of their first element.

use super::blocks::Blocks;
use super::policy::FullTiles;
use super::storage::Borrow;
use super::tensor::Tensor;
use super::tile::Tile;
use super::tileable::Tileable;
use super::tiles::{Tiles, packed};
use super::window::Window;
use crate::types::{IntTuple, Layout};

/// An iterator over tiles, each with the coordinate of its first element; see [`Tiles::indexed`].
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let mut data = [(0, 0); 12];
/// let mut t = Tensor::new(&mut data, make_layout((Int::<4>, Int::<3>), (Int::<3>, Int::<1>)))?;
/// let tiles = t.tiles_mut((Int::<2>, Int::<2>)).indexed();
/// // Two threads share the tiles, and each tile knows where it begins.
/// let (left, right) = tiles.split_at(2);
/// std::thread::scope(|scope| {
///     scope.spawn(|| left.for_each(|(corner, mut tile)| tile.fill(corner)));
///     scope.spawn(|| right.for_each(|(corner, mut tile)| tile.fill(corner)));
/// });
/// assert_eq!((t[(1, 1)], t[(3, 0)], t[(3, 2)]), ((0, 0), (2, 0), (2, 2)));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub struct Indexed<I> {
    tiles: I,
}

/// Iterates over pairs of a coordinate and an item of `$tiles`.
macro_rules! indexed {
    (
        $tiles:ident, $layout:ident: $bound:path, $item:ty,
        |$iterator:ident| $next:expr, $back:expr, |$self:ident, $init:ident, $f:ident| $fold:expr;
        $(#[$doc:meta])*
    ) => {
        impl<S: Borrow, $layout: $bound, T: IntTuple> $tiles<S, $layout, T> {
            $(#[$doc])*
            pub fn indexed(self) -> Indexed<Self> {
                Indexed { tiles: self }
            }
        }

        impl<S: Borrow, $layout: $bound, T: IntTuple> Indexed<$tiles<S, $layout, T>> {
            /// Splits the remaining tiles into the first `count` and the others. Panics if there are fewer.
            pub fn split_at(self, count: usize) -> (Self, Self) {
                let (left, right) = self.tiles.split_at(count);
                (left.indexed(), right.indexed())
            }
        }

        impl<S: Borrow, $layout: $bound, T: IntTuple> Iterator for Indexed<$tiles<S, $layout, T>> {
            type Item = (T::Coord, $item);

            #[cfg_attr(not(unoptimized), inline(always))]
            fn next(&mut self) -> Option<Self::Item> {
                let $iterator = &mut self.tiles;
                $next
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.tiles.size_hint()
            }

            #[cfg_attr(not(unoptimized), inline(always))]
            fn fold<A, F: FnMut(A, Self::Item) -> A>(self, $init: A, mut $f: F) -> A {
                let $self = self.tiles;
                $fold
            }
        }

        impl<S: Borrow, $layout: $bound, T: IntTuple> DoubleEndedIterator for Indexed<$tiles<S, $layout, T>> {
            fn next_back(&mut self) -> Option<Self::Item> {
                let $iterator = &mut self.tiles;
                $back
            }
        }

        impl<S: Borrow, $layout: $bound, T: IntTuple> ExactSizeIterator for Indexed<$tiles<S, $layout, T>> {}
    };
}

indexed! {
    Tiles, L: Tileable<T>, Tile<S, L::Tile, T::Coord>,
    |tiles| {
        let region = tiles.step()?;
        // SAFETY: each tile comes once.
        Some((packed(&region.corner), unsafe { tiles.tile_of(&region) }))
    },
    {
        let region = tiles.step_back()?;
        // SAFETY: each tile comes once.
        Some((packed(&region.corner), unsafe { tiles.tile_of(&region) }))
    },
    // SAFETY: each tile comes once.
    |tiles, init, f| tiles.fold_regions(init, |state, tiles, region| f(state, (packed(&region.corner), unsafe { tiles.tile_of(region) })));
    /// Returns the tiles with the coordinate of the first element of each.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [0; 15];
    /// let mut t = Tensor::new(&mut data, make_layout((3, 5), (5, Int::<1>)))?.injective()?;
    /// for ((i, j), mut tile) in t.tiles_mut((Int::<2>, Int::<2>)).indexed() {
    ///     tile.for_each_indexed_mut(|[x, y], element| *element = 10 * (i + x) + j + y);
    /// }
    /// assert_eq!(data, [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
}

indexed! {
    FullTiles, L: Tileable<T>, Tensor<S, L::Tile>,
    |full| {
        let region = full.tiles.step()?;
        // SAFETY: the grid has full tiles only, and each comes once.
        Some((packed(&region.corner), unsafe { full.tiles.tile_from(&region.corner) }))
    },
    {
        let region = full.tiles.step_back()?;
        // SAFETY: as for `next`.
        Some((packed(&region.corner), unsafe { full.tiles.tile_from(&region.corner) }))
    },
    |full, init, f| full.tiles.fold_regions(init, |state, tiles, region| {
        // SAFETY: as for `next`.
        f(state, (packed(&region.corner), unsafe { tiles.tile_from(&region.corner) }))
    });
    /// Returns the tiles with the coordinate of the first element of each; see [`Tiles::indexed`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<usize> = (0..12).collect();
    /// let t = Tensor::new(&data, make_layout((4, 3), (3, Int::<1>)))?;
    /// // The third column is no full tile.
    /// let corners: Vec<_> = t.tiles((Int::<2>, Int::<2>)).full().indexed().map(|((i, j), tile)| (i, j, tile[(0, 0)])).collect();
    /// assert_eq!(corners, [(0, 0, 0), (2, 0, 6)]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
}

indexed! {
    Blocks, L: Layout, Tensor<S, Window<L, T::Coord>>,
    |blocks| blocks.next().map(|block| (block.layout().corner(), block)),
    blocks.next_back().map(|block| (block.layout().corner(), block)),
    |blocks, init, f| blocks.fold(init, |state, block| f(state, (block.layout().corner(), block)));
    /// Returns the blocks with the coordinate of the first element of each; see [`Tiles::indexed`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<usize> = (0..12).collect();
    /// let t = Tensor::new(&data, make_layout((4, 3), (3, Int::<1>)))?;
    /// let blocks: Vec<_> = t.blocks((3, 2)).indexed().map(|((i, j), block)| (i, j, block.size())).collect();
    /// assert_eq!(blocks, [(0, 0, 6), (3, 0, 2), (0, 2, 3), (3, 2, 1)]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
}
