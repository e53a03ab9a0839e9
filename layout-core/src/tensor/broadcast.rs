//! Tensors that repeat their elements along new modes, or along modes of extent 1.

use super::companions::one_a_mode;
use super::storage::Storage;
use super::tensor::Tensor;
use crate::types::{
    Coordinate, CoordinateBox, Descriptor, Fits, IntTuple, KnownSteps, Layout, Loops, MAX_LEAVES, RawLayout, Slots, digits, forward,
    integers, position, unroll, whole_part,
};
use core::marker::PhantomData;
use core::ops::Range;
use layout_algebra::error::Text;

/// The layout `L`, repeated along modes: their integers do not change the index. See [`Tensor::broadcast`].
///
/// ```
/// use layout_core::{Int, Layout, Strided, Tensor, View, make_layout};
/// use layout_core::number::Keep;
/// use layout_core::tensor::Broadcast;
/// type Bias = Strided<(usize,), (Int<1>,)>;
/// /// A bias for each column, the same in all rows.
/// struct Rows<'a> {
///     bias: View<'a, f32, Broadcast<Bias, (usize, Keep)>>,
/// }
/// let bias = Tensor::new(&[0.5, 1.5, 2.5], make_layout((3,), (Int::<1>,)))?;
/// let rows = Rows { bias: bias.broadcast((1000, Keep)) };
/// assert_eq!((rows.bias.size(), rows.bias[(999, 1)]), (3000, 1.5));
/// // Coordinates share elements, so nobody writes through a broadcast.
/// assert_eq!(rows.bias.layout().is_injective(), Some(false));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Broadcast<L, E: IntTuple> {
    // The product of the extents but 0 fits `isize`. A `shape` with `Keep` has one for each mode of `layout`. A `shape`
    // without `Keep` has one integer for each mode of `layout`, and the mode's extent is that integer or 1.
    layout: L,
    shape: E,
}

/// The source of the extent of a mode.
#[derive(Clone, Copy)]
enum Extent {
    /// The extent of the mode of the layout with this number.
    Whole(usize),
    /// A static integer.
    Known(usize),
    /// The run-time integer of the shape with this number, from 0.
    Input(usize),
}

/// A mode of the shape: its extent, and the number of the mode of the layout that it takes or repeats; `None` for a new mode.
#[derive(Clone, Copy)]
struct Mode {
    extent: Extent,
    source: Option<usize>,
}

/// The modes of a shape, each as `Some`, followed by `None`.
type Modes = [Option<Mode>; MAX_LEAVES];

/// Returns the number of entries of a shape that are `Keep`.
const fn kept(shape: &[Descriptor]) -> usize {
    let (mut count, mut k) = (0, 0);
    while k < shape.len() {
        count += matches!(shape[k], Descriptor::Keep) as usize;
        k += 1;
    }
    count
}

/// Returns the modes of a shape. If it has a `Keep`, each `Keep` stands for the next mode of the layout, otherwise each integer does.
const fn modes(shape: &[Descriptor]) -> Modes {
    let (mut out, mut inputs, mut next, mut k) = ([None; MAX_LEAVES], 0, 0, 0);
    let by_place = kept(shape) == 0;
    while k < shape.len() && k < MAX_LEAVES {
        let extent = match shape[k] {
            Descriptor::Keep => Extent::Whole(next),
            Descriptor::Known(extent) => Extent::Known(extent as usize),
            _ => Extent::Input(inputs),
        };
        let source = if by_place || matches!(shape[k], Descriptor::Keep) { Some(next) } else { None };
        next += source.is_some() as usize;
        inputs += matches!(extent, Extent::Input(_)) as usize;
        out[k] = Some(Mode { extent, source });
        k += 1;
    }
    out
}

// Each of these functions is one step of a loop over the modes, which `unroll` writes out.

#[inline(always)]
fn extent(modes: &Modes, whole: &Slots, inputs: &Slots, extents: &mut Slots, k: usize) {
    if let Some(mode) = modes[k] {
        extents[k] = match mode.extent {
            Extent::Whole(mode) => whole[mode],
            Extent::Known(extent) => extent,
            Extent::Input(input) => inputs[input],
        };
    }
}

