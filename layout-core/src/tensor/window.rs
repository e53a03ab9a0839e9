//! Boxes of coordinates of any layout, at any corner: blocks, neighbourhoods, tiles with halos.

use super::clipped::{integer, is_linear};
use super::error::TensorError;
use super::storage::{Borrow, Storage, StorageMut, Unique};
use super::tensor::{Tensor, ViewMut};
use super::tileable::{Tileable, is_flat, modes_of, positive};
use super::tiles::{Tile, Tiles, require_injective};
use crate::error::{Cause, LayoutError, Op, Text};
use crate::types::{Coordinate, Fits, IntTuple, Layout, Loops, MAX_LEAVES, Slots, Span, div_rem, integers};
use core::ops::Range;

/// The coordinates `corner + c` of a layout, with each integer of `c` below that of `extents`: a part of a tensor as one of its own.
///
/// `corner` and `extents` have an integer for each of the first modes; the others are whole. Unlike a tile a window begins anywhere, ends anywhere,
/// and is one type for every layout, so that blocks of blocks of blocks are windows too.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let data: Vec<i32> = (0..60).collect();
/// let t = Tensor::new(&data, make_layout((10, 6), (Int::<1>, 10)))?;
/// let w = t.window((3, 2), (4, Int::<3>))?;
/// assert_eq!(w[(0, 0)], t[(3, 2)]);
/// assert_eq!(w[(3, 2)], t[(6, 4)]);
/// assert_eq!(w.get((4, 0)), None);
/// assert_eq!(w.size(), 12);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window<L, E: IntTuple> {
    // `corner + extents` is at most the extents of the layout; both have an integer for each of the first modes.
    layout: L,
    corner: E::Coord,
    extents: E,
}

impl<L: Layout, E: IntTuple> Window<L, E> {
    /// The coordinates from `corner` on, as many as `extents` says.
    ///
    /// Fails where there are fewer. Fails to compile where `extents` is no flat tuple of integers.
    pub fn new(layout: L, corner: E::Coord, extents: E) -> Result<Self, TensorError> {
        const { assert!(is_flat(&E::DESCRIPTOR, MAX_LEAVES), "a window has an integer for each of the first modes of the tensor") };
        let ((rank, first), (named, count)) = (integers(&corner), integers(&extents));
        if rank != named || rank > layout.rank().max(1) {
            return Err(LayoutError::plain(Op::Slice, Cause::RankMismatch, named as i64, layout.rank() as i64).into());
        }
        let whole = layout.extents();
        for k in 0..rank {
            if first[k] > whole[k] || count[k] > whole[k] - first[k] {
                return Err(TensorError::Window { mode: k, first: first[k], count: count[k], extent: whole[k] });
            }
        }
        Ok(Window { layout, corner, extents })
    }

    /// The layout that it is a part of.
    #[inline(always)]
    pub fn layout(&self) -> L {
        self.layout
    }

    /// The first coordinate, in the layout that it is a part of.
    #[inline(always)]
    pub fn corner(&self) -> E::Coord {
        self.corner
    }

    /// The integers of a coordinate of the window, as integers of the whole layout.
    #[inline(always)]
    fn moved(&self, mut modes: Slots) -> Slots {
        let (rank, corner) = integers(&self.corner);
        for k in 0..rank {
            modes[k] = modes[k].wrapping_add(corner[k]);
        }
        modes
    }

    /// The integer of each mode at colexicographic position `k`.
    #[inline(always)]
    fn digits(&self, k: usize) -> Slots {
        let (extents, mut modes, rank) = (self.extents(), [0; MAX_LEAVES], self.rank());
        let mut rest = k;
        for mode in 0..rank.max(1) {
            (rest, modes[mode]) = if mode + 1 >= rank { (0, rest) } else { div_rem(rest, extents[mode]) };
        }
        modes
    }

    /// The sum of the steps of `loops` at the corner, of which each mode is one.
    #[inline(always)]
    fn base(&self, loops: &Loops) -> usize {
        let (rank, corner) = integers(&self.corner);
        (0..rank).fold(0usize, |sum, k| sum.wrapping_add(corner[k].wrapping_mul(loops.steps[k])))
    }

    /// The loops of the layout, if each mode is one.
    #[inline(always)]
    fn whole_loops(&self) -> Option<Loops> {
        self.layout.loops().filter(|loops| loops.len == self.rank().max(1))
    }
}

// SAFETY: a part of the domain of a layout, and its function.
unsafe impl<L: Layout, E: IntTuple> Layout for Window<L, E> {
    const SPAN: Span = L::SPAN;

    const INJECTIVE: Option<bool> = match L::INJECTIVE {
        Some(true) => Some(true),
        _ => None,
    };

    type Fits<C: IntTuple> = L::Fits<C>;

    #[inline(always)]
    fn rank(&self) -> usize {
        self.layout.rank()
    }

