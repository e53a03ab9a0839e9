//! The windows of convolutions: with steps, dilation and a pad.

use super::error::TensorError;
use super::neighbours::Boundary;
use super::storage::{Borrow, Storage, StorageMut};
use super::tensor::{Tensor, ViewMut};
use crate::error::{Cause, LayoutError, Op};
use crate::types::{Affine, Layout, Loops, MAX_LEAVES, Signed, Strided, make_layout};

/// Where the windows of a convolution lie: tap `w` at place `p` is the coordinate `step p + dilation w - before`, mode by mode.
///
/// A mode that a convolution does not move along has a window of its extent, and one place; a mode without a window has a window of 1.
///
/// ```
/// use layout_core::Convolution;
/// // 3 x 3, every second place, one element of a pad on all sides.
/// let convolution = Convolution::new([3, 3]).step([2, 2]).padding([1, 1], [1, 1]);
/// assert_eq!(convolution.places([56, 55]), [28, 28]);
/// assert_eq!(Convolution::new([3]).dilation([4]).places([10]), [2]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convolution<const RANK: usize> {
    // All but the pads are positive, and all numbers are at most `LARGEST`, so that coordinates do not overflow.
    window: [usize; RANK],
    step: [usize; RANK],
    dilation: [usize; RANK],
    before: [usize; RANK],
    behind: [usize; RANK],
}

/// The largest number of a convolution: products of two and a sum of such are far from the end of `i128`.
const LARGEST: usize = isize::MAX as usize;

/// A tensor of windows: `((window), (places))`.
pub type WindowsOf<S, const RANK: usize> = Tensor<S, Strided<([usize; RANK], [usize; RANK]), ([Signed; RANK], [Signed; RANK])>>;

/// The elements at one tap of all places where it lies inside.
pub type TapOf<S, const RANK: usize> = Tensor<S, Strided<[usize; RANK], [Signed; RANK]>>;

/// Panics where a number of a mode is 0 or too large.
#[track_caller]
const fn positive<const RANK: usize>(numbers: &[usize; RANK]) {
    let mut mode = 0;
    while mode < RANK {
        assert!(
            numbers[mode] > 0 && numbers[mode] <= LARGEST,
            "a window, a step or a dilation of a convolution is 0, or more than `isize::MAX`"
        );
        mode += 1;
    }
}

impl<const RANK: usize> Convolution<RANK> {
    /// Windows of these extents at every place, without a pad.
    ///
    /// Panics where an extent is 0.
    #[track_caller]
    pub const fn new(window: [usize; RANK]) -> Self {
        const { assert!(2 * RANK <= MAX_LEAVES, "a convolution has at most half as many modes as a layout has leaves") };
        positive(&window);
        Convolution { window, step: [1; RANK], dilation: [1; RANK], before: [0; RANK], behind: [0; RANK] }
    }

    /// Places that lie so far apart.
    ///
    /// Panics where a step is 0.
    #[track_caller]
    pub const fn step(self, step: [usize; RANK]) -> Self {
        positive(&step);
        Convolution { step, ..self }
    }

    /// Taps that lie so far apart.
    ///
    /// Panics where a dilation is 0.
    #[track_caller]
    pub const fn dilation(self, dilation: [usize; RANK]) -> Self {
        positive(&dilation);
        Convolution { dilation, ..self }
    }

    /// So many coordinates of a pad before the first one of each mode and behind the last one.
    #[track_caller]
    pub const fn padding(self, before: [usize; RANK], behind: [usize; RANK]) -> Self {
        let mut mode = 0;
        while mode < RANK {
            assert!(before[mode] <= LARGEST && behind[mode] <= LARGEST, "a pad of a convolution is more than `isize::MAX`");
            mode += 1;
        }
        Convolution { before, behind, ..self }
    }

    /// The extents of the windows.
    pub const fn window(&self) -> [usize; RANK] {
        self.window
    }

    /// How many places there are in a tensor of these extents, mode by mode: `(extent + before + behind - dilation (window - 1) - 1) / step + 1`, or 0 if there is no room for a window, and at most
    /// `isize::MAX`.
    pub fn places(&self, extents: [usize; RANK]) -> [usize; RANK] {
        core::array::from_fn(|mode| {
            let room = extents[mode] as i128 + self.before[mode] as i128 + self.behind[mode] as i128 - self.reach(mode);
            if room > 0 { ((room - 1) / self.step[mode] as i128 + 1).min(LARGEST as i128) as usize } else { 0 }
        })
    }

