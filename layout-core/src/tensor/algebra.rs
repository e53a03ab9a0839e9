//! The operations of the algebra on tensors: other coordinates for the same elements, slices, modes, windows and partitions.

use super::error::{TensorError, or_panic};
use super::rearrange::Rearrange;
use super::storage::{Borrow, Storage, StorageMut, Unique};
use super::tensor::Tensor;
use super::tileable::positive;
use super::window::lies_within;
use crate::types::{
    AsOperand, ColMajor, Composition, Derived, Fits, Fixed, FixedInside, Get, IntTuple, Keep, Layout, LayoutAlgebra, LogicalProduct,
    RakedProduct, RawLayout, RightInverse, Select, Slice, Slots, Strided, TypedLayout, Windows, col_major, inside, integers, op, unroll,
};

/// Panics if the layout `made` does not have `size` coordinates, so that memory safety does not rely on the algebra alone.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
pub(super) fn require_size<M: TypedLayout>(made: &M, size: usize) {
    assert!(made.size() == size, "the operation is to have {size} coordinates, and has {}", made.size());
}

macro_rules! rearranged {
    ($($(#[$doc:meta])* $name:ident $try_name:ident $type:ident($($arg:ident: $kind:ident),*);)*) => {
        /// Operations that give the same elements other coordinates. A tensor that owns its elements still owns them.
        ///
        /// ```
        /// use layout_core::{Int, Tensor, make_layout};
        /// let data: Vec<i32> = (0..32).collect();
        /// let t = Tensor::new(&data, make_layout((Int::<8>, Int::<4>), (Int::<1>, Int::<8>)))?;
        /// assert_eq!(t.coalesce()[9], t[(1, 1)]);
        /// assert_eq!(t.group(Int::<0>, Int::<2>).flatten()[(1, 1)], 9);
        /// let tile = (Int::<4>, Int::<2>);
        /// assert_eq!(t.logical_divide(tile)[((3, 1), (1, 1))], t[(7, 3)]);
        /// assert_eq!(t.tiled_divide(tile)[((3, 1), 1, 1)], t[(7, 3)]);
        /// assert_eq!(t.flat_divide(tile)[(3, 1, 1, 1)], t[(7, 3)]);
        ///
        /// // The `try_` forms check tiles and extents that are known when the program runs.
        /// let rows = Tensor::new(&data, make_layout((8, 4), (1, 8)))?;
        /// assert_eq!(rows.try_tiled_divide((4, 2))?[((3, 1), 1, 1)], 31);
        /// assert!(rows.try_flat_divide((3, 2)).is_err() && rows.try_logical_divide((4, 3)).is_err());
        /// # Ok::<(), layout_core::TensorError>(())
        /// ```
        impl<S: Storage, L: Rearrange> Tensor<S, L> {
            $(
                $(#[$doc])*
                #[cfg_attr(not(unoptimized), inline(always))]
                #[track_caller]
                pub fn $name<$($kind: AsOperand),*>(self, $($arg: $kind),*) -> Tensor<S, L::With<Derived<op::$type, (L::Typed, $($kind,)*)>>> {
                    let changed = self.layout().typed().$name($($arg),*);
                    // SAFETY: the operation permutes the coordinates.
                    unsafe { self.rearranged(changed) }
                }

                #[doc = concat!("[`Tensor::", stringify!($name), "`] with the run-time leaves checked.")]
                #[cfg_attr(not(unoptimized), inline(always))]
                pub fn $try_name<$($kind: AsOperand),*>(
                    self,
                    $($arg: $kind),*
                ) -> Result<Tensor<S, L::With<Derived<op::$type, (L::Typed, $($kind,)*)>>>, TensorError> {
                    let changed = self.layout().typed().$try_name($($arg),*)?;
                    // SAFETY: the operation permutes the coordinates.
                    Ok(unsafe { self.rearranged(changed) })
                }
            )*

            /// Returns the elements with the layout type `changed`. Panics if it has another number of coordinates.
            ///
            /// # Safety
            ///
            /// `changed` has the coordinates of the tensor, in another form or order.
            #[cfg_attr(not(unoptimized), inline(always))]
            #[track_caller]
            unsafe fn rearranged<M: TypedLayout>(self, changed: M) -> Tensor<S, L::With<M>> {
                require_size(&changed, self.size());
                let layout = self.layout().with(changed);
                // SAFETY: the caller promises this.
                unsafe { Tensor::from_parts(self.into_storage(), layout) }
            }
        }
    };
}

rearranged! {
    /// Merges modes into the fewest possible, see [`LayoutAlgebra::coalesce`].
    coalesce try_coalesce Coalesce();
    /// Removes the nesting, see [`LayoutAlgebra::flatten`].
    flatten try_flatten Flatten();
    /// Groups the modes `begin..end` into one, see [`LayoutAlgebra::group`].
    group try_group Group(begin: X, end: Y);
    /// Divides each mode that the tiler names into `(tile, rest)`, see [`LayoutAlgebra::logical_divide`].
    logical_divide try_logical_divide LogicalDivide(tiler: T);
    /// Divides into `(tiles, rests)`, see [`LayoutAlgebra::zipped_divide`].
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let data: Vec<i32> = (0..32).collect();
    /// let t = Tensor::new(&data, make_layout((Int::<8>, Int::<4>), (Int::<1>, Int::<8>)))?;
    /// let tiles = t.zipped_divide((Int::<4>, Int::<2>));
    /// assert_eq!(tiles[((3, 1), (1, 1))], t[(7, 3)]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    zipped_divide try_zipped_divide ZippedDivide(tiler: T);
    /// Divides into `(tiles, rest, rest, ..)`, see [`LayoutAlgebra::tiled_divide`].
    tiled_divide try_tiled_divide TiledDivide(tiler: T);
    /// Divides into `(tile, .., rest, ..)`, see [`LayoutAlgebra::flat_divide`].
    flat_divide try_flat_divide FlatDivide(tiler: T);
}

/// Returns the tensor with the layout type `m` instead of its own, and with `index` added to the indices of `m`.
///
/// # Safety
///
/// The indices `index + m` are indices of the layout type. If the storage is a [`Unique`], no one else has those elements.
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn part<S: Borrow, L: Rearrange, M: TypedLayout>(tensor: &Tensor<S, L>, m: M, index: usize) -> Tensor<S, L::From<M>> {
    let (offset, layout) = tensor.layout().from(m, index);
    // SAFETY: the caller promises this.
    unsafe { Tensor::from_parts(tensor.storage().moved(offset), layout) }
}

/// Returns the slice of a tensor by `c`. Panics if an integer of `c` is outside of its mode.
///
/// # Safety
///
/// If the storage is a [`Unique`], no one else has those elements.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
unsafe fn slice<S: Borrow, L: Rearrange, C: IntTuple>(tensor: &Tensor<S, L>, c: C) -> Sliced<S, L, C> {
    let (kept, index) = cut(tensor.layout().typed(), c);
    // SAFETY: the coordinates of the slice are coordinates of the tensor, each once.
    unsafe {
        let slice = part(tensor, kept, index);
        let layout = L::proven(slice.layout());
        Tensor::from_parts(slice.into_storage(), layout)
    }
}

/// Returns the elements of thread `thread`. Panics if there is no such thread, or if an index of `tv` is not a coordinate of the tensor.
///
/// # Safety
///
/// If the storage is a [`Unique`], no one else has those elements.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
unsafe fn partition<S: Borrow, L: Rearrange, B: TypedLayout>(tensor: &Tensor<S, L>, tv: B, thread: usize) -> ThreadValues<S, L, B> {
    let (values, index) = cut(composed(tensor.layout().typed(), tv), (thread, Keep));
    // SAFETY: the coordinates are coordinates of the tensor.
    unsafe { part(tensor, values, index) }
}

/// A slice of a tensor with the layout `L`, by the coordinate `C`; see [`Tensor::slice`].
///
/// ```
/// use layout_core::{Int, Layout, Tensor, make_layout};
/// use layout_core::number::Keep;
/// use layout_core::tensor::{Rearrange, Sliced, Storage};
/// /// Returns row `i` of a matrix, whatever its layout and storage are.
/// fn row<S: Storage, L: Rearrange>(matrix: &Tensor<S, L>, i: usize) -> Sliced<S::Shared<'_>, L, (usize, Keep)> {
///     matrix.slice((i, Keep))
/// }
/// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (Int::<1>, 2)))?;
/// assert!(row(&t, 1).iter().eq(&[2, 4, 6]));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type Sliced<S, L, C> = Tensor<S, <L as Rearrange>::Proven<Slice<<L as Rearrange>::Typed, C>>>;

/// The elements of one thread of a tensor with the layout `L`, by the thread/value layout `B`; see [`Tensor::partition`].
///
/// ```
/// use layout_core::{Int, Tensor, TypedLayout, make_layout};
/// use layout_core::tensor::{Rearrange, Storage, ThreadValues, layout_tv};
/// /// The elements of one thread, as a kernel receives them.
/// fn values<S: Storage, L: Rearrange, B: TypedLayout>(t: &Tensor<S, L>, tv: B, thread: usize) -> ThreadValues<S::Shared<'_>, L, B> {
///     t.partition(tv, thread)
/// }
/// let data: Vec<i32> = (0..8).collect();
/// let t = Tensor::new(&data, make_layout(Int::<8>, Int::<1>))?;
/// // Four threads side by side, each with two neighbours.
/// let tv = layout_tv(make_layout(Int::<4>, Int::<1>), make_layout(Int::<2>, Int::<1>));
/// assert!(values(&t, tv, 3).iter().eq(&[6, 7]));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
pub type ThreadValues<S, L, B> = Tensor<S, <L as Rearrange>::From<Slice<Composition<<L as Rearrange>::Typed, B>, (usize, Keep)>>>;

/// The layout from `(thread, value)` to coordinates, made from a layout of threads and a layout of the values of each thread.
///
/// Threads lie side by side over the blocks of values. It is CuTe's `make_layout_tv`.
///
/// ```
/// use layout_core::{Int, Layout, Strided, make_layout};
/// use layout_core::tensor::{LayoutTv, layout_tv};
/// /// A copy by 32 threads, each with four neighbours of a row: the type has the whole plan.
/// #[derive(Clone, Copy)]
/// struct Copies {
///     tv: LayoutTv<(Int<8>, Int<4>), (Int<4>, Int<1>), (Int<1>, Int<4>), (Int<4>, Int<1>)>,
/// }
/// let threads = make_layout((Int::<8>, Int::<4>), (Int::<4>, Int::<1>));
/// let copies = Copies { tv: layout_tv(threads, make_layout((Int::<1>, Int::<4>), (Int::<4>, Int::<1>))) };
/// // Thread 5 is in row 1, column 1 of the threads. Its value 2 is in row 1, column 4 + 2 of a tile of 8 by 16.
/// assert_eq!(copies.tv.crd2idx((5, 2)), 1 + 8 * 6);
/// assert_eq!(size_of::<Copies>(), 0);
/// ```
pub type LayoutTv<S, D, V, E> =
    Composition<RightInverse<RakedProduct<Strided<S, D>, Strided<V, E>>>, LogicalProduct<ColMajor<S>, ColMajor<V>>>;

/// Returns the layout from `(thread, value)` to coordinates of the tile that all threads with their values cover, see [`LayoutTv`].
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::tensor::layout_tv;
/// let threads = make_layout((Int::<2>, Int::<2>), (Int::<2>, Int::<1>)); // 0 1
///                                                                        // 2 3
/// let values = make_layout((Int::<1>, Int::<2>), (Int::<2>, Int::<1>)); // two neighbours of a row
/// let tv = layout_tv(threads, values);
/// // Together they cover a tile of 2 by 4. Thread 1 has its columns 2 and 3, and coordinates count the first mode fastest.
/// assert_eq!(tv.size(), 8);
/// assert_eq!((tv.crd2idx((1, 0)), tv.crd2idx((1, 1))), (2 * 2, 2 * 3));
/// ```
#[cfg_attr(not(unoptimized), inline(always))]
pub fn layout_tv<S: IntTuple, D: IntTuple, V: IntTuple, E: IntTuple>(
    threads: Strided<S, D>,
    values: Strided<V, E>,
) -> LayoutTv<S, D, V, E> {
    let side_by_side = col_major(threads.shape()).logical_product(col_major(values.shape()));
    threads.raked_product(values).right_inverse().composition(side_by_side)
}

/// Returns the layout of the kept modes of a slice, and the index of the fixed modes. Panics if a fixed integer is outside of its mode.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
pub(super) fn cut<L: TypedLayout, C: IntTuple>(layout: L, c: C) -> (Slice<L, C>, usize) {
    let () = <FixedInside<L, C> as Fits>::FITS;
    if !inside::<FixedInside<L, C>, L, C>(&layout, &c) {
        layout.outside(c);
    }
    layout.slice(c)
}

/// Fails if `b` has an index outside of `0..size`, the coordinates of a tensor of `size` elements.
#[cfg_attr(not(unoptimized), inline(always))]
fn require_coordinates<B: TypedLayout>(b: &B, size: usize) -> Result<(), TensorError> {
    let range = b.index_range()?;
    if range.is_empty() || (range.start >= 0 && range.end as usize <= size) {
        Ok(())
    } else {
        Err(TensorError::Coordinates { first: range.start, last: range.end - 1, size })
    }
}

/// Returns the layout `a o b`. Panics if `b` has an index that is not a coordinate of `a`.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
fn composed<A: TypedLayout, B: TypedLayout>(a: A, b: B) -> Composition<A, B> {
    or_panic(require_coordinates(&b, a.size()));
    let composed = a.composition(b);
    require_size(&composed, b.size());
    composed
}

/// Multiplies `size` by extent `k` of a window, if `k` is below `named`, the number of its modes. The extents are positive.
#[inline(always)]
fn multiply(named: usize, extents: &Slots, size: &mut usize, k: usize) {
    if k < named {
        *size = size.saturating_mul(extents[k]);
    }
}

impl<S: Storage, L: Rearrange> Tensor<S, L> {
    /// Returns the windows of a shape wherever they lie inside: `((window), (positions))`, see [`LayoutAlgebra::windows`]. They
    /// overlap, so they are read only.
    ///
    /// `window` has an integer for each of the first modes. Fails if an integer is 0 or more than the extent of its mode, if
    /// a window crosses a boundary inside a mode, and if the size of a window times the size of the tensor exceeds `isize`.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::number::Keep;
    /// let data: Vec<i32> = (0..60).collect();
    /// let t = Tensor::new(&data, make_layout((10, 6), (Int::<1>, 10)))?;
    /// let windows = t.windows((Int::<3>, Int::<3>))?; // ((3,3),(8,4))
    /// assert_eq!(windows[((2, 1), (7, 3))], t[(2 + 7, 1 + 3)]);
    /// let around = windows.slice(((Keep, Keep), (4, 1)));
    /// assert_eq!(around.iter().sum::<i32>(), 9 * t[(5, 2)]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[allow(clippy::type_complexity)]
    pub fn windows<T: IntTuple>(&self, window: T) -> Result<Tensor<S::Shared<'_>, L::With<Windows<L::Typed, T>>>, TensorError> {
        const {
            assert!(
                T::DESCRIPTOR.is_flat(<L::Typed as TypedLayout>::RANK),
                "windows: the shape of a window has an integer for each of the first modes of the tensor"
            )
        };
        let ((rank, count), whole) = (integers(&window), self.layout().extents());
        positive(rank, &count)?;
        lies_within::<T>(&[0; crate::layouts::MAX_LEAVES], &count, &whole)?;
        // The tensor has at least as many elements as there are windows, so `size * each` bounds the size of the result.
        // Make the error here, not in a function: the compiler cannot drop a call even if nothing uses its result.
        let (size, mut each) = (self.size(), 1);
        unroll!(T::DESCRIPTOR.modes(), multiply(rank, &count, &mut each));
        if size > isize::MAX as usize / each {
            return Err(TensorError::Windows { each, size });
        }
        let typed = self.layout().typed();
        let windows = if const { Windows::<L::Typed, T>::PATTERN.scope.promises == 0 } {
            Derived::<op::Windows, (L::Typed, T)>::unchecked((typed, window))
        } else {
            typed.try_windows(window)?
        };
        let layout = self.layout().with(windows);
        // SAFETY: the coordinates of a window that lies inside are coordinates of the tensor.
        Ok(unsafe { Tensor::from_parts(self.storage().shared(), layout) })
    }

    /// Returns the elements at the integers of `c`, over the modes marked [`Keep`](crate::number::Keep).
    ///
    /// Panics if an integer is outside of its mode.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::number::Keep;
    /// let data: Vec<i32> = (0..12).collect();
    /// let t = Tensor::new(&data, make_layout((3, 4), (4, Int::<1>)))?;
    /// let row = t.slice((2, Keep));
    /// assert_eq!(row[(1,)], t[(2, 1)]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn slice<C: IntTuple>(&self, c: C) -> Sliced<S::Shared<'_>, L, C> {
        let () = <Fixed<L::Typed, C> as Fits>::FITS;
        // SAFETY: the slice is read only.
        unsafe { slice(&S::lent(self), c) }
    }

    /// Returns the modes with the numbers `modes`, counted from 0, in that order. The other modes are fixed at 0.
    ///
    /// Panics if a mode is named twice, or if an omitted mode has no coordinate 0 and the others have one. Does not compile if
    /// `modes` is nested.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let transposed = t.select((Int::<1>, Int::<0>));
    /// assert_eq!(transposed[(2, 0)], t[(0, 2)]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    ///
    /// ```compile_fail
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>))).unwrap();
    /// t.select(((Int::<0>, Int::<0>),));
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn select<K: IntTuple>(self, modes: K) -> Tensor<S, L::With<Select<L::Typed, K>>> {
        const {
            let (one, each) = (K::DESCRIPTOR.is_flat(1), K::DESCRIPTOR.is_flat(<L::Typed as TypedLayout>::RANK));
            assert!(one || each, "select: the modes are integers, each of another mode of the tensor, and not nested")
        };
        let (count, named) = integers(&modes);
        for (k, mode) in named[..count].iter().enumerate() {
            assert!(!named[..k].contains(mode), "select: mode {mode} is named twice");
        }
        let selected = self.layout().typed().select(modes);
        // SAFETY: the coordinates are coordinates of the tensor, each once.
        unsafe { self.at_zero(selected) }
    }

    /// Returns mode `k`, counted from 0. The other modes are fixed at 0.
    ///
    /// Panics if one of the other modes has no coordinate 0, and mode `k` has one.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// assert!(t.mode(Int::<0>).iter().eq(&[1, 4]));
    /// assert!(t.mode(Int::<1>).iter().eq(&[1, 2, 3]));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn mode<K: AsOperand>(self, k: K) -> Tensor<S, L::With<Get<L::Typed, K>>> {
        let mode = self.layout().typed().mode(k);
        // SAFETY: the coordinates are coordinates of the tensor, each once.
        unsafe { self.at_zero(mode) }
    }

    /// Returns the elements of the modes `kept`, with the others fixed at 0. Panics if one of the others is empty and no mode of `kept` is.
    ///
    /// # Safety
    ///
    /// `kept` has modes of the layout type, each once.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    unsafe fn at_zero<M: TypedLayout>(self, kept: M) -> Tensor<S, L::With<M>> {
        assert!(kept.size() == 0 || self.size() > 0, "a mode that is left out has no coordinate 0");
        let layout = self.layout().with(kept);
        // SAFETY: the caller promises this, and there is a coordinate 0.
        unsafe { Tensor::from_parts(self.into_storage(), layout) }
    }

    /// Returns the elements of thread `thread`, from 0, as one mode over its values. `tv` maps `(thread, value)` to coordinates.
    ///
    /// Panics if there is no such thread, or if an index of `tv` is not a coordinate of the tensor.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::layout_tv;
    /// // 4 threads by rows, each with 2 neighbours of a row.
    /// let tv = layout_tv(make_layout((Int::<2>, Int::<2>), (Int::<2>, Int::<1>)), make_layout((Int::<1>, Int::<2>), (Int::<2>, Int::<1>)));
    /// let data: Vec<i32> = (0..8).collect();
    /// let t = Tensor::new(&data, make_layout((Int::<2>, Int::<4>), (Int::<4>, Int::<1>)))?;
    /// assert!(t.partition(tv, 1).iter().eq(&[2, 3]));
    /// assert!(t.partition(tv, 2).iter().eq(&[4, 5]));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn partition<B: TypedLayout>(&self, tv: B, thread: usize) -> ThreadValues<S::Shared<'_>, L, B> {
        // SAFETY: the result is read only.
        unsafe { partition(&self.view(), tv, thread) }
    }

    /// Returns the elements at the indices of `b`, read as coordinates of this tensor: `result[c] = self[b(c)]`.
    ///
    /// Panics if `b` has an index that is not a coordinate of the tensor.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let t = Tensor::new(&[0, 10, 20, 30, 40, 50], make_layout(Int::<6>, Int::<1>))?;
    /// let odd = t.composition(make_layout(Int::<3>, Int::<2>));
    /// assert!(odd.iter().eq(&[0, 20, 40]));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn composition<B: TypedLayout>(self, b: B) -> Tensor<S, L::With<Composition<L::Typed, B>>> {
        let layout = self.layout().with(composed(self.layout().typed(), b));
        // SAFETY: every index of `b` is a coordinate of the tensor.
        unsafe { Tensor::from_parts(self.into_storage(), layout) }
    }

    /// Computes [`Tensor::composition`] with the run-time leaves checked.
    ///
    /// Fails if `b` has an index that is not a coordinate of the tensor, and if the composition is not a layout.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let (n, data) = (8, [0; 64]);
    /// let t = Tensor::new(&data, make_layout((n, 8), (8, Int::<1>)))?;
    /// assert!(t.try_composition(make_layout((Int::<4>, n), (Int::<1>, Int::<4>))).is_ok());
    /// let error = t.try_composition(make_layout((Int::<3>, n), (Int::<1>, Int::<3>))).unwrap_err();
    /// assert_eq!(error.to_string(), "composition: stride 3 of mode 1 of the right operand does not divide the 8 elements of a mode of the left operand");
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[allow(clippy::type_complexity)]
    pub fn try_composition<B: TypedLayout>(self, b: B) -> Result<Tensor<S, L::With<Composition<L::Typed, B>>>, TensorError> {
        require_coordinates(&b, self.size())?;
        let composed = self.layout().typed().try_composition(b)?;
        require_size(&composed, b.size());
        let layout = self.layout().with(composed);
        // SAFETY: every index of `b` is a coordinate of the tensor.
        Ok(unsafe { Tensor::from_parts(self.into_storage(), layout) })
    }
}

