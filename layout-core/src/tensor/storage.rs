//! Storages of tensors: a shared or an exclusive borrow, an array, or memory on the heap.

use super::tensor::Tensor;
use crate::types::Layout;
use core::marker::PhantomData;
use generic_array::{ArrayLength, GenericArray};

/// Elements in one allocation, addressed relative to the element of index 0.
///
/// ```
/// use layout_core::{Int, Layout, Owned, Tensor, make_layout};
/// use layout_core::tensor::Storage;
/// /// Returns the sum of the elements, whether the tensor owns or borrows them.
/// fn sum<S: Storage<Item = i32>, L: Layout>(t: &Tensor<S, L>) -> i32 {
///     t.fold(0, |sum, x| sum + x)
/// }
/// let rows = make_layout((Int::<2>, Int::<2>), (Int::<2>, Int::<1>));
/// let owned = Owned::from_array(rows, [1, 2, 3, 4]);
/// assert_eq!((sum(&owned), sum(&owned.view())), (10, 10));
/// ```
///
/// A type of yours that has elements becomes a storage by two methods:
///
/// ```
/// use layout_core::{Tensor, View, make_layout};
/// use layout_core::tensor::{Shared, Storage};
/// use std::rc::Rc;
/// /// A frame that several tensors own together.
/// #[derive(Clone)]
/// struct Frame(Rc<[u8]>);
/// // SAFETY: the elements stay where they are while an `Rc` lives, and nobody writes them.
/// unsafe impl Storage for Frame {
///     type Item = u8;
///     type Shared<'s> = Shared<'s, u8>;
///     fn origin(&self) -> *const u8 {
///         self.0.as_ptr()
///     }
///     fn shared(&self) -> Shared<'_, u8> {
///         // SAFETY: the borrow of the frame keeps the elements alive.
///         unsafe { View::from_raw(self.origin(), make_layout(self.0.len(), 1)) }.into_storage()
///     }
/// }
/// let frame = Frame(Rc::from([1, 2, 3, 4, 5, 6]));
/// // SAFETY: all indices are below 6.
/// let rows = unsafe { Tensor::from_parts(frame.clone(), make_layout((2, 3), (3, 1))) };
/// let columns = unsafe { Tensor::from_parts(frame, make_layout((3, 2), (1, 3))) };
/// assert_eq!((rows[(1, 0)], columns[(0, 1)]), (4, 4));
/// assert!(rows.view().iter().eq(&[1, 4, 2, 5, 3, 6]));
/// ```
///
/// # Safety
///
/// `origin` is the same pointer until the storage is moved. It is valid for reads at the indices that the maker of the
/// storage promised. `shared` borrows the same elements, with the same index 0. A clone has elements at the same indices.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the storage of a tensor: a borrowed tensor is a `View<T, L>` or `ViewMut<T, L>`, one that owns its elements an `Owned<T, L, N>` or `Boxed<T, L>`",
    label = "not a `Storage`"
)]
pub unsafe trait Storage {
    /// The type of the elements.
    type Item;

    /// The type of the borrowed storage. For a shared borrow, it is the type itself.
    type Shared<'s>: Borrow<Item = Self::Item> + Copy
    where
        Self: 's;

    /// Returns the pointer to index 0, which need not be an element.
    fn origin(&self) -> *const Self::Item;

    /// Returns a borrow of the elements for reading, with the same index 0.
    fn shared(&self) -> Self::Shared<'_>;

    /// Returns a tensor that borrows the elements of `tensor`, as [`Tensor::view`] does.
    #[doc(hidden)]
    #[inline(always)]
    fn lent<L: Layout>(tensor: &Tensor<Self, L>) -> Tensor<Self::Shared<'_>, L>
    where
        Self: Sized,
    {
        tensor.view()
    }
}