    /// How far the last tap of a mode lies from the first.
    fn reach(&self, mode: usize) -> i128 {
        self.dilation[mode] as i128 * (self.window[mode] as i128 - 1)
    }

    /// The coordinate of a tap at a place.
    fn coordinate(&self, mode: usize, place: usize, tap: usize) -> i128 {
        self.step[mode] as i128 * place as i128 + self.dilation[mode] as i128 * tap as i128 - self.before[mode] as i128
    }
}

/// How many `k` below `count` have `first + k step < 0`, and how many have `first + k step < extent`.
fn inside(first: i128, step: usize, extent: usize, count: usize) -> (usize, usize) {
    let below = |limit: i128| (limit - first).max(0).unsigned_abs().div_ceil(step as u128).min(count as u128) as usize;
    (below(0), below(extent as i128))
}

/// The elements of a mode at the taps `taps.0..taps.0 + taps.1` of as many places, from the coordinate `at` on; `None` is the constant of a boundary.
#[derive(Clone, Copy, Default)]
struct Piece {
    taps: (usize, usize),
    places: (usize, usize),
    at: Option<usize>,
}

/// The part of an affine tensor from a coordinate on, by other strides.
///
/// # Safety
///
/// The coordinates that the strides lead to are inside; of a storage to be written, no other part is used meanwhile.
unsafe fn part<S: Borrow, L: Layout>(storage: &S, first: isize, layout: L) -> Tensor<S, L> {
    // SAFETY: promised by the caller.
    unsafe { Tensor::from_parts(storage.moved(first), layout) }
}

/// The index of a coordinate, a sum of products with strides.
fn index<const RANK: usize>(first: isize, strides: &[isize], c: [usize; RANK]) -> isize {
    (0..RANK).fold(first, |index, mode| index.wrapping_add((c[mode] as isize).wrapping_mul(strides[mode])))
}

/// Each stride so many times, of modes where it takes a step.
fn times<const RANK: usize>(strides: &[isize], factors: [usize; RANK], extents: [usize; RANK]) -> [Signed; RANK] {
    core::array::from_fn(|mode| Signed(if extents[mode] > 1 { strides[mode].wrapping_mul(factors[mode] as isize) } else { 0 }))
}

