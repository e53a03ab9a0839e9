//! The proof that no two coordinates of a layout share an index: made once, and carried in a type that only the proof makes.

use super::error::TensorError;
use super::tensor::Tensor;
use crate::types::{Layout, RawLayout, Vectorable, forward};
use layout_algebra::error::Result;

/// A layout in which no two coordinates share an index. Only [`Injective::new`] makes it.
///
/// A static layout type shows this by itself and needs no certificate.
///
/// ```
/// use layout_core::{Int, make_layout};
/// use layout_core::tensor::Injective;
/// let rows = make_layout((3, 4), (4, Int::<1>));
/// let proven = Injective::new(rows)?;
/// assert_eq!(proven.into_inner(), rows);
/// let error = Injective::new(make_layout((3, 4), (2, Int::<1>))).unwrap_err();
/// assert_eq!(error.to_string(), "two coordinates of the layout share an index");
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Injective<L>(L);

impl<L: Layout> Injective<L> {
    /// Returns `layout` with the certificate. Fails if two coordinates share an index, or if that takes too long to decide.
    #[inline]
    pub fn new(layout: L) -> core::result::Result<Self, TensorError> {
        match L::INJECTIVE.or_else(|| layout.is_injective()) {
            Some(true) => Ok(Injective(layout)),
            Some(false) => Err(TensorError::Shared),
            None => Err(TensorError::Undecided),
        }
    }

    /// Wraps a layout that the caller knows to be injective.
    #[inline(always)]
    pub(super) fn known(layout: L) -> Self {
        Injective(layout)
    }

    /// Returns the layout without its certificate.
    #[inline(always)]
    pub fn into_inner(self) -> L {
        self.0
    }
}

impl<S, L: Layout> Tensor<S, L> {
    /// Returns the tensor with the proof that no two coordinates share an element: its tiles can be written at the same time.
    ///
    /// Fails if two coordinates share an index, or if that takes too long to decide. Tensors with static layouts do not need the proof.
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
        // SAFETY: the layout has the same indices.
        Ok(unsafe { Tensor::from_parts(self.into_storage(), layout) })
    }
}

// SAFETY: the inner layout promises the same. It is injective, so its groups are too, as `Vectorable` promises.
unsafe impl<L: Vectorable<V>, const V: usize> Vectorable<V> for Injective<L> {
    type Vectors = Injective<L::Vectors>;

    #[inline(always)]
    fn vectors(&self) -> Result<Self::Vectors> {
        Ok(Injective(self.0.vectors()?))
    }
}

// SAFETY: the inner layout promises the same, and `new` or the caller of `known` has proven injectivity.
unsafe impl<L: Layout> RawLayout for Injective<L> {
    forward!(L, 0: SPAN LOOPS MODES STEPS Fits mode_coordinates index_of loops part places sum_at image period same_as outside);

    const INJECTIVE: Option<bool> = Some(true);
}

impl<L: Layout> Layout for Injective<L> {
    forward!(L, 0: rank size mode_size crd2idx checked_crd2idx contains idx2crd shape extents mode_stride index_range);

    #[inline(always)]
    fn is_injective(&self) -> Option<bool> {
        Some(true)
    }
}