/// A [`Storage`] whose elements may be written.
///
/// ```
/// use layout_core::{Int, Layout, Owned, Tensor, make_layout};
/// use layout_core::tensor::StorageMut;
/// /// Sets the elements to powers of two, in the order of the coordinates, whether the tensor owns or borrows them.
/// fn powers<S: StorageMut<Item = u32>, L: Layout>(t: &mut Tensor<S, L>) {
///     let mut next = 1;
///     t.ordered_mut().for_each_mut(|x| {
///         *x = next;
///         next *= 2;
///     });
/// }
/// let mut t = Owned::from_array(make_layout(Int::<4>, Int::<1>), [0; 4]);
/// powers(&mut t);
/// assert_eq!(t.as_slice(), [1, 2, 4, 8]);
/// powers(&mut t.window_mut((2,), (2,))?);
/// assert_eq!(t.as_slice(), [1, 2, 1, 2]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// `origin_mut` is the pointer that a call of another language writes through:
///
/// ```
/// use layout_core::{Int, Owned, make_layout};
/// use layout_core::tensor::StorageMut;
/// let mut storage = Owned::from_array(make_layout(Int::<4>, Int::<1>), [7u8; 4]).into_storage();
/// // SAFETY: the array has four elements.
/// unsafe { storage.origin_mut().write_bytes(0, 3) };
/// assert_eq!(storage, [0, 0, 0, 7]);
/// ```
///
/// # Safety
/// The promises of [`Storage`] hold for writes, too: `origin_mut` equals `origin`, and no one else reads or writes the
/// elements while the storage is mutably borrowed.
#[diagnostic::on_unimplemented(
    message = "the elements of `{Self}` are borrowed to be read: to write them make the tensor of `&mut data`, or take `view_mut`, `tiles_mut`, `slice_mut`",
    label = "the storage is no `StorageMut`"
)]
pub unsafe trait StorageMut: Storage {
    /// Returns the pointer to index 0, for writes.
    fn origin_mut(&mut self) -> *mut Self::Item;
}

/// A shared borrow of elements.
///
/// ```
/// use layout_core::{Int, Strided, Tensor, make_layout};
/// use layout_core::tensor::{Shared, Tiles};
/// type Rows = Strided<(usize, usize), (usize, Int<1>)>;
/// /// The tiles that a reader has not taken yet.
/// struct Work<'a> {
///     tiles: Tiles<Shared<'a, f32>, Rows, (Int<2>, Int<2>)>,
/// }
/// let t = Tensor::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], make_layout((2, 4), (4, Int::<1>)))?;
/// let mut work = Work { tiles: t.tiles((Int, Int)) };
/// assert_eq!(work.tiles.next().map(|tile| tile[(1, 1)]), Some(6.0));
/// assert_eq!(work.tiles.len(), 1);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub struct Shared<'a, T> {
    // Not a `NonNull`, because index 0 of a tensor without elements may be at any address.
    origin: *const T,
    elements: PhantomData<&'a [T]>,
}

impl<T> Clone for Shared<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<'_, T> {}

// SAFETY: it is a `&[T]` without its length.
unsafe impl<T: Sync> Send for Shared<'_, T> {}
// SAFETY: it is a `&[T]` without its length.
unsafe impl<T: Sync> Sync for Shared<'_, T> {}

impl<T> Shared<'_, T> {
    /// Borrows the elements whose index 0 is at `origin`.
    ///
    /// # Safety
    ///
    /// The elements read through it live as long as it does, and nobody writes them meanwhile.
    #[inline(always)]
    pub(super) const unsafe fn new(origin: *const T) -> Self {
        Shared { origin, elements: PhantomData }
    }
}

// SAFETY: the origin is a field.
unsafe impl<'a, T> Storage for Shared<'a, T> {
    type Item = T;
    type Shared<'s>
        = Shared<'a, T>
    where
        Self: 's;

    #[inline(always)]
    fn origin(&self) -> *const T {
        self.origin
    }

    #[inline(always)]
    fn shared(&self) -> Self {
        *self
    }

    // Copy the tensor as a whole. The compiler then knows in early passes that the copy has the same extents and strides.
    // If nested fields are copied one by one, it finds that out only in late passes.
    #[inline(always)]
    fn lent<L: Layout>(tensor: &Tensor<Self, L>) -> Tensor<Self, L> {
        *tensor
    }
}