/// Panics if the layout's mode for mode `k` of the shape has neither the extent `extents[k]` nor 1. Multiplies `size` by `extents[k]`.
#[inline(always)]
#[track_caller]
fn fits(modes: &Modes, whole: &Slots, extents: &Slots, size: &mut Option<usize>, k: usize) {
    let Some(Mode { extent, source }) = modes[k] else { return };
    if let Some(mode) = source
        && !matches!(extent, Extent::Whole(_))
    {
        assert!(
            whole[mode] == extents[k] || whole[mode] == 1,
            "broadcast: mode {mode} has {} elements and cannot become {}: only a mode of one is repeated",
            whole[mode],
            extents[k]
        );
    }
    *size = size.and_then(|size| size.checked_mul(extents[k].max(1)));
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_large() -> ! {
    panic!("broadcast: the shape has more coordinates than `isize` can count")
}

#[inline(always)]
fn inner(modes: &Modes, whole: &Slots, given: &Slots, inner: &mut Slots, k: usize) {
    if let Some(Mode { source: Some(mode), .. }) = modes[k] {
        inner[mode] = if whole[mode] == 1 { 0 } else { given[k] };
    }
}

#[inline(always)]
fn below(modes: &Modes, extents: &Slots, given: &Slots, inside: &mut bool, k: usize) {
    if modes[k].is_some() {
        *inside &= given[k] < extents[k];
    }
}

#[inline(always)]
fn multiply(modes: &Modes, extents: &Slots, size: &mut usize, k: usize) {
    if modes[k].is_some() {
        *size = size.wrapping_mul(extents[k]);
    }
}

#[inline(always)]
fn step<const N: usize>(modes: &Modes, extents: &Slots, of_layout: &Loops<N>, loops: &mut Loops<N>, k: usize) {
    if k >= N {
        return;
    }
    if let Some(Mode { source, .. }) = modes[k] {
        loops.extents[k] = extents[k];
        if let Some(mode) = source
            && of_layout.extents[mode % N] != 1
        {
            loops.steps[k] = of_layout.steps[mode % N];
        }
    }
}

/// A check that a coordinate of type `C` is one integer, or has an integer for each mode of the shape `E`.
pub struct OfModes<E, C>(PhantomData<(E, C)>);

impl<E: IntTuple, C: IntTuple> Fits for OfModes<E, C> {
    const FITS: () = assert!(
        C::DESCRIPTOR.is_integer() || C::DESCRIPTOR.is_flat(MAX_LEAVES) && C::DESCRIPTOR.modes() == E::DESCRIPTOR.modes(),
        "a coordinate of a broadcast has an integer for each of its modes, or is one integer"
    );
}

impl<L: Layout, E: IntTuple> Broadcast<L, E> {
    const SHAPE: &'static [Descriptor] = match E::DESCRIPTOR {
        Descriptor::Tuple(modes) => modes,
        _ => const { &[E::DESCRIPTOR] },
    };

    /// The number of modes of the broadcast layout.
    const RANK: usize = Self::SHAPE.len();

    const TABLE: Modes = modes(Self::SHAPE);

    /// The number of modes that `layout` must have: one for each `Keep` of the shape, or one for each integer if the shape
    /// has no `Keep`.
    const KEPT: usize = if kept(Self::SHAPE) > 0 { kept(Self::SHAPE) } else { Self::RANK };

    /// Makes the broadcast layout. Panics if the shape does not fit `layout`, or has more coordinates than `isize` can count.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    fn new(layout: L, shape: E) -> Self {
        const {
            let mut k = 0;
            while k < Self::RANK {
                assert!(
                    matches!(Self::SHAPE[k], Descriptor::Known(_) | Descriptor::Input(_) | Descriptor::Keep),
                    "broadcast: the shape has an integer or `Keep` for each mode"
                );
                k += 1;
            }
        }
        let rank = layout.rank();
        assert!(
            rank == Self::KEPT,
            "broadcast: the tensor has {rank} modes, the shape {}: `Keep` stands for a mode of the tensor, an integer beside it for a new one",
            Self::KEPT
        );
        let (all, whole, mut size) = (Broadcast { layout, shape }, layout.extents(), Some(1usize));
        let (modes, extents) = (const { &Self::TABLE }, all.extents());
        unroll!(Self::RANK, fits(modes, &whole, &extents, &mut size));
        if size.is_none_or(|size| size > isize::MAX as usize) {
            too_large()
        }
        all
    }

    /// Returns the coordinate of the inner layout for the coordinate `given`: one integer for each mode of either.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn inner(&self, given: &Slots) -> Slots {
        let (modes, whole, mut integers) = (const { &Self::TABLE }, self.layout.extents(), [0; MAX_LEAVES]);
        unroll!(Self::RANK, inner(modes, &whole, given, &mut integers));
        integers
    }
}

