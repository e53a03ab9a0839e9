//! Coalesce, filter, flatten.
//!
//! `coalesce(L)` has the fewest modes with `coalesce(L)(i) = L(i)` for all `i < size(L)`: size-1 modes go, and a mode whose stride is
//! provably extent times stride of the mode before it joins that mode.
//! `filter(L)` also drops the modes of stride 0, so it keeps the image and not the size.

use crate::error::{Op, Result, ok};
use crate::value::{Basis, ExprGraph, LayoutValue, Span, SymInt, known, mul, product, push_leaf};

impl<const N: usize> LayoutValue<N> {
    /// `coalesce(L)`.
    pub(crate) const fn coalesce<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.merged(self.root(), Omit::Single, cx)
    }

    /// Coalesces the modes with the leaves of `at`. It makes no promises about run-time leaves, so that these stay apart.
    #[doc(hidden)]
    pub const fn coalesce_at(&self, at: Span) -> Result<Self> {
        self.merged(at, Omit::Single, &mut ExprGraph::<0>::new(Op::Coalesce))
    }
}

/// The leaves that [`merged`] leaves out.
#[derive(Clone, Copy)]
pub(crate) enum Omit {
    /// Those of one element.
    Single,
    /// Those of one element, and those that do not move unless they are empty.
    Unmoving,
    /// Those of one element but the last, and all behind an empty mode: what is left agrees with the layout beyond its size too.
    Inner,
}

impl<const N: usize> LayoutValue<N> {
    /// The leaves of the node `at`, each made one with those that continue it.
    pub(crate) const fn merged<const E: usize>(&self, at: Span, omit: Omit, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (moving, inner) = (matches!(omit, Omit::Unmoving), matches!(omit, Omit::Inner));
        let mut out = LayoutValue::empty();
        // The word of the stride that would continue the last mode.
        let mut next = 0;
        let mut k = at.lo;
        while k < at.hi {
            let (extent, scale) = (self.shape[k], self.stride[k]);
            // Beyond the size, a stride of 0 moves along nothing, whatever its basis.
            let basis = if inner && scale == 0 { 0 } else { self.basis[k] };
            k += 1;
            if (extent == 1 && !(inner && k == at.hi)) || (moving && scale == 0 && extent != 0) {
                continue;
            }
            if moving && !known!(scale) {
                ok!(cx.require_moving(SymInt(scale)));
            }
            let n = out.tree.len;
            if n > 0 {
                let last = SymInt(out.shape[n - 1]);
                if out.basis[n - 1] == basis
                    && if known!(next) && known!(scale) { next == scale } else { continues(last, out.scale(n - 1), SymInt(scale), cx) }
                    // Without carries, only a power of two is a shift.
                    && (basis != Basis::XOR.0 || (last.0 > 0 && last.0.count_ones() == 1))
                {
                    out.shape[n - 1] = mul!(cx, last, SymInt(extent)).0;
                    next = product!(out.shape[n - 1], out.stride[n - 1]);
                    continue;
                }
                if inner && last.0 == 0 {
                    break;
                }
            }
            push_leaf!(out, N, 1, 1, extent, scale, basis, cx);
            next = product!(extent, scale);
        }
        out.unwrap_single();
        Ok(out)
    }
}

/// Tests whether a mode of stride `next` provably continues the mode `extent : stride`: `extent * stride = next`.
pub const fn continues<const E: usize>(extent: SymInt, stride: SymInt, next: SymInt, cx: &mut ExprGraph<E>) -> bool {
    let product = product!(extent.0, stride.0);
    if known!(product) && known!(next.0) {
        return product == next.0;
    }
    match cx.mul(extent, stride) {
        Ok(product) => cx.equal(product, next).is_yes(),
        Err(_) => false,
    }
}

impl<const N: usize> LayoutValue<N> {
    /// A flat tuple of one leaf becomes that leaf, and of none `1:0`.
    pub(crate) const fn unwrap_single(&mut self) {
        if self.is_empty() {
            *self = LayoutValue::scalar(SymInt(1), SymInt(0));
        } else if self.len() == 1 {
            self.tree.depth[0] = 0;
        }
    }

    /// `L` with extent 1 where the stride is 0, but 0 where that is known.
    pub(crate) const fn filter_zeros<const E: usize>(&self, _cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = *self;
        each!(k, 0..out.len(), {
            if out.scale(k).is(0) && !out.extent(k).is(0) {
                out.shape[k] = 1;
            }
        });
        Ok(out)
    }

    /// `coalesce` of the modes with a stride that is not 0.
    pub(crate) const fn filter<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.merged(self.root(), Omit::Unmoving, cx)
    }

    /// `L` with all nesting and empty modes removed; a bare integer stays one.
    pub(crate) const fn flatten<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        if self.is_scalar() {
            return Ok(*self);
        }
        let mut out = LayoutValue::empty();
        each!(k, 0..self.len(), {
            if !self.tree.is_stand_in(k) {
                push_leaf!(out, N, 1, 1, self.shape[k], self.stride[k], self.basis[k], cx);
            }
        });
        Ok(out)
    }
}