/// The first index, the extents and the strides of a layout of `RANK` modes.
fn affine<L: Layout, const RANK: usize>(layout: &L) -> Result<(Affine, [usize; RANK]), TensorError> {
    if layout.rank() != RANK {
        return Err(LayoutError::plain(Op::Windows, Cause::RankMismatch, RANK as i64, layout.rank() as i64).into());
    }
    let affine = Affine::of(layout).map_err(|mode| TensorError::Uneven { mode })?;
    Ok((affine, core::array::from_fn(|mode| affine.extents()[mode])))
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// The windows of a convolution without a pad, `((window), (places))`: the element at `(w, p)` is that at `step p + dilation w`. They overlap, and are to be read.
    ///
    /// [`Tensor::windows`] with steps and numbers of run time. Fails where the convolution has a pad, of which a tensor has no elements ([`Tensor::assign_windows`] has a boundary), where a
    /// mode has no single stride, where the tensor has another number of modes, and where the windows have more than `isize::MAX` coordinates.
    ///
    /// ```
    /// use layout_core::{Convolution, Int, Keep, Tensor, make_layout};
    /// let data: Vec<i32> = (0..60).collect();
    /// let t = Tensor::new(&data, make_layout((6, 10), (10, Int::<1>)))?;
    /// let windows = t.windows_of(&Convolution::new([2, 3]).step([2, 3]).dilation([1, 2]))?;
    /// assert_eq!(windows.shape::<([usize; 2], [usize; 2])>(), ([2, 3], [3, 2]));
    /// assert_eq!(windows[([1, 2], [2, 1])], t[(2 * 2 + 1, 3 * 1 + 2 * 2)]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    pub fn windows_of<const RANK: usize>(&self, convolution: &Convolution<RANK>) -> Result<WindowsOf<S::Shared<'_>, RANK>, TensorError> {
        let (affine, extents) = affine::<_, RANK>(&self.layout())?;
        let Convolution { window, step, dilation, before, behind } = *convolution;
        if let Some(mode) = (0..RANK).find(|mode| before[*mode] > 0 || behind[*mode] > 0) {
            return Err(TensorError::Pad { mode, before: before[mode], behind: behind[mode] });
        }
        let places = convolution.places(extents);
        let each = window.iter().fold(1, |size: usize, extent| size.saturating_mul(*extent));
        // Extents of 0 are left out, as the others alone have coordinates, too.
        let size = places.iter().fold(1, |size: usize, extent| size.saturating_mul((*extent).max(1)));
        if size > LARGEST / each {
            return Err(TensorError::Windows { each, size: self.size() });
        }
        let strides = affine.strides();
        let layout = make_layout((window, places), (times(strides, dilation, window), times(strides, step, places)));
        // SAFETY: without a pad the coordinates of every tap at every place are inside.
        Ok(unsafe { part(&self.storage().shared(), affine.first(), layout) })
    }

    /// The elements that `tap` of a convolution meets, and the first of the places where it meets one: in the pad there are none.
    ///
    /// A convolution without a copy is a walk for each tap. Fails where the tap is outside of the window, where a mode has no single stride, and where the tensor has another number of modes.
    ///
    /// ```
    /// use layout_core::{Convolution, Int, Tensor, make_layout};
    /// let (data, weights, mut sums) = ([1, 2, 3, 4, 5], [1, 10, 100], [0; 5]);
    /// let t = Tensor::new(&data, make_layout((5,), (Int::<1>,)))?;
    /// let mut out = Tensor::new(&mut sums, make_layout((5,), (Int::<1>,)))?;
    /// let convolution = Convolution::new([3]).padding([1], [1]);
    /// for (tap, weight) in weights.into_iter().enumerate() {
    ///     let (first, elements) = t.tap(&convolution, [tap])?;
    ///     out.window_mut(first, elements.shape::<[usize; 1]>())?.zip_mut(&elements, |sum, x| *sum += weight * x);
    /// }
    /// assert_eq!(sums, [210, 321, 432, 543, 54]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[allow(clippy::type_complexity)]
    pub fn tap<const RANK: usize>(
        &self,
        convolution: &Convolution<RANK>,
        tap: [usize; RANK],
    ) -> Result<([usize; RANK], TapOf<S::Shared<'_>, RANK>), TensorError> {
        let (affine, extents) = affine::<_, RANK>(&self.layout())?;
        if let Some(mode) = (0..RANK).find(|mode| tap[*mode] >= convolution.window[*mode]) {
            return Err(TensorError::Window { mode, first: tap[mode], count: 1, extent: convolution.window[mode] });
        }
        let (all, mut first, mut count, mut at) = (convolution.places(extents), [0; RANK], [0; RANK], [0; RANK]);
        for mode in 0..RANK {
            let (begin, end) = inside(convolution.coordinate(mode, 0, tap[mode]), convolution.step[mode], extents[mode], all[mode]);
            (first[mode], count[mode]) = (begin, end - begin);
            at[mode] = if end > begin { convolution.coordinate(mode, begin, tap[mode]) as usize } else { 0 };
        }
        let from = if count.contains(&0) { 0 } else { index(affine.first(), affine.strides(), at) };
        let layout = make_layout(count, times(affine.strides(), convolution.step, count));
        // SAFETY: the coordinates of the tap at these places are inside.
        Ok((first, unsafe { part(&self.storage().shared(), from, layout) }))
    }
}

/// A tensor of windows that is written, from a tensor with a boundary.
struct Writing<'a, 'b, S: Storage, T, const RANK: usize> {
    convolution: &'a Convolution<RANK>,
    boundary: Boundary<'b, T>,
    extents: [usize; RANK],
    places: [usize; RANK],
    from: (S, Affine),
    /// The first element, and how far apart taps and places lie.
    to: (*mut T, [isize; RANK], [isize; RANK]),
}

