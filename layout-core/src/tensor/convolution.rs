//! Windows of convolutions, with step, dilation and padding.

use super::error::TensorError;
use super::neighbours::Boundary;
use super::storage::{Borrow, Storage, StorageMut};
use super::tensor::{Tensor, ViewMut};
use crate::types::{Affine, Layout, Loops, MAX_LEAVES, Signed, Strided, make_layout};
use layout_algebra::error::{Cause, LayoutError, Op};

/// The geometry of a convolution. In each mode, tap `w` of window `p`, both from 0, reads the coordinate `step p + dilation w - before`.
///
/// A window that covers a whole mode, such as the channels of an image, has one position. In a mode without windows, the extent of the window is 1.
///
/// ```
/// use layout_core::tensor::Convolution;
/// // Windows of 3 x 3 at every second position, with one padding element on all sides.
/// let convolution = Convolution::new([3, 3]).step([2, 2]).padding([1, 1], [1, 1]);
/// assert_eq!(convolution.window(), [3, 3]);
/// assert_eq!(convolution.places([56, 55]), [28, 28]);
/// assert_eq!(Convolution::new([3]).dilation([4]).places([10]), [2]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convolution<const RANK: usize> {
    // Window, step and dilation are positive. No number exceeds `LARGEST`, so that coordinates do not overflow an `i128`.
    window: [usize; RANK],
    step: [usize; RANK],
    dilation: [usize; RANK],
    before: [usize; RANK],
    behind: [usize; RANK],
}

/// The largest number of a convolution.
const LARGEST: usize = isize::MAX as usize;

/// A tensor of windows with the modes `((window), (positions))`.
///
/// ```
/// use layout_core::{Int, Layout, Tensor, TensorError, make_layout};
/// use layout_core::number::Keep;
/// use layout_core::tensor::{Convolution, Storage, WindowsOf};
/// /// Returns the patches of 2 by 2 pixels of an image, side by side.
/// fn patches<S: Storage, L: Layout>(image: &Tensor<S, L>) -> Result<WindowsOf<S::Shared<'_>, 2>, TensorError> {
///     image.windows_of(&Convolution::new([2, 2]).step([2, 2]))
/// }
/// let data: Vec<i32> = (0..24).collect();
/// let image = Tensor::new(&data, make_layout((4, 6), (6, Int::<1>)))?;
/// let patches = patches(&image)?;
/// // The patch in row 1 and column 2 of the 2 by 3 patches begins at the pixel (2, 4).
/// assert!(patches.slice(((Keep, Keep), (1, 2))).iter().eq(&[16, 22, 17, 23]));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type WindowsOf<S, const RANK: usize> = Tensor<S, Strided<([usize; RANK], [usize; RANK]), ([Signed; RANK], [Signed; RANK])>>;

/// The elements that one tap reads, with a mode of positions for each mode of the tensor.
///
/// ```
/// use layout_core::{Int, Layout, Tensor, TensorError, make_layout};
/// use layout_core::tensor::{Convolution, Storage, TapOf};
/// /// Returns the elements that the middle tap of windows of three reads.
/// fn middle<S: Storage, L: Layout>(signal: &Tensor<S, L>) -> Result<TapOf<S::Shared<'_>, 1>, TensorError> {
///     let (_, elements) = signal.tap(&Convolution::new([3]), [1])?;
///     Ok(elements)
/// }
/// let signal = Tensor::new(&[1, 2, 3, 4, 5], make_layout((5,), (Int::<1>,)))?;
/// assert!(middle(&signal)?.iter().eq(&[2, 3, 4]));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type TapOf<S, const RANK: usize> = Tensor<S, Strided<[usize; RANK], [Signed; RANK]>>;