impl<S: StorageMut, L: Rearrange> Tensor<S, L> {
    /// Returns the elements at the integers of `c` mutably, as [`Tensor::slice`] does. Panics if an integer is outside of its mode.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::number::Keep;
    /// let mut data = [0; 6];
    /// let mut t = Tensor::new(&mut data, make_layout((2, 3), (3, Int::<1>)))?;
    /// t.slice_mut((1, Keep)).fill(7);
    /// t.slice_mut((Keep, 2)).fill(9);
    /// assert_eq!(data, [0, 0, 9, 7, 7, 9]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn slice_mut<C: IntTuple>(&mut self, c: C) -> Sliced<Unique<'_, S::Item>, L, C> {
        let () = <Fixed<L::Typed, C> as Fits>::FITS;
        // SAFETY: the tensor is borrowed exclusively.
        unsafe { slice(&self.view_mut(), c) }
    }

    /// Returns the elements of thread `thread` mutably, and panics, as [`Tensor::partition`] does.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// use layout_core::tensor::layout_tv;
    /// let tv = layout_tv(make_layout((Int::<2>, Int::<2>), (Int::<2>, Int::<1>)), make_layout((Int::<1>, Int::<2>), (Int::<2>, Int::<1>)));
    /// let mut data = [0; 8];
    /// let mut t = Tensor::new(&mut data[..], make_layout((Int::<2>, Int::<4>), (Int::<4>, Int::<1>)))?;
    /// for thread in 0..4 {
    ///     t.partition_mut(tv, thread).fill(thread);
    /// }
    /// assert_eq!(data, [0, 0, 1, 1, 2, 2, 3, 3]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn partition_mut<B: TypedLayout>(&mut self, tv: B, thread: usize) -> ThreadValues<Unique<'_, S::Item>, L, B> {
        // SAFETY: the tensor is borrowed exclusively.
        unsafe { partition(&self.view_mut(), tv, thread) }
    }
}
