//! Layouts that the operations of the algebra take another layout type into.

use super::certificate::Injective;
use crate::types::{Composed, IndexMap, IntTuple, Layout, TypedLayout};

/// A layout that the operations of the algebra can rearrange: a layout type, or one behind a swizzle or a proof.
///
/// # Safety
///
/// If `m` has the index `i` at a coordinate, `with(m)` has there what `self` has where `typed` has the index `i`. `from(m, index)` gives a distance and a layout: together they have there
/// what `self` has where `typed` has the index `index + i`.
#[diagnostic::on_unimplemented(
    message = "a tensor with this layout is not rearranged or sliced: in generic code write `L: Rearrange`; a `DynLayout` is rearranged before the tensor is made; windows, blocks and tiles are cut last",
    label = "`{Self}` is no `Rearrange`"
)]
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

// SAFETY: the layout inside promises it, and its proof holds for its parts.
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