/// Panics if a number is 0 or too large.
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
    /// Returns the convolution with windows of these extents, step 1, dilation 1, and no padding.
    ///
    /// Panics if an extent is 0 or exceeds `isize::MAX`.
    #[track_caller]
    pub const fn new(window: [usize; RANK]) -> Self {
        const { assert!(2 * RANK <= MAX_LEAVES, "a convolution has at most half as many modes as a layout has leaves") };
        positive(&window);
        Convolution { window, step: [1; RANK], dilation: [1; RANK], before: [0; RANK], behind: [0; RANK] }
    }

    /// Sets the distance between two neighbouring positions in each mode, in elements.
    ///
    /// Panics if a step is 0 or exceeds `isize::MAX`.
    #[track_caller]
    pub const fn step(self, step: [usize; RANK]) -> Self {
        positive(&step);
        Convolution { step, ..self }
    }

    /// Sets the distance between two neighbouring taps of a window in each mode, in elements.
    ///
    /// Panics if a dilation is 0 or exceeds `isize::MAX`.
    #[track_caller]
    pub const fn dilation(self, dilation: [usize; RANK]) -> Self {
        positive(&dilation);
        Convolution { dilation, ..self }
    }

    /// Sets the number of padding coordinates before and behind each mode.
    ///
    /// Panics if a number exceeds `isize::MAX`.
    #[track_caller]
    pub const fn padding(self, before: [usize; RANK], behind: [usize; RANK]) -> Self {
        let mut mode = 0;
        while mode < RANK {
            assert!(before[mode] <= LARGEST && behind[mode] <= LARGEST, "a pad of a convolution is more than `isize::MAX`");
            mode += 1;
        }
        Convolution { before, behind, ..self }
    }

    /// Returns the extents of the windows.
    pub const fn window(&self) -> [usize; RANK] {
        self.window
    }

    /// Returns the number of positions of the window in each mode of a tensor with these extents.
    ///
    /// The number is `(extent + before + behind - dilation (window - 1) - 1) / step + 1`, with the quotient rounded down. It is
    /// 0 if no window fits. A number above `isize::MAX` becomes `isize::MAX`.
    pub fn places(&self, extents: [usize; RANK]) -> [usize; RANK] {
        core::array::from_fn(|mode| {
            let room = extents[mode] as i128 + self.before[mode] as i128 + self.behind[mode] as i128 - self.reach(mode);
            if room > 0 { ((room - 1) / self.step[mode] as i128 + 1).min(LARGEST as i128) as usize } else { 0 }
        })
    }

    /// Returns the distance between the first tap of a mode and the last, in elements.
    fn reach(&self, mode: usize) -> i128 {
        self.dilation[mode] as i128 * (self.window[mode] as i128 - 1)
    }

    /// Returns the coordinate of mode `mode` that tap `tap` reads at position `place`: negative or beyond the extent in the padding.
    fn coordinate(&self, mode: usize, place: usize, tap: usize) -> i128 {
        self.step[mode] as i128 * place as i128 + self.dilation[mode] as i128 * tap as i128 - self.before[mode] as i128
    }
}

/// Returns the number of `k` below `count` with `first + k step < 0`, and the number with `first + k step < extent`.
fn inside(first: i128, step: usize, extent: usize, count: usize) -> (usize, usize) {
    let below = |limit: i128| (limit - first).max(0).unsigned_abs().div_ceil(step as u128).min(count as u128) as usize;
    (below(0), below(extent as i128))
}

/// A range of taps and a range of positions of one mode, each as its first value and its count. The first tap at the first
/// position reads the coordinate `at`; `None` is the constant of a boundary.
#[derive(Clone, Copy, Default)]
struct Piece {
    taps: (usize, usize),
    places: (usize, usize),
    at: Option<usize>,
}

/// Returns a tensor of the elements of `storage` with the layout `layout`, whose index 0 is the index `first` of `storage`.
///
/// # Safety
///
/// The storage may be read at `first` plus every index of the layout.
unsafe fn part<S: Borrow, L: Layout>(storage: &S, first: isize, layout: L) -> Tensor<S, L> {
    // SAFETY: the caller promises this.
    unsafe { Tensor::from_parts(storage.moved(first), layout) }
}

/// Returns the index of a coordinate: `first` plus the sum of its integers times the strides.
fn index<const RANK: usize>(first: isize, strides: &[isize], c: [usize; RANK]) -> isize {
    (0..RANK).fold(first, |index, mode| index.wrapping_add((c[mode] as isize).wrapping_mul(strides[mode])))
}

/// Returns the products of strides and factors. A mode of one element has the stride 0, so that no product overflows.
fn times<const RANK: usize>(strides: &[isize], factors: [usize; RANK], extents: [usize; RANK]) -> [Signed; RANK] {
    core::array::from_fn(|mode| Signed(if extents[mode] > 1 { strides[mode].wrapping_mul(factors[mode] as isize) } else { 0 }))
}

/// Returns a layout of `RANK` modes as numbers, and its extents. Fails if the rank differs or a mode has no single stride.
fn affine<L: Layout, const RANK: usize>(layout: &L) -> Result<(Affine, [usize; RANK]), TensorError> {
    if layout.rank() != RANK {
        return Err(LayoutError::plain(Op::Windows, Cause::RankMismatch, RANK as i64, layout.rank() as i64).into());
    }
    let affine = Affine::of(layout).map_err(|mode| TensorError::Uneven { mode })?;
    Ok((affine, core::array::from_fn(|mode| affine.extents()[mode])))
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Returns the windows of a convolution, `((window), (positions))`: element `(w, p)` is this tensor's at `step p + dilation w`.
    ///
    /// Windows share elements, so the result is read only. It is [`Tensor::windows`] for extents that are known at run time,
    /// with step and dilation: each mode is composed with `(window, positions) : (dilation, step)`.
    ///
    /// Fails if the convolution has padding: a tensor has no elements there, and [`Tensor::assign_windows`] takes a boundary. Fails if a
    /// mode has no single stride, if the tensor has another number of modes, and if the windows have more than `isize::MAX` coordinates.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::number::Keep;
    /// use layout_core::tensor::Convolution;
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
        // The product of the positive extents must also be bounded, even if another extent is 0.
        let size = places.iter().fold(1, |size: usize, extent| size.saturating_mul((*extent).max(1)));
        if size > LARGEST / each {
            return Err(TensorError::Windows { each, size: self.size() });
        }
        let strides = affine.strides();
        let layout = make_layout((window, places), (times(strides, dilation, window), times(strides, step, places)));
        // SAFETY: without padding the coordinates of every tap at every position are inside.
        Ok(unsafe { part(&self.storage().shared(), affine.first(), layout) })
    }

    /// Returns the first position at which `tap` reads an element outside the padding, and the elements that it reads from there on.
    ///
    /// Walking over the elements of each tap computes a convolution without a copy. Fails if the tap is outside of the
    /// window, if a mode has no single stride, and if the tensor has another number of modes.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::Convolution;
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
        // SAFETY: the coordinates of the tap at these positions are inside.
        Ok((first, unsafe { part(&self.storage().shared(), from, layout) }))
    }
}