/// An exclusive borrow of elements.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// use layout_core::layouts::IntTuple;
/// use layout_core::tensor::{Tileable, Tiles, Unique};
/// /// The work of one thread: it fills tiles that no other thread has.
/// fn fill<L: Tileable<T>, T: IntTuple>(tiles: Tiles<Unique<'_, i32>, L, T>, value: i32) {
///     tiles.for_each(|mut tile| tile.fill(value));
/// }
/// let mut data = [0; 8];
/// let mut t = Tensor::new(&mut data, make_layout((Int::<2>, Int::<4>), (Int::<4>, Int::<1>)))?;
/// let (left, right) = t.tiles_mut((Int::<2>, Int::<2>)).split_at(1);
/// std::thread::scope(|scope| {
///     scope.spawn(|| fill(left, 1));
///     scope.spawn(|| fill(right, 2));
/// });
/// assert_eq!(data, [1, 1, 2, 2, 1, 1, 2, 2]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub struct Unique<'a, T> {
    origin: *mut T,
    elements: PhantomData<&'a mut [T]>,
}

// SAFETY: it is a `&mut [T]` of some of the elements, without its length.
unsafe impl<T: Send> Send for Unique<'_, T> {}
// SAFETY: it is a `&mut [T]` of some of the elements, without its length.
unsafe impl<T: Sync> Sync for Unique<'_, T> {}

impl<T> Unique<'_, T> {
    /// Borrows the elements whose index 0 is at `origin`, for writing.
    ///
    /// # Safety
    ///
    /// The elements read and written through it live as long as it does, and nobody else reads or writes them meanwhile.
    #[inline(always)]
    pub(super) const unsafe fn new(origin: *mut T) -> Self {
        Unique { origin, elements: PhantomData }
    }
}

/// A shared or an exclusive borrow of elements.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// use layout_core::layouts::IntTuple;
/// use layout_core::tensor::{Borrow, Tileable, Tiles};
/// /// Divides the tiles into halves, to read or to write.
/// fn halves<S: Borrow, L: Tileable<T>, T: IntTuple>(tiles: Tiles<S, L, T>) -> (Tiles<S, L, T>, Tiles<S, L, T>) {
///     let middle = tiles.len() / 2;
///     tiles.split_at(middle)
/// }
/// let mut data = [1, 2, 3, 4, 5, 6];
/// let mut t = Tensor::new(&mut data, make_layout((Int::<6>,), (Int::<1>,)))?;
/// let (_, last) = halves(t.tiles_mut((Int::<1>,)));
/// last.for_each(|mut tile| tile.fill(0));
/// let (first, last) = halves(t.tiles((Int::<2>,)));
/// assert_eq!((first.len(), last.len()), (1, 2));
/// assert_eq!(data, [1, 2, 3, 0, 0, 0]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// # Safety
/// The promises of [`Storage`] hold, and `moved` borrows the same elements.
pub unsafe trait Borrow: Storage + Sized {
    /// Returns a borrow of the same elements whose index 0 is at index `offset` of this borrow.
    ///
    /// # Safety
    ///
    /// The result is used only for indices of elements of this borrow. If it is a [`Unique`], this borrow is not used for the
    /// same elements while the result lives.
    #[doc(hidden)]
    unsafe fn moved(&self, offset: isize) -> Self;
}

// SAFETY: it points into the same elements.
unsafe impl<T> Borrow for Shared<'_, T> {
    #[inline(always)]
    unsafe fn moved(&self, offset: isize) -> Self {
        // SAFETY: the caller promises this.
        unsafe { Shared::new(self.origin.wrapping_offset(offset)) }
    }
}

// SAFETY: it points into the same elements.
unsafe impl<T> Borrow for Unique<'_, T> {
    #[inline(always)]
    unsafe fn moved(&self, offset: isize) -> Self {
        // SAFETY: the caller promises this.
        unsafe { Unique::new(self.origin.wrapping_offset(offset)) }
    }
}

