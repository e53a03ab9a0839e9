//! Boxes of coordinates of any layout, at any corner: blocks, neighbourhoods, tiles with halos, and partial tiles.

use super::companions::one_a_mode;
use super::error::TensorError;
use super::storage::{Storage, StorageMut};
use super::tensor::{Tensor, ViewMut};
use super::tile::Tile;
use super::tileable::{Tileable, positive};
#[cfg(unoptimized)]
use crate::types::Descriptor;
use crate::types::{
    Coordinate, CoordinateBox, Fits, IntTuple, Layout, Loops, MAX_LEAVES, RawLayout, Slots, digits, forward, integers, position, unroll,
};
use core::ops::Range;
use layout_algebra::error::{Cause, LayoutError, Op, Text};

/// The coordinates `corner + c` of a layout, where each integer of `c` is below its entry of `extents`: a box of the layout.
///
/// `corner` and `extents` have an integer for each of the first modes; the other modes are whole. A corner `()` is the first
/// coordinate. Unlike a tile, a window begins and ends anywhere. It is one type for every layout, so that blocks of blocks
/// of blocks are windows, too. An integer for several modes unravels along the extents of the window.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let data: Vec<i32> = (0..60).collect();
/// let t = Tensor::new(&data, make_layout((10, 6), (Int::<1>, 10)))?;
/// let w = t.window((3, 2), (4, Int::<3>))?;
/// assert_eq!(w[(0, 0)], t[(3, 2)]);
/// assert_eq!(w[(3, 2)], t[(6, 4)]);
/// assert_eq!(w.get((4, 0)), None);
/// assert_eq!((w.size(), w.layout().corner()), (12, (3, 2)));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window<L, E: IntTuple, C = <E as IntTuple>::Coord> {
    // `corner + extents` is at most the extents of the layout. `corner` has the length of `extents`, or is empty. A clipped layout
    // may be a tile that is larger than the layout that it was cut from, so the layout is not handed out: see `Tileable::tile`.
    layout: L,
    corner: C,
    extents: E,
}

impl<L: Layout, E: IntTuple> Window<L, E> {
    /// Makes the window from the coordinate `corner` on, with the extents `extents`.
    ///
    /// Fails if the window has more modes than the layout, or reaches beyond it. Does not compile unless `extents` is a flat tuple.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn new(layout: L, corner: E::Coord, extents: E) -> Result<Self, TensorError> {
        const { assert!(E::DESCRIPTOR.is_flat(MAX_LEAVES), "a window has an integer for each of the first modes of the tensor") };
        let ((rank, first), (named, count)) = (integers(&corner), integers(&extents));
        if rank != named || rank > layout.rank() {
            return Err(LayoutError::plain(Op::Slice, Cause::RankMismatch, named as i64, layout.rank() as i64).into());
        }
        lies_within::<E>(&first, &count, &layout.extents())?;
        Ok(Window { layout, corner, extents })
    }

    /// Makes the window without the checks of [`Window::new`].
    ///
    /// # Safety
    ///
    /// The coordinates lie inside `layout`, and `extents` has an integer for each of the first modes, as many as `corner`.
    #[inline(always)]
    pub(super) unsafe fn inside(layout: L, corner: E::Coord, extents: E) -> Self {
        // Check in Miri only: in debug builds the check would take most of the time of a small stencil.
        #[cfg(miri)]
        assert!(Window::new(layout, corner, extents).is_ok());
        Window { layout, corner, extents }
    }
}

impl<L: Layout, E: Coordinate> Window<L, E, ()> {
    /// Makes the window of the coordinates of `layout` below `extents`, which has an integer for each mode that is clipped. It
    /// begins at the first coordinate, and has the same indices.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout};
    /// use layout_core::tensor::Window;
    /// let tile = make_layout((Int::<8>, Int::<4>), (Int::<1>, 100));
    /// let rest = Window::clipped(tile, (3, 9));
    /// assert_eq!(rest.crd2idx((2, 3)), tile.crd2idx((2, 3)));
    /// assert!(rest.contains((2, 3)) && !rest.contains((3, 3)));
    /// assert_eq!(rest.crd2idx(4), tile.crd2idx((1, 1)));
    /// ```
    ///
    /// Panics if the layout has fewer modes than `extents` has integers.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn clipped(layout: L, extents: E) -> Self {
        assert!(E::DESCRIPTOR.modes() <= layout.rank(), "extents of {} modes clip a layout of {}", E::DESCRIPTOR.modes(), layout.rank());
        const { assert!(E::DESCRIPTOR.is_flat(MAX_LEAVES), "a window has an integer for each of the first modes of the tensor") };
        let (whole, (named, mut clipped)) = (layout.extents(), integers(&extents));
        unroll!(E::DESCRIPTOR.modes(), clip(named, &whole, &mut clipped));
        Window { layout, corner: (), extents: E::from_values(&clipped, &mut 0) }
    }
}

