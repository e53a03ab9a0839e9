//! Selection, grouping and concatenation of modes, and iteration over the modes of two trees.

use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, SymInt, Tree, TreeNode, TupleValue};

impl<const N: usize> LayoutValue<N> {
    /// Returns mode `k` as a layout. Fails if there is no mode `k`.
    pub(crate) const fn mode<const E: usize>(&self, k: usize, cx: &mut ExprGraph<E>) -> Result<Self> {
        Ok(self.part(ok!(self.span_of_mode(k, cx))))
    }

    const fn span_of_mode<const E: usize>(&self, k: usize, cx: &ExprGraph<E>) -> Result<TreeNode> {
        match self.tree.mode(self.root(), k) {
            Some(mode) => Ok(mode),
            None => Err(cx.fail(Cause::NoSuchMode, SymInt::small(k), SymInt::small(self.tree.rank(self.root())))),
        }
    }

    /// Returns the modes with the numbers `which`, in that order, as a tuple. Fails if one does not exist.
    pub(crate) const fn select<const E: usize>(&self, which: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        each!(i, 0..which.len(), {
            let k = ok!(index(which.leaf(i), cx));
            let mode = ok!(self.span_of_mode(k, cx));
            ok!(out.push(self, mode, 1, 1, cx));
        });
        Ok(out)
    }
}

/// Converts a leaf to a mode number, from 0. Fails if it is negative or not known.
pub(crate) const fn index<const E: usize>(n: SymInt, cx: &ExprGraph<E>) -> Result<usize> {
    match n.value() {
        Some(k) if k >= 0 => Ok(k as usize),
        Some(_) => Err(cx.fail(Cause::NotPositive, n, SymInt(0))),
        None => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the modes `begin..end` as a tuple. Fails unless `begin <= end <= rank`.
    pub(crate) const fn take<const E: usize>(&self, begin: usize, end: usize, cx: &mut ExprGraph<E>) -> Result<Self> {
        ok!(self.range(begin, end, cx));
        let mut out = LayoutValue::empty();
        ok!(out.push_modes(self, begin, end, 1, cx));
        Ok(out)
    }

    const fn range<const E: usize>(&self, begin: usize, end: usize, cx: &ExprGraph<E>) -> Result<()> {
        let rank = self.tree.rank(self.root());
        if begin > end || end > rank {
            let wrong = if end > rank { end } else { begin };
            return Err(cx.fail(Cause::NoSuchMode, SymInt::small(wrong), SymInt::small(rank)));
        }
        Ok(())
    }

    /// Appends the modes `begin..end` of `l` to `self`: with `level` 1 as modes of their own, with `level` 2 as one mode.
    const fn push_modes<const E: usize>(&mut self, l: &Self, begin: usize, end: usize, level: u8, cx: &ExprGraph<E>) -> Result<()> {
        each!(k, begin..end, {
            let mode = ok!(l.span_of_mode(k, cx));
            ok!(self.push(l, mode, level, if k == begin { 1 } else { level }, cx));
        });
        Ok(())
    }

    /// Gathers the modes `begin..end` into one nested mode. Fails unless `begin < end <= rank`.
    pub(crate) const fn group<const E: usize>(&self, begin: usize, end: usize, cx: &mut ExprGraph<E>) -> Result<Self> {
        ok!(self.range(begin, end, cx));
        refuse_if!(cx, begin == end, NoSuchMode, SymInt::small(end), SymInt::small(begin));
        let mut out = LayoutValue::empty();
        ok!(out.push_modes(self, 0, begin, 1, cx));
        ok!(out.push_modes(self, begin, end, 2, cx));
        ok!(out.push_modes(self, end, self.tree.rank(self.root()), 1, cx));
        Ok(out)
    }

    /// Returns the modes of `self` and then the mode `x`.
    pub(crate) const fn append<const E: usize>(&self, x: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let rank = self.tree.rank(self.root());
        self.spliced(rank, rank, x, cx)
    }

    /// Returns the mode `x` and then the modes of `self`.
    pub(crate) const fn prepend<const E: usize>(&self, x: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.spliced(0, 0, x, cx)
    }

    /// Replaces mode `k` by `x`. Fails if there is no mode `k`.
    pub(crate) const fn replace<const E: usize>(&self, k: usize, x: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        ok!(self.span_of_mode(k, cx));
        if self.is_scalar() { Ok(*x) } else { self.spliced(k, k + 1, x, cx) }
    }

    /// Replaces the modes `begin..end` by the one mode `x`.
    const fn spliced<const E: usize>(&self, begin: usize, end: usize, x: &Self, cx: &ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        ok!(out.push_modes(self, 0, begin, 1, cx));
        ok!(out.push_mode(x, cx));
        ok!(out.push_modes(self, end, self.tree.rank(self.root()), 1, cx));
        Ok(out)
    }

    /// Nests the leaves of `self` like `profile`, with its empty modes. Fails unless both have equally many leaves.
    pub(crate) const fn unflatten<const E: usize>(&self, profile: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (given, have) = (profile.tree.integers(), self.tree.integers());
        refuse_if!(cx, given != have, LeafMismatch, SymInt::small(given), SymInt::small(have));
        let mut out = LayoutValue::empty();
        let mut from = 0;
        each!(k, 0..profile.len(), {
            if profile.tree.is_stand_in(k) {
                out.shape[k] = 1;
                continue;
            }
            while self.tree.is_stand_in(from) {
                from += 1;
            }
            (out.shape[k], out.stride[k], out.basis[k]) = (self.shape[from], self.stride[from], self.basis[from]);
            from += 1;
        });
        out.tree = profile.tree;
        Ok(out)
    }

    /// Returns the layout with the two modes `self` and `b`.
    pub(crate) const fn concat<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        ok!(out.push_mode(self, cx));
        ok!(out.push_mode(b, cx));
        Ok(out)
    }
}

