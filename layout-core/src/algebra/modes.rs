//! Taking layouts apart and putting them together, mode by mode.

use crate::error::{Cause, Op, Result, ok};
use crate::value::{ExprGraph, LayoutValue, Span, SymInt, Tree, TupleValue};

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
    each!(i, 0..which.len(), {
        let k = ok!(index(which.leaf(i), cx));
        let mode = ok!(mode(l, k, cx));
        ok!(out.push(l, mode, 1, 1, cx));
    });
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
    ok!(push_modes(&mut out, l, begin, end, 1, cx));
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

/// Appends the modes `begin..end` of `l` to the modes of `out`, or with `level` 2 as one mode of them.
const fn push_modes<const N: usize, const E: usize>(
    out: &mut LayoutValue<N>,
    l: &LayoutValue<N>,
    begin: usize,
    end: usize,
    level: u8,
    cx: &ExprGraph<E>,
) -> Result<()> {
    each!(k, begin..end, {
        let mode = ok!(mode(l, k, cx));
        ok!(out.push(l, mode, level, if k == begin { 1 } else { level }, cx));
    });
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
    let mut out = LayoutValue::empty();
    ok!(push_modes(&mut out, l, 0, begin, 1, cx));
    ok!(push_modes(&mut out, l, begin, end, 2, cx));
    ok!(push_modes(&mut out, l, end, l.tree.rank(l.root()), 1, cx));
    Ok(out)
}

/// The modes of `l`, then `x` as one more.
pub const fn append<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    x: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Append);
    let rank = l.tree.rank(l.root());
    spliced(l, rank, rank, x, cx)
}

/// `x` as a mode, then the modes of `l`.
pub const fn prepend<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    x: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Prepend);
    spliced(l, 0, 0, x, cx)
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
    if l.is_scalar() { Ok(*x) } else { spliced(l, k, k + 1, x, cx) }
}

/// The modes of `l` with `x` in place of `begin..end`.
const fn spliced<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    begin: usize,
    end: usize,
    x: &LayoutValue<N>,
    cx: &ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut out = LayoutValue::empty();
    ok!(push_modes(&mut out, l, 0, begin, 1, cx));
    ok!(out.push_mode(x, cx));
    ok!(push_modes(&mut out, l, end, l.tree.rank(l.root()), 1, cx));
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

/// Walks the modes of a node beside those of another.
pub(crate) struct Beside {
    at: Span,
    to: Span,
    lo: (usize, usize),
    k: usize,
}

impl Beside {
    /// The modes of `at` beside those of `to`, which may be fewer.
    pub(crate) const fn new(at: Span, to: Span) -> Beside {
        Beside { at, to, lo: (at.lo, to.lo), k: 0 }
    }

    /// The modes of the tuples `at` of `a` and `to` of `b`, of which a coordinate, an order or another part of `a` has as many.
    pub(crate) const fn equal<const N: usize, const E: usize>(
        a: &Tree<N>,
        at: Span,
        b: &Tree<N>,
        to: Span,
        cx: &ExprGraph<E>,
    ) -> Result<Beside> {
        let (have, given) = (a.rank(at), b.rank(to));
        if a.is_leaf(at) {
            return Err(cx.fail(Cause::NotCongruent, SymInt::small(given), SymInt(0)));
        }
        if have != given {
            return Err(cx.fail(Cause::RankMismatch, SymInt::small(given), SymInt::small(have)));
        }
        Ok(Beside::new(at, to))
    }

    /// The next mode of `a`, that of `b` (`None` past its rank), and their number; an integer is its own only mode.
    #[inline]
    pub(crate) const fn next<const N: usize>(&mut self, a: &Tree<N>, b: &Tree<N>) -> Option<(Span, Option<Span>, usize)> {
        if self.lo.0 >= self.at.hi {
            return None;
        }
        let mode = if a.is_leaf(self.at) { self.at } else { a.child_from(self.at, self.lo.0) };
        let other = if self.lo.1 < self.to.hi { Some(b.child_from(self.to, self.lo.1)) } else { None };
        self.lo = (mode.hi, if let Some(other) = other { other.hi } else { self.to.hi });
        self.k += 1;
        Some((mode, other, self.k - 1))
    }
}
