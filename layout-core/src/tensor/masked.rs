//! Tensors divided into whole tiles that reach beyond the shape, with predicates as kernels of devices use them.

use super::algebra::{cut, require_size};
use super::storage::{Borrow, Storage, StorageMut, Unique};
use super::tensor::Tensor;
use crate::types::{
    Coordinate, Fits, Fixed, FixedInside, Identity, IntTuple, Layout, LayoutAlgebra, MAX_LEAVES, Padded, Slice, Slots, TypedLayout,
    ZippedDivide, integers, unroll,
};
use core::marker::PhantomData;

/// A tensor with the layout `L` in whole tiles of the shape `T`. A coordinate of `D` has an element if [`Masked::in_bounds`] is true.
///
/// The predicate uses the identity tensor `I`, divided in the same way: its coordinate must be below the extents of `L`. Modes that tiles
/// divide, as facts prove, need no check. [`Tensor::tiles`] instead separates full tiles, which need no check, from partial ones.
///
/// ```
/// use layout_core::{Int, Layout, Tensor, make_layout};
/// let data: Vec<i32> = (0..60).collect();
/// let t = Tensor::new(&data, make_layout((10, Int::<6>), (Int::<1>, 10)))?;
/// let tiles = t.masked((Int::<8>, Int::<3>));
/// assert_eq!(tiles.coordinate(((1, 2), (1, 1))), (9, 5));
/// assert_eq!(tiles.get(((1, 2), (1, 1))), Some(&59));
/// assert_eq!(tiles.get(((2, 2), (1, 1))), None);
/// assert!(!tiles.in_bounds(((2, 2), (1, 1))));
/// // The layout has whole tiles: 2 by 2 tiles of 8 by 3, of which the tensor fills 10 by 6.
/// assert_eq!(tiles.layout().size(), 4 * 24);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Masked<S, L, T: IntTuple, D, I> {
    // `layout` and `coordinates` are the same operations on the padded `L` and on its identity. If the coordinate plus
    // `corner` is below `extents`, the index is the index of that coordinate in `L`.
    storage: S,
    layout: D,
    coordinates: I,
    corner: T::Coord,
    extents: T::Coord,
    whole: PhantomData<L>,
}

/// A tensor with the layout `L` in whole tiles of the shape `T`; see [`Tensor::masked`].
///
/// ```
/// use layout_core::{Int, Tensor, TypedLayout, make_layout};
/// use layout_core::tensor::{MaskedTiles, Storage};
/// /// Adds the elements of tile `k` as the lanes of a device do: each lane asks whether its element exists.
/// fn sum<S: Storage<Item = i32>, L: TypedLayout>(tiles: &MaskedTiles<S, L, (Int<4>,)>, k: usize) -> i32 {
///     (0..4).filter_map(|lane| tiles.get(((lane,), (k,)))).sum()
/// }
/// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((6,), (Int::<1>,)))?;
/// let tiles = t.masked((Int::<4>,));
/// assert_eq!((sum(&tiles, 0), sum(&tiles, 1)), (10, 11));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type MaskedTiles<S, L, T> = Masked<S, L, T, ZippedDivide<Padded<L, T>, T>, ZippedDivide<Identity<Padded<L, T>>, T>>;

impl<S, L: TypedLayout, T: IntTuple> MaskedTiles<S, L, T> {
    /// Divides a tensor into whole tiles of the shape `tiler`. The last tiles may have coordinates without elements.
    ///
    /// # Safety
    ///
    /// The indices of the layout are indices of elements of the storage.
    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn new(storage: S, layout: L, tiler: T) -> Self {
        let padded = Padded::new(layout, tiler);
        let (tiles, coordinates) = (padded.zipped_divide(tiler), Identity::new(padded).zipped_divide(tiler));
        // A check of coordinates proves nothing about an index without a coordinate.
        require_size(&tiles, coordinates.size());
        Masked {
            storage,
            layout: tiles,
            coordinates,
            corner: T::Coord::from_values(&[0; MAX_LEAVES], &mut 0),
            extents: T::Coord::from_values(&layout.extents(), &mut 0),
            whole: PhantomData,
        }
    }
}

/// Clears `inside` if integer `k` of a coordinate needs a check and is not below its extent.
#[inline(always)]
fn below(asks: &[bool; MAX_LEAVES], at: &Slots, extents: &Slots, inside: &mut bool, k: usize) {
    if asks[k] {
        *inside &= at[k] < extents[k];
    }
}

impl<S, L: TypedLayout, T: IntTuple, D: TypedLayout, I: TypedLayout> Masked<S, L, T, D, I> {
    /// Whether the integer of each mode needs a check.
    const ASKS: [bool; MAX_LEAVES] = {
        let (mut asks, mut k) = ([false; MAX_LEAVES], 0);
        while k < T::DESCRIPTOR.modes() {
            asks[k] = !Padded::<L, T>::EXACT[k];
            k += 1;
        }
        asks
    };

