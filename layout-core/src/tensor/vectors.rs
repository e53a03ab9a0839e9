//! Tensors of vectors, and of other element types, over the same memory.

use super::error::TensorError;
use super::storage::{Shared, Storage, StorageMut, Unique};
use super::tensor::{Tensor, View, ViewMut};
use crate::types::{Derived, Int, Layout, MAX_LEAVES, RawLayout, TypedLayout, Vectorable, op, regroups};
use layout_algebra::error::{Cause, LayoutError, Op};

/// A type without padding in which every bit pattern is a value. Its elements can be read as elements of another such type.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// use layout_core::tensor::PlainData;
/// /// The bits of a number of 16 bits: 8 of the exponent, 7 of the fraction.
/// #[derive(Clone, Copy)]
/// #[repr(transparent)]
/// struct BFloat16(u16);
/// // SAFETY: it is a `u16`.
/// unsafe impl PlainData for BFloat16 {}
/// impl BFloat16 {
///     fn value(self) -> f32 {
///         f32::from_bits(u32::from(self.0) << 16)
///     }
/// }
/// let t = Tensor::new(&[0x3f80u16, 0x4040], make_layout(Int::<2>, Int::<1>))?;
/// let values: Vec<f32> = t.recast::<BFloat16>()?.iter().map(|x| x.value()).collect();
/// assert_eq!(values, [1.0, 3.0]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// # Safety
///
/// The type has no padding, every bit pattern is a value, and it has no interior mutability.
pub unsafe trait PlainData: Copy {}

macro_rules! plain_data {
    ($($type:ty)*) => { $(
        // SAFETY: it is a number.
        unsafe impl PlainData for $type {}
    )* };
}

plain_data!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);

// SAFETY: the elements are contiguous, without padding.
unsafe impl<T: PlainData, const N: usize> PlainData for [T; N] {}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Returns the elements in groups of `V` neighbours along the leaf of stride 1: a tensor of arrays, each loaded as a whole.
    ///
    /// The extent of that leaf and every other stride are divided by `V`: `vectors[c][r]` is the element at `c` with the
    /// integer `i` of that leaf replaced by `V i + r`. Fails if `V` does not divide them; at compile time, if static leaves
    /// show it. For a swizzled layout, `V` must be a power of two whose groups the swizzle keeps. Arrays have the alignment
    /// of their elements, see [`Tensor::aligned`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<f32> = (0..60).map(|x| x as f32).collect();
    /// let t = Tensor::new(&data, make_layout((Int::<8>, 5), (Int::<1>, 12)))?;
    /// let vectors = t.vectors::<4>()?;
    /// assert_eq!(vectors[(1, 3)], [40.0, 41.0, 42.0, 43.0]);
    /// let odd = Tensor::new(&data, make_layout((Int::<8>, 5), (Int::<1>, 10)))?;
    /// assert_eq!(odd.vectors::<4>().err().unwrap().to_string(),
    ///     "upcast: stride 10 of the layout and the factor 4 do not divide each other");
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[allow(clippy::type_complexity)]
    pub fn vectors<const V: usize>(&self) -> Result<View<'_, [S::Item; V], L::Vectors>, TensorError>
    where
        L: Vectorable<V>,
    {
        let layout = Vectorable::vectors(self.layout_ref())?;
        // SAFETY: for an index `i` of the vectors, `V i` to `V i + V - 1` are indices of the elements; the storage is borrowed.
        Ok(unsafe { Tensor::from_parts(Shared::new(self.storage().origin().cast()), layout) })
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Returns the elements in groups of `V` neighbours, mutably. Fails as [`Tensor::vectors`] does.
    ///
    /// ```
    /// use layout_core::{Int, Owned, Strided};
    /// type L = Strided<(Int<4>, Int<4>), (Int<4>, Int<1>)>;
    /// let mut t = Owned::<u8, L, 16>::filled(L::default(), 0);
    /// t.vectors_mut::<4>()?[(2, 0)] = [1, 2, 3, 4];
    /// assert_eq!(t[(2, 3)], 4);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[allow(clippy::type_complexity)]
    pub fn vectors_mut<const V: usize>(&mut self) -> Result<ViewMut<'_, [S::Item; V], L::Vectors>, TensorError>
    where
        L: Vectorable<V>,
    {
        let layout = Vectorable::vectors(self.layout_ref())?;
        // SAFETY: as for `vectors`; the storage is borrowed exclusively.
        Ok(unsafe { Tensor::from_parts(Unique::new(self.storage_mut().origin_mut().cast()), layout) })
    }
}

