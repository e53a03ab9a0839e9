//! Neighbours of elements: shifted windows, and stencils with a rule for the boundary.

use super::storage::{Storage, StorageMut, Unique};
use super::tensor::Tensor;
use super::window::Window;
use super::zip::require_alike;
use crate::types::{Layout, MAX_LEAVES, Slots};
use core::array::from_fn;

/// The rule for elements beyond the boundary of a tensor. Along a mode with the elements `a b c d`:
///
/// | | before | inside | behind |
/// |---|---|---|---|
/// | `Clamp` | `a a a` | `a b c d` | `d d d` |
/// | `Wrap` | `b c d` | `a b c d` | `a b c` |
/// | `Reflect` | `d c b` | `a b c d` | `c b a` |
/// | `Symmetric` | `c b a` | `a b c d` | `d c b` |
/// | `Constant(&x)` | `x x x` | `a b c d` | `x x x` |
///
/// The names follow NumPy's `pad`, where `Clamp` is `edge`.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// use layout_core::tensor::Boundary;
/// let t = Tensor::new(&['a', 'b', 'c', 'd'], make_layout((4,), (Int::<1>,)))?;
/// let padded = |boundary| (-3..7).map(|k| t.beyond([k], boundary)).collect::<String>();
/// assert_eq!(padded(Boundary::Clamp), "aaaabcdddd");
/// assert_eq!(padded(Boundary::Wrap), "bcdabcdabc");
/// assert_eq!(padded(Boundary::Reflect), "dcbabcdcba");
/// assert_eq!(padded(Boundary::Symmetric), "cbaabcddcb");
/// assert_eq!(padded(Boundary::Constant(&'x')), "xxxabcdxxx");
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub enum Boundary<'a, T> {
    /// Use the nearest element.
    Clamp,
    /// Use the element at the other end: the modes are rings.
    Wrap,
    /// Use the mirror image, with the last element as the mirror.
    Reflect,
    /// Use the mirror image, with the mirror behind the last element.
    Symmetric,
    /// Use one value.
    Constant(&'a T),
}

impl<T> Clone for Boundary<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Boundary<'_, T> {}

impl<T> Boundary<'_, T> {
    /// Returns the coordinate of a mode whose element stands for the coordinate `at`, or `None` for the constant. The extent is positive.
    pub(super) fn place(&self, at: i128, extent: usize) -> Option<usize> {
        let (n, last) = (extent as i128, extent as i128 - 1);
        if (0..n).contains(&at) {
            return Some(at as usize);
        }
        // A mirror image repeats after one way there and back.
        let mirrored = |period: i128, back: i128| {
            let at = at.rem_euclid(period);
            if at < n { at } else { back - at }
        };
        Some(match self {
            Boundary::Clamp => at.clamp(0, last),
            Boundary::Wrap => at.rem_euclid(n),
            Boundary::Reflect if last == 0 => 0,
            Boundary::Reflect => mirrored(2 * last, 2 * last),
            Boundary::Symmetric => mirrored(2 * n, 2 * n - 1),
            Boundary::Constant(_) => return None,
        } as usize)
    }
}

/// A window of a tensor of `RANK` modes with the layout `L`; see [`Tensor::neighbours`].
///
/// ```
/// use layout_core::{Int, Layout, Tensor, make_layout};
/// use layout_core::tensor::{Neighbours, Storage};
/// /// Returns each element that has a right neighbour, and that neighbour.
/// fn pairs<S: Storage, L: Layout>(t: &Tensor<S, L>) -> [Neighbours<S::Shared<'_>, L, 2>; 2] {
///     t.neighbours(&[[0, 0], [0, 1]])
/// }
/// let t = Tensor::new(&[1, 2, 4, 8, 16, 32], make_layout((2, 3), (3, Int::<1>)))?;
/// let [left, right] = pairs(&t);
/// let mut differences = Vec::new();
/// left.zip(&right, |x, y| differences.push(y - x));
/// assert_eq!(differences, [1, 2, 8, 16]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type Neighbours<S, L, const RANK: usize> = Tensor<S, Window<L, [usize; RANK]>>;

/// The box of coordinates that every offset moves to coordinates inside.
struct Interior<const RANK: usize> {
    corner: [usize; RANK],
    extents: [usize; RANK],
}