impl<S: Borrow<Item = T> + Copy, T: Clone, const RANK: usize> Writing<'_, '_, S, T, RANK> {
    /// Writes the parts that begin with `pieces` of the modes before `mode`.
    ///
    /// # Safety
    ///
    /// Elements may be written at `to` at all taps of all places, and read at all indices of `from`.
    unsafe fn write(&self, mode: usize, pieces: [Piece; RANK]) {
        if mode == RANK {
            // SAFETY: promised by the caller.
            return unsafe { self.copy(&pieces) };
        }
        let next = |taps, places, at| {
            let mut pieces = pieces;
            pieces[mode] = Piece { taps, places, at };
            // SAFETY: promised by the caller.
            unsafe { self.write(mode + 1, pieces) }
        };
        let (convolution, window, extent, all) = (self.convolution, self.convolution.window[mode], self.extents[mode], self.places[mode]);
        // Whole windows lie inside where the first tap and the last one do.
        let (begin, _) = inside(convolution.coordinate(mode, 0, 0), convolution.step[mode], extent, all);
        let (_, end) = inside(convolution.coordinate(mode, 0, window - 1), convolution.step[mode], extent, all);
        let mut place = 0;
        while place < all {
            if place == begin && end > begin {
                next((0, window), (begin, end - begin), Some(convolution.coordinate(mode, begin, 0) as usize));
                place = end;
                continue;
            }
            let first = convolution.coordinate(mode, place, 0);
            let (low, high) = inside(first, convolution.dilation[mode], extent, window);
            let mut tap = 0;
            while tap < window {
                if tap == low && high > low {
                    next((low, high - low), (place, 1), Some(convolution.coordinate(mode, place, low) as usize));
                    tap = high;
                    continue;
                }
                let at = self.boundary.place(convolution.coordinate(mode, place, tap), extent);
                // Of a constant all taps up to those inside are alike.
                let count = if at.is_some() {
                    1
                } else if tap < low && high > low {
                    low - tap
                } else {
                    window - tap
                };
                next((tap, count), (place, 1), at);
                tap += count;
            }
            place += 1;
        }
    }