impl<L: Layout, E: IntTuple, C: IntTuple> Window<L, E, C> {
    /// The number of modes that have a corner and an extent of their own.
    const NAMED: usize = E::DESCRIPTOR.modes();

    /// Whether the window begins at the first coordinate.
    const AT_ORIGIN: bool = C::DESCRIPTOR.modes() == 0;

    /// Returns the first coordinate of the window, as a coordinate of the whole layout.
    #[inline(always)]
    pub fn corner(&self) -> C {
        self.corner
    }

    /// Returns the coordinate of the whole layout for the coordinate `modes` of the window: adds the corner.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn moved(&self, mut modes: Slots) -> Slots {
        if const { !Self::AT_ORIGIN } {
            let (named, corner) = integers(&self.corner);
            unroll!(Self::NAMED, shift(named, &corner, &mut modes));
        }
        modes
    }
}

/// At most four integers. Builds without an optimiser use it instead of [`Slots`], whose copies take longer than the rest of an index.
#[cfg(unoptimized)]
type Few = [usize; 4];

#[cfg(unoptimized)]
impl<L: Layout, E: IntTuple, C: IntTuple> Window<L, E, C> {
    /// Returns true if the layout has at most four modes and coordinates of type `G` have an integer for each.
    const fn has_few<G: IntTuple>() -> bool {
        let all = matches!(L::MODES, Some(modes) if modes == Self::NAMED) && Self::NAMED <= 4;
        all && !G::DESCRIPTOR.is_integer() && G::DESCRIPTOR.is_flat(MAX_LEAVES) && G::DESCRIPTOR.modes() == Self::NAMED
    }

    /// Returns the function for the index of few integers, or `None` if it does not apply. A branch would evaluate both arms' constants.
    const fn index_of_few<G: IntTuple>() -> Option<fn(&Self, &G) -> usize> {
        if Self::has_few::<G>() && C::DESCRIPTOR.modes() == Self::NAMED { Some(Self::few_moved::<G>) } else { None }
    }

    /// Returns the index of a coordinate of at most four integers.
    fn few_moved<G: IntTuple>(&self, c: &G) -> usize {
        let (c, corner) = (few::<_, 0>(c), few::<_, 0>(&self.corner));
        let moved =
            [c[0].wrapping_add(corner[0]), c[1].wrapping_add(corner[1]), c[2].wrapping_add(corner[2]), c[3].wrapping_add(corner[3])];
        self.layout.crd2idx(E::Coord::from_values(&moved, &mut 0))
    }
}

/// Returns the integers of a flat tuple of at most four integers, followed by `BEHIND`.
#[cfg(unoptimized)]
#[inline(always)]
fn few<T: IntTuple, const BEHIND: usize>(tuple: &T) -> Few {
    let mut inputs = [BEHIND; 4];
    tuple.gather(&mut inputs, 0);
    match const { known_few::<T, BEHIND>() } {
        Some(all) => all,
        None if const { T::DESCRIPTOR.inputs() == T::DESCRIPTOR.modes() } => inputs,
        None => {
            let ((modes, all), mut out) = (integers(tuple), [BEHIND; 4]);
            out[..modes].copy_from_slice(&all[..modes]);
            out
        }
    }
}

/// Returns the integers of a flat tuple, followed by `BEHIND`, or `None` if one is not static or there are more than four.
#[cfg(unoptimized)]
const fn known_few<T: IntTuple, const BEHIND: usize>() -> Option<Few> {
    let (Descriptor::Tuple(modes), mut out, mut k) = (T::DESCRIPTOR, [BEHIND; 4], 0) else { return None };
    while k < modes.len() {
        match modes[k] {
            Descriptor::Known(extent) if k < 4 => out[k] = extent as usize,
            _ => return None,
        }
        k += 1;
    }
    Some(out)
}

