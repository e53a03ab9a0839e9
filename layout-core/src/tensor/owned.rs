//! Tensors that own their elements.

use super::cosize::StaticCosize;
use super::tensor::Tensor;
use crate::types::{Fits, IntTuple, Layout, StorageSpan};
use generic_array::GenericArray;
use generic_array::sequence::GenericSequence;
use layout_algebra::error::Text;
use typenum::Unsigned;

/// A tensor with an element for every index of the layout `L`, in a `GenericArray` of the layout's cosize.
///
/// ```
/// use layout_core::{Int, Layout, Strided};
/// use layout_core::tensor::{Stored, StaticCosize};
/// fn transpose_tile<L: StaticCosize + Default>() -> Stored<f32, L> {
///     let mut tile = Stored::filled(L::default(), 0.0);
///     tile[(1, 0)] = 2.0;
///     tile
/// }
/// let tile = transpose_tile::<Strided<(Int<4>, Int<8>), (Int<9>, Int<1>)>>();
/// assert_eq!(tile.as_slice().len(), 35);
/// assert_eq!(tile.as_slice()[9], 2.0);
/// ```
pub type Stored<T, L> = Tensor<GenericArray<T, <L as StaticCosize>::Cosize>, L>;

/// A tensor with an element for every index of the static layout `L`, in `[T; N]`. An `N` below the cosize is a compile error.
///
/// ```
/// use layout_core::{Int, Owned, Strided};
/// type Tile = Strided<(Int<4>, Int<8>), (Int<9>, Int<1>)>; // rows padded to 9
/// let mut tile = Owned::<f32, Tile, 35>::filled(Tile::default(), 0.0);
/// tile[(3, 7)] = 1.0;
/// assert_eq!(tile.as_slice()[34], 1.0);
/// assert_eq!(tile.get((4, 0)), None);
/// ```
pub type Owned<T, L, const N: usize> = Tensor<[T; N], L>;

/// Fails the build if a layout is not static, or reaches below index 0 or beyond the `capacity` elements of its storage.
#[track_caller]
pub(super) const fn assert_reachable(span: StorageSpan, capacity: usize) {
    match span {
        StorageSpan::Elements(span) if span <= capacity => {}
        StorageSpan::Elements(span) => {
            let mut text = Text::<96>::EMPTY;
            text.push_str("storage: the layout spans ");
            text.push_int(span as i64);
            text.push_str(" elements, the array has ");
            text.push_int(capacity as i64);
            panic!("{}", text.as_str())
        }
        StorageSpan::Below => panic!("storage: a negative stride reaches below the first element"),
        StorageSpan::Unknown => panic!("storage: the layout is not static"),
    }
}

impl<T: Clone, L: StaticCosize> Tensor<GenericArray<T, L::Cosize>, L> {
    /// Makes the tensor with every element equal to `value`.
    ///
    /// ```
    /// use layout_core::{Int, Strided};
    /// use layout_core::tensor::Stored;
    /// let tile = Stored::filled(Strided::<(Int<2>, Int<3>), (Int<3>, Int<1>)>::default(), 7u8);
    /// assert_eq!((tile.as_slice(), size_of_val(&tile)), (&[7; 6][..], 6));
    /// ```
    pub fn filled(layout: L, value: T) -> Self {
        const { assert_reachable(L::SPAN, <L::Cosize as Unsigned>::USIZE) };
        // SAFETY: the line above proves that every index is below the length.
        unsafe { Tensor::from_parts(GenericArray::generate(|_| value.clone()), layout) }
    }
}

impl<T: Copy, L: Layout, const N: usize> Tensor<[T; N], L> {
    /// Makes the tensor with every element equal to `value`.
    ///
    /// ```
    /// use layout_core::{Int, Owned, make_layout};
    /// let rows = make_layout((Int::<2>, Int::<3>), (Int::<4>, Int::<1>)); // a padding element behind each row
    /// let mut tile = Owned::<_, _, 8>::filled(rows, 0);
    /// tile[(1, 2)] = 5;
    /// assert_eq!(tile.as_slice(), [0, 0, 0, 0, 0, 0, 5, 0]);
    /// ```
    ///
    /// ```compile_fail
    /// use layout_core::{Int, Owned, make_layout};
    /// let rows = make_layout((Int::<2>, Int::<3>), (Int::<4>, Int::<1>));
    /// let tile = Owned::<_, _, 6>::filled(rows, 0); // the layout spans 7 elements, the array has 6
    /// ```
    pub const fn filled(layout: L, value: T) -> Self {
        const { assert_reachable(L::SPAN, N) };
        // SAFETY: as in `from_array`. That function is not called, so that the error message has the line that calls this one.
        unsafe { Tensor::from_parts([value; N], layout) }
    }
}