    /// Writes one part.
    ///
    /// # Safety
    ///
    /// As of [`Writing::write`].
    unsafe fn copy(&self, pieces: &[Piece; RANK]) {
        let (origin, taps, places) = self.to;
        let (from, strides) = (self.from.1.first(), self.from.1.strides());
        let (window, count) = (pieces.map(|piece| piece.taps.1), pieces.map(|piece| piece.places.1));
        let first = index(0, &taps, pieces.map(|piece| piece.taps.0)).wrapping_add(index(0, &places, pieces.map(|piece| piece.places.0)));
        let layout = make_layout((window, count), (times(&taps, [1; RANK], window), times(&places, [1; RANK], count)));
        // SAFETY: some of the elements that may be written.
        let mut to = unsafe { ViewMut::from_raw_mut(origin.wrapping_offset(first), layout) };
        if let Boundary::Constant(value) = self.boundary
            && pieces.iter().any(|piece| piece.at.is_none())
        {
            return to.fill(value.clone());
        }
        let first = index(from, strides, pieces.map(|piece| piece.at.unwrap_or(0)));
        let Convolution { step, dilation, .. } = *self.convolution;
        let layout = make_layout((window, count), (times(strides, dilation, window), times(strides, step, count)));
        // SAFETY: the pieces are inside.
        to.assign(&unsafe { part(&self.from.0, first, layout) });
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Sets the element at `(w, p)` to that of `from` at `step p + dilation w - before`, or to what `boundary` says of coordinates in the pad: im2col.
    ///
    /// This tensor has the extents of the window and then those of the places, as modes, as two modes of modes, see [`Tensor::windows_of`], or as a matrix of two modes, whose integers
    /// count taps and places, the first mode fastest. Where windows lie inside, all is one [`Tensor::assign`]. Fails where a mode of either tensor has no single stride, and where `from` has another number of
    /// modes. Panics where the extents are others, and where `from` has no elements and the boundary is no constant.
    ///
    /// ```
    /// use layout_core::{Boundary, Convolution, Int, Tensor, make_layout};
    /// let image = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let convolution = Convolution::new([1, 3]).padding([0, 1], [0, 1]);
    /// let mut rows = [9; 18];
    /// // Taps are the columns of a matrix of 3 by 6.
    /// let mut matrix = Tensor::new(&mut rows, make_layout((3, 6), (Int::<1>, 3)))?;
    /// matrix.assign_windows(&image, &convolution, Boundary::Constant(&0))?;
    /// assert_eq!(rows, [0, 1, 2, 0, 4, 5, 1, 2, 3, 4, 5, 6, 2, 3, 0, 5, 6, 0]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[track_caller]
    pub fn assign_windows<R: Storage<Item = S::Item>, M: Layout, const RANK: usize>(
        &mut self,
        from: &Tensor<R, M>,
        convolution: &Convolution<RANK>,
        boundary: Boundary<'_, S::Item>,
    ) -> Result<(), TensorError>
    where
        S::Item: Clone,
    {
        let (read, extents) = affine::<_, RANK>(&from.layout())?;
        let places = convolution.places(extents);
        let layout = self.layout();
        require_filled(&layout, convolution.window, places);
        if layout.size() == 0 {
            return Ok(());
        }
        assert!(
            matches!(boundary, Boundary::Constant(_)) || !extents.contains(&0),
            "a tensor without elements has none beyond its boundary"
        );
        let (first, taps, places_apart) = digits_apart(&layout, convolution.window, places)?;
        let to = (self.storage_mut().origin_mut().wrapping_offset(first), taps, places_apart);
        let writing = Writing { convolution, boundary, extents, places, from: (from.storage().shared(), read), to };
        // SAFETY: the elements of the tensor, which is borrowed exclusively, and of another.
        unsafe { writing.write(0, [Piece::default(); RANK]) };
        Ok(())
    }
}

/// Panics where a layout has other extents than windows and places.
#[track_caller]
fn require_filled<L: Layout, const RANK: usize>(layout: &L, window: [usize; RANK], places: [usize; RANK]) {
    let all = layout.extents();
    let product =
        |extents: [usize; RANK]| if extents.contains(&0) { Some(0) } else { extents.into_iter().try_fold(1usize, usize::checked_mul) };
    let by_mode = layout.rank() == 2 * RANK && all[..RANK] == window && all[RANK..2 * RANK] == places;
    let by_two = layout.rank() == 2 && product(window) == Some(all[0]) && product(places) == Some(all[1]);
    assert!(by_mode || by_two, "windows of {window:?} at {places:?} places do not fill a tensor of {:?}", &all[..layout.rank()]);
}

/// The index of the first coordinate, and how far apart the taps and the places of each mode lie.
fn digits_apart<L: Layout, const RANK: usize>(
    layout: &L,
    window: [usize; RANK],
    places: [usize; RANK],
) -> Result<(isize, [isize; RANK], [isize; RANK]), TensorError> {
    let first = layout.index_of(&[0; MAX_LEAVES]) as isize;
    if let (true, Ok(affine)) = (layout.rank() == 2 * RANK, Affine::of(layout)) {
        let strides = affine.strides();
        return Ok((first, core::array::from_fn(|mode| strides[mode]), core::array::from_fn(|mode| strides[RANK + mode])));
    }
    let extent = |mode: usize| if mode < RANK { window[mode] } else { places[mode - RANK] };
    let mut wanted = Loops::new(0);
    for mode in (0..2 * RANK).filter(|mode| extent(*mode) != 1) {
        wanted.extents[wanted.len] = extent(mode);
        wanted.len += 1;
    }
    let loops = layout.loops::<MAX_LEAVES>().filter(|_| layout.period() == Some(1));
    let cut = loops.and_then(|loops| loops.refined(&wanted));
    let (mut apart, mut next) = ([[0; RANK]; 2], 0);
    for mode in (0..2 * RANK).filter(|mode| extent(*mode) != 1) {
        match &cut {
            Some((ours, _)) if ours.at(next).0 == extent(mode) => apart[mode / RANK][mode % RANK] = ours.steps[next] as isize,
            _ => return Err(TensorError::Uneven { mode: mode % RANK }),
        }
        next += 1;
    }
    Ok((first, apart[0], apart[1]))
}