    #[inline(always)]
    fn size(&self) -> usize {
        self.extents()[..self.rank().max(1)].iter().product()
    }

    #[inline(always)]
    fn mode_size<const K: usize>(&self) -> usize {
        self.extents()[K]
    }

    #[inline(always)]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let () = <L::Fits<C> as Fits>::FITS;
        self.layout.index_of(&self.moved(self.mode_coordinates(c)))
    }

    #[inline(always)]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        if self.contains(c) { Some(self.crd2idx(c)) } else { None }
    }

    #[inline(always)]
    fn contains<C: IntTuple>(&self, c: C) -> bool {
        let () = <L::Fits<C> as Fits>::FITS;
        if const { is_linear::<C>() } {
            return integer(c) < self.size();
        }
        let (modes, extents) = (self.layout.mode_coordinates(c), self.extents());
        // Integers below the extents of the window are below those of the layout; digits of a mode are looked at one by one.
        let mut inside = const { is_flat(&C::DESCRIPTOR, MAX_LEAVES) } || self.layout.contains(c);
        for mode in 0..self.rank() {
            inside &= modes[mode] < extents[mode];
        }
        inside
    }

    fn index_range(&self) -> crate::error::Result<Range<isize>> {
        if self.size() == 0 { Ok(0..0) } else { self.layout.index_range() }
    }

    fn is_injective(&self) -> Option<bool> {
        self.layout.is_injective().filter(|injective| *injective)
    }

    #[inline(always)]
    fn extents(&self) -> Slots {
        let (mut extents, (rank, count)) = (self.layout.extents(), integers(&self.extents));
        extents[..rank].copy_from_slice(&count[..rank]);
        extents
    }

    #[inline(always)]
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots {
        let () = <L::Fits<C> as Fits>::FITS;
        if const { is_linear::<C>() } { self.digits(integer(c)) } else { self.layout.mode_coordinates(c) }
    }

    #[inline(always)]
    fn index_of(&self, modes: &Slots) -> usize {
        self.layout.index_of(&self.moved(*modes))
    }

    #[inline(always)]
    fn places<C: Coordinate>(&self) -> Slots {
        self.layout.places::<C>()
    }

    #[inline(always)]
    fn loops(&self) -> Option<Loops> {
        let mut loops = self.whole_loops()?;
        let extents = self.extents();
        loops.extents[..loops.len].copy_from_slice(&extents[..loops.len]);
        Some(loops)
    }

    #[inline(always)]
    fn sum_at(&self, k: usize) -> usize {
        let Some(loops) = self.whole_loops() else { return self.crd2idx(k) };
        let digits = self.digits(k);
        (0..loops.len).fold(0usize, |sum, mode| sum.wrapping_add(digits[mode].wrapping_mul(loops.steps[mode])))
    }

    #[inline(always)]
    fn image(&self, sum: usize) -> usize {
        match self.whole_loops() {
            Some(loops) => self.layout.image(self.base(&loops).wrapping_add(sum)),
            None => sum,
        }
    }

    #[inline(always)]
    fn idx2crd<C: Coordinate>(&self, index: usize) -> C {
        C::from_values(&self.digits(index), &mut 0)
    }

    #[inline(always)]
    fn shape<C: Coordinate>(&self) -> C {
        C::from_values(&self.extents(), &mut 0)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> ! {
        let (mut coordinate, mut extents) = (Text::<256>::EMPTY, Text::<256>::EMPTY);
        super::clipped::write(&c, &mut coordinate);
        super::clipped::write(&self.extents, &mut extents);
        panic!("the coordinate {} is outside of a window of {}", coordinate.as_str(), extents.as_str())
    }
}

// SAFETY: a window in the window, from the sum of both corners on.
unsafe impl<L: Layout, E: IntTuple, T: IntTuple> Tileable<T> for Window<L, E> {
    type Tile = Window<L, T>;

    const UNCONDITIONAL: bool = {
        let modes = modes_of(&E::DESCRIPTOR);
        assert!(
            is_flat(&T::DESCRIPTOR, modes) && modes_of(&T::DESCRIPTOR) == modes,
            "tiles: the shape of a tile has an integer for each mode that the window names"
        );
        true
    };

    #[inline(always)]
    fn tile(&self, tiler: &T) -> Result<Self::Tile, TensorError> {
        let () = const { assert!(<Self as Tileable<T>>::UNCONDITIONAL) };
        let (rank, extents) = integers(tiler);
        positive(rank, &extents)?;
        Ok(Window { layout: self.layout, corner: T::Coord::from_values(&[0; MAX_LEAVES], &mut 0), extents: *tiler })
    }

    #[inline(always)]
    fn tile_at(&self, tile: &Self::Tile, corner: &Slots) -> (isize, Self::Tile) {
        (0, Window { corner: T::Coord::from_values(&self.moved(*corner), &mut 0), ..*tile })
    }
}