    /// Returns the coordinate of the tensor for the coordinate `c` of its tiles, in the modes that are divided.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn coordinate<C: IntTuple>(&self, c: C) -> T::Coord {
        self.corner.plus(self.coordinates.crd2crd::<C, T::Coord>(c), 1)
    }

    /// Returns true if the tensor has an element at the coordinate `c` of its tiles. `c` must lie in the layout of the tiles.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn in_bounds<C: IntTuple>(&self, c: C) -> bool {
        let ((_, at), (_, extents), mut inside) = (integers(&self.coordinate(c)), integers(&self.extents), true);
        let asks = const { &Self::ASKS };
        unroll!(T::DESCRIPTOR.modes(), below(asks, &at, &extents, &mut inside));
        inside
    }

    /// Returns the layout of the tiles. The index of a coordinate has an element if [`Masked::in_bounds`] of the coordinate is true.
    #[inline(always)]
    pub fn layout(&self) -> D {
        self.layout
    }
}

impl<S: Storage, L: TypedLayout, T: IntTuple, D: TypedLayout, I: TypedLayout> Masked<S, L, T, D, I> {
    /// Returns the element at the coordinate `c` of the tiles, or `None` if the tensor has none there.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn get<C: IntTuple>(&self, c: C) -> Option<&S::Item> {
        if !(self.layout.contains(c) && self.in_bounds(c)) {
            return None;
        }
        // SAFETY: the index of a coordinate of the tensor.
        Some(unsafe { &*self.storage.origin().wrapping_add(self.layout.crd2idx(c)) })
    }
}

impl<S: StorageMut, L: TypedLayout, T: IntTuple, D: TypedLayout, I: TypedLayout> Masked<S, L, T, D, I> {
    /// Returns the element at the coordinate `c` of the tiles mutably, or `None` if the tensor has none there.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [1, 2, 3, 4, 5, 6];
    /// let mut t = Tensor::new(&mut data, make_layout((6,), (Int::<1>,)))?;
    /// let mut tiles = t.masked_mut((Int::<4>,));
    /// for lane in 0..4 {
    ///     if let Some(x) = tiles.get_mut(((lane,), (1,))) {
    ///         *x = 0;
    ///     }
    /// }
    /// assert_eq!(data, [1, 2, 3, 4, 0, 0]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn get_mut<C: IntTuple>(&mut self, c: C) -> Option<&mut S::Item> {
        if !(self.layout.contains(c) && self.in_bounds(c)) {
            return None;
        }
        // SAFETY: the index of a coordinate of the tensor, which is borrowed exclusively.
        Some(unsafe { &mut *self.storage.origin_mut().wrapping_add(self.layout.crd2idx(c)) })
    }
}

impl<S: Borrow, L: TypedLayout, T: IntTuple, D: TypedLayout, I: TypedLayout> Masked<S, L, T, D, I> {
    /// Returns the elements at the integers of `c`, over the modes marked [`Keep`](crate::number::Keep); fixed modes are computed once.
    ///
    /// Panics if an integer is outside of its mode.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::number::Keep;
    /// let data: Vec<i32> = (0..10).collect();
    /// let t = Tensor::new(&data, make_layout((10,), (Int::<1>,)))?;
    /// let last = t.masked((Int::<4>,)).slice((Keep, 2));
    /// assert_eq!((last.get(((1,),)), last.get(((2,),))), (Some(&9), None));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn slice<C: IntTuple>(self, c: C) -> Masked<S, L, T, Slice<D, C>, Slice<I, C>> {
        let () = <Fixed<D, C> as Fits>::FITS;
        let () = <FixedInside<D, C> as Fits>::FITS;
        let (layout, index) = cut(self.layout, c);
        let (corner, extents) = (self.coordinate(c), self.extents);
        // SAFETY: the elements at the kept coordinates are some of these.
        let storage = unsafe { self.storage.moved(index as isize) };
        Masked { storage, layout, coordinates: Slice::<I, C>::unchecked((self.coordinates, c)), corner, extents, whole: PhantomData }
    }
}

impl<S: Storage, L: TypedLayout> Tensor<S, L> {
    /// Divides the tensor into whole tiles of the static shape `tiler`, `(tile, rest)`, with a predicate that says which elements exist.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5], make_layout((5,), (Int::<1>,)))?;
    /// let tiles = t.masked((Int::<4>,));
    /// assert_eq!((tiles.get(((0,), (1,))), tiles.get(((1,), (1,)))), (Some(&5), None));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn masked<T: IntTuple>(&self, tiler: T) -> MaskedTiles<S::Shared<'_>, L, T> {
        // SAFETY: the layout belongs to the tensor.
        unsafe { Masked::new(self.storage().shared(), self.layout(), tiler) }
    }
}

impl<S: StorageMut, L: TypedLayout> Tensor<S, L> {
    /// Divides the tensor into whole tiles of the static shape `tiler`, as [`Tensor::masked`] does, with mutable elements.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::number::Keep;
    /// let mut data = [0; 5];
    /// let mut t = Tensor::new(&mut data, make_layout((5,), (Int::<1>,)))?;
    /// let mut last = t.masked_mut((Int::<4>,)).slice((Keep, 1));
    /// let written = (0..4).filter(|lane| last.get_mut(((*lane,),)).map(|x| *x = 7).is_some()).count();
    /// assert_eq!((written, data), (1, [0, 0, 0, 0, 7]));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    pub fn masked_mut<T: IntTuple>(&mut self, tiler: T) -> MaskedTiles<Unique<'_, S::Item>, L, T> {
        let layout = self.layout();
        // SAFETY: the layout belongs to the tensor, which is borrowed exclusively.
        unsafe { Masked::new(self.view_mut().into_storage(), layout, tiler) }
    }
}
