//! Facts of layouts that are proven once and carried in a type that only the proof makes.

use super::error::TensorError;
use super::tensor::Tensor;
use crate::types::{Coordinate, Fits, IntTuple, KnownSteps, Layout, Loops, Part, Slots, Span, Vectorable};
use core::ops::Range;
use layout_algebra::error::Result;

/// A layout of which no two coordinates share an index; only [`Injective::new`] makes it.
///
/// Where a layout type is static this is known of the type itself, and the certificate is not needed.
///
/// ```
/// use layout_core::{Injective, Int, make_layout};
/// assert!(Injective::new(make_layout((3, 4), (4, Int::<1>))).is_ok());
/// let error = Injective::new(make_layout((3, 4), (2, Int::<1>))).unwrap_err();
/// assert_eq!(error.to_string(), "two coordinates of the layout share an index");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Injective<L>(L);

impl<L: Layout> Injective<L> {
    /// The layout, if no two of its coordinates share an index.
    #[inline]
    pub fn new(layout: L) -> core::result::Result<Self, TensorError> {
        match L::INJECTIVE.or_else(|| layout.is_injective()) {
            Some(true) => Ok(Injective(layout)),
            Some(false) => Err(TensorError::Shared),
            None => Err(TensorError::Undecided),
        }
    }

    /// The layout, of which that is known.
    #[inline(always)]
    pub(super) fn known(layout: L) -> Self {
        Injective(layout)
    }

    /// The layout itself.
    #[inline(always)]
    pub fn into_inner(self) -> L {
        self.0
    }
}

impl<S, L: Layout> Tensor<S, L> {
    /// The tensor with the proof that no two coordinates share an element, so that its parts can be written side by side.
    ///
    /// Static layouts need it not.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (m, n) = (10, 6);
    /// let mut data = vec![0; 60];
    /// let mut t = Tensor::new(&mut data, make_layout((m, n), (Int::<1>, m)))?.injective()?;
    /// for mut tile in t.tiles_mut((Int::<4>, Int::<4>)) {
    ///     tile.fill(tile.size());
    /// }
    /// assert_eq!((data[0], data[8], data[50]), (16, 8, 8));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline]
    pub fn injective(self) -> core::result::Result<Tensor<S, Injective<L>>, TensorError> {
        let layout = Injective::new(*self.layout_ref())?;
        // SAFETY: the same indices.
        Ok(unsafe { Tensor::from_parts(self.into_storage(), layout) })
    }
}

// SAFETY: that of the layout inside; groups of elements that are no others' share none.
unsafe impl<L: Vectorable<V>, const V: usize> Vectorable<V> for Injective<L> {
    type Vectors = Injective<L::Vectors>;

    #[inline(always)]
    fn vectors(&self) -> Result<Self::Vectors> {
        Ok(Injective(self.0.vectors()?))
    }
}

// SAFETY: that of the layout inside, and what its maker has proven.
unsafe impl<L: Layout> Layout for Injective<L> {
    const SPAN: Span = L::SPAN;
    const INJECTIVE: Option<bool> = Some(true);
    const LOOPS: Option<usize> = L::LOOPS;
    const STEPS: KnownSteps = L::STEPS;
    const MODES: Option<usize> = L::MODES;

    type Fits<C: IntTuple> = L::Fits<C>;

    #[inline(always)]
    fn rank(&self) -> usize {
        self.0.rank()
    }

    #[inline(always)]
    fn size(&self) -> usize {
        self.0.size()
    }

    #[inline(always)]
    fn mode_size<const K: usize>(&self) -> usize {
        self.0.mode_size::<K>()
    }

    #[inline(always)]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let () = <L::Fits<C> as Fits>::FITS;
        self.0.crd2idx(c)
    }

    #[inline(always)]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        let () = <L::Fits<C> as Fits>::FITS;
        self.0.checked_crd2idx(c)
    }

    #[inline(always)]
    fn contains<C: IntTuple>(&self, c: C) -> bool {
        let () = <L::Fits<C> as Fits>::FITS;
        self.0.contains(c)
    }

    #[inline(always)]
    fn index_range(&self) -> Result<Range<isize>> {
        self.0.index_range()
    }

    #[inline(always)]
    fn is_injective(&self) -> Option<bool> {
        Some(true)
    }

    #[inline(always)]
    fn extents(&self) -> Slots {
        self.0.extents()
    }

    #[inline(always)]
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots {
        let () = <L::Fits<C> as Fits>::FITS;
        self.0.mode_coordinates(c)
    }

    #[inline(always)]
    fn index_of(&self, modes: &Slots) -> usize {
        self.0.index_of(modes)
    }

    #[inline(always)]
    fn places<C: Coordinate>(&self) -> Slots {
        self.0.places::<C>()
    }

    #[inline(always)]
    fn loops<const N: usize>(&self) -> Option<Loops<N>> {
        self.0.loops()
    }

    #[inline]
    fn part(&self) -> Option<Part> {
        self.0.part()
    }

    #[inline(always)]
    fn sum_at(&self, k: usize) -> usize {
        self.0.sum_at(k)
    }

    #[inline(always)]
    fn image(&self, sum: usize) -> usize {
        self.0.image(sum)
    }

    #[inline(always)]
    fn period(&self) -> Option<usize> {
        self.0.period()
    }

    #[inline(always)]
    fn mode_stride(&self, k: usize) -> Option<isize> {
        self.0.mode_stride(k)
    }

    #[inline(always)]
    fn idx2crd<C: Coordinate>(&self, index: usize) -> C {
        self.0.idx2crd(index)
    }

    #[inline(always)]
    fn shape<C: Coordinate>(&self) -> C {
        self.0.shape()
    }

    fn same_as(&self, other: &Self) -> bool {
        self.0.same_as(&other.0)
    }

    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> ! {
        self.0.outside(c)
    }
}