impl<S: Storage, L: Layout, T: IntTuple> Tile<S, Window<L, T>, T::Coord> {
    /// The tile as a window with extents of run time, full or not.
    #[inline(always)]
    pub fn into_window(self) -> Tensor<S, Window<L, T::Coord>> {
        let (window, extents, storage) = match self {
            Tile::Full(tile) => (tile.layout(), tile.layout().extents(), tile.into_storage()),
            Tile::Partial(tile) => (tile.layout().layout(), tile.layout().extents(), tile.into_storage()),
        };
        let layout = Window { layout: window.layout, corner: window.corner, extents: T::Coord::from_values(&extents, &mut 0) };
        // SAFETY: the coordinates of the tile, at the same corner.
        unsafe { Tensor::from_parts(storage, layout) }
    }
}

/// The blocks of a tensor, the first mode fastest; see [`Tensor::blocks`].
pub struct Blocks<S, L: Layout, T: IntTuple> {
    tiles: Tiles<S, Window<L, T::Coord>, T>,
}

impl<S: Borrow, L: Layout, T: IntTuple> Blocks<S, L, T> {
    /// # Safety
    ///
    /// Of a [`Unique`], the layout is injective.
    #[inline(always)]
    #[track_caller]
    unsafe fn new(tensor: Tensor<S, L>, shape: T) -> Self {
        let layout = tensor.layout();
        let corner = T::Coord::from_values(&[0; MAX_LEAVES], &mut 0);
        let whole = Window::new(layout, corner, T::Coord::from_values(&layout.extents(), &mut 0));
        let tiles = whole.and_then(|whole| {
            // SAFETY: the same coordinates, and injective if the layout is.
            unsafe { Tiles::new(Tensor::from_parts(tensor.into_storage(), whole), &shape) }
        });
        Blocks { tiles: tiles.unwrap_or_else(|error| panic!("{error}")) }
    }

    /// How many blocks there are of each mode that is cut: the extents of their grid.
    pub fn grid(&self) -> T::Coord {
        self.tiles.grid()
    }

    /// [`Tiles::split_at`].
    pub fn split_at(self, count: usize) -> (Self, Self) {
        let (left, right) = self.tiles.split_at(count);
        (Blocks { tiles: left }, Blocks { tiles: right })
    }
}

impl<S: Borrow, L: Layout, T: IntTuple> Iterator for Blocks<S, L, T> {
    type Item = Tensor<S, Window<L, T::Coord>>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        Some(self.tiles.next()?.into_window())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.tiles.size_hint()
    }
}

impl<S: Borrow, L: Layout, T: IntTuple> ExactSizeIterator for Blocks<S, L, T> {}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// The elements from the coordinate `corner` on, as many of each of the first modes as `extents` says.
    ///
    /// Fails where there are fewer.
    #[inline]
    pub fn window<E: IntTuple>(&self, corner: E::Coord, extents: E) -> Result<Tensor<S::Shared<'_>, Window<L, E>>, TensorError> {
        let layout = Window::new(self.layout(), corner, extents)?;
        // SAFETY: some of the same coordinates.
        Ok(unsafe { Tensor::from_parts(self.storage().shared(), layout) })
    }

    /// The tensor cut into blocks of the shape `shape`, which has an integer for each of the first modes; the last ones of a mode are smaller.
    ///
    /// As [`Tensor::tiles`] for loops around the kernel: any layout has blocks of any shape, full ones and smaller ones are one type, and extents
    /// are numbers at run time. Panics if a block is empty, or has more modes than the tensor.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<i32> = (0..60).collect();
    /// let t = Tensor::new(&data, make_layout((10, 6), (Int::<1>, 10)))?;
    /// let sizes: Vec<usize> = t.blocks((8, 4)).map(|block| block.size()).collect();
    /// assert_eq!(sizes, [32, 8, 16, 4]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn blocks<T: IntTuple>(&self, shape: T) -> Blocks<S::Shared<'_>, L, T> {
        // SAFETY: it is read only.
        unsafe { Blocks::new(self.view(), shape) }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// [`Tensor::window`], to be written.
    #[inline]
    pub fn window_mut<E: IntTuple>(&mut self, corner: E::Coord, extents: E) -> Result<ViewMut<'_, S::Item, Window<L, E>>, TensorError> {
        let layout = Window::new(self.layout(), corner, extents)?;
        // SAFETY: some of the same coordinates; the tensor is borrowed exclusively.
        Ok(unsafe { Tensor::from_parts(self.view_mut().into_storage(), layout) })
    }

    /// [`Tensor::blocks`] to be written side by side: the layout is known to be injective, or said to be by [`Tensor::injective`].
    #[inline(always)]
    #[track_caller]
    pub fn blocks_mut<T: IntTuple>(&mut self, shape: T) -> Blocks<Unique<'_, S::Item>, L, T> {
        const { require_injective::<L>() };
        // SAFETY: it is injective.
        unsafe { Blocks::new(self.view_mut(), shape) }
    }
}
