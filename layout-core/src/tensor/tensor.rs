//! Tensors: a storage and a layout as one value.

use super::error::TensorError;
use super::iterate::Iter;
use super::storage::{Borrow, IntoStorage, Shared, Storage, StorageMut, Unique};
use crate::types::{Coordinate, Fits, IntTuple, Layout};
use core::ops::{Index, IndexMut};
use core::ptr::NonNull;

/// Elements with a layout: `t[c]` is the element at the index of the coordinate `c`.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let data = [0, 1, 2, 3, 4, 5];
/// let t = Tensor::new(&data, make_layout((Int::<2>, Int::<3>), (Int::<3>, Int::<1>)))?;
/// assert_eq!(t[(1, 2)], 5);
/// assert_eq!(t[3], 4); // coordinate (1, 1)
/// assert_eq!(t.get((0, 3)), None);
/// assert_eq!(Tensor::new(&data, make_layout((2, 4), (4, 1))).unwrap_err().to_string(),
///     "the layout has indices from 0 to 7, but the storage has 6 elements, with index 0 at 0");
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// A tensor of `&mut` elements, or one that owns its elements, also writes. It lends itself by `view` and `view_mut`:
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// let mut data = [1, 2, 3, 4, 5, 6];
/// let mut t = Tensor::new(&mut data, make_layout((2, 3), (3, Int::<1>)))?;
/// assert_eq!((t.size(), t.contains((1, 2)), t.contains((2, 0))), (6, true, false));
/// t[(0, 1)] = 20;
/// t.view_mut().select((Int::<1>, Int::<0>))[(0, 1)] = 40;
/// if let Some(x) = t.get_mut((1, 2)) {
///     *x = 60;
/// }
/// assert_eq!(t.get_mut((2, 0)), None);
/// assert!(t.view().iter().eq(&[1, 40, 20, 5, 3, 60]));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tensor<S, L> {
    // `layout` has `Layout::size` coordinates, and its run-time leaves keep the facts of their types. Every index may be
    // read from `storage`, and written if the storage is a `StorageMut`.
    storage: S,
    layout: L,
}

/// A tensor of borrowed elements.
///
/// ```
/// use layout_core::{Int, Layout, Owned, Tensor, View, make_layout};
/// /// Returns the sum of the diagonal of a square matrix.
/// fn trace<L: Layout>(matrix: View<f32, L>) -> f32 {
///     let (rows, _): (usize, usize) = matrix.shape();
///     (0..rows).map(|i| matrix[(i, i)]).sum()
/// }
/// let data = [1.0, 2.0, 3.0, 4.0];
/// assert_eq!(trace(Tensor::new(&data, make_layout((2, 2), (2, 1)))?), 5.0);
/// // A tensor that owns its elements lends them.
/// let owned = Owned::from_array(make_layout((Int::<2>, Int::<2>), (Int::<1>, Int::<2>)), data);
/// assert_eq!(trace(owned.view()), 5.0);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type View<'a, T, L> = Tensor<Shared<'a, T>, L>;

/// A tensor of mutably borrowed elements.
///
/// ```
/// use layout_core::{Layout, Tensor, ViewMut, make_layout};
/// /// Makes a square matrix the identity.
/// fn identity<L: Layout>(mut matrix: ViewMut<f32, L>) {
///     matrix.for_each_indexed_mut(|[i, j], x| *x = if i == j { 1.0 } else { 0.0 });
/// }
/// let mut data = [7.0; 12];
/// let mut t = Tensor::new(&mut data, make_layout((3, 4), (4, 1)))?;
/// identity(t.window_mut((1, 2), (2, 2))?);
/// identity(t.view_mut());
/// assert_eq!(data, [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type ViewMut<'a, T, L> = Tensor<Unique<'a, T>, L>;