impl<const RANK: usize> Interior<RANK> {
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    fn new<L: Layout, const K: usize>(layout: &L, offsets: &[[isize; RANK]; K]) -> Self {
        assert!(RANK == layout.rank(), "offsets of {RANK} modes in a tensor of {}", layout.rank());
        let (whole, mut corner, mut extents) = (layout.extents(), [0; RANK], [0; RANK]);
        for mode in 0..RANK {
            let (mut back, mut ahead) = (0, 0);
            for offset in offsets {
                (back, ahead) = (offset[mode].min(back), offset[mode].max(ahead));
            }
            corner[mode] = back.unsigned_abs().min(whole[mode]);
            extents[mode] = whole[mode].wrapping_sub(corner[mode]).saturating_sub(ahead as usize);
        }
        Interior { corner, extents }
    }

    /// Returns the window of the layout with the extents of the interior, from the corner of the interior plus `offset` on.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn window<L: Layout>(&self, layout: L, offset: &[isize; RANK]) -> Window<L, [usize; RANK]> {
        // An empty window begins anywhere.
        let empty = self.extents.contains(&0);
        let corner = from_fn(|mode| if empty { 0 } else { self.corner[mode].wrapping_add_signed(offset[mode]) });
        // SAFETY: an offset moves the interior to coordinates inside.
        unsafe { Window::inside(layout, corner, if empty { [0; RANK] } else { self.extents }) }
    }
}

/// A box of a tensor with the corner `target`, and the corner of the source box for each of `K` offsets; `None` is the boundary's constant.
struct Boxes<const RANK: usize, const K: usize> {
    extents: [usize; RANK],
    target: [usize; RANK],
    sources: [Option<[usize; RANK]>; K],
}

