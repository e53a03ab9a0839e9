//! Composition.
//!
//! `R = composition(A, B)` has `R(c) = A(B(c))` for every coordinate `c` of `B`, and its shape refines `B`'s: `compatible(B, R)`.
//! It is given exactly when such a layout exists, whether or not strides divide; see the two strategies for how that is decided.
//! `A` beyond its size continues its last mode, below 0 it continues to the left (indices unravel by floor division).
//! A basis stride `d@k` of `B` walks mode `k` of `A`; a by-mode tiler composes mode by mode and keeps the modes it does not name.
//! A leaf `1 : d` of `B` becomes `1 : 0`; where `A` has basis strides `1 : A(d)` if that is one, which keeps the coordinate it belongs to.

use super::by_mode::{Mode, by_mode};
use super::coalesce::follows;
use super::tiler::Tiler;
use super::{compose_known, compose_symbolic};
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Basis, ExprGraph, LayoutValue, Span, Stride, SymInt, known, mul, product, push_leaf};

/// `composition(A, B)` for a layout `B`.
pub const fn composition<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    b: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Composition);
    compose(a, a.root(), b, cx)
}

/// `composition(A, T)` mode by mode.
pub const fn composition_by<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    t: &Tiler<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Composition);
    let t = ok!(t.over(a, cx));
    by_mode(Mode::Compose, a, &t, cx)
}

/// The left operand as digits: coalesced modes that still agree beyond the size, with the index at which each begins.
#[derive(Clone)]
pub(crate) struct Digits<const N: usize> {
    pub modes: LayoutValue<N>,
    /// Product of the extents before each mode: its boundary.
    pub bound: [i64; N],
    /// Whether every boundary is known.
    pub known: bool,
    /// Whether every stride is a known integer.
    pub plain: bool,
}

impl<const N: usize> Digits<N> {
    pub(crate) const fn of<const E: usize>(a: &LayoutValue<N>, at: Span, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = Digits { modes: LayoutValue::empty(), bound: [1; N], known: true, plain: true };
        let mut bound = SymInt(1);
        let mut next = 0;
        let mut k = at.lo;
        while k < at.hi {
            let (extent, scale) = (a.shape[k], a.stride[k]);
            // A stride of 0 moves along nothing, whatever its basis.
            let basis = if scale == 0 { 0 } else { a.basis[k] };
            k += 1;
            if extent == 1 && k < at.hi {
                continue;
            }
            let n = out.modes.tree.len;
            if n > 0 {
                let last = out.modes.shape[n - 1];
                let continues = out.modes.basis[n - 1] == basis
                    && if known!(next) && known!(scale) { next == scale } else { follows(&out.modes, n - 1, SymInt(scale), cx) };
                if continues {
                    out.modes.shape[n - 1] = mul!(cx, SymInt(last), SymInt(extent)).0;
                    next = product!(out.modes.shape[n - 1], out.modes.stride[n - 1]);
                    continue;
                }
                if last == 0 {
                    // An empty mode passes nothing on.
                    break;
                }
                bound = mul!(cx, bound, SymInt(last));
                out.known = out.known && known!(bound.0);
            }
            out.bound[n] = bound.0;
            out.plain = out.plain && known!(scale) && basis == 0;
            push_leaf!(out.modes, N, 1, 1, extent, scale, basis, cx);
            next = product!(extent, scale);
        }
        if out.modes.tree.len == 0 {
            ok!(out.modes.push_leaf(1, 1, SymInt(1), Stride::integer(SymInt(0)), cx));
        }
        Ok(out)
    }

    pub(crate) const fn bound(&self, k: usize) -> SymInt {
        SymInt(self.bound[k])
    }
}

/// What leaf of the right operand became: `extent` steps of `step` through the left operand, each moving by `stride`.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub extent: SymInt,
    pub step: SymInt,
    pub stride: Stride,
    pub leaf: u8,
    /// The mode of the left operand it lies in (symbolic strategy).
    pub digit: u8,
}

/// At most `N` pieces, in the order of the right operand's leaves.
#[derive(Clone)]
pub(crate) struct Pieces<const N: usize> {
    pub len: usize,
    pub piece: [Piece; N],
}

impl<const N: usize> Pieces<N> {
    pub(crate) const fn empty() -> Self {
        Pieces { len: 0, piece: [Piece { extent: SymInt(1), step: SymInt(0), stride: Stride::integer(SymInt(0)), leaf: 0, digit: 0 }; N] }
    }

    /// Puts the pieces in the order of the leaves they came from.
    const fn sort(&mut self) {
        let mut i = 1;
        while i < self.len {
            let mut k = i;
            while k > 0 && self.piece[k].leaf < self.piece[k - 1].leaf {
                (self.piece[k], self.piece[k - 1]) = (self.piece[k - 1], self.piece[k]);
                k -= 1;
            }
            i += 1;
        }
    }

    pub(crate) const fn push<const E: usize>(&mut self, piece: Piece, cx: &ExprGraph<E>) -> Result<()> {
        if self.len == N {
            return Err(cx.fail(Cause::Capacity, SymInt::small(N), SymInt(0)));
        }
        self.piece[self.len] = piece;
        self.len += 1;
        Ok(())
    }
}