impl<S, L> Tensor<S, L> {
    /// Makes the tensor of this storage and this layout.
    ///
    /// # Safety
    ///
    /// The layout has exactly [`Layout::size`] coordinates, which is so if [`Layout::index_range`] is `Ok`. The storage may
    /// read an element at every index of the layout, and write it if the storage is a [`StorageMut`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// // SAFETY: this layout has the indices 0 to 5, as the layout of `t`.
    /// let t = unsafe { Tensor::from_parts(t.into_storage(), make_layout((3, 2), (2, Int::<1>))) };
    /// assert_eq!(t[(2, 0)], 5);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub const unsafe fn from_parts(storage: S, layout: L) -> Self {
        Tensor { storage, layout }
    }

    #[inline(always)]
    pub(super) fn storage(&self) -> &S {
        &self.storage
    }

    #[inline(always)]
    pub(super) fn storage_mut(&mut self) -> &mut S {
        &mut self.storage
    }

    #[inline(always)]
    pub(super) fn layout_ref(&self) -> &L {
        &self.layout
    }

    /// Returns the storage.
    ///
    /// ```
    /// use layout_core::{Boxed, make_layout};
    /// let mut t = Boxed::filled(make_layout((2, 2), (2, 1)), 0)?;
    /// t[(1, 0)] = 5;
    /// let elements = t.into_storage().into_boxed_slice().into_vec();
    /// assert_eq!(elements, [0, 0, 5, 0]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub fn into_storage(self) -> S {
        self.storage
    }
}

impl<S: Borrow, L: Layout> Tensor<S, L> {
    /// Returns a second handle to the same elements.
    ///
    /// # Safety
    ///
    /// If the storage is a [`Unique`], the two handles never use the same element at the same time.
    #[inline(always)]
    pub(super) unsafe fn alias(&self) -> Self {
        // SAFETY: the caller promises this.
        unsafe { Tensor::from_parts(self.storage.moved(0), self.layout) }
    }
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// Makes a tensor of the elements `data` and a layout. `data` is a reference to a slice or an array; with the feature
    /// `alloc` also a box, a vector, or a reference to one.
    ///
    /// An array moves into a tensor by `Owned::from_array`.
    ///
    /// Fails if an index is negative or beyond the elements, if the size or an index does not fit `isize`, and if a run-time leaf is out
    /// of the range of its type. A `usize` leaf may be at most `isize::MAX`.
    #[inline]
    pub fn new(data: impl IntoStorage<Storage = S>, layout: L) -> Result<Self, TensorError> {
        Tensor::with_origin(data, 0, layout)
    }

    /// Makes a tensor whose index 0 is element number `origin` (from 0) of `data`: negative strides walk down from it.
    ///
    /// Fails if an index lies outside of the elements, and as [`Tensor::new`] does.
    ///
    /// ```
    /// use layout_core::{Tensor, make_layout};
    /// use layout_core::number::Signed;
    /// let reversed = Tensor::with_origin(&[1, 2, 3, 4], 3, make_layout(4, Signed(-1)))?;
    /// assert_eq!((reversed[0], reversed[3]), (4, 1));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline]
    pub fn with_origin(data: impl IntoStorage<Storage = S>, origin: usize, layout: L) -> Result<Self, TensorError> {
        let (range, elements) = (layout.index_range()?, data.count());
        let below = range.start.checked_add_unsigned(origin).is_some_and(|start| start >= 0);
        let above = origin <= elements && range.end <= (elements - origin).min(isize::MAX as usize) as isize;
        if !(below && above) {
            return Err(TensorError::Storage { first: range.start, last: range.end - 1, elements, origin });
        }
        // SAFETY: every index lies in the range, which lies in the elements.
        Ok(unsafe { Tensor::from_parts(data.into_storage(origin), layout) })
    }

    /// Returns the layout.
    #[inline(always)]
    pub const fn layout(&self) -> L {
        self.layout
    }

