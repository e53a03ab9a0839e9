//! The operations of the algebra on tensors: other coordinates for the same elements, and parts of them.

use super::certificate::Injective;
use super::storage::{Borrow, Storage, StorageMut, Unique};
use super::tensor::Tensor;
use crate::types::{
    AsOperand, Composed, Composition, Derived, Fits, Fixed, FixedInside, IndexMap, IntTuple, Layout, LayoutAlgebra, Slice, TypedLayout,
    inside, op,
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
    type With<M: TypedLayout>: Layout;

    /// This layout with another in the place of the layout type, from an index on.
    type From<M: TypedLayout>: Layout;

    /// The layout type.
    fn typed(&self) -> Self::Typed;

    /// The layout with `m` in the place of the layout type.
    fn with<M: TypedLayout>(&self, m: M) -> Self::With<M>;

    /// The layout with `index + m` in the place of the layout type, and the distance of its index 0.
    ///
    /// # Safety
    ///
    /// No two coordinates of `m` share an index if none of the layout type do.
    unsafe fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, Self::From<M>);
}

// SAFETY: the layout type is the layout.
#[diagnostic::do_not_recommend]
unsafe impl<L: TypedLayout> Rearrange for L {
    type Typed = L;
    type With<M: TypedLayout> = M;
    type From<M: TypedLayout> = M;

    #[inline(always)]
    fn typed(&self) -> L {
        *self
    }

    #[inline(always)]
    fn with<M: TypedLayout>(&self, m: M) -> M {
        m
    }

    #[inline(always)]
    unsafe fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, M) {
        (index as isize, m)
    }
}

// SAFETY: the index joins the offset.
unsafe impl<I: IndexMap, O: IntTuple, L: TypedLayout> Rearrange for Composed<I, O, L> {
    type Typed = L;
    type With<M: TypedLayout> = Composed<I, O, M>;
    type From<M: TypedLayout> = Composed<I, usize, M>;

    #[inline(always)]
    fn typed(&self) -> L {
        self.outer()
    }

    #[inline(always)]
    fn with<M: TypedLayout>(&self, m: M) -> Composed<I, O, M> {
        self.with_outer(m)
    }

    #[inline(always)]
    unsafe fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, Composed<I, usize, M>) {
        (0, Composed::new(self.inner(), self.offset().wrapping_add(index), m))
    }
}

// SAFETY: that of the layout inside; what is proven of it holds of its parts.
unsafe impl<L: Rearrange> Rearrange for Injective<L> {
    type Typed = L::Typed;
    type With<M: TypedLayout> = L::With<M>;
    type From<M: TypedLayout> = Injective<L::From<M>>;

    #[inline(always)]
    fn typed(&self) -> L::Typed {
        self.into_inner().typed()
    }

    #[inline(always)]
    fn with<M: TypedLayout>(&self, m: M) -> L::With<M> {
        self.into_inner().with(m)
    }

    #[inline(always)]
    unsafe fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, Injective<L::From<M>>) {
        // SAFETY: promised by the caller.
        let (offset, layout) = unsafe { self.into_inner().from(m, index) };
        (offset, Injective::known(layout))
    }
}

macro_rules! rearranged {
    ($($(#[$doc:meta])* $name:ident $type:ident($($arg:ident: $kind:ident),*);)*) => {
        /// Other coordinates for the same elements; a tensor that owns them keeps them.
        impl<S: Storage, L: Rearrange> Tensor<S, L> {
            $(
                $(#[$doc])*
                #[inline(always)]
                pub fn $name<$($kind: AsOperand),*>(self, $($arg: $kind),*) -> Tensor<S, L::With<Derived<op::$type, (L::Typed, $($kind,)*)>>> {
                    let layout = self.layout().with(self.layout().typed().$name($($arg),*));
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
/// The indices of `index + m` are some of the layout type's, and `m` has no two coordinates of one index if that has none. Of a [`Unique`], no one
/// else has those elements.
#[inline(always)]
unsafe fn part<S: Borrow, L: Rearrange, M: TypedLayout>(tensor: &Tensor<S, L>, m: M, index: usize) -> Tensor<S, L::From<M>> {
    // SAFETY: promised by the caller.
    unsafe {
        let (offset, layout) = tensor.layout().from(m, index);
        Tensor::from_parts(tensor.storage().moved(offset), layout)
    }
}

/// The kept layout of a slice and the index of the fixed part; panics where that is outside.
#[inline(always)]
#[track_caller]
fn cut<L: Rearrange, C: IntTuple>(layout: &L, c: C) -> (Slice<L::Typed, C>, usize) {
    let () = <FixedInside<L::Typed, C> as Fits>::FITS;
    let typed = layout.typed();
    if !inside::<FixedInside<L::Typed, C>, L::Typed, C>(&typed, &c) {
        typed.outside(c);
    }
    typed.slice(c)
}

/// The layout `a o b`; panics where `b` has an index that is no coordinate of `a`.
#[inline(always)]
#[track_caller]
fn composed<A: TypedLayout, B: TypedLayout>(a: A, b: B) -> Composition<A, B> {
    let (indices, size) = (b.index_range(), a.size());
    match indices {
        Ok(indices) if indices.is_empty() || (indices.start >= 0 && indices.end as usize <= size) => a.composition(b),
        _ => panic!("composition: the right operand has indices outside of the {size} coordinates of the tensor"),
    }
}

impl<S: Storage, L: Rearrange> Tensor<S, L> {
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
    #[inline(always)]
    #[track_caller]
    pub fn slice<C: IntTuple>(&self, c: C) -> Tensor<S::Shared<'_>, L::From<Slice<L::Typed, C>>> {
        let () = <Fixed<L::Typed, C> as Fits>::FITS;
        let (kept, index) = cut(&self.layout(), c);
        // SAFETY: the coordinates of the slice are some of the tensor's, each once.
        unsafe { part(&self.view(), kept, index) }
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
    #[inline(always)]
    #[track_caller]
    pub fn composition<B: TypedLayout>(self, b: B) -> Tensor<S, L::With<Composition<L::Typed, B>>> {
        let layout = self.layout().with(composed(self.layout().typed(), b));
        // SAFETY: every index of `b` is a coordinate of the tensor.
        unsafe { Tensor::from_parts(self.into_storage(), layout) }
    }
}

impl<S: StorageMut, L: Rearrange> Tensor<S, L> {
    /// [`Tensor::slice`], to be written.
    #[inline(always)]
    #[track_caller]
    pub fn slice_mut<C: IntTuple>(&mut self, c: C) -> Tensor<Unique<'_, S::Item>, L::From<Slice<L::Typed, C>>> {
        let () = <Fixed<L::Typed, C> as Fits>::FITS;
        let (kept, index) = cut(&self.layout(), c);
        // SAFETY: the coordinates of the slice are some of the tensor's, each once; the tensor is borrowed exclusively.
        unsafe { part(&self.view_mut(), kept, index) }
    }
}