/// An iterator over the modes of a node, each paired with a mode of another node.
pub(crate) struct ModePairs {
    at: TreeNode,
    to: TreeNode,
    lo: (usize, usize),
    k: usize,
}

impl ModePairs {
    /// Pairs the modes of `at` with those of `to`, which may be fewer.
    pub(crate) const fn new(at: TreeNode, to: TreeNode) -> ModePairs {
        ModePairs { at, to, lo: (at.lo, to.lo), k: 0 }
    }

    /// Pairs the modes of the tuples `at` of `a` and `to` of `b`. Fails unless both have one rank and `at` is no integer.
    pub(crate) const fn equal<const N: usize, const E: usize>(
        a: &Tree<N>,
        at: TreeNode,
        b: &Tree<N>,
        to: TreeNode,
        cx: &ExprGraph<E>,
    ) -> Result<ModePairs> {
        let (have, given) = (a.rank(at), b.rank(to));
        refuse_if!(cx, a.is_leaf(at), NotCongruent, SymInt::small(given));
        refuse_if!(cx, have != given, RankMismatch, SymInt::small(given), SymInt::small(have));
        Ok(ModePairs::new(at, to))
    }

    /// Returns the next mode of `a`, the mode of `b` (`None` past its rank), and their number from 0. An integer is its own mode.
    #[inline]
    pub(crate) const fn next<const N: usize>(&mut self, a: &Tree<N>, b: &Tree<N>) -> Option<(TreeNode, Option<TreeNode>, usize)> {
        if self.lo.0 >= self.at.hi {
            return None;
        }
        let mode = if a.is_leaf(self.at) { Some(self.at) } else { a.child_from(self.at, self.lo.0) };
        let Some(mode) = mode else { return None };
        let other = b.child_from(self.to, self.lo.1);
        self.lo = (mode.hi, if let Some(other) = other { other.hi } else { self.to.hi });
        self.k += 1;
        Some((mode, other, self.k - 1))
    }
}