/// The layout of the `V` scalars of each element of the layout `L`.
///
/// ```
/// use layout_core::{Int, Tensor, TensorError, TypedLayout, View, make_layout};
/// use layout_core::tensor::{Parts, Storage};
/// /// Returns the red, green and blue values of an image, each as an element: mode 0 of `(3 width, height)`.
/// fn channels<S: Storage<Item = [u8; 3]>, L: TypedLayout>(image: &Tensor<S, L>) -> Result<View<'_, u8, Parts<L, 3>>, TensorError> {
///     image.scalars()
/// }
/// let image = Tensor::new(&[[1, 2, 3], [4, 5, 6]], make_layout((Int::<2>, Int::<1>), (Int::<1>, Int::<2>)))?;
/// assert_eq!(channels(&image)?[(4, 0)], 5);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type Parts<L, const V: usize> = Derived<op::Downcast, (L, Int<V>)>;

/// Returns the layout of the `V` scalars of each element. Fails if a stride does not fit, or if the run-time leaves do not allow it.
#[cfg_attr(not(unoptimized), inline(always))]
fn parts<L: TypedLayout, const V: usize>(layout: L) -> Result<Parts<L, V>, TensorError> {
    let parts = Parts::<L, V>::try_new((layout, Int))?;
    match (layout.loops::<MAX_LEAVES>(), parts.loops()) {
        (Some(coarse), Some(fine)) => regroups(&coarse, &fine, V)?,
        _ => return Err(LayoutError::plain(Op::Downcast, Cause::Undecided, 0, 0).into()),
    }
    // Check the number of scalars, too: it exceeds the number of elements, and many coordinates may share an element.
    parts.index_range()?;
    Ok(parts)
}

impl<T, S: Storage<Item = [T; V]>, L: TypedLayout, const V: usize> Tensor<S, L> {
    /// Returns the scalars of the array elements, along the leaf of stride 1. It is the inverse of [`Tensor::vectors`].
    ///
    /// Fails if a stride or the number of scalars becomes too large.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let points = [[1, 2], [3, 4], [5, 6]];
    /// let t = Tensor::new(&points, make_layout(Int::<3>, Int::<1>))?;
    /// assert!(t.scalars()?.iter().eq(&[1, 2, 3, 4, 5, 6]));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn scalars(&self) -> Result<View<'_, T, Parts<L, V>>, TensorError> {
        let layout = parts::<L, V>(self.layout())?;
        // SAFETY: every index of the scalars is `V i + r` with `r < V` for an index `i` of the arrays; the storage is borrowed.
        Ok(unsafe { Tensor::from_parts(Shared::new(self.storage().origin().cast()), layout) })
    }
}

impl<T, S: StorageMut<Item = [T; V]>, L: TypedLayout, const V: usize> Tensor<S, L> {
    /// Returns the scalars of the array elements, mutably. Fails as [`Tensor::scalars`] does.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut points = [[1, 2], [3, 4], [5, 6]];
    /// let mut t = Tensor::new(&mut points, make_layout(Int::<3>, Int::<1>))?;
    /// t.scalars_mut()?.for_each_mut(|x| *x *= 10);
    /// assert_eq!(points, [[10, 20], [30, 40], [50, 60]]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn scalars_mut(&mut self) -> Result<ViewMut<'_, T, Parts<L, V>>, TensorError> {
        let layout = parts::<L, V>(self.layout())?;
        // SAFETY: as for `scalars`; the storage is borrowed exclusively.
        Ok(unsafe { Tensor::from_parts(Unique::new(self.storage_mut().origin_mut().cast()), layout) })
    }
}