impl<T, L: Layout, const N: usize> Tensor<[T; N], L> {
    /// Makes the tensor whose element at index `k` is `data[k]`.
    ///
    /// ```
    /// use layout_core::{Int, Owned, Strided};
    /// type Rows = Strided<(Int<2>, Int<3>), (Int<3>, Int<1>)>;
    /// static WEIGHTS: Owned<i32, Rows, 6> = Owned::from_array(Rows::new((Int, Int), (Int, Int)), [1, 2, 3, 4, 5, 6]);
    /// assert_eq!((WEIGHTS[(0, 2)], WEIGHTS[(1, 0)]), (3, 4));
    /// ```
    pub const fn from_array(layout: L, data: [T; N]) -> Self {
        const { assert_reachable(L::SPAN, N) };
        // SAFETY: the line above proves that every index is below `N`.
        unsafe { Tensor::from_parts(data, layout) }
    }
}

/// A tensor with elements on the heap.
///
/// ```
/// use layout_core::{Boxed, Int, Layout, Strided, TensorError, make_layout};
/// /// A matrix whose number of rows is known at run time.
/// struct Samples {
///     values: Boxed<f32, Strided<(usize, Int<4>), (Int<4>, Int<1>)>>,
/// }
/// impl Samples {
///     fn new(rows: usize) -> Result<Self, TensorError> {
///         Ok(Samples { values: Boxed::filled(make_layout((rows, Int), (Int, Int)), 0.0)? })
///     }
/// }
/// let mut samples = Samples::new(1000)?;
/// samples.values[(999, 3)] = 1.5;
/// assert_eq!((samples.values.size(), samples.values.as_slice()[3999]), (4000, 1.5));
/// // A vector moves into a tensor by `new`, without a copy.
/// let t: Boxed<i32, _> = Boxed::new(vec![1, 2, 3, 4], make_layout((2, 2), (2, Int::<1>)))?;
/// assert_eq!(t[(1, 0)], 3);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[cfg(feature = "alloc")]
pub type Boxed<T, L> = Tensor<super::storage::Heap<T>, L>;

#[cfg(feature = "alloc")]
impl<T: Clone, L: Layout> Tensor<super::storage::Heap<T>, L> {
    /// Makes a tensor on the heap with every element equal to `value`: one for each index from the least, or 0 if that is less, to the
    /// greatest.
    ///
    /// Fails if the size or an index does not fit `isize`, and if a run-time leaf is out of the range of its type.
    ///
    /// ```
    /// use layout_core::{Boxed, Int, make_layout};
    /// let mut a = Boxed::filled(make_layout((100, 40), (Int::<1>, 100)), 0.0f32)?;
    /// a[(99, 39)] = 1.0;
    /// assert_eq!(a.as_slice().len(), 4000);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    pub fn filled(layout: L, value: T) -> Result<Self, super::TensorError> {
        let range = layout.index_range()?;
        // Index 0 has an element even if the least index is greater, as with the offset of a composed layout.
        let below = range.start.min(0).unsigned_abs();
        let elements = alloc::vec![value; below + range.end.max(0) as usize];
        Tensor::with_origin(elements, below, layout)
    }
}

macro_rules! by_index {
    ([$($generics:tt)*] $type:ty, $layout:ident) => {
        impl<$($generics)*> $type {
            /// Returns the element at the index of `c`, which must lie inside the shape: another `c` returns some other element, or panics.
            #[inline(always)]
            #[track_caller]
            pub fn at<C: IntTuple>(&self, c: C) -> &T {
                let () = <$layout::Fits<C> as Fits>::FITS;
                let index = self.layout().crd2idx(c);
                &self.as_slice()[index]
            }

            /// Returns the element at the index of `c`, mutably. `c` must lie inside the shape: another `c` returns some
            /// other element, or panics.
            ///
            /// ```
            /// use layout_core::{Int, Owned, make_layout};
            /// let rows = make_layout((Int::<2>, Int::<3>), (Int::<3>, Int::<1>));
            /// let mut t = Owned::<_, _, 6>::from_array(rows, [1, 2, 3, 4, 5, 6]);
            /// *t.at_mut((1, 2)) = 60;
            /// assert_eq!((t.at((1, 2)), t.at((0, 0))), (&60, &1));
            /// // `get_mut` checks the coordinate.
            /// assert_eq!(t.get_mut((0, 3)), None);
            /// ```
            #[inline(always)]
            #[track_caller]
            pub fn at_mut<C: IntTuple>(&mut self, c: C) -> &mut T {
                let () = <$layout::Fits<C> as Fits>::FITS;
                let index = self.layout().crd2idx(c);
                &mut self.as_mut_slice()[index]
            }
        }
    };
}

by_index!([T, L: Layout, const N: usize] Tensor<[T; N], L>, L);
by_index!([T, L: StaticCosize] Tensor<GenericArray<T, L::Cosize>, L>, L);