// SAFETY: a coordinate has the index of a coordinate of the layout. `new` has checked that the product of the extents fits.
unsafe impl<L: Layout, E: IntTuple> RawLayout for Broadcast<L, E> {
    forward!(L, layout: SPAN image period);

    const INJECTIVE: Option<bool> = None;

    const LOOPS: Option<usize> = match one_a_mode::<L>() {
        Some(_) => Some(Self::RANK),
        None => None,
    };

    const MODES: Option<usize> = Some(Self::RANK);

    const STEPS: KnownSteps = KnownSteps { repeats: true, ..KnownSteps::NONE };

    type Fits<C: IntTuple> = OfModes<E, C>;

    #[cfg_attr(not(unoptimized), inline(always))]
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots {
        let () = OfModes::<E, C>::FITS;
        let given = integers(&c).1;
        if const { C::DESCRIPTOR.is_integer() } { digits(given[0], &self.extents(), Self::RANK) } else { given }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn index_of(&self, modes: &Slots) -> usize {
        self.layout.index_of(&self.inner(modes))
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn loops<const N: usize>(&self) -> Option<Loops<N>> {
        // A nested mode has more than one loop.
        let inner = self.layout.loops::<N>()?;
        if inner.len != Self::KEPT || Self::RANK > N {
            return None;
        }
        let (modes, extents, mut loops) = (const { &Self::TABLE }, self.extents(), Loops::new(Self::RANK));
        loops.start = inner.start;
        unroll!(Self::RANK, step(modes, &extents, &inner, &mut loops));
        Some(loops)
    }

    #[inline(always)]
    fn places<C: Coordinate>(&self) -> Slots {
        let () = OfModes::<E, C>::FITS;
        core::array::from_fn(|k| if const { C::DESCRIPTOR.is_integer() } { 0 } else { k })
    }

    #[inline]
    fn part(&self) -> Option<CoordinateBox> {
        whole_part(self)
    }

    #[inline]
    fn sum_at(&self, k: usize) -> usize {
        let inner = self.inner(&digits(k, &self.extents(), Self::RANK));
        self.layout.sum_at(position(&inner, &self.layout.extents(), Self::KEPT))
    }

    fn same_as(&self, other: &Self) -> bool {
        self.extents() == other.extents() && self.layout.same_as(&other.layout)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> ! {
        let (mut inputs, mut text) = ([0; MAX_LEAVES], Text::<256>::EMPTY);
        c.gather(&mut inputs, 0);
        C::DESCRIPTOR.write(&inputs, &mut 0, &mut text);
        panic!("the coordinate {} is outside of a broadcast of {:?}", text.as_str(), &self.extents()[..Self::RANK])
    }
}

impl<L: Layout, E: IntTuple> Layout for Broadcast<L, E> {
    #[inline(always)]
    fn rank(&self) -> usize {
        Self::RANK
    }

    #[inline(always)]
    fn size(&self) -> usize {
        let (modes, extents, mut size) = (const { &Self::TABLE }, self.extents(), 1);
        unroll!(Self::RANK, multiply(modes, &extents, &mut size));
        size
    }

    #[inline(always)]
    fn mode_size<const K: usize>(&self) -> usize {
        self.extents()[K]
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        self.index_of(&self.mode_coordinates(c))
    }

    #[inline]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        if self.contains(c) { Some(self.crd2idx(c)) } else { None }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn contains<C: IntTuple>(&self, c: C) -> bool {
        let () = OfModes::<E, C>::FITS;
        let given = integers(&c).1;
        if const { C::DESCRIPTOR.is_integer() } {
            return given[0] < self.size();
        }
        let (modes, extents, mut inside) = (const { &Self::TABLE }, self.extents(), true);
        unroll!(Self::RANK, below(modes, &extents, &given, &mut inside));
        inside
    }

    #[inline]
    fn idx2crd<C: Coordinate>(&self, index: usize) -> C {
        let () = OfModes::<E, C>::FITS;
        let modes = if const { C::DESCRIPTOR.is_integer() } { [index; MAX_LEAVES] } else { digits(index, &self.extents(), Self::RANK) };
        C::from_values(&modes, &mut 0)
    }

    #[inline]
    fn shape<C: Coordinate>(&self) -> C {
        let () = OfModes::<E, C>::FITS;
        let extents = if const { C::DESCRIPTOR.is_integer() } { [self.size(); MAX_LEAVES] } else { self.extents() };
        C::from_values(&extents, &mut 0)
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn extents(&self) -> Slots {
        let (modes, whole, mut extents, mut inputs) = (const { &Self::TABLE }, self.layout.extents(), crate::types::ONES, [0; MAX_LEAVES]);
        self.shape.gather(&mut inputs, 0);
        unroll!(Self::RANK, extent(modes, &whole, &inputs, &mut extents));
        extents
    }

    fn mode_stride(&self, k: usize) -> Option<isize> {
        match (*const { &Self::TABLE }.get(k)?)?.source {
            Some(mode) if self.layout.extents()[mode] != 1 => self.layout.mode_stride(mode),
            _ => Some(0),
        }
    }

    fn index_range(&self) -> layout_algebra::error::Result<Range<isize>> {
        let indices = self.layout.index_range()?;
        Ok(if self.size() == 0 { 0..0 } else { indices })
    }

    fn is_injective(&self) -> Option<bool> {
        if self.size() > self.layout.size() { Some(false) } else { self.layout.is_injective().filter(|injective| *injective) }
    }
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Returns the tensor with its elements repeated. No element is copied: coordinates share elements.
    ///
    /// If `shape` has a [`Keep`](crate::number::Keep), each `Keep` is the next mode of the tensor, and each integer is the extent
    /// of a new mode. Otherwise `shape` has one integer for each mode: it equals the extent, or replaces an extent of 1.
    ///
    /// Panics if a mode has neither its extent in `shape` nor 1, if `shape` has too few or too many modes of the tensor, and
    /// beyond `isize::MAX` coordinates.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::number::Keep;
    /// let (bias, mut out) = ([10, 20, 30], [1, 2, 3, 4, 5, 6]);
    /// let bias = Tensor::new(&bias, make_layout((3,), (Int::<1>,)))?;
    /// let mut t = Tensor::new(&mut out, make_layout((2, 3), (3, Int::<1>)))?;
    /// t.zip_mut(&bias.broadcast((2, Keep)), |x, b| *x += b);           // the same bias for each row
    /// assert_eq!(out, [11, 22, 33, 14, 25, 36]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let column = [1, 2];
    /// let column = Tensor::new(&column, make_layout((2, 1), (Int::<1>, 2)))?;
    /// assert!(column.broadcast((2, 3)).iter().eq(&[1, 2, 1, 2, 1, 2]));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn broadcast<E: IntTuple>(&self, shape: E) -> Tensor<S::Shared<'_>, Broadcast<L, E>> {
        let layout = Broadcast::new(self.layout(), shape);
        // SAFETY: the tensor has the same indices, or none.
        unsafe { Tensor::from_parts(self.storage().shared(), layout) }
    }
}