/// Fails if `origin` is not aligned for elements of type `U`, which have the size of `T`.
#[cfg_attr(not(unoptimized), inline(always))]
fn aligned<T, U>(origin: *const T) -> Result<(), TensorError> {
    const { assert!(size_of::<T>() == size_of::<U>(), "recast: the elements are not of one size: see `vectors` and `scalars`") };
    // The alignment divides the size, so one aligned element means that all are aligned.
    if align_of::<U>() <= align_of::<T>() || origin.cast::<U>().is_aligned() {
        Ok(())
    } else {
        Err(TensorError::Misaligned { align: align_of::<U>() })
    }
}

macro_rules! alignments {
    ($($name:ident $align:literal;)*) => { $(
        #[doc = concat!("An alignment to ", stringify!($align), " bytes.")]
        ///
        /// ```
        #[doc = concat!("use layout_core::tensor::{", stringify!($name), ", AlignedVector};")]
        #[doc = concat!("let bytes = AlignedVector::<[u8; 128], ", stringify!($name), ">::new([0; 128]);")]
        #[doc = concat!("assert_eq!(bytes.vector.as_ptr().addr() % ", stringify!($align), ", 0);")]
        #[doc = concat!("assert_eq!((align_of_val(&bytes), size_of_val(&bytes)), (", stringify!($align), ", 128));")]
        /// ```
        #[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
        #[repr(align($align))]
        pub struct $name;
    )* };
}

alignments! {
    Align16 16;
    Align32 32;
    Align64 64;
}

/// A vector at an address that is a multiple of the alignment of `A`. The compiler loads and stores it by aligned instructions.
///
/// ```
/// use layout_core::tensor::{Align32, AlignedVector};
/// let mut lanes = [AlignedVector::<[f32; 8], Align32>::new([1.0; 8]); 4];
/// lanes[2].vector[7] = 5.0;
/// assert_eq!(lanes.iter().map(|lane| lane.vector.iter().sum::<f32>()).collect::<Vec<_>>(), [8.0, 8.0, 12.0, 8.0]);
/// // The alignment adds nothing to the size.
/// assert_eq!((align_of_val(&lanes), size_of_val(&lanes)), (32, 4 * 8 * 4));
/// ```
///
/// ```compile_fail
/// use layout_core::tensor::{Align32, AlignedVector};
/// AlignedVector::<[f32; 3], Align32>::new([1.0; 3]); // 12 bytes are no multiple of 32
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct AlignedVector<T, A> {
    align: [A; 0],
    /// The elements.
    pub vector: T,
}

impl<T, A> AlignedVector<T, A> {
    /// Fails the build if the alignment adds to the size.
    const SAME_SIZE: () = assert!(size_of::<Self>() == size_of::<T>(), "aligned: the size of a vector is no multiple of the alignment");