    /// Returns the number of coordinates.
    #[doc(alias = "len")]
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// Returns a tensor that borrows the elements of this one.
    #[inline(always)]
    pub fn view(&self) -> Tensor<S::Shared<'_>, L> {
        // SAFETY: the same elements, borrowed for reading.
        unsafe { Tensor::from_parts(self.storage.shared(), self.layout) }
    }

    /// Returns the extents of the modes as a `C`, see [`Layout::shape`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let (m, n): (usize, usize) = t.shape();
    /// assert_eq!((m, n), (2, 3));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub fn shape<C: Coordinate>(&self) -> C {
        let () = <L::Fits<C> as Fits>::FITS;
        self.layout.shape()
    }

    /// Returns true if the tensor has an element at `c`, see [`Layout::contains`].
    #[inline(always)]
    pub fn contains<C: IntTuple>(&self, c: C) -> bool {
        let () = <L::Fits<C> as Fits>::FITS;
        self.layout.contains(c)
    }

    /// Returns the element at `c`, or `None` if `c` is outside the shape.
    #[inline(always)]
    pub fn get<C: IntTuple>(&self, c: C) -> Option<&S::Item> {
        let () = <L::Fits<C> as Fits>::FITS;
        if !self.layout.contains(c) {
            return None;
        }
        let element = self.storage.origin().wrapping_add(self.layout.crd2idx(c));
        // SAFETY: the coordinate is inside. A `NonNull` saves the null check of the option, and debug assertions check no transmutation.
        Some(unsafe { core::mem::transmute::<*const S::Item, NonNull<S::Item>>(element).as_ref() })
    }

    /// Prefetches the cache line of the element at `c` into the first-level cache. It is a hint, useful for elements that
    /// are needed some hundred cycles later and are not next to others in use.
    ///
    /// Compiles to an instruction on x86-64, and to nothing elsewhere. A coordinate outside the shape prefetches an arbitrary line.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data = [1.0; 4096];
    /// let t = Tensor::new(&data, make_layout((64, 64), (64, Int::<1>)))?;
    /// (0..64).for_each(|i| t.prefetch((i, 0)));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub fn prefetch<C: IntTuple>(&self, c: C) {
        let () = <L::Fits<C> as Fits>::FITS;
        #[cfg(all(target_arch = "x86_64", target_feature = "sse", not(miri)))]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let element = self.storage.origin().wrapping_add(self.layout.crd2idx(c));
            // SAFETY: a prefetch has no visible effect, and faults at no address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast()) };
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse", not(miri))))]
        let _ = c;
    }

    /// Returns the element at `c` without a check.
    ///
    /// # Safety
    ///
    /// `c` is inside the shape.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// // SAFETY: both integers are below their extents.
    /// assert_eq!(unsafe { t.get_unchecked((1, 1)) }, &5);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub unsafe fn get_unchecked<C: IntTuple>(&self, c: C) -> &S::Item {
        let () = <L::Fits<C> as Fits>::FITS;
        // SAFETY: the index of a coordinate that is inside may be read.
        unsafe { &*self.storage.origin().wrapping_add(self.layout.crd2idx(c)) }
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// Returns a tensor that borrows the elements of this one mutably.
    #[inline(always)]
    pub fn view_mut(&mut self) -> ViewMut<'_, S::Item, L> {
        // SAFETY: the same elements, borrowed exclusively.
        unsafe { Tensor::from_parts(Unique::new(self.storage.origin_mut()), self.layout) }
    }

    /// Returns the element at `c` mutably, or `None` if `c` is outside the shape.
    #[inline(always)]
    pub fn get_mut<C: IntTuple>(&mut self, c: C) -> Option<&mut S::Item> {
        let () = <L::Fits<C> as Fits>::FITS;
        // SAFETY: the coordinate is inside.
        if self.layout.contains(c) { Some(unsafe { self.get_unchecked_mut(c) }) } else { None }
    }

    /// Returns the element at `c` mutably, without a check.
    ///
    /// # Safety
    ///
    /// `c` is inside the shape.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut data = [1, 2, 3, 4, 5, 6];
    /// let mut t = Tensor::new(&mut data, make_layout((2, 3), (3, Int::<1>)))?;
    /// // SAFETY: both integers are below their extents.
    /// unsafe { *t.get_unchecked_mut((1, 1)) = 50 };
    /// assert_eq!(data, [1, 2, 3, 4, 50, 6]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[inline(always)]
    pub unsafe fn get_unchecked_mut<C: IntTuple>(&mut self, c: C) -> &mut S::Item {
        let () = <L::Fits<C> as Fits>::FITS;
        // SAFETY: the index of a coordinate that is inside may be written.
        unsafe { &mut *self.storage.origin_mut().wrapping_add(self.layout.crd2idx(c)) }
    }
}

