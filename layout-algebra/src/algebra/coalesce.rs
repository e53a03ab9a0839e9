//! Coalesce, filter and flatten.
//!
//! * `coalesce(L)` has the fewest modes with `coalesce(L)(i) = L(i)` for all `i < size(L)`. It drops modes of extent 1, and merges
//!   a mode into the mode before it if its stride is provably that mode's extent times stride.
//! * `filter(L)` also drops the modes of stride 0, so it keeps the image but not the size.

use crate::error::{Op, Result, ok};
use crate::value::{Basis, ExprGraph, LayoutValue, SymInt, TreeNode, known, mul, product, push_leaf};

impl<const N: usize> LayoutValue<N> {
    /// Returns `coalesce(L)`: the fewest modes with the values of `L` on its domain.
    pub(crate) const fn coalesce<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.merged(self.root(), Omit::Single, cx)
    }

    /// Coalesces the modes of the leaves of `at`. It makes no promises about run-time leaves, so undecided modes stay separate.
    #[doc(hidden)]
    pub const fn coalesce_at(&self, at: TreeNode) -> Result<Self> {
        self.merged(at, Omit::Single, &mut ExprGraph::<0>::new(Op::Coalesce))
    }
}

/// The leaves that [`merged`] drops.
#[derive(Clone, Copy)]
pub(crate) enum Omit {
    /// Leaves of extent 1.
    Single,
    /// Leaves of extent 1, and leaves of stride 0 whose extent is not 0.
    Unmoving,
    /// Leaves of extent 1 except the last, and all leaves after an empty mode: the result agrees with the layout beyond its size.
    Inner,
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the leaves of the node `at` as flat modes, each merged with the leaves that continue it, without those of `omit`.
    pub(crate) const fn merged<const E: usize>(&self, at: TreeNode, omit: Omit, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (moving, inner) = (matches!(omit, Omit::Unmoving), matches!(omit, Omit::Inner));
        let mut out = LayoutValue::empty();
        // The word of the stride that would continue the last mode.
        let mut next = 0;
        let mut k = at.lo;
        while k < at.hi {
            let (extent, scale) = (self.shape[k], self.stride[k]);
            // A stride of 0 moves along nothing, so its basis must not matter beyond the size either.
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
                    // Without carries, only multiplication by a power of two is a shift.
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
///
/// ```
/// use layout_algebra::algebra::coalesce::continues;
/// use layout_algebra::{error::Op, value::{ExprGraph, Facts, SymInt}};
/// let mut scope = ExprGraph::<4>::new(Op::Coalesce);
/// let [one, two, six] = [1, 2, 6].map(SymInt::small);
/// assert!(continues(six, one, six, &mut scope) && !continues(six, two, six, &mut scope));
/// // A run-time extent n : 1 continues in stride n, but not provably in stride 6.
/// let n = scope.input(Facts::POSITIVE)?;
/// assert!(continues(n, one, n, &mut scope) && !continues(n, one, six, &mut scope));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
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
    /// Replaces a flat tuple of one leaf by that leaf, and of no leaves by `1:0`.
    pub(crate) const fn unwrap_single(&mut self) {
        if self.is_empty() {
            *self = LayoutValue::scalar(SymInt(1), SymInt(0));
        } else if self.len() == 1 {
            self.tree.depth[0] = 0;
        }
    }

    /// Returns `L` with extent 1 where the stride is 0. A known extent of 0 stays.
    pub(crate) const fn filter_zeros<const E: usize>(&self, _cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = *self;
        each!(k, 0..out.len(), {
            if out.scale(k).is(0) && !out.extent(k).is(0) {
                out.shape[k] = 1;
            }
        });
        Ok(out)
    }

    /// Returns `coalesce` of the modes whose stride is not 0. A stride only known at run time must not be 0: that is a promise.
    pub(crate) const fn filter<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.merged(self.root(), Omit::Unmoving, cx)
    }

    /// Returns `L` without nesting and empty modes. A bare integer stays one.
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
