//! Composition.
//!
//! `R = composition(A, B)` has `R(c) = A(B(c))` for every coordinate `c` of `B`, and its shape refines `B`'s: `compatible(B, R)`.
//! It is given exactly when such a layout exists, whether or not strides divide; see the two strategies for how that is decided.
//! `A` beyond its size continues its last mode, below 0 it continues to the left (indices unravel by floor division).
//! A basis stride `d@k` of `B` walks mode `k` of `A`; a by-mode tiler composes mode by mode and keeps the modes it does not name.

use super::coalesce::follows;
use super::tiler::Tiler;
use super::{compose_known, compose_symbolic};
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Basis, Lay, Num, Scope, Span, Stride};

/// `composition(A, B)` for a layout `B`.
pub const fn composition<const N: usize, const E: usize>(a: &Lay<N>, b: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Composition);
    compose(a, a.root(), b, cx)
}

/// `composition(A, T)` mode by mode.
pub const fn composition_by<const N: usize, const E: usize>(a: &Lay<N>, t: &Tiler<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Composition);
    let mut out = Lay::EMPTY;
    ok!(by_mode(a, a.root(), t, t.root(), &mut out, 0, 0, cx));
    Ok(out)
}

#[allow(clippy::too_many_arguments)]
const fn by_mode<const N: usize, const E: usize>(
    a: &Lay<N>,
    at: Span,
    t: &Tiler<N>,
    node: Span,
    out: &mut Lay<N>,
    level: u8,
    join: u8,
    cx: &mut Scope<E>,
) -> Result<()> {
    if t.is_keep(node) {
        return out.push(a, at, level, join, cx);
    }
    if !t.is_by_mode(node) {
        let mode = ok!(compose(a, at, &t.lay.part(node), cx));
        return out.push(&mode, mode.root(), level, join, cx);
    }
    let outer = cx.path();
    let mut walk = ok!(t.modes(a, at, node, cx));
    let mut join = join;
    while let Some((mode, step, k)) = walk.next(a, t) {
        cx.at(outer.then(k));
        match step {
            Some(step) => ok!(by_mode(a, mode, t, step, out, level + 1, join, cx)),
            None => ok!(out.push(a, mode, level + 1, join, cx)),
        }
        join = level + 1;
    }
    cx.at(outer);
    Ok(())
}

/// The left operand as digits: coalesced modes that still agree beyond the size, with the index at which each begins.
pub(crate) struct Digits<const N: usize> {
    pub modes: Lay<N>,
    /// Product of the extents before each mode: its boundary.
    pub bound: [i64; N],
    /// Whether every boundary is known.
    pub known: bool,
}

impl<const N: usize> Digits<N> {
    pub(crate) const fn of<const E: usize>(a: &Lay<N>, at: Span, cx: &mut Scope<E>) -> Result<Self> {
        let mut out = Digits { modes: Lay::EMPTY, bound: [1; N], known: true };
        let mut bound = Num::ONE;
        let mut k = at.lo;
        while k < at.hi {
            let (extent, stride) = (a.extent(k), a.stride(k));
            k += 1;
            if extent.is(1) && k < at.hi {
                continue;
            }
            let n = out.modes.len();
            if n > 0 {
                if follows(&out.modes, n - 1, stride, cx) {
                    out.modes.shape[n - 1] = ok!(cx.mul(out.modes.extent(n - 1), extent)).word();
                    continue;
                }
                // A size-1 last mode that was normalised to stride 0 continues nothing.
                bound = ok!(cx.mul(bound, out.modes.extent(n - 1)));
                if bound.is(0) {
                    return Err(cx.fail(Cause::ZeroExtent, Num::ZERO, Num::ZERO));
                }
                out.known = out.known && bound.is_known();
            }
            out.bound[n] = bound.word();
            ok!(out.modes.push_leaf(1, 1, extent, stride, cx));
        }
        if out.modes.len() == 0 {
            ok!(out.modes.push_leaf(1, 1, Num::ONE, Stride::ZERO, cx));
        }
        Ok(out)
    }

    pub(crate) const fn bound(&self, k: usize) -> Num {
        Num::raw(self.bound[k])
    }
}

/// What leaf of the right operand became: `extent` steps of `step` through the left operand, each moving by `stride`.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub extent: Num,
    pub step: Num,
    pub stride: Stride,
    pub leaf: u8,
    /// The mode of the left operand it lies in (symbolic strategy).
    pub digit: u8,
}