/// Implements `Storage` for a type that owns its elements or borrows them exclusively. Borrowed, it is a [`Shared`].
macro_rules! lends {
    ([$($generics:tt)*] $type:ty, $item:ty, |$storage:ident| $origin:expr) => {
        // SAFETY: the elements are in one allocation, and stay where they are.
        unsafe impl<$($generics)*> Storage for $type {
            type Item = $item;
            type Shared<'s>
                = Shared<'s, $item>
            where
                Self: 's;

            #[inline(always)]
            fn origin(&self) -> *const $item {
                let $storage = self;
                $origin
            }

            #[inline(always)]
            fn shared(&self) -> Shared<'_, $item> {
                // SAFETY: the borrow of the storage keeps its elements alive and unwritten.
                unsafe { Shared::new(self.origin()) }
            }
        }
    };
}

lends!(['a, T] Unique<'a, T>, T, |storage| storage.origin);
lends!([T, const N: usize] [T; N], T, |storage| storage.as_ptr());
lends!([T, N: ArrayLength] GenericArray<T, N>, T, |storage| storage.as_slice().as_ptr());

// SAFETY: the borrow is exclusive.
unsafe impl<T> StorageMut for Unique<'_, T> {
    #[inline(always)]
    fn origin_mut(&mut self) -> *mut T {
        self.origin
    }
}

// SAFETY: the array owns its elements.
unsafe impl<T, const N: usize> StorageMut for [T; N] {
    #[inline(always)]
    fn origin_mut(&mut self) -> *mut T {
        self.as_mut_ptr()
    }
}

// SAFETY: the array owns its elements.
unsafe impl<T, N: ArrayLength> StorageMut for GenericArray<T, N> {
    #[inline(always)]
    fn origin_mut(&mut self) -> *mut T {
        self.as_mut_slice().as_mut_ptr()
    }
}

/// Elements on the heap.
///
/// ```
/// use layout_core::{Boxed, make_layout};
/// use layout_core::number::Signed;
/// // Index 0 is the last of four elements, because the stride is negative.
/// let mut t = Boxed::filled(make_layout(4, Signed(-1)), 0)?;
/// t[1] = 5;
/// let heap = t.into_storage();
/// assert_eq!(heap.origin_index(), 3);
/// assert_eq!(*heap.into_boxed_slice(), [0, 0, 5, 0]);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heap<T> {
    elements: alloc::boxed::Box<[T]>,
    origin: usize,
}

#[cfg(feature = "alloc")]
impl<T> Heap<T> {
    /// Returns the position, from 0, of the element that has index 0.
    pub const fn origin_index(&self) -> usize {
        self.origin
    }

    /// Returns the elements, in the order of their indices.
    pub fn into_boxed_slice(self) -> alloc::boxed::Box<[T]> {
        self.elements
    }
}

#[cfg(feature = "alloc")]
impl<T> AsRef<[T]> for Heap<T> {
    fn as_ref(&self) -> &[T] {
        &self.elements
    }
}

#[cfg(feature = "alloc")]
impl<T> AsMut<[T]> for Heap<T> {
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }
}

#[cfg(feature = "alloc")]
lends!([T] Heap<T>, T, |storage| storage.elements.as_ptr().wrapping_add(storage.origin));

// SAFETY: the box owns its elements.
#[cfg(feature = "alloc")]
unsafe impl<T> StorageMut for Heap<T> {
    #[inline(always)]
    fn origin_mut(&mut self) -> *mut T {
        self.elements.as_mut_ptr().wrapping_add(self.origin)
    }
}

