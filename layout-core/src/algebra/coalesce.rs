//! Coalesce, filter, flatten.
//!
//! `coalesce(L)` has the fewest modes with `coalesce(L)(i) = L(i)` for all `i < size(L)`: size-1 modes go, and a mode whose stride is
//! provably extent times stride of the mode before it joins that mode. By a profile, each of its leaves coalesces one mode.
//! `filter(L)` also drops the modes of stride 0, so it keeps the image and not the size.

use crate::error::{Cause, Op, Result, ok};
use crate::value::{Ints, Lay, Num, Scope, Span};
use crate::value::Stride;

/// `coalesce(L)`.
pub const fn coalesce<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Coalesce);
    coalesced(l, l.root(), false, cx)
}

/// `coalesce(L, profile)`: mode by mode down to the leaves of `profile`; modes it does not name stay.
pub const fn coalesce_by<const N: usize, const E: usize>(l: &Lay<N>, profile: &Ints<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Coalesce);
    let mut out = Lay::EMPTY;
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
        return Err(cx.fail(Cause::NotCongruent, Num::small(profile.tree.rank(node)), Num::ZERO));
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
pub(crate) const fn coalesced<const N: usize, const E: usize>(
    l: &Lay<N>,
    at: Span,
    drop_zeros: bool,
    cx: &mut Scope<E>,
) -> Result<Lay<N>> {
    let mut out = Lay::EMPTY;
    let mut k = at.lo;
    while k < at.hi {
        let (extent, stride) = (l.extent(k), l.stride(k));
        k += 1;
        if extent.is(1) || (drop_zeros && stride.scale.is(0)) {
            continue;
        }
        if out.len() > 0 {
            let last = out.len() - 1;
            if follows(&out, last, stride, cx) {
                out.shape[last] = ok!(cx.mul(out.extent(last), extent)).word();
                continue;
            }
        }
        ok!(out.push_leaf(1, 1, extent, stride, cx));
    }
    unwrap_single(&mut out);
    Ok(out)
}

/// Whether `stride` provably continues leaf `k` of `l`.
pub(crate) const fn follows<const N: usize, const E: usize>(l: &Lay<N>, k: usize, stride: Stride, cx: &mut Scope<E>) -> bool {
    if l.basis(k).0 != stride.basis.0 {
        return false;
    }
    match cx.mul(l.extent(k), l.scale(k)) {
        Ok(next) => cx.equal(next, stride.scale).is_yes(),
        Err(_) => false,
    }
}

/// A flat tuple of one leaf becomes that leaf, and of none `1:0`.
pub(crate) const fn unwrap_single<const N: usize>(l: &mut Lay<N>) {
    if l.len() == 0 {
        *l = Lay::scalar(Num::ONE, Num::ZERO);
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