/// At most `N` pieces, in the order of the right operand's leaves.
pub(crate) struct Pieces<const N: usize> {
    pub len: usize,
    pub piece: [Piece; N],
}

impl<const N: usize> Pieces<N> {
    const EMPTY: Self =
        Pieces { len: 0, piece: [Piece { extent: Num::ONE, step: Num::ZERO, stride: Stride::ZERO, leaf: 0, digit: 0 }; N] };

    pub(crate) const fn push<const E: usize>(&mut self, piece: Piece, cx: &Scope<E>) -> Result<()> {
        if self.len == N {
            return Err(cx.fail(Cause::Capacity, Num::small(N), Num::ZERO));
        }
        self.piece[self.len] = piece;
        self.len += 1;
        Ok(())
    }
}

/// `A|at . B` in the operation under way.
pub(crate) const fn compose<const N: usize, const E: usize>(a: &Lay<N>, at: Span, b: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    let mut pieces = Pieces::EMPTY;
    if b.is_integer() {
        let digits = ok!(Digits::of(a, at, cx));
        ok!(split(&digits, b, Basis::INTEGER, &mut pieces, cx));
    } else {
        ok!(split_by_basis(a, at, b, &mut pieces, cx));
    }
    let mut out = Lay::EMPTY;
    let mut k = 0;
    while k < b.len() {
        let (mut n, mut i) = (0, 0);
        while i < pieces.len {
            n += (pieces.piece[i].leaf as usize == k) as usize;
            i += 1;
        }
        let nested = (n > 1) as u8;
        let depth = b.tree.depth[k] + nested;
        let mut join = if k == 0 { 0 } else { b.tree.join[k - 1] };
        i = 0;
        while i < pieces.len {
            let piece = pieces.piece[i];
            if piece.leaf as usize == k {
                ok!(out.push_leaf(depth, join, piece.extent, piece.stride, cx));
                join = depth;
            }
            i += 1;
        }
        k += 1;
    }
    Ok(out)
}

/// Each basis of `B` walks its own mode of `A`.
const fn split_by_basis<const N: usize, const E: usize>(
    a: &Lay<N>,
    at: Span,
    b: &Lay<N>,
    pieces: &mut Pieces<N>,
    cx: &mut Scope<E>,
) -> Result<()> {
    let mut k = 0;
    while k < b.len() {
        let basis = b.basis(k);
        let mut seen = false;
        let mut i = 0;
        while i < k {
            let other = b.basis(i);
            let moves = !b.scale(i).is(0) && !b.scale(k).is(0);
            if other.0 == basis.0 {
                seen = true;
            } else if moves && (basis.begins_with(other) || other.begins_with(basis)) {
                return Err(cx.fail(Cause::MixedBasis, Num::ZERO, Num::ZERO));
            }
            i += 1;
        }
        if !seen {
            let mut mode = at;
            let mut s = 0;
            while s < basis.len() {
                mode = match a.tree.mode(mode, basis.step(s)) {
                    Some(mode) => mode,
                    None => {
                        let rank = a.tree.rank(mode);
                        return Err(cx.fail(Cause::NoSuchMode, Num::small(basis.step(s)), Num::small(rank)));
                    }
                };
                s += 1;
            }
            let digits = ok!(Digits::of(a, mode, cx));
            ok!(split(&digits, b, basis, pieces, cx));
        }
        k += 1;
    }
    Ok(())
}

/// Splits the leaves of `B` along `basis` where the digits of `A` end.
const fn split<const N: usize, const E: usize>(
    digits: &Digits<N>,
    b: &Lay<N>,
    basis: Basis,
    pieces: &mut Pieces<N>,
    cx: &mut Scope<E>,
) -> Result<()> {
    let outer = cx.path();
    let first = pieces.len;
    let mut known = digits.known;
    let mut empty = false;
    let mut k = 0;
    while k < b.len() {
        let extent = b.extent(k);
        empty = empty || extent.is(0);
        if b.basis(k).0 == basis.0 && !(extent.is_known() && b.scale(k).is_known()) {
            known = false;
        }
        k += 1;
    }
    k = 0;
    while k < b.len() {
        if b.basis(k).0 == basis.0 {
            cx.at(outer.then(k));
            let (extent, step) = (b.extent(k), b.scale(k));
            if extent.is(1) || step.is(0) {
                ok!(pieces.push(Piece { extent, step: Num::ZERO, stride: Stride::ZERO, leaf: k as u8, digit: 0 }, cx));
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
