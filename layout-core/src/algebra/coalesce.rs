//! Coalesce, filter, flatten.
//!
//! `coalesce(L)` has the fewest modes with `coalesce(L)(i) = L(i)` for all `i < size(L)`: size-1 modes go, and a mode whose stride is
//! provably extent times stride of the mode before it joins that mode. By a profile, each of its leaves coalesces one mode.
//! `filter(L)` also drops the modes of stride 0, so it keeps the image and not the size.

use crate::error::{Cause, Op, Result, ok};
use crate::value::{Ints, Lay, Num, Scope, Span, Stride, fits, known, mul};

/// `coalesce(L)`.
pub const fn coalesce<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Coalesce);
    coalesced(l, l.root(), false, cx)
}

/// `coalesce(L, profile)`: mode by mode down to the leaves of `profile`; modes it does not name stay.
pub const fn coalesce_by<const N: usize, const E: usize>(l: &Lay<N>, profile: &Ints<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Coalesce);
    let mut out = Lay::empty();
    ok!(by_profile(l, l.root(), profile, profile.root(), &mut out, 0, 0, cx));
    Ok(out)
}

#[allow(clippy::too_many_arguments)]
const fn by_profile<const N: usize, const E: usize>(
    l: &Lay<N>,
    at: Span,
    profile: &Ints<N>,
    node: Span,
    out: &mut Lay<N>,
    level: u8,
    join: u8,
    cx: &mut Scope<E>,
) -> Result<()> {
    if profile.tree.is_leaf(node) {
        let mode = ok!(coalesced(l, at, false, cx));
        return out.push(&mode, mode.root(), level, join, cx);
    }
    if l.tree.is_leaf(at) && profile.tree.rank(node) > 1 {
        return Err(cx.fail(Cause::NotCongruent, Num::small(profile.tree.rank(node)), Num(0)));
    }
    let (mut a, mut p) = (at.lo, node.lo);
    let mut first = true;
    let leaf = l.tree.is_leaf(at);
    while a < at.hi {
        let mode = if leaf { at } else { l.tree.child_from(at, a) };
        let join = if first { join } else { level + 1 };
        if p < node.hi {
            let step = profile.tree.child_from(node, p);
            ok!(by_profile(l, mode, profile, step, out, level + 1, join, cx));
            p = step.hi;
        } else {
            ok!(out.push(l, mode, level + 1, join, cx));
        }
        first = false;
        a = mode.hi;
    }
    if p < node.hi {
        return Err(cx.fail(Cause::RankMismatch, Num::small(profile.tree.rank(node)), Num::small(l.tree.rank(at))));
    }
    Ok(())
}

/// The coalesced node `at`; with `drop_zeros`, without its modes of stride 0.
pub(crate) const fn coalesced<const N: usize, const E: usize>(l: &Lay<N>, at: Span, drop_zeros: bool, cx: &mut Scope<E>) -> Result<Lay<N>> {
    let mut out = Lay::empty();
    // The stride that would continue the last mode, where it is known.
    let mut next: Option<i64> = None;
    let mut k = at.lo;
    while k < at.hi {
        let (extent, stride) = (Num(l.shape[k]), l.stride(k));
        k += 1;
        // A mode that does not move but is empty leaves nothing.
        if extent.0 == 1 || (drop_zeros && stride.scale.0 == 0 && extent.0 != 0) {
            continue;
        }
        if drop_zeros {
            ok!(cx.require_moving(stride.scale));
        }
        let n = out.tree.len;
        if n > 0 && continues(&out, next, stride, cx) {
            let merged = mul!(cx, Num(out.shape[n - 1]), extent);
            out.shape[n - 1] = merged.0;
            next = product(merged.0, out.stride[n - 1]);
            continue;
        }
        ok!(out.push_leaf(1, 1, extent, stride, cx));
        next = product(extent.0, stride.scale.0);
    }
    unwrap_single(&mut out);
    Ok(out)
}

/// The product of two known numbers, if it is one.
pub(crate) const fn product(a: i64, b: i64) -> Option<i64> {
    let exact = a as i128 * b as i128;
    if !known!(a) || !known!(b) || !fits!(exact) { None } else { Some(exact as i64) }
}

/// Whether `stride` provably continues the last leaf of `l`; `next` is the stride that does, where known.
pub(crate) const fn continues<const N: usize, const E: usize>(l: &Lay<N>, next: Option<i64>, stride: Stride, cx: &mut Scope<E>) -> bool {
    let last = l.tree.len - 1;
    if l.basis[last] != stride.basis.0 {
        return false;
    }
    match next {
        Some(next) if known!(stride.scale.0) => next == stride.scale.0,
        _ => match cx.mul(Num(l.shape[last]), Num(l.stride[last])) {
            Ok(next) => cx.equal(next, stride.scale).is_yes(),
            Err(_) => false,
        },
    }
}

/// A flat tuple of one leaf becomes that leaf, and of none `1:0`.
pub(crate) const fn unwrap_single<const N: usize>(l: &mut Lay<N>) {
    if l.is_empty() {
        *l = Lay::scalar(Num(1), Num(0));
    } else if l.len() == 1 {
        l.tree.depth[0] = 0;
    }
}

/// `L` with extent 1 where the stride is 0.
pub const fn filter_zeros<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::FilterZeros);
    let mut out = *l;
    let mut k = 0;
    while k < out.len() {
        if out.scale(k).is(0) {
            out.shape[k] = 1;
        }
        k += 1;
    }
    Ok(out)
}

/// `coalesce` of the modes with a stride that is not 0.
pub const fn filter<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Filter);
    coalesced(l, l.root(), true, cx)
}

/// `L` with all nesting removed; a bare integer stays one.
pub const fn flatten<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Flatten);
    if l.is_scalar() {
        return Ok(*l);
    }
    let mut out = *l;
    let mut k = 0;
    while k < out.len() {
        out.tree.depth[k] = 1;
        out.tree.join[k] = if k + 1 < out.len() { 1 } else { 0 };
        k += 1;
    }
    Ok(out)
}