    /// Makes the aligned vector of `vector`.
    pub const fn new(vector: T) -> Self {
        let () = Self::SAME_SIZE;
        AlignedVector { align: [], vector }
    }
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Returns the elements as vectors with the alignment of `A`. The alignment divides their size: one check is enough.
    ///
    /// Fails if the memory does not have the alignment of `A`.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::{Align16, AlignedVector};
    /// let data = AlignedVector::<[f32; 32], Align16>::new([1.0; 32]);
    /// let t = Tensor::new(&data.vector, make_layout((Int::<8>, Int::<4>), (Int::<1>, Int::<8>)))?;
    /// let lanes = t.vectors::<4>()?;
    /// assert_eq!(lanes.aligned::<Align16>()?[(1, 3)].vector, [1.0; 4]);
    /// let inner = Tensor::new(&data.vector[1..29], make_layout((Int::<4>, Int::<4>), (Int::<1>, Int::<8>)))?;
    /// assert_eq!(inner.vectors::<4>()?.aligned::<Align16>().err().unwrap().to_string(), "the memory is not aligned to 16 bytes");
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    #[allow(clippy::type_complexity)]
    pub fn aligned<A>(&self) -> Result<View<'_, AlignedVector<S::Item, A>, L>, TensorError> {
        let () = AlignedVector::<S::Item, A>::SAME_SIZE;
        let origin = self.storage().origin();
        aligned::<S::Item, AlignedVector<S::Item, A>>(origin)?;
        // SAFETY: an aligned vector contains nothing but the vector; the storage is borrowed.
        Ok(unsafe { Tensor::from_parts(Shared::new(origin.cast()), self.layout()) })
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Returns the elements as vectors with the alignment of `A`, mutably. Fails as [`Tensor::aligned`] does.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::{Align16, AlignedVector};
    /// let mut data = AlignedVector::<[f32; 8], Align16>::new([1.0; 8]);
    /// let mut t = Tensor::new(&mut data.vector, make_layout((Int::<4>, Int::<2>), (Int::<1>, Int::<4>)))?;
    /// let mut lanes = t.vectors_mut::<4>()?;
    /// lanes.aligned_mut::<Align16>()?.for_each_mut(|lane| lane.vector = [2.0; 4]);
    /// assert_eq!(data.vector, [2.0; 8]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    #[allow(clippy::type_complexity)]
    pub fn aligned_mut<A>(&mut self) -> Result<ViewMut<'_, AlignedVector<S::Item, A>, L>, TensorError> {
        let () = AlignedVector::<S::Item, A>::SAME_SIZE;
        let layout = self.layout();
        let origin = self.storage_mut().origin_mut();
        aligned::<S::Item, AlignedVector<S::Item, A>>(origin)?;
        // SAFETY: as for `aligned`; the storage is borrowed exclusively.
        Ok(unsafe { Tensor::from_parts(Unique::new(origin.cast()), layout) })
    }
}

impl<S: Storage<Item: PlainData>, L: Layout> Tensor<S, L> {
    /// Reinterprets the bits of the elements as elements of the type `U`, which has the same size.
    ///
    /// Fails if the memory is not aligned for `U`. With [`Tensor::vectors`] or [`Tensor::scalars`] it gives other sizes.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data = [1.0f32, 2.0];
    /// let t = Tensor::new(&data, make_layout(Int::<2>, Int::<1>))?;
    /// assert_eq!(t.recast::<u32>()?[1], 2f32.to_bits());
    /// let bytes = t.recast::<[u8; 4]>()?;
    /// assert_eq!(bytes.scalars()?[7], 2f32.to_ne_bytes()[3]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn recast<U: PlainData>(&self) -> Result<View<'_, U, L>, TensorError> {
        let origin = self.storage().origin();
        aligned::<S::Item, U>(origin)?;
        // SAFETY: every bit pattern of one type is a value of the other, of the same size and aligned; the storage is borrowed.
        Ok(unsafe { Tensor::from_parts(Shared::new(origin.cast()), self.layout()) })
    }
}

impl<S: StorageMut<Item: PlainData>, L: Layout> Tensor<S, L> {
    /// Reinterprets the bits of the elements as elements of the type `U`, mutably. Fails as [`Tensor::recast`] does.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [1.0f32, -2.0];
    /// let mut t = Tensor::new(&mut data, make_layout(Int::<2>, Int::<1>))?;
    /// t.recast_mut::<u32>()?.for_each_mut(|bits| *bits ^= 1 << 31); // the sign
    /// assert_eq!(data, [-1.0, 2.0]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn recast_mut<U: PlainData>(&mut self) -> Result<ViewMut<'_, U, L>, TensorError> {
        let layout = self.layout();
        let origin = self.storage_mut().origin_mut();
        aligned::<S::Item, U>(origin)?;
        // SAFETY: as for `recast`; the storage is borrowed exclusively.
        Ok(unsafe { Tensor::from_parts(Unique::new(origin.cast()), layout) })
    }
}
