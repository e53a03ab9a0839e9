//! The operations of the algebra on tensors: other coordinates for the same elements, and parts of them.

use super::certificate::Injective;
use super::error::TensorError;
use super::storage::{Borrow, Storage, StorageMut, Unique};
use super::tensor::Tensor;
use super::tileable::{modes_of, positive};
use super::window::lies_within;
use crate::types::{
    AsOperand, ColMajor, Composed, Composition, Derived, Fits, Fixed, FixedInside, Get, IndexMap, IntTuple, Keep, Layout, LayoutAlgebra,
    LogicalProduct, RakedProduct, RightInverse, Select, Slice, Slots, Strided, TypedLayout, Windows, col_major, inside, integers, op,
    unroll,
};

/// A layout whose coordinates are those of a layout type, and change as the algebra changes that: a layout type, or one behind a swizzle.
///
/// # Safety
///
/// `with(m)` at a coordinate is `self` at any coordinate where `typed` has the index that `m` has. `from(m, index)` is that of `index` more than `m` has,
/// at the distance that it gives.
pub unsafe trait Rearrange: Layout {
    /// The layout type.
    type Typed: TypedLayout;

    /// This layout with another in the place of the layout type.
    type With<M: TypedLayout>: Rearrange<Typed = M>;

    /// This layout with another in the place of the layout type, from an index on.
    type From<M: TypedLayout>: Rearrange<Typed = M>;

    /// The same with the proof that this layout has, if any.
    type Proven<M: TypedLayout>: Rearrange<Typed = M>;

    /// The layout type.
    fn typed(&self) -> Self::Typed;

    /// The layout with `m` in the place of the layout type.
    fn with<M: TypedLayout>(&self, m: M) -> Self::With<M>;

    /// The layout with `index + m` in the place of the layout type, and the distance of its index 0.
    fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, Self::From<M>);

    /// `from` with the proof.
    ///
    /// # Safety
    ///
    /// No two coordinates of `from` share an index if none of this layout do.
    unsafe fn proven<M: TypedLayout>(from: Self::From<M>) -> Self::Proven<M>;
}

// SAFETY: the layout type is the layout.
#[diagnostic::do_not_recommend]
unsafe impl<L: TypedLayout> Rearrange for L {
    type Typed = L;
    type With<M: TypedLayout> = M;
    type From<M: TypedLayout> = M;
    type Proven<M: TypedLayout> = M;

