//! Taking layouts apart and putting them together, mode by mode.

use crate::error::{Cause, Op, Result, ok};
use crate::value::{ExprGraph, LayoutValue, Span, SymInt, TupleValue};

/// Mode `k` as a layout.
pub const fn get<const N: usize, const E: usize>(l: &LayoutValue<N>, k: usize, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::Get);
    Ok(l.part(ok!(mode(l, k, cx))))
}

const fn mode<const N: usize, const E: usize>(l: &LayoutValue<N>, k: usize, cx: &ExprGraph<E>) -> Result<Span> {
    match l.tree.mode(l.root(), k) {
        Some(mode) => Ok(mode),
        None => Err(cx.fail(Cause::NoSuchMode, SymInt::small(k), SymInt::small(l.tree.rank(l.root())))),
    }
}

/// The modes named by `which`, in that order, as a tuple.
pub const fn select<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    which: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Select);
    let mut out = LayoutValue::empty();
    let mut i = 0;
    while i < which.len() {
        let k = ok!(index(which.leaf(i), cx));
        let mode = ok!(mode(l, k, cx));
        ok!(out.push(l, mode, 1, 1, cx));
        i += 1;
    }
    Ok(out)
}

/// A leaf as a mode number.
pub(crate) const fn index<const E: usize>(n: SymInt, cx: &ExprGraph<E>) -> Result<usize> {
    match n.value() {
        Some(k) if k >= 0 => Ok(k as usize),
        Some(_) => Err(cx.fail(Cause::NotPositive, n, SymInt(0))),
        None => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
    }
}

/// Modes `begin..end` as a tuple.
pub const fn take<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    begin: usize,
    end: usize,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Take);
    ok!(range(l, begin, end, cx));
    let mut out = LayoutValue::empty();
    let mut k = begin;
    while k < end {
        let mode = ok!(mode(l, k, cx));
        ok!(out.push(l, mode, 1, 1, cx));
        k += 1;
    }
    Ok(out)
}

const fn range<const N: usize, const E: usize>(l: &LayoutValue<N>, begin: usize, end: usize, cx: &ExprGraph<E>) -> Result<()> {
    let rank = l.tree.rank(l.root());
    if begin > end || end > rank {
        let wrong = if end > rank { end } else { begin };
        return Err(cx.fail(Cause::NoSuchMode, SymInt::small(wrong), SymInt::small(rank)));
    }
    Ok(())
}

/// Modes `begin..end` gathered into one nested mode.
pub const fn group<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    begin: usize,
    end: usize,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Group);
    ok!(range(l, begin, end, cx));
    if begin == end {
        return Err(cx.fail(Cause::NoSuchMode, SymInt::small(end), SymInt::small(begin)));
    }
    let rank = l.tree.rank(l.root());
    let mut out = LayoutValue::empty();
    let mut k = 0;
    while k < rank {
        let mode = ok!(mode(l, k, cx));
        let inside = k >= begin && k < end;
        let (level, join) = if inside { (2, if k == begin { 1 } else { 2 }) } else { (1, 1) };
        ok!(out.push(l, mode, level, join, cx));
        k += 1;
    }
    Ok(out)
}

/// The modes of `l`, then `x` as one more.
pub const fn append<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    x: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Append);
    let mut out = ok!(tuple(l, cx));
    ok!(out.push_mode(x, cx));
    Ok(out)
}

/// `x` as a mode, then the modes of `l`.
pub const fn prepend<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    x: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Prepend);
    let l = ok!(tuple(l, cx));
    let mut out = LayoutValue::empty();
    ok!(out.push_mode(x, cx));
    let mut lo = 0;
    while lo < l.len() {
        let mode = l.tree.child_from(l.root(), lo);
        ok!(out.push(&l, mode, 1, 1, cx));
        lo = mode.hi;
    }
    Ok(out)
}

/// `l` as a tuple of modes.
const fn tuple<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &ExprGraph<E>) -> Result<LayoutValue<N>> {
    if !l.is_scalar() {
        return Ok(*l);
    }
    let mut out = LayoutValue::empty();
    ok!(out.push_mode(l, cx));
    Ok(out)
}

/// `l` with mode `k` replaced by `x`.
pub const fn replace<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    k: usize,
    x: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Replace);
    ok!(mode(l, k, cx));
    if l.is_scalar() {
        return Ok(*x);
    }
    let mut out = LayoutValue::empty();
    let (mut lo, mut i) = (0, 0);
    while lo < l.len() {
        let mode = l.tree.child_from(l.root(), lo);
        if i == k {
            ok!(out.push_mode(x, cx));
        } else {
            ok!(out.push(l, mode, 1, 1, cx));
        }
        lo = mode.hi;
        i += 1;
    }
    Ok(out)
}

/// The leaves of `l`, nested like `profile`.
pub const fn unflatten<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    profile: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Unflatten);
    if profile.len() != l.len() {
        return Err(cx.fail(Cause::LeafMismatch, SymInt::small(profile.len()), SymInt::small(l.len())));
    }
    let mut out = *l;
    out.tree = profile.tree;
    Ok(out)
}

/// The layouts `(a, b)` as the modes of one.
pub const fn pair<const N: usize, const E: usize>(a: &LayoutValue<N>, b: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::Concat);
    let mut out = LayoutValue::empty();
    ok!(out.push_mode(a, cx));
    ok!(out.push_mode(b, cx));
    Ok(out)
}
