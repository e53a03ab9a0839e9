//! Tensors cut into blocks: windows of one shape, with smaller ones at the ends.

use super::error::or_panic;
use super::storage::{Borrow, Storage, StorageMut, Unique};
use super::tensor::Tensor;
use super::tiles::{Tiles, require_injective};
use super::window::Window;
use crate::types::{Coordinate, IntTuple, Layout, MAX_LEAVES};

/// An iterator over the blocks of a tensor, the first mode fastest; see [`Tensor::blocks`].
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let mut data = [0; 60];
/// let mut t = Tensor::new(&mut data, make_layout((Int::<10>, Int::<6>), (Int::<1>, Int::<10>)))?;
/// let blocks = t.blocks_mut((8, 4));
/// assert_eq!((blocks.grid(), blocks.len()), ((2, 2), 4));
/// // Two threads share the blocks.
/// let (left, right) = blocks.split_at(2);
/// std::thread::scope(|scope| {
///     scope.spawn(|| left.for_each(|mut block| block.fill(1)));
///     scope.spawn(|| right.for_each(|mut block| block.fill(2)));
/// });
/// assert_eq!((t[(9, 3)], t[(0, 4)]), (1, 2));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub struct Blocks<S, L: Layout, T: IntTuple> {
    tiles: Tiles<S, Window<L, T::Coord>, T>,
}

impl<S: Borrow, L: Layout, T: IntTuple> Blocks<S, L, T> {
    /// Cuts the tensor into blocks of the extents `shape`. Panics if a block is empty, or has more modes than the tensor.
    ///
    /// # Safety
    ///
    /// If the storage is a [`Unique`], the layout is injective.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    unsafe fn new(tensor: Tensor<S, L>, shape: T) -> Self {
        let layout = tensor.layout();
        let corner = T::Coord::from_values(&[0; MAX_LEAVES], &mut 0);
        let whole = Window::new(layout, corner, T::Coord::from_values(&layout.extents(), &mut 0));
        let tiles = whole.and_then(|whole| {
            // SAFETY: the window has the same coordinates, and is injective if the layout is.
            unsafe { Tiles::new(Tensor::from_parts(tensor.into_storage(), whole), &shape) }
        });
        Blocks { tiles: or_panic(tiles) }
    }

    /// Returns the number of blocks along each mode that is cut: the extents of the grid of blocks.
    pub fn grid(&self) -> T::Coord {
        self.tiles.grid()
    }

    /// Splits the remaining blocks into the first `count` and the others. Panics if there are fewer, see [`Tiles::split_at`].
    pub fn split_at(self, count: usize) -> (Self, Self) {
        let (left, right) = self.tiles.split_at(count);
        (Blocks { tiles: left }, Blocks { tiles: right })
    }
}

impl<S: Borrow, L: Layout, T: IntTuple> Iterator for Blocks<S, L, T> {
    type Item = Tensor<S, Window<L, T::Coord>>;

    #[cfg_attr(not(unoptimized), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        Some(self.tiles.next()?.into_block())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.tiles.size_hint()
    }
}

impl<S: Borrow, L: Layout, T: IntTuple> DoubleEndedIterator for Blocks<S, L, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        Some(self.tiles.next_back()?.into_block())
    }
}

impl<S: Borrow, L: Layout, T: IntTuple> ExactSizeIterator for Blocks<S, L, T> {}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Cuts the tensor into blocks. `shape` has an integer for each of the first modes, and the last blocks of a mode may be smaller.
    ///
    /// Blocks serve the loops around a kernel, as [`Tensor::tiles`] serves the kernel. Any layout has blocks of any shape; full and
    /// smaller blocks have one type, with run-time extents. Panics if a block is empty, or has more modes than the tensor.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<i32> = (0..60).collect();
    /// let t = Tensor::new(&data, make_layout((10, 6), (Int::<1>, 10)))?;
    /// let sizes: Vec<usize> = t.blocks((8, 4)).map(|block| block.size()).collect();
    /// assert_eq!(sizes, [32, 8, 16, 4]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn blocks<T: IntTuple>(&self, shape: T) -> Blocks<S::Shared<'_>, L, T> {
        // SAFETY: the blocks are read only.
        unsafe { Blocks::new(self.view(), shape) }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Cuts the tensor into blocks that can be written at the same time, see [`Tensor::blocks`]. The layout type must be
    /// injective, or [`Tensor::injective`] must have proven it.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (rows, columns, mut data) = (5, 4, [0; 20]);
    /// let mut t = Tensor::new(&mut data, make_layout((rows, columns), (columns, Int::<1>)))?.injective()?;
    /// t.blocks_mut((3, 2)).for_each(|mut block| block.fill(block.size()));
    /// assert_eq!(data, [6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 4, 4, 4, 4, 4, 4, 4, 4]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn blocks_mut<T: IntTuple>(&mut self, shape: T) -> Blocks<Unique<'_, S::Item>, L, T> {
        const { require_injective::<L>() };
        // SAFETY: the layout is injective.
        unsafe { Blocks::new(self.view_mut(), shape) }
    }
}
