//! A layout as a value: one nesting, an extent and a stride for each leaf.

use super::tree::MAX_DEPTH;
use super::{Basis, Ints, Num, Scope, Span, Tree};
use crate::error::{Cause, Result, ok};

/// A layout of at most `N` leaves; leaf `k` has extent `shape[k]` and stride `stride[k]` along `basis[k]`.
#[derive(Clone, Copy)]
pub struct Lay<const N: usize> {
    pub(crate) tree: Tree<N>,
    pub(crate) shape: [i64; N],
    pub(crate) stride: [i64; N],
    pub(crate) basis: [u32; N],
}

/// A stride: a number of steps along a basis.
#[derive(Clone, Copy)]
pub(crate) struct Stride {
    pub scale: Num,
    pub basis: Basis,
}

impl Stride {
    pub(crate) const ZERO: Stride = Stride { scale: Num::ZERO, basis: Basis::INTEGER };

    pub(crate) const fn integer(scale: Num) -> Stride {
        Stride { scale, basis: Basis::INTEGER }
    }
}

impl<const N: usize> Lay<N> {
    /// The layout `():()` of one element.
    pub const EMPTY: Self = Lay { tree: Tree::EMPTY, shape: [0; N], stride: [0; N], basis: [0; N] };

    /// The layout `extent:stride`.
    pub(crate) const fn scalar(extent: Num, stride: Num) -> Self {
        let mut out = Self::EMPTY;
        if N > 0 {
            out.tree.push_leaf(0, 0);
            out.shape[0] = extent.word();
            out.stride[0] = stride.word();
        }
        out
    }

    /// The nesting.
    pub const fn tree(&self) -> &Tree<N> {
        &self.tree
    }