    #[cfg_attr(not(unoptimized), inline(always))]
    fn typed(&self) -> L {
        *self
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn with<M: TypedLayout>(&self, m: M) -> M {
        m
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, M) {
        (index as isize, m)
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn proven<M: TypedLayout>(from: M) -> M {
        from
    }
}

// SAFETY: the index joins the offset.
unsafe impl<I: IndexMap, O: IntTuple, L: TypedLayout> Rearrange for Composed<I, O, L> {
    type Typed = L;
    type With<M: TypedLayout> = Composed<I, O, M>;
    type From<M: TypedLayout> = Composed<I, usize, M>;
    type Proven<M: TypedLayout> = Composed<I, usize, M>;

    #[cfg_attr(not(unoptimized), inline(always))]
    fn typed(&self) -> L {
        self.outer()
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn with<M: TypedLayout>(&self, m: M) -> Composed<I, O, M> {
        self.with_outer(m)
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, Composed<I, usize, M>) {
        (0, Composed::new(self.inner(), self.offset().wrapping_add(index), m))
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn proven<M: TypedLayout>(from: Composed<I, usize, M>) -> Composed<I, usize, M> {
        from
    }
}

// SAFETY: that of the layout inside; what is proven of it holds of its parts.
unsafe impl<L: Rearrange> Rearrange for Injective<L> {
    type Typed = L::Typed;
    type With<M: TypedLayout> = L::With<M>;
    type From<M: TypedLayout> = L::From<M>;
    type Proven<M: TypedLayout> = Injective<L::Proven<M>>;

    #[cfg_attr(not(unoptimized), inline(always))]
    fn typed(&self) -> L::Typed {
        self.into_inner().typed()
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn with<M: TypedLayout>(&self, m: M) -> L::With<M> {
        self.into_inner().with(m)
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, L::From<M>) {
        self.into_inner().from(m, index)
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    unsafe fn proven<M: TypedLayout>(from: L::From<M>) -> Injective<L::Proven<M>> {
        // SAFETY: promised by the caller.
        Injective::known(unsafe { L::proven(from) })
    }
}

/// Panics where the layout that an operation made has another number of coordinates than it is to have: nothing that is read relies on the algebra alone.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
pub(super) fn require_size<M: TypedLayout>(made: &M, size: usize) {
    assert!(made.size() == size, "the operation is to have {size} coordinates, and has {}", made.size());
}

macro_rules! rearranged {
    ($($(#[$doc:meta])* $name:ident $type:ident($($arg:ident: $kind:ident),*);)*) => {
        /// Other coordinates for the same elements; a tensor that owns them keeps them.
        impl<S: Storage, L: Rearrange> Tensor<S, L> {
            $(
                $(#[$doc])*
                #[cfg_attr(not(unoptimized), inline(always))]
                #[track_caller]
                pub fn $name<$($kind: AsOperand),*>(self, $($arg: $kind),*) -> Tensor<S, L::With<Derived<op::$type, (L::Typed, $($kind,)*)>>> {
                    let changed = self.layout().typed().$name($($arg),*);
                    require_size(&changed, self.size());
                    let layout = self.layout().with(changed);
                    // SAFETY: the operation is a permutation of the coordinates.
                    unsafe { Tensor::from_parts(self.into_storage(), layout) }
                }
            )*
        }
    };
}

rearranged! {
    /// The elements by the fewest modes, see [`LayoutAlgebra::coalesce`].
    coalesce Coalesce();
    /// The elements without nesting, see [`LayoutAlgebra::flatten`].
    flatten Flatten();
    /// Modes `begin..end` as one, see [`LayoutAlgebra::group`].
    group Group(begin: X, end: Y);
    /// `(tile, rest)` for each mode of the tiler, see [`LayoutAlgebra::logical_divide`].
    logical_divide LogicalDivide(tiler: T);
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
    zipped_divide ZippedDivide(tiler: T);
    /// `(tiles, rest, rest, ..)`, see [`LayoutAlgebra::tiled_divide`].
    tiled_divide TiledDivide(tiler: T);
    /// `(tile, .., rest, ..)`, see [`LayoutAlgebra::flat_divide`].
    flat_divide FlatDivide(tiler: T);
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

/// The layout `a o b`; panics where `b` has an index that is no coordinate of `a`.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
fn composed<A: TypedLayout, B: TypedLayout>(a: A, b: B) -> Composition<A, B> {
    let (indices, size) = (b.index_range(), a.size());
    match indices {
        Ok(indices) if indices.is_empty() || (indices.start >= 0 && indices.end as usize <= size) => {
            let composed = a.composition(b);
            require_size(&composed, b.size());
            composed
        }
        Ok(_) => panic!("composition: the right operand has indices outside of the {size} coordinates of the tensor"),
        Err(error) => panic!("composition: the right operand is no layout of coordinates: {error}"),
    }
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
    /// use layout_core::{Int, Keep, Tensor, make_layout};
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
        lies_within::<T>(&[0; crate::MAX_LEAVES], &count, &whole)?;
        // There are no more windows than coordinates. The error is made inline, as the compiler cannot drop a call whose result is not needed.
        let (size, mut each) = (self.size(), 1);
        unroll!(modes_of(&T::DESCRIPTOR), multiply(rank, &count, &mut each));
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

    /// The elements at the integers of `c`, over the modes marked [`Keep`](crate::Keep).
    ///
    /// Panics where an integer is outside of its mode.
    ///
    /// ```
    /// use layout_core::{Int, Keep, Tensor, make_layout};
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
    /// use layout_core::{Int, Tensor, layout_tv, make_layout};
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
    /// use layout_core::{Int, Tensor, layout_tv, make_layout};
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
