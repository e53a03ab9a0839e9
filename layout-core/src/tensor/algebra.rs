//! The operations of the algebra on tensors: other coordinates for the same elements, and parts of them.

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

/// Panics where the layout that an operation made has another number of coordinates than it is to have: nothing that is read relies on the algebra alone.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
pub(super) fn require_size<M: TypedLayout>(made: &M, size: usize) {
    assert!(made.size() == size, "the operation is to have {size} coordinates, and has {}", made.size());
}

macro_rules! rearranged {
    ($($(#[$doc:meta])* $name:ident $try_name:ident $type:ident($($arg:ident: $kind:ident),*);)*) => {
        /// Other coordinates for the same elements; a tensor that owns them keeps them.
        impl<S: Storage, L: Rearrange> Tensor<S, L> {
            $(
                $(#[$doc])*
                #[cfg_attr(not(unoptimized), inline(always))]
                #[track_caller]
                pub fn $name<$($kind: AsOperand),*>(self, $($arg: $kind),*) -> Tensor<S, L::With<Derived<op::$type, (L::Typed, $($kind,)*)>>> {
                    let changed = self.layout().typed().$name($($arg),*);
                    // SAFETY: the operation is a permutation of the coordinates.
                    unsafe { self.rearranged(changed) }
                }

                #[doc = concat!("[`Tensor::", stringify!($name), "`] with the run-time leaves checked.")]
                #[cfg_attr(not(unoptimized), inline(always))]
                pub fn $try_name<$($kind: AsOperand),*>(
                    self,
                    $($arg: $kind),*
                ) -> Result<Tensor<S, L::With<Derived<op::$type, (L::Typed, $($kind,)*)>>>, TensorError> {
                    let changed = self.layout().typed().$try_name($($arg),*)?;
                    // SAFETY: the operation is a permutation of the coordinates.
                    Ok(unsafe { self.rearranged(changed) })
                }
            )*

            /// Returns the elements with the layout type `changed`; panics if it has another number of coordinates.
            ///
            /// # Safety
            ///
            /// `changed` has the coordinates of the tensor, in another form or order.
            #[cfg_attr(not(unoptimized), inline(always))]
            #[track_caller]
            unsafe fn rearranged<M: TypedLayout>(self, changed: M) -> Tensor<S, L::With<M>> {
                require_size(&changed, self.size());
                let layout = self.layout().with(changed);
                // SAFETY: promised by the caller.
                unsafe { Tensor::from_parts(self.into_storage(), layout) }
            }
        }
    };
}

rearranged! {
    /// The elements by the fewest modes, see [`LayoutAlgebra::coalesce`].
    coalesce try_coalesce Coalesce();
    /// The elements without nesting, see [`LayoutAlgebra::flatten`].
    flatten try_flatten Flatten();
    /// Modes `begin..end` as one, see [`LayoutAlgebra::group`].
    group try_group Group(begin: X, end: Y);
    /// `(tile, rest)` for each mode of the tiler, see [`LayoutAlgebra::logical_divide`].
    logical_divide try_logical_divide LogicalDivide(tiler: T);
    /// `(tiles, rests)`, see [`LayoutAlgebra::zipped_divide`].
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
    /// `(tiles, rest, rest, ..)`, see [`LayoutAlgebra::tiled_divide`].
    tiled_divide try_tiled_divide TiledDivide(tiler: T);
    /// `(tile, .., rest, ..)`, see [`LayoutAlgebra::flat_divide`].
    flat_divide try_flat_divide FlatDivide(tiler: T);
}

/// The part of a tensor with the layout `m` in the place of its layout type, from `index` on.
///
/// # Safety
///
/// The indices of `index + m` are some of the layout type's. Of a [`Unique`], no one else has those elements.
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn part<S: Borrow, L: Rearrange, M: TypedLayout>(tensor: &Tensor<S, L>, m: M, index: usize) -> Tensor<S, L::From<M>> {
    let (offset, layout) = tensor.layout().from(m, index);
    // SAFETY: promised by the caller.
    unsafe { Tensor::from_parts(tensor.storage().moved(offset), layout) }
}

/// The slice of a tensor; panics where the integers of `c` are outside.
///
/// # Safety
///
/// Of a [`Unique`], no one else has those elements.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
unsafe fn slice<S: Borrow, L: Rearrange, C: IntTuple>(tensor: &Tensor<S, L>, c: C) -> Sliced<S, L, C> {
    let (kept, index) = cut(tensor.layout().typed(), c);
    // SAFETY: the coordinates of the slice are some of the tensor's, each once.
    unsafe {
        let slice = part(tensor, kept, index);
        let layout = L::proven(slice.layout());
        Tensor::from_parts(slice.into_storage(), layout)
    }
}

/// The elements of one thread; panics where there is no such thread, or an index is no coordinate.
///
/// # Safety
///
/// Of a [`Unique`], no one else has those elements.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
unsafe fn partition<S: Borrow, L: Rearrange, B: TypedLayout>(tensor: &Tensor<S, L>, tv: B, thread: usize) -> ThreadValues<S, L, B> {
    let (values, index) = cut(composed(tensor.layout().typed(), tv), (thread, Keep));
    // SAFETY: the coordinates are some of the tensor's.
    unsafe { part(tensor, values, index) }
}

/// A slice of a tensor with the layout `L`, by the coordinate `C`; see [`Tensor::slice`].
pub type Sliced<S, L, C> = Tensor<S, <L as Rearrange>::Proven<Slice<<L as Rearrange>::Typed, C>>>;

/// The elements of one thread of a tensor with the layout `L`, by the thread/value layout `B`; see [`Tensor::partition`].
pub type ThreadValues<S, L, B> = Tensor<S, <L as Rearrange>::From<Slice<Composition<<L as Rearrange>::Typed, B>, (usize, Keep)>>>;

/// The layout from `(thread, value)` to the coordinates that they tile, of a layout of threads and a layout of the values of each.
///
/// Threads lie side by side over the blocks of values: CuTe's `make_layout_tv`.
pub type LayoutTv<S, D, V, E> =
    Composition<RightInverse<RakedProduct<Strided<S, D>, Strided<V, E>>>, LogicalProduct<ColMajor<S>, ColMajor<V>>>;

/// The layout from `(thread, value)` to the coordinates of the tile that threads and values cover, see [`LayoutTv`].
#[cfg_attr(not(unoptimized), inline(always))]
pub fn layout_tv<S: IntTuple, D: IntTuple, V: IntTuple, E: IntTuple>(
    threads: Strided<S, D>,
    values: Strided<V, E>,
) -> LayoutTv<S, D, V, E> {
    let side_by_side = col_major(threads.shape()).logical_product(col_major(values.shape()));
    threads.raked_product(values).right_inverse().composition(side_by_side)
}

/// The kept layout of a slice and the index of the fixed part; panics where that is outside.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
pub(super) fn cut<L: TypedLayout, C: IntTuple>(layout: L, c: C) -> (Slice<L, C>, usize) {
    let () = <FixedInside<L, C> as Fits>::FITS;
    if !inside::<FixedInside<L, C>, L, C>(&layout, &c) {
        layout.outside(c);
    }
    layout.slice(c)
}

/// Fails where `b` has an index that is no coordinate of a tensor of `size` coordinates.
#[cfg_attr(not(unoptimized), inline(always))]
fn require_coordinates<B: TypedLayout>(b: &B, size: usize) -> Result<(), TensorError> {
    let range = b.index_range()?;
    if range.is_empty() || (range.start >= 0 && range.end as usize <= size) {
        Ok(())
    } else {
        Err(TensorError::Coordinates { first: range.start, last: range.end - 1, size })
    }
}

/// The layout `a o b`; panics where `b` has an index that is no coordinate of `a`.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
fn composed<A: TypedLayout, B: TypedLayout>(a: A, b: B) -> Composition<A, B> {
    or_panic(require_coordinates(&b, a.size()));
    let composed = a.composition(b);
    require_size(&composed, b.size());
    composed
}

/// Multiplies `size` by extent `k` of a window, one of `named` positive extents.
#[inline(always)]
fn multiply(named: usize, extents: &Slots, size: &mut usize, k: usize) {
    if k < named {
        *size = size.saturating_mul(extents[k]);
    }
}

impl<S: Storage, L: Rearrange> Tensor<S, L> {
    /// The windows of a shape at every place where one lies inside: `((window), (places))`, see [`LayoutAlgebra::windows`]. They overlap, and are to be read.
    ///
    /// `window` has an integer for each of the first modes. Fails where one is 0, or more than the extent of its mode, where a window crosses a boundary
    /// inside a mode, and where the size of a window times the size of the tensor exceeds `isize`.
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
        // There are no more windows than coordinates. The error is made inline, as the compiler cannot drop a call whose result is not needed.
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
        // SAFETY: the coordinates of a window that lies inside are some of the tensor's.
        Ok(unsafe { Tensor::from_parts(self.storage().shared(), layout) })
    }

    /// The elements at the integers of `c`, over the modes marked [`Keep`](crate::number::Keep).
    ///
    /// Panics where an integer is outside of its mode.
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
        // SAFETY: it is read only.
        unsafe { slice(&S::lent(self), c) }
    }

    /// The modes that the integers of `modes` name, in that order, the others at 0.
    ///
    /// Panics where a mode is named twice, or one that is left out has no coordinate 0. Fails to compile where `modes` is nested.
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
        // SAFETY: the coordinates are some of the tensor's, each once.
        unsafe { self.at_zero(selected) }
    }

    /// Mode `k`, the others at 0.
    ///
    /// Panics where one of those has no coordinate 0.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn mode<K: AsOperand>(self, k: K) -> Tensor<S, L::With<Get<L::Typed, K>>> {
        let mode = self.layout().typed().mode(k);
        // SAFETY: the coordinates are some of the tensor's, each once.
        unsafe { self.at_zero(mode) }
    }

    /// The elements of some modes, the others at 0; panics where one of those is empty.
    ///
    /// # Safety
    ///
    /// `kept` has modes of the layout type, each once.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    unsafe fn at_zero<M: TypedLayout>(self, kept: M) -> Tensor<S, L::With<M>> {
        assert!(kept.size() == 0 || self.size() > 0, "a mode that is left out has no coordinate 0");
        let layout = self.layout().with(kept);
        // SAFETY: promised by the caller, and there is a coordinate 0.
        unsafe { Tensor::from_parts(self.into_storage(), layout) }
    }

    /// The elements of thread `thread`, of a layout from `(thread, value)` to coordinates: one mode, over the values.
    ///
    /// Panics where there is no such thread, or the layout has indices that are no coordinates.
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
        // SAFETY: it is read only.
        unsafe { partition(&self.view(), tv, thread) }
    }

    /// The elements at the indices of `b`, which are coordinates here: `result[c] = self[b(c)]`.
    ///
    /// Panics where `b` has an index that is no coordinate.
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

    /// [`Tensor::composition`] with the run-time leaves checked.
    ///
    /// Fails where `b` has an index that is no coordinate, and where the composition is no layout.
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
    /// [`Tensor::slice`], to be written.
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn slice_mut<C: IntTuple>(&mut self, c: C) -> Sliced<Unique<'_, S::Item>, L, C> {
        let () = <Fixed<L::Typed, C> as Fits>::FITS;
        // SAFETY: the tensor is borrowed exclusively.
        unsafe { slice(&self.view_mut(), c) }
    }

    /// [`Tensor::partition`], to be written.
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