/// Fails if the coordinates from `first` on, `count` of them along each mode of `E`, reach beyond the extents `whole`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn lies_within<E: IntTuple>(first: &Slots, count: &Slots, whole: &Slots) -> Result<(), TensorError> {
    let mut beyond = None;
    unroll!(E::DESCRIPTOR.modes(), reach(E::DESCRIPTOR.modes(), first, count, whole, &mut beyond));
    match beyond {
        Some((mode, first, count, extent)) => Err(TensorError::Window { mode, first, count, extent }),
        None => Ok(()),
    }
}

/// Notes mode `k` in `beyond` if `k < named` and the mode has no `count[k]` coordinates from `first[k]` on. Signed numbers hold every size.
#[inline(always)]
fn reach(named: usize, first: &Slots, count: &Slots, whole: &Slots, beyond: &mut Option<(usize, usize, usize, usize)>, k: usize) {
    if k < named && beyond.is_none() {
        let (from, some, all) = (first[k] as isize, count[k] as isize, whole[k] as isize);
        if from < 0 || some < 0 || all < from || all - from < some {
            *beyond = Some((k, first[k], count[k], whole[k]));
        }
    }
}

/// Limits `clipped[k]` to `whole[k]`, the extent of the layout, if `k` is below `named`.
#[inline(always)]
fn clip(named: usize, whole: &Slots, clipped: &mut Slots, k: usize) {
    if k < named {
        clipped[k] = clipped[k].min(whole[k]);
    }
}

/// Adds integer `k` of the corner to integer `k` of a coordinate, if `k` is below `named`.
#[inline(always)]
fn shift(named: usize, corner: &Slots, modes: &mut Slots, k: usize) {
    if k < named {
        modes[k] = modes[k].wrapping_add(corner[k]);
    }
}

/// Adds `corner[k]` steps of loop `k` to the start of the loops, if `k` is below `named`.
#[inline(always)]
fn begin<const N: usize>(named: usize, corner: &Slots, loops: &mut Loops<N>, k: usize) {
    if k < named {
        loops.start = loops.start.wrapping_add(corner[k].wrapping_mul(loops.steps[k]));
    }
}

/// Replaces `extents[k]` by `clipped[k]`, the extent of the window, if `k` is below `named`.
#[inline(always)]
fn replace<const N: usize>(named: usize, clipped: &Slots, extents: &mut [usize; N], k: usize) {
    if k < named {
        extents[k] = clipped[k];
    }
}

/// Clears `inside` if integer `k` is not below the extent of the window. Does nothing unless `k` is below `named`.
#[inline(always)]
fn below(named: usize, clipped: &Slots, modes: &Slots, inside: &mut bool, k: usize) {
    if k < named {
        *inside &= modes[k] < clipped[k];
    }
}

/// Returns the product of the first `rank` extents; the entries behind them are 1.
#[inline(always)]
fn product(extents: &Slots, rank: usize) -> usize {
    let first = extents[0].wrapping_mul(extents[1]).wrapping_mul(extents[2]).wrapping_mul(extents[3]);
    if rank > 4 { extents[4..rank].iter().fold(first, |size, extent| size.wrapping_mul(*extent)) } else { first }
}

/// Returns the only integer of a coordinate.
#[inline(always)]
fn integer<C: IntTuple>(c: C) -> usize {
    integers(&c).1[0]
}

// SAFETY: the coordinates are coordinates of a layout, with the same indices.
unsafe impl<L: Layout, E: IntTuple, At: IntTuple> RawLayout for Window<L, E, At> {
    forward!(L, layout: SPAN MODES STEPS Fits places image period);

    const INJECTIVE: Option<bool> = match L::INJECTIVE {
        Some(true) => Some(true),
        _ => None,
    };

    const LOOPS: Option<usize> = one_a_mode::<L>();