/// Returns the element at `c`. Panics with the coordinate and the layout if `c` is outside the shape.
impl<C: IntTuple, S: Storage, L: Layout> Index<C> for Tensor<S, L> {
    type Output = S::Item;
    #[inline(always)]
    #[track_caller]
    fn index(&self, c: C) -> &S::Item {
        let () = <L::Fits<C> as Fits>::FITS;
        if !self.layout.contains(c) {
            self.layout.outside(c)
        }
        // SAFETY: the coordinate is inside.
        unsafe { self.get_unchecked(c) }
    }
}

impl<C: IntTuple, S: StorageMut, L: Layout> IndexMut<C> for Tensor<S, L> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, c: C) -> &mut S::Item {
        let () = <L::Fits<C> as Fits>::FITS;
        if !self.layout.contains(c) {
            self.layout.outside(c)
        }
        // SAFETY: the coordinate is inside.
        unsafe { self.get_unchecked_mut(c) }
    }
}

impl<S: Storage + AsRef<[S::Item]>, L: Layout> Tensor<S, L> {
    /// Returns all elements of the storage, in the order of their indices, whether or not a coordinate reaches them.
    ///
    /// ```
    /// use layout_core::{Int, Owned, make_layout};
    /// // Rows of two elements, three apart: no coordinate reaches the element at index 2.
    /// let t = Owned::from_array(make_layout((Int::<2>, Int::<2>), (Int::<3>, Int::<1>)), [1, 2, 9, 3, 4]);
    /// assert_eq!((t.size(), t.as_slice()), (4, &[1, 2, 9, 3, 4][..]));
    /// ```
    pub fn as_slice(&self) -> &[S::Item] {
        self.storage.as_ref()
    }
}

impl<S: Storage + AsMut<[S::Item]>, L: Layout> Tensor<S, L> {
    /// Returns all elements of the storage mutably, in the order of their indices, whether or not a coordinate reaches them.
    ///
    /// ```
    /// use layout_core::{Int, Owned, make_layout};
    /// let mut t = Owned::from_array(make_layout((Int::<2>, Int::<2>), (Int::<2>, Int::<1>)), [0; 4]);
    /// t.as_mut_slice().copy_from_slice(&[1, 2, 3, 4]);
    /// assert_eq!(t[(1, 0)], 3);
    /// ```
    pub fn as_mut_slice(&mut self) -> &mut [S::Item] {
        self.storage.as_mut()
    }
}

/// Iterates as [`Tensor::iter`] does.
impl<'a, T: 'a, S: Storage<Item = T, Shared<'a> = Shared<'a, T>>, L: Layout> IntoIterator for &'a Tensor<S, L> {
    type Item = &'a T;
    type IntoIter = Iter<Shared<'a, T>, L>;

    #[cfg_attr(not(unoptimized), inline(always))]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Writes the layout, and the elements in the order of memory.
impl<S: Storage<Item: core::fmt::Debug>, L: Layout + core::fmt::Debug> core::fmt::Debug for Tensor<S, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?} ", self.layout)?;
        let mut list = f.debug_list();
        self.for_each(|element| {
            list.entry(element);
        });
        list.finish()
    }
}