impl<const RANK: usize, const K: usize> Boxes<RANK, K> {
    /// Calls `f` with boxes that together cover `whole`. The modes before `mode` are cut already. Along each other mode,
    /// every coordinate of the border becomes a box of extent 1, and the interior becomes one box.
    fn cut<T>(
        mut self,
        mode: usize,
        interior: &Interior<RANK>,
        whole: &Slots,
        offsets: &[[isize; RANK]; K],
        boundary: Boundary<T>,
        f: &mut impl FnMut(Self),
    ) {
        if mode == RANK {
            return f(self);
        }
        let mut at = 0;
        while at < whole[mode] {
            let count = if at == interior.corner[mode] { interior.extents[mode].max(1) } else { 1 };
            (self.target[mode], self.extents[mode]) = (at, count);
            let mut part = Boxes { extents: self.extents, target: self.target, sources: self.sources };
            for (source, offset) in part.sources.iter_mut().zip(offsets) {
                let place = boundary.place(at as i128 + offset[mode] as i128, whole[mode]);
                *source = source.zip(place).map(|(mut corner, place)| {
                    corner[mode] = place;
                    corner
                });
            }
            part.cut(mode + 1, interior, whole, offsets, boundary, f);
            at += count;
        }
    }
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Returns a window for each offset: at `c` the element at `first + c + offset`, over all `c` where every offset leads to an element.
    ///
    /// `first` is the greatest step back of the offsets in each mode. The windows have the same extents, so one walk can visit them
    /// together, and [`Tensor::interior_mut`] of another tensor is the window of their centres. Panics unless
    /// each offset has an integer for each mode.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (data, mut out) = ([1, 4, 9, 16, 25], [0; 5]);
    /// let t = Tensor::new(&data, make_layout((5,), (Int::<1>,)))?;
    /// let mut curvature = Tensor::new(&mut out, make_layout((5,), (Int::<1>,)))?;
    /// let offsets = [[-1], [0], [1]];
    /// curvature.interior_mut(&offsets).zip_mut(&t.neighbours(&offsets), |x, [left, here, right]| *x = left - 2 * here + right);
    /// assert_eq!(out, [0, 2, 2, 2, 0]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn neighbours<const RANK: usize, const K: usize>(&self, offsets: &[[isize; RANK]; K]) -> [Neighbours<S::Shared<'_>, L, RANK>; K] {
        let layout = self.layout();
        let interior = Interior::new(&layout, offsets);
        // SAFETY: the coordinates are some of the same.
        from_fn(|k| unsafe { Tensor::from_parts(self.storage().shared(), interior.window(layout, &offsets[k])) })
    }

    /// Returns the element at `c`. Outside of the tensor, returns the element that `boundary` defines.
    ///
    /// Panics if the tensor has no elements and the boundary is not a constant, and if `c` does not have an integer for each mode.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::Boundary;
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// assert_eq!(*t.beyond([-1, 1], Boundary::Clamp), t[(0, 1)]);
    /// assert_eq!(*t.beyond([0, 4], Boundary::Wrap), t[(0, 1)]);
    /// assert_eq!(*t.beyond([1, 4], Boundary::Constant(&0)), 0);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[track_caller]
    pub fn beyond<'a, const RANK: usize>(&'a self, c: [isize; RANK], boundary: Boundary<'a, S::Item>) -> &'a S::Item {
        let layout = self.layout();
        assert!(RANK == layout.rank(), "a coordinate of {RANK} modes in a tensor of {}", layout.rank());
        let (extents, mut modes): (_, Slots) = (layout.extents(), [0; MAX_LEAVES]);
        if let Boundary::Constant(value) = boundary
            && (0..RANK).any(|mode| boundary.place(c[mode] as i128, extents[mode]).is_none())
        {
            return value;
        }
        assert!(!extents[..RANK].contains(&0), "a tensor without elements has none beyond its boundary");
        for mode in 0..RANK {
            modes[mode] = boundary.place(c[mode] as i128, extents[mode]).expect("no constant, or inside");
        }
        // SAFETY: each integer is below its extent.
        unsafe { &*self.storage().origin().wrapping_add(layout.index_of(&modes)) }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Returns the mutable window of the coordinates that every offset moves to coordinates inside; see [`Tensor::neighbours`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [1; 12];
    /// let mut t = Tensor::new(&mut data, make_layout((3, 4), (4, Int::<1>)))?;
    /// // Every element that has a neighbour on all four sides.
    /// t.interior_mut(&[[-1, 0], [1, 0], [0, -1], [0, 1]]).fill(0);
    /// assert_eq!(data, [1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn interior_mut<const RANK: usize, const K: usize>(
        &mut self,
        offsets: &[[isize; RANK]; K],
    ) -> Neighbours<Unique<'_, S::Item>, L, RANK> {
        let layout = self.layout();
        let window = Interior::new(&layout, offsets).window(layout, &[0; RANK]);
        // SAFETY: the coordinates are some of the same, and the tensor is borrowed exclusively.
        unsafe { Tensor::from_parts(self.view_mut().into_storage(), window) }
    }

    /// Calls `f` with every element and the elements of `from` at its coordinate plus each offset; `boundary` defines the elements outside.
    ///
    /// The border is cut into boxes whose neighbours are boxes, too, and each box is walked in memory order, see
    /// [`Tensor::zip_mut`]. Panics if the extents differ, or if the offsets do not have an integer for each mode.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::Boundary;
    /// let (data, mut out) = ([1, 2, 3, 4, 5, 6, 7, 8, 9], [0; 9]);
    /// let rows = make_layout((3, 3), (3, Int::<1>));
    /// let t = Tensor::new(&data, rows)?;
    /// let cross = [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]];
    /// Tensor::new(&mut out, rows)?.stencil(&t, &cross, Boundary::Constant(&0), |x, around| *x = around.into_iter().sum());
    /// assert_eq!(out, [7, 11, 11, 17, 25, 23, 19, 29, 23]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[track_caller]
    pub fn stencil<R: Storage, M: Layout, const RANK: usize, const K: usize>(
        &mut self,
        from: &Tensor<R, M>,
        offsets: &[[isize; RANK]; K],
        boundary: Boundary<'_, R::Item>,
        mut f: impl FnMut(&mut S::Item, [&R::Item; K]),
    ) {
        require_alike(self, &from);
        assert!(RANK == from.layout().rank(), "offsets of {RANK} modes from a tensor of {}", from.layout().rank());
        let (ours, theirs) = (self.layout(), from.layout());
        let (interior, zero) = (Interior::new(&ours, offsets), [0; RANK]);
        let all = Boxes { extents: zero, target: zero, sources: [Some(zero); K] };
        all.cut(0, &interior, &ours.extents(), offsets, boundary, &mut |part| {
            let Boxes { extents, target, sources } = part;
            let constant = if let Boundary::Constant(value) = boundary { Some(value) } else { None };
            let outside = || constant.expect("other boundaries have an element for each");
            // SAFETY: the coordinates are some of the same, and the tensor is borrowed exclusively.
            let mut to: Tensor<Unique<'_, S::Item>, _> =
                unsafe { Tensor::from_parts(self.view_mut().into_storage(), Window::inside(ours, target, extents)) };
            // SAFETY: the coordinates are some of the same.
            let windows = from_fn(|k| unsafe {
                Tensor::from_parts(from.storage().shared(), Window::inside(theirs, sources[k].unwrap_or(target), extents))
            });
            if sources.contains(&None) {
                to.zip_mut(&windows, |x, around: [_; K]| f(x, from_fn(|k| if sources[k].is_some() { around[k] } else { outside() })));
            } else {
                to.zip_mut(&windows, &mut f);
            }
        });
    }
}