    #[cfg_attr(not(unoptimized), inline(always))]
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots {
        let () = <L::Fits<C> as Fits>::FITS;
        if const { C::DESCRIPTOR.is_integer() } {
            digits(integer(c), &self.extents(), self.rank())
        } else {
            self.layout.mode_coordinates(c)
        }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn index_of(&self, modes: &Slots) -> usize {
        self.layout.index_of(&self.moved(*modes))
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn loops<const N: usize>(&self) -> Option<Loops<N>> {
        // Require one loop for each mode: in a nested mode, a window need not be a box of leaves.
        let mut loops = self.layout.loops::<N>()?;
        if loops.len != self.rank() {
            return None;
        }
        if const { !Self::AT_ORIGIN } {
            let (named, corner) = integers(&self.corner);
            unroll!(Self::NAMED, begin(named, &corner, &mut loops));
        }
        let (named, of_window) = integers(&self.extents);
        unroll!(Self::NAMED, replace(named, &of_window, &mut loops.extents));
        Some(loops)
    }

    #[inline]
    fn part(&self) -> Option<CoordinateBox> {
        Some(self.layout.part()?.cut(&self.moved([0; MAX_LEAVES]), &self.extents()))
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn sum_at(&self, k: usize) -> usize {
        self.layout.sum_at(position(&self.moved(digits(k, &self.extents(), self.rank())), &self.layout.extents(), self.rank()))
    }

    fn same_as(&self, other: &Self) -> bool {
        let alike = integers(&self.corner) == integers(&other.corner) && integers(&self.extents) == integers(&other.extents);
        alike && self.layout.same_as(&other.layout)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> ! {
        let (mut coordinate, mut extents) = (Text::<256>::EMPTY, Text::<256>::EMPTY);
        write(&c, &mut coordinate);
        write(&self.extents, &mut extents);
        panic!("the coordinate {} is outside of a window of {}", coordinate.as_str(), extents.as_str())
    }
}

impl<L: Layout, E: IntTuple, At: IntTuple> Layout for Window<L, E, At> {
    forward!(L, layout: rank mode_stride);

    #[cfg_attr(not(unoptimized), inline(always))]
    fn size(&self) -> usize {
        product(&self.extents(), self.rank())
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn mode_size<const K: usize>(&self) -> usize {
        self.extents()[K]
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let () = <L::Fits<C> as Fits>::FITS;
        #[cfg(unoptimized)]
        if let Some(index) = const { Self::index_of_few::<C>() } {
            return index(self, &c);
        }
        if const { Self::AT_ORIGIN && !C::DESCRIPTOR.is_integer() } {
            self.layout.crd2idx(c)
        } else {
            self.layout.index_of(&self.moved(self.mode_coordinates(c)))
        }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        let () = <L::Fits<C> as Fits>::FITS;
        if self.contains(c) { Some(self.crd2idx(c)) } else { None }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn contains<C: IntTuple>(&self, c: C) -> bool {
        let () = <L::Fits<C> as Fits>::FITS;
        #[cfg(unoptimized)]
        if const { Self::has_few::<C>() } {
            let (c, extents) = (few::<_, 0>(&c), few::<_, 1>(&self.extents));
            return c[0] < extents[0] && c[1] < extents[1] && c[2] < extents[2] && c[3] < extents[3];
        }
        if const { C::DESCRIPTOR.is_integer() } {
            return integer(c) < self.size();
        }
        // An integer below its extent in the window is below the extent in the layout. Digits of a nested mode are checked one by one.
        let settled = Self::NAMED >= self.rank() && const { C::DESCRIPTOR.is_flat(MAX_LEAVES) };
        if !settled && !self.layout.contains(c) {
            return false;
        }
        let (modes, (named, extents), mut inside) = (self.layout.mode_coordinates(c), integers(&self.extents), true);
        unroll!(Self::NAMED, below(named, &extents, &modes, &mut inside));
        inside
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn idx2crd<C: Coordinate>(&self, index: usize) -> C {
        let () = <L::Fits<C> as Fits>::FITS;
        if const { C::DESCRIPTOR.is_integer() } {
            C::from_values(&[index; MAX_LEAVES], &mut 0)
        } else {
            self.layout.idx2crd(position(&digits(index, &self.extents(), self.rank()), &self.layout.extents(), self.rank()))
        }
    }

    /// Returns the extents of the window. A nested mode has no shape in a window, and keeps the extents that it has in the whole layout.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn shape<C: Coordinate>(&self) -> C {
        let () = <L::Fits<C> as Fits>::FITS;
        let by_mode = const { !C::DESCRIPTOR.is_integer() && C::DESCRIPTOR.is_flat(MAX_LEAVES) };
        if by_mode { C::from_values(&self.extents(), &mut 0) } else { self.layout.shape() }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn extents(&self) -> Slots {
        let (mut extents, (named, of_window)) = (self.layout.extents(), integers(&self.extents));
        unroll!(Self::NAMED, replace(named, &of_window, &mut extents));
        extents
    }

    fn index_range(&self) -> layout_algebra::error::Result<Range<isize>> {
        // The layout comes first: if its size does not fit, an extent of 0 may be a product that wrapped around.
        let indices = self.layout.index_range()?;
        Ok(if self.size() == 0 { 0..0 } else { indices })
    }

    fn is_injective(&self) -> Option<bool> {
        self.layout.is_injective().filter(|injective| *injective)
    }
}

/// Writes the coordinate `c` to `text`.
fn write<C: IntTuple>(c: &C, text: &mut Text<256>) {
    let mut inputs = [0; MAX_LEAVES];
    c.gather(&mut inputs, 0);
    C::DESCRIPTOR.write(&inputs, &mut 0, text);
}

// SAFETY: a tile is a window in the window, from the sum of both corners on. Its coordinates beyond the window reach nothing.
unsafe impl<L: Layout, E: IntTuple, C: IntTuple, T: IntTuple> Tileable<T> for Window<L, E, C> {
    type Tile = Window<L, T>;

    const UNCONDITIONAL: bool = {
        let modes = E::DESCRIPTOR.modes();
        assert!(
            T::DESCRIPTOR.is_flat(modes) && T::DESCRIPTOR.modes() == modes,
            "tiles: the shape of a tile has an integer for each mode that the window names"
        );
        true
    };

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn tile(&self, tiler: &T) -> Result<Self::Tile, TensorError> {
        let () = const { assert!(<Self as Tileable<T>>::UNCONDITIONAL) };
        let (rank, extents) = integers(tiler);
        positive(rank, &extents)?;
        Ok(Window { layout: self.layout, corner: T::Coord::from_values(&[0; MAX_LEAVES], &mut 0), extents: *tiler })
    }

    fn begins_anywhere(&self) -> bool {
        true
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn tile_at(&self, tile: &Self::Tile, corner: &Slots) -> (isize, Self::Tile) {
        (0, Window { corner: T::Coord::from_values(&self.moved(*corner), &mut 0), ..*tile })
    }
}

impl<S: Storage, L: Layout, T: IntTuple> Tile<S, Window<L, T>, T::Coord> {
    /// Returns the tile, full or partial, as a window of the same layout with run-time extents.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) fn into_block(self) -> Tensor<S, Window<L, T::Coord>> {
        let (window, extents, storage) = match self {
            Tile::Full(tile) => (tile.layout(), tile.layout().extents(), tile.into_storage()),
            Tile::Partial(tile) => (tile.layout().layout, tile.layout().extents(), tile.into_storage()),
        };
        let layout = Window { layout: window.layout, corner: window.corner, extents: T::Coord::from_values(&extents, &mut 0) };
        // SAFETY: the window has the coordinates of the tile, from the same corner on.
        unsafe { Tensor::from_parts(storage, layout) }
    }
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Returns the elements from the coordinate `corner` on, `extents[k]` of them along each mode `k` that `extents` has an integer for.
    ///
    /// Fails if the window reaches beyond the tensor.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// assert!(t.window((0, 1), (2, 2))?.iter().eq(&[2, 5, 3, 6]));
    /// assert!(t.window((1,), (1,))?.iter().eq(&[4, 5, 6])); // mode 1 stays whole
    /// let error = t.window((0, 2), (2, 2)).err().expect("there is no column 3");
    /// assert_eq!(error.to_string(), "the window has 2 coordinates of mode 1 from 2 on, but the mode has 3");
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline]
    pub fn window<E: IntTuple>(&self, corner: E::Coord, extents: E) -> Result<Tensor<S::Shared<'_>, Window<L, E>>, TensorError> {
        let layout = Window::new(self.layout(), corner, extents)?;
        // SAFETY: the coordinates are some of the same.
        Ok(unsafe { Tensor::from_parts(self.storage().shared(), layout) })
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Returns the elements of a window mutably. Fails if it reaches beyond the tensor, see [`Tensor::window`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [0; 6];
    /// let mut t = Tensor::new(&mut data, make_layout((2, 3), (3, Int::<1>)))?;
    /// t.window_mut((0, 1), (2, 1))?.fill(7);
    /// assert_eq!(data, [0, 7, 0, 0, 7, 0]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline]
    pub fn window_mut<E: IntTuple>(&mut self, corner: E::Coord, extents: E) -> Result<ViewMut<'_, S::Item, Window<L, E>>, TensorError> {
        let layout = Window::new(self.layout(), corner, extents)?;
        // SAFETY: the coordinates are some of the same, and the tensor is borrowed exclusively.
        Ok(unsafe { Tensor::from_parts(self.view_mut().into_storage(), layout) })
    }
}
