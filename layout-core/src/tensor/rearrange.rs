//! The trait of layouts whose layout type the operations of the algebra can replace.

use super::certificate::Injective;
use crate::types::{Composed, IndexMap, IntTuple, Layout, TypedLayout};

/// A layout that the operations of the algebra can rearrange: a layout type, or one inside a swizzle or a proof.
///
/// ```
/// use layout_core::{Int, Layout, Tensor, make_layout};
/// use layout_core::layouts::StaticSwizzle;
/// use layout_core::number::Keep;
/// use layout_core::tensor::{Rearrange, Storage};
/// /// Returns the sum of a column. The layout may be swizzled or proven injective.
/// fn column_sum<S: Storage<Item = i32>, L: Rearrange>(t: &Tensor<S, L>, j: usize) -> i32 {
///     t.slice((Keep, j)).fold(0, |sum, x| sum + x)
/// }
/// let data: Vec<i32> = (0..16).collect();
/// let rows = make_layout((Int::<4>, Int::<4>), (Int::<4>, Int::<1>));
/// assert_eq!(column_sum(&Tensor::new(&data, rows)?, 1), 1 + 5 + 9 + 13);
/// let swizzled = StaticSwizzle::<2, 0, 2>.composition(rows);
/// assert_eq!(column_sum(&Tensor::new(&data, swizzled)?, 1), 1 + 4 + 11 + 14);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// The methods of the trait take a layout apart and build it again around another layout type:
///
/// ```
/// use layout_core::{Int, Layout, LayoutAlgebra, make_layout};
/// use layout_core::layouts::StaticSwizzle;
/// use layout_core::number::Keep;
/// use layout_core::ops::Slice;
/// use layout_core::tensor::{Injective, Rearrange};
/// /// Returns the distance of row `i`, and its layout, with the swizzle and the proof of the matrix.
/// fn row<L: Rearrange>(matrix: &L, i: usize) -> (isize, L::Proven<Slice<L::Typed, (usize, Keep)>>) {
///     let (kept, index) = matrix.typed().slice((i, Keep));
///     let (distance, row) = matrix.from(kept, index);
///     // SAFETY: a row has some of the coordinates of the matrix.
///     (distance, unsafe { L::proven(row) })
/// }
/// let matrix = make_layout((Int::<4>, Int::<4>), (Int::<4>, Int::<1>));
/// let swizzled = StaticSwizzle::<2, 0, 2>.composition(matrix);
/// // A plain row moves index 0. A swizzled row keeps it, because the swizzle needs the whole index.
/// assert_eq!((row(&matrix, 2).0, row(&swizzled, 2).0), (8, 0));
/// assert_eq!(row(&swizzled, 2).1.crd2idx((3,)), swizzled.crd2idx((2, 3)));
/// let _: Injective<_> = row(&Injective::new(matrix)?, 2).1;
/// // `with` keeps the swizzle around other coordinates.
/// let transposed = swizzled.with(swizzled.typed().select((Int::<1>, Int::<0>)));
/// assert_eq!(transposed.crd2idx((3, 2)), swizzled.crd2idx((2, 3)));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// # Safety
///
/// If `m` has the index `i` at a coordinate, `with(m)` has there the index of `self` where `typed` has the index `i`. `from(m,
/// index)` returns a distance and a layout; their sum is the index of `self` where `typed` has the index `index + i`.
#[diagnostic::on_unimplemented(
    message = "a tensor with this layout is not rearranged or sliced: in generic code write `L: Rearrange`; a `DynLayout` is rearranged before the tensor is made; windows, blocks and tiles are cut last",
    label = "`{Self}` is no `Rearrange`"
)]
pub unsafe trait Rearrange: Layout {
    /// The layout type that the operations replace.
    type Typed: TypedLayout;

    /// This layout with another layout type inside.
    type With<M: TypedLayout>: Rearrange<Typed = M>;

    /// This layout with another layout type inside, whose indices begin at an offset.
    type From<M: TypedLayout>: Rearrange<Typed = M>;

    /// The layout `From<M>` with the proof that this layout has, if any.
    type Proven<M: TypedLayout>: Rearrange<Typed = M>;

    /// Returns the layout type inside: this layout without its index map, offset and proof.
    fn typed(&self) -> Self::Typed;

    /// Returns this layout with the layout type `m` inside.
    fn with<M: TypedLayout>(&self, m: M) -> Self::With<M>;

    /// Returns the distance of index 0, in elements, and this layout with `m` inside, whose indices begin at `index`.
    fn from<M: TypedLayout>(&self, m: M, index: usize) -> (isize, Self::From<M>);

    /// Returns the layout `from` with the proof of this layout.
    ///
    /// # Safety
    ///
    /// If no two coordinates of this layout share an index, no two coordinates of `from` do.
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

// SAFETY: `from` adds the index to the offset, so the map sees the same sum.
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

// SAFETY: the inner layout promises this, and its proof holds for subsets of its coordinates.
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
        // SAFETY: the caller promises this.
        Injective::known(unsafe { L::proven(from) })
    }
}