/// The windows of `from` that are written to `to`.
struct Writing<'a, 'b, S: Storage, T, const RANK: usize> {
    convolution: &'a Convolution<RANK>,
    boundary: Boundary<'b, T>,
    extents: [usize; RANK],
    places: [usize; RANK],
    from: (S, Affine),
    /// The pointer to the first element, the strides of the taps, and the strides of the positions, in elements.
    to: (*mut T, [isize; RANK], [isize; RANK]),
}

impl<S: Borrow<Item = T> + Copy, T: Clone, const RANK: usize> Writing<'_, '_, S, T, RANK> {
    /// Writes the elements at the taps and positions of `pieces` in the modes before `mode`, and at all of them in the other modes.
    ///
    /// # Safety
    ///
    /// The elements of `to` at all taps and positions may be written. The elements of `from` may be read.
    unsafe fn write(&self, mode: usize, pieces: [Piece; RANK]) {
        if mode == RANK {
            // SAFETY: the caller promises this.
            return unsafe { self.copy(&pieces) };
        }
        let next = |taps, places, at| {
            let mut pieces = pieces;
            pieces[mode] = Piece { taps, places, at };
            // SAFETY: the caller promises this.
            unsafe { self.write(mode + 1, pieces) }
        };
        let (convolution, window, extent, all) = (self.convolution, self.convolution.window[mode], self.extents[mode], self.places[mode]);
        // A window lies inside if its first tap and its last tap do.
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
                // All taps before the inside read the same constant, and so do all taps behind it.
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

    /// Writes the elements at the taps and positions of `pieces`, which has one piece for each mode.
    ///
    /// # Safety
    ///
    /// The promises of [`Writing::write`] hold.
    unsafe fn copy(&self, pieces: &[Piece; RANK]) {
        let (origin, taps, places) = self.to;
        let (from, strides) = (self.from.1.first(), self.from.1.strides());
        let (window, count) = (pieces.map(|piece| piece.taps.1), pieces.map(|piece| piece.places.1));
        let first = index(0, &taps, pieces.map(|piece| piece.taps.0)).wrapping_add(index(0, &places, pieces.map(|piece| piece.places.0)));
        let layout = make_layout((window, count), (times(&taps, [1; RANK], window), times(&places, [1; RANK], count)));
        // SAFETY: these are some of the elements that may be written.
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
    /// Sets the element at `(w, p)` to the element of `from` at `step p + dilation w - before` (im2col); `boundary` defines the padding.
    ///
    /// This tensor has one of these shapes: `(window.., positions..)`, `((window..), (positions..))`, or two modes whose integers
    /// count the taps and the positions, the first mode fastest. One [`Tensor::assign`] writes all windows that lie inside.
    ///
    /// Fails if a mode of either tensor has no single stride, and if `from` has another number of modes. Panics if this
    /// tensor has other extents, and if `from` has no elements and the boundary is not a constant.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::{Boundary, Convolution};
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
        // SAFETY: `to` has the elements of this tensor, which is borrowed exclusively; `from` has the elements of another tensor.
        unsafe { writing.write(0, [Piece::default(); RANK]) };
        Ok(())
    }
}

/// Panics unless the extents of the layout are the extents of the window and the positions.
#[track_caller]
fn require_filled<L: Layout, const RANK: usize>(layout: &L, window: [usize; RANK], places: [usize; RANK]) {
    let all = layout.extents();
    let product =
        |extents: [usize; RANK]| if extents.contains(&0) { Some(0) } else { extents.into_iter().try_fold(1usize, usize::checked_mul) };
    let by_mode = layout.rank() == 2 * RANK && all[..RANK] == window && all[RANK..2 * RANK] == places;
    let by_two = layout.rank() == 2 && product(window) == Some(all[0]) && product(places) == Some(all[1]);
    assert!(by_mode || by_two, "windows of {window:?} at {places:?} places do not fill a tensor of {:?}", &all[..layout.rank()]);
}

/// Returns the index of the first coordinate, the strides of the taps, and the strides of the positions. Fails if one has no stride.
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