    /// Number of leaves.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.tree.len
    }

    /// Whether there is no leaf: the layout `():()`.
    pub const fn is_empty(&self) -> bool {
        self.tree.len == 0
    }

    /// The whole layout.
    #[inline(always)]
    pub const fn root(&self) -> Span {
        self.tree.root()
    }

    /// Whether shape and stride are bare integers.
    pub const fn is_scalar(&self) -> bool {
        self.tree.is_leaf(self.root())
    }

    /// The extent of leaf `k`.
    #[inline(always)]
    pub const fn extent(&self, k: usize) -> Num {
        Num::raw(self.shape[k])
    }

    /// The stride of leaf `k`, in steps of [`Lay::basis`].
    #[inline(always)]
    pub const fn scale(&self, k: usize) -> Num {
        Num::raw(self.stride[k])
    }

    /// What leaf `k` moves along.
    #[inline(always)]
    pub const fn basis(&self, k: usize) -> Basis {
        Basis(self.basis[k])
    }

    pub(crate) const fn stride(&self, k: usize) -> Stride {
        Stride { scale: self.scale(k), basis: self.basis(k) }
    }

    pub(crate) const fn set_stride(&mut self, k: usize, stride: Stride) {
        self.stride[k] = stride.scale.word();
        self.basis[k] = stride.basis.0;
    }

    /// Whether every stride is a plain integer.
    pub const fn is_integer(&self) -> bool {
        let mut k = 0;
        while k < self.tree.len {
            if self.basis[k] != 0 {
                return false;
            }
            k += 1;
        }
        true
    }

    /// Whether every extent and stride is known.
    pub const fn is_known(&self) -> bool {
        let mut k = 0;
        while k < self.tree.len {
            if !(self.extent(k).is_known() && self.scale(k).is_known()) {
                return false;
            }
            k += 1;
        }
        true
    }

    /// Whether some extent is known to be 0.
    pub(crate) const fn extent_is_zero(&self) -> bool {
        let mut k = 0;
        while k < self.tree.len {
            if self.extent(k).is(0) {
                return true;
            }
            k += 1;
        }
        false
    }

    /// Appends one leaf `level` tuples deep that shares `join` tuples with the leaf before it.
    #[inline]
    pub(crate) const fn push_leaf<const E: usize>(
        &mut self,
        level: u8,
        join: u8,
        extent: Num,
        stride: Stride,
        cx: &Scope<E>,
    ) -> Result<()> {
        if self.tree.len == N {
            return Err(cx.fail(Cause::Capacity, Num::small(N), Num::ZERO));
        }
        self.shape[self.tree.len] = extent.word();
        self.set_stride(self.tree.len, stride);
        self.tree.push_leaf(level, join);
        Ok(())
    }

    /// Appends the node `from` of `other`, `level` tuples deep.
    pub(crate) const fn push<const M: usize, const E: usize>(
        &mut self,
        other: &Lay<M>,
        from: Span,
        level: u8,
        join: u8,
        cx: &Scope<E>,
    ) -> Result<()> {
        if self.tree.len + from.len() > N {
            return Err(cx.fail(Cause::Capacity, Num::small(N), Num::ZERO));
        }
        if other.tree.too_deep(from, level) {
            return Err(cx.fail(Cause::TooDeep, Num::small(MAX_DEPTH as usize), Num::ZERO));
        }
        let mut k = 0;
        while k < from.len() {
            self.shape[self.tree.len + k] = other.shape[from.lo + k];
            self.stride[self.tree.len + k] = other.stride[from.lo + k];
            self.basis[self.tree.len + k] = other.basis[from.lo + k];
            k += 1;
        }
        self.tree.push(&other.tree, from, level, join);
        Ok(())
    }

    /// Appends all of `other` as one more mode of a tuple; `():()` becomes the mode `1:0`.
    pub(crate) const fn push_mode<const E: usize>(&mut self, other: &Lay<N>, cx: &Scope<E>) -> Result<()> {
        if other.is_empty() {
            return self.push_leaf(1, 1, Num::ONE, Stride::ZERO, cx);
        }
        self.push(other, other.root(), 1, 1, cx)
    }

    /// The node `at` as a layout of its own.
    pub(crate) const fn part(&self, at: Span) -> Self {
        let mut out = Self::EMPTY;
        let mut k = 0;
        while k < at.len() {
            out.shape[k] = self.shape[at.lo + k];
            out.stride[k] = self.stride[at.lo + k];
            out.basis[k] = self.basis[at.lo + k];
            k += 1;
        }
        out.tree.push(&self.tree, at, 0, 0);
        out
    }

    /// The extents of `at` as a tuple.
    pub(crate) const fn shape_of(&self, at: Span) -> Ints<N> {
        let part = self.part(at);
        Ints { tree: part.tree, leaf: part.shape }
    }

    /// The number of elements of `at`.
    pub(crate) const fn size_of<const E: usize>(&self, at: Span, cx: &mut Scope<E>) -> Result<Num> {
        let mut size = Num::ONE;
        let mut k = at.lo;
        while k < at.hi {
            size = ok!(cx.mul(size, self.extent(k)));
            k += 1;
        }
        Ok(size)
    }

    /// Shape and stride of the same nesting as one layout, with the extents checked.
    pub(crate) const fn zip<const E: usize>(shape: &Ints<N>, stride: &Lay<N>, cx: &mut Scope<E>) -> Result<Self> {
        if !shape.tree.congruent(shape.root(), &stride.tree, stride.root()) {
            return Err(cx.fail(Cause::ShapeStrideMismatch, Num::ZERO, Num::ZERO));
        }
        let mut out = *stride;
        let mut k = 0;
        while k < shape.len() {
            let extent = shape.leaf(k);
            if extent.is_keep() || stride.scale(k).is_keep() {
                return Err(cx.fail(Cause::UnexpectedKeep, Num::ZERO, Num::ZERO));
            }
            if cx.facts(extent).hi < 0 {
                return Err(cx.fail(Cause::NegativeExtent, extent, Num::ZERO));
            }
            out.shape[k] = extent.word();
            k += 1;
        }
        Ok(out)
    }
}