/// `A|at . B` in the operation under way.
pub(crate) const fn compose<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    at: Span,
    b: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut pieces = Pieces::empty();
    if b.is_integer() {
        let digits = ok!(Digits::of(a, at, cx));
        ok!(split(&digits, b, Basis(0), &mut pieces, cx));
    } else {
        ok!(split_by_basis(a, at, b, &mut pieces, cx));
        pieces.sort();
    }
    let mut out = LayoutValue::empty();
    let (mut k, mut p) = (0, 0);
    while k < b.tree.len {
        let mut end = p + 1;
        while end < pieces.len && pieces.piece[end].leaf as usize == k {
            end += 1;
        }
        let depth = b.tree.depth[k] + (end > p + 1) as u8;
        let mut join = if k == 0 { 0 } else { b.tree.join[k - 1] };
        while p < end {
            let piece = &pieces.piece[p];
            push_leaf!(out, N, depth, join, piece.extent.0, piece.stride.scale.0, piece.stride.basis.0, cx);
            join = depth;
            p += 1;
        }
        k += 1;
    }
    Ok(out)
}

/// Each basis of `B` walks its own mode of `A`.
const fn split_by_basis<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    at: Span,
    b: &LayoutValue<N>,
    pieces: &mut Pieces<N>,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    let mut k = 0;
    while k < b.len() {
        let basis = b.basis(k);
        let mut seen = false;
        let mut any_moves = false;
        let mut i = 0;
        while i < b.len() {
            let other = b.basis(i);
            if other.0 == basis.0 {
                seen = seen || i < k;
                any_moves = any_moves || moves(b, i);
            } else if moves(b, i) && moves(b, k) && (basis.begins_with(other) || other.begins_with(basis)) {
                return Err(cx.fail(Cause::MixedBasis, SymInt(0), SymInt(0)));
            }
            i += 1;
        }
        if !seen {
            match walked(a, at, basis, cx) {
                Ok(mode) => {
                    let digits = ok!(Digits::of(a, mode, cx));
                    ok!(split(&digits, b, basis, pieces, cx));
                }
                Err(error) if any_moves => return Err(error),
                Err(_) => {
                    let digits = ok!(Digits::of(&LayoutValue::empty(), LayoutValue::<N>::empty().root(), cx));
                    ok!(split(&digits, b, basis, pieces, cx));
                }
            }
        }
        k += 1;
    }
    Ok(())
}

const fn moves<const N: usize>(b: &LayoutValue<N>, k: usize) -> bool {
    !b.scale(k).is(0) && !b.extent(k).is(1)
}

/// The mode of `a|at` that `basis` walks.
const fn walked<const N: usize, const E: usize>(a: &LayoutValue<N>, at: Span, basis: Basis, cx: &ExprGraph<E>) -> Result<Span> {
    let mut mode = at;
    let mut s = 0;
    while s < basis.len() {
        mode = match a.tree.mode(mode, basis.step(s)) {
            Some(mode) => mode,
            None => {
                let rank = a.tree.rank(mode);
                return Err(cx.fail(Cause::NoSuchMode, SymInt::small(basis.step(s)), SymInt::small(rank)));
            }
        };
        s += 1;
    }
    Ok(mode)
}

/// `A(step)`, or 0 where it is no stride.
const fn one_step<const N: usize, const E: usize>(digits: &Digits<N>, step: SymInt, cx: &mut ExprGraph<E>) -> Stride {
    match compose_known::at(digits, step.word(), cx) {
        Ok(stride) => stride,
        Err(_) => Stride::integer(SymInt(0)),
    }
}

/// Splits the leaves of `B` along `basis` where the digits of `A` end.
pub(crate) const fn split<const N: usize, const E: usize>(
    digits: &Digits<N>,
    b: &LayoutValue<N>,
    basis: Basis,
    pieces: &mut Pieces<N>,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    let outer = cx.path();
    let first = pieces.len;
    let mut known = digits.known;
    let mut empty = false;
    let mut k = 0;
    while k < b.tree.len {
        empty = empty || b.shape[k] == 0;
        known = known && (b.basis[k] != basis.0 || (known!(b.shape[k]) && known!(b.stride[k])));
        k += 1;
    }
    k = 0;
    while k < b.tree.len {
        if b.basis[k] == basis.0 {
            cx.at(outer.then(k));
            let (extent, step) = (SymInt(b.shape[k]), SymInt(b.stride[k]));
            if extent.0 == 1 || step.0 == 0 {
                let stride = if known && extent.0 == 1 && !digits.modes.is_integer() {
                    one_step(digits, step, cx)
                } else {
                    Stride::integer(SymInt(0))
                };
                ok!(pieces.push(Piece { extent, step: SymInt(0), stride, leaf: k as u8, digit: 0 }, cx));
            } else if known {
                ok!(compose_known::split(digits, extent, step, k, pieces, empty, cx));
            } else {
                ok!(compose_symbolic::split(digits, extent, step, k, pieces, cx));
            }
        }
        k += 1;
    }
    cx.at(outer);
    if empty {
        Ok(())
    } else if known {
        compose_known::check(digits, pieces, first, cx)
    } else {
        compose_symbolic::check(digits, pieces, first, cx)
    }
}