/// The source of a tensor's elements: a borrowed slice or array, or a boxed slice or a vector, by value or borrowed.
///
/// ```
/// use layout_core::{Int, Strided, Tensor, TensorError, make_layout};
/// use layout_core::tensor::{IntoStorage, Storage};
/// type Rows = Strided<(usize, Int<3>), (Int<3>, Int<1>)>;
/// /// Makes a tensor of points of three numbers. The caller lends the numbers, or gives them away.
/// fn points<S: Storage>(data: impl IntoStorage<Storage = S>, count: usize) -> Result<Tensor<S, Rows>, TensorError> {
///     Tensor::new(data, make_layout((count, Int), (Int, Int)))
/// }
/// let mut data = [1, 2, 3, 4, 5, 6];
/// assert_eq!(points(&data, 2)?[(1, 0)], 4);
/// points(&mut data, 2)?[(1, 0)] = 40;
/// let owned = points(data.to_vec(), 2)?;
/// assert_eq!(owned[(1, 0)], 40);
/// assert!(points(&data[..5], 2).is_err());
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// # Safety
///
/// The storage that it becomes may be read at the indices `-origin..count - origin`, and written if it is a [`StorageMut`].
/// `count` returns the same number until then.
#[cfg_attr(
    feature = "alloc",
    diagnostic::on_unimplemented(
        message = "a tensor cannot be made of `{Self}`: it is made of a reference to a slice or an array, of a vector or of a box",
        label = "an array is moved by `Owned::from_array(layout, data)`"
    )
)]
#[cfg_attr(
    not(feature = "alloc"),
    diagnostic::on_unimplemented(
        message = "a tensor cannot be made of `{Self}`: it is made of a reference to a slice or an array, with the feature `alloc` also of a vector or a box",
        label = "a vector or a box is lent as `&v[..]`, an array is moved by `Owned::from_array(layout, data)`"
    )
)]
pub unsafe trait IntoStorage {
    /// The type of the storage that it becomes.
    type Storage: Storage;

    /// Returns the number of elements.
    #[doc(hidden)]
    fn count(&self) -> usize;

    /// Makes the storage, with index 0 at the element number `origin`. An `origin` beyond the elements is allowed; making it reads nothing.
    #[doc(hidden)]
    fn into_storage(self, origin: usize) -> Self::Storage;
}

macro_rules! borrowed {
    ($([$($generics:tt)*] $type:ty, $item:ty;)*) => { $(
        // SAFETY: the borrow has `count` elements.
        unsafe impl<'a, $($generics)*> IntoStorage for &'a $type {
            type Storage = Shared<'a, $item>;
            #[inline(always)]
            fn count(&self) -> usize {
                self.len()
            }
            #[inline(always)]
            fn into_storage(self, origin: usize) -> Shared<'a, $item> {
                // SAFETY: the elements are borrowed for `'a`.
                unsafe { Shared::new(self.as_ptr().wrapping_add(origin)) }
            }
        }

        // SAFETY: the borrow has `count` elements.
        unsafe impl<'a, $($generics)*> IntoStorage for &'a mut $type {
            type Storage = Unique<'a, $item>;
            #[inline(always)]
            fn count(&self) -> usize {
                self.len()
            }
            #[inline(always)]
            fn into_storage(self, origin: usize) -> Unique<'a, $item> {
                // SAFETY: the elements are borrowed exclusively for `'a`.
                unsafe { Unique::new(self.as_mut_ptr().wrapping_add(origin)) }
            }
        }
    )* };
}

borrowed! {
    [T] [T], T;
    [T, const N: usize] [T; N], T;
}
#[cfg(feature = "alloc")]
borrowed! {
    [T] alloc::vec::Vec<T>, T;
    [T] alloc::boxed::Box<[T]>, T;
}

// SAFETY: the box owns `count` elements.
#[cfg(feature = "alloc")]
unsafe impl<T> IntoStorage for alloc::boxed::Box<[T]> {
    type Storage = Heap<T>;
    fn count(&self) -> usize {
        self.len()
    }
    fn into_storage(self, origin: usize) -> Heap<T> {
        Heap { elements: self, origin }
    }
}

// SAFETY: the vector owns `count` elements.
#[cfg(feature = "alloc")]
unsafe impl<T> IntoStorage for alloc::vec::Vec<T> {
    type Storage = Heap<T>;
    fn count(&self) -> usize {
        self.len()
    }
    fn into_storage(self, origin: usize) -> Heap<T> {
        self.into_boxed_slice().into_storage(origin)
    }
}
