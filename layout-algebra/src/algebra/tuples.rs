//! Operations on integer tuples: comparisons of their nesting, elementwise arithmetic, products, comparisons of numbers.
//!
//! Elementwise operations visit both trees together. An integer meets a tuple only as a 0 in a sum and in two divisions. A
//! tuple over an integer divides from the left: each leaf by what is left of the integer, then the integer by the leaf. An
//! integer over a tuple is divided by the product of the tuple. A new elementwise operation is an arm of `scalar`.

use super::modes::ModePairs;
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::value::{ExprGraph, SymInt, TreeNode, Truth, TupleValue};

impl<const N: usize> TupleValue<N> {
    /// Returns the number of modes; 1 for an integer.
    pub(crate) const fn rank<const E: usize>(&self, _: &ExprGraph<E>) -> Result<SymInt> {
        Ok(SymInt::small(self.tree.rank(self.root())))
    }

    /// Returns the depth of the nesting: 0 for an integer, 1 for a flat tuple.
    pub(crate) const fn depth<const E: usize>(&self, _: &ExprGraph<E>) -> Result<SymInt> {
        Ok(SymInt::small(self.tree.depth(self.root())))
    }

    /// Returns true if `self` and `b` are nested alike.
    pub(crate) const fn congruent(&self, b: &Self) -> bool {
        self.tree.congruent(self.root(), &b.tree, b.root())
    }

    /// Returns true if replacing integers of `self` by tuples can give the nesting of `b`. A partial order.
    pub(crate) const fn weakly_congruent(&self, b: &Self) -> bool {
        self.tree.weakly_congruent(self.root(), &b.tree, b.root())
    }

    /// Returns whether `b` refines `self`: each integer of `self` is the product of its replacement in `b`. A partial order.
    pub(crate) const fn compatible<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Truth> {
        if !self.weakly_congruent(b) {
            return Ok(Truth::No);
        }
        self.refines(self.root(), b, b.root(), cx)
    }

    const fn refines<const E: usize>(&self, at: TreeNode, b: &Self, to: TreeNode, cx: &mut ExprGraph<E>) -> Result<Truth> {
        if self.tree.is_leaf(at) {
            let product = ok!(b.product(to, cx));
            return Ok(cx.equal(self.leaf(at.lo), product));
        }
        let mut truth = Truth::Yes;
        let mut modes = ModePairs::new(at, to);
        while let Some((x, Some(y), _)) = modes.next(&self.tree, &b.tree) {
            truth = truth.and(ok!(self.refines(x, b, y, cx)));
        }
        Ok(truth)
    }

    /// Returns whether every mode of `self` is a multiple of the corresponding mode of the tiler; `No` if the tiler has more modes.
    pub(crate) const fn evenly_divides<const E: usize>(&self, tiler: &Self, cx: &mut ExprGraph<E>) -> Result<Truth> {
        self.even(self.root(), tiler, tiler.root(), cx)
    }

    const fn even<const E: usize>(&self, at: TreeNode, b: &Self, to: TreeNode, cx: &mut ExprGraph<E>) -> Result<Truth> {
        if b.tree.is_leaf(to) || self.tree.is_leaf(at) {
            let (x, y) = (ok!(self.product(at, cx)), ok!(b.product(to, cx)));
            return Ok(cx.divides(y, x));
        }
        let mut truth = Truth::Yes;
        let mut modes = ModePairs::new(at, to);
        while let Some((x, Some(y), _)) = modes.next(&self.tree, &b.tree) {
            truth = truth.and(ok!(self.even(x, b, y, cx)));
        }
        if b.tree.rank(to) > self.tree.rank(at) { Ok(Truth::No) } else { Ok(truth) }
    }
}

impl<const N: usize> TupleValue<N> {
    /// Applies an elementwise operation to `self` and `b`; see [`Op`] for the names. Fails if the nesting does not match.
    ///
    /// `b` may lack trailing modes, except for `ShapeDiv`; these modes of `self` stay as they are. Only for `TupleAdd` and
    /// `TupleSub`, `self` may lack trailing modes, too; these modes of `b` are appended as they are.
    pub(crate) const fn elementwise<const E: usize>(&self, op: Op, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        cx.begin(op);
        let mut out = TupleValue::empty();
        ok!(self.zip_with(op, self.root(), b, b.root(), &mut out, 0, 0, cx));
        Ok(out)
    }

    #[allow(clippy::too_many_arguments)]
    const fn zip_with<const E: usize>(
        &self,
        op: Op,
        at: TreeNode,
        b: &Self,
        to: TreeNode,
        out: &mut Self,
        level: u8,
        join: u8,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let (leaf_a, leaf_b) = (self.tree.is_leaf(at), b.tree.is_leaf(to));
        if leaf_a && leaf_b {
            let value = ok!(scalar(op, self.leaf(at.lo), b.leaf(to.lo), cx));
            return out.push_leaf(level, join, value, cx);
        }
        let sum = matches!(op, Op::TupleAdd | Op::TupleSub);
        if leaf_a || leaf_b {
            // 0 is neutral in sums. Otherwise, only divisions combine an integer with a tuple.
            if sum && leaf_b && b.leaf(to.lo).is(0) {
                return out.push(self, at, level, join, cx);
            }
            if matches!(op, Op::TupleAdd) && leaf_a && self.leaf(at.lo).is(0) {
                return out.push(b, to, level, join, cx);
            }
            if leaf_b && matches!(op, Op::CeilDiv | Op::ShapeDiv) {
                return self.divide_left(op, at, &mut b.leaf(to.lo), out, level, join, cx);
            }
            if leaf_a && matches!(op, Op::CeilDiv | Op::ShapeDiv) {
                let product = ok!(b.product(to, cx));
                let value = ok!(scalar(op, self.leaf(at.lo), product, cx));
                return out.push_leaf(level, join, value, cx);
            }
            let rank = if leaf_a { b.tree.rank(to) } else { self.tree.rank(at) };
            return Err(cx.fail(Cause::NotCongruent, SymInt::small(rank), SymInt(0)));
        }
        if self.tree.is_empty(at) && b.tree.is_empty(to) {
            return out.push(self, at, level, join, cx);
        }
        let outer = cx.path();
        let (mut i, mut k, mut n, mut join) = (at.lo, to.lo, 0, join);
        loop {
            cx.at(outer.then(n));
            match (self.tree.child_from(at, i), b.tree.child_from(to, k)) {
                (Some(x), Some(y)) => {
                    ok!(self.zip_with(op, x, b, y, out, level + 1, join, cx));
                    i = x.hi;
                    k = y.hi;
                }
                (None, Some(y)) => {
                    refuse_if!(cx, !sum, RankMismatch, SymInt::small(b.tree.rank(to)), SymInt::small(self.tree.rank(at)));
                    ok!(out.push(b, y, level + 1, join, cx));
                    k = y.hi;
                }
                (Some(x), None) => {
                    let divided = matches!(op, Op::ShapeDiv);
                    refuse_if!(cx, divided, RankMismatch, SymInt::small(b.tree.rank(to)), SymInt::small(self.tree.rank(at)));
                    ok!(out.push(self, x, level + 1, join, cx));
                    i = x.hi;
                }
                (None, None) => break,
            }
            join = level + 1;
            n += 1;
        }
        cx.at(outer);
        Ok(())
    }

    /// Divides the leaves of the node `at` from the left, each by `left`, and then `left` by the leaf. Appends the quotients of
    /// the leaves to `out`.
    #[allow(clippy::too_many_arguments)]
    const fn divide_left<const E: usize>(
        &self,
        op: Op,
        at: TreeNode,
        left: &mut SymInt,
        out: &mut Self,
        level: u8,
        join: u8,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let part = self.part(at);
        let mut divided = part;
        each!(k, 0..part.len(), {
            divided.leaf[k] = ok!(scalar(op, part.leaf(k), *left, cx)).word();
            *left = ok!(scalar(op, *left, part.leaf(k), cx));
        });
        out.push(&divided, divided.root(), level, join, cx)
    }
}

const fn scalar<const E: usize>(op: Op, a: SymInt, b: SymInt, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    refuse_if!(cx, a.is_keep() || b.is_keep(), UnexpectedKeep);
    let divides = matches!(op, Op::CeilDiv | Op::RoundUp | Op::ShapeDiv);
    refuse_if!(cx, divides && cx.facts(b).hi < 1, NotPositive, b);
    match op {
        Op::CeilDiv => cx.ceil_div(a, b),
        Op::RoundUp => {
            let n = ok!(cx.ceil_div(a, b));
            cx.mul(n, b)
        }
        Op::ShapeDiv => {
            if cx.divides(b, a).is_yes() {
                cx.div(a, b)
            } else if cx.divides(a, b).is_yes() {
                Ok(SymInt(1))
            } else {
                ok!(cx.require_multiple(a, b, Cause::ShapeDiv, (a, b)));
                cx.div(a, b)
            }
        }
        Op::ElemScale | Op::IntMul => cx.mul(a, b),
        Op::IntDiv => cx.div(a, b),
        Op::IntMod => cx.rem(a, b),
        Op::TupleAdd => cx.add(a, b),
        Op::TupleSub => cx.sub(a, b),
        Op::TupleMax => cx.max(a, b),
        Op::TupleMin => cx.min(a, b),
        _ => Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
    }
}

impl<const N: usize> TupleValue<N> {
    /// Returns the exclusive running product of the leaves: the strides of the column-major layout, size-1 modes included.
    pub(crate) const fn prefix_product<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.running_product(false, cx)
    }

    /// Returns the exclusive running product from the right: the strides of the row-major layout.
    pub(crate) const fn suffix_product<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.running_product(true, cx)
    }

    const fn running_product<const E: usize>(&self, reverse: bool, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = *self;
        let mut product = SymInt(1);
        let mut n = 0;
        while n < self.len() {
            let k = if reverse { self.len() - 1 - n } else { n };
            if !self.tree.is_stand_in(k) {
                out.leaf[k] = product.word();
            }
            n += 1;
            if n < self.len() {
                product = ok!(cx.mul(product, self.leaf(k)));
            }
        }
        Ok(out)
    }
}

impl<const N: usize> TupleValue<N> {
    /// Returns the product, sum, maximum, minimum or gcd of all leaves, as `op` says. No leaves have no maximum or minimum: an error.
    pub(crate) const fn fold<const E: usize>(&self, op: Op, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        cx.begin(op);
        if matches!(op, Op::Product) {
            return self.product(self.root(), cx);
        }
        let mut first = 0;
        while first < self.len() && self.tree.is_stand_in(first) {
            first += 1;
        }
        let none = first == self.len();
        refuse_if!(cx, none && !matches!(op, Op::TupleSum | Op::TupleGcd), RankMismatch, SymInt(0), SymInt(1));
        let mut out = if none { SymInt(0) } else { self.leaf(first) };
        each!(k, first + 1..self.len(), {
            if self.tree.is_stand_in(k) {
                continue;
            }
            let x = self.leaf(k);
            out = match op {
                Op::TupleSum => ok!(cx.add(out, x)),
                Op::TupleMax => ok!(cx.max(out, x)),
                Op::TupleMin => ok!(cx.min(out, x)),
                Op::TupleGcd => match (out.value(), x.value()) {
                    (Some(p), Some(q)) => SymInt::raw(crate::value::gcd(p.abs(), q.abs())),
                    _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                },
                _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
            };
        });
        Ok(out)
    }
}

impl<const N: usize> TupleValue<N> {
    /// Returns the product of each mode, as a flat tuple.
    pub(crate) const fn product_each<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = TupleValue::empty();
        let mut k = 0;
        while let Some(mode) = self.tree.mode(self.root(), k) {
            let product = ok!(self.product(mode, cx));
            ok!(out.push_leaf(1, 1, product, cx));
            k += 1;
        }
        Ok(out)
    }

    /// Returns a tuple nested like `guide`: each leaf is the product of the mode of `self` there. Fails if `self` has no such mode.
    pub(crate) const fn product_like<const E: usize>(&self, guide: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        if !guide.weakly_congruent(self) {
            return Err(cx.fail(
                Cause::RankMismatch,
                SymInt::small(guide.tree.rank(guide.root())),
                SymInt::small(self.tree.rank(self.root())),
            ));
        }
        let mut out = *guide;
        ok!(self.products_at(self.root(), guide, guide.root(), &mut out, cx));
        Ok(out)
    }

    const fn products_at<const E: usize>(
        &self,
        at: TreeNode,
        guide: &Self,
        to: TreeNode,
        out: &mut Self,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        if guide.tree.is_leaf(to) {
            out.leaf[to.lo] = ok!(self.product(at, cx)).word();
            return Ok(());
        }
        let mut modes = ModePairs::new(at, to);
        while let Some((x, Some(y), _)) = modes.next(&self.tree, &guide.tree) {
            ok!(self.products_at(x, guide, y, out, cx));
        }
        Ok(())
    }

    /// Returns the sum of the products of corresponding leaves. Fails unless `self` and `b` are congruent.
    pub(crate) const fn inner_product<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        refuse_if!(cx, !self.congruent(b), ShapeStrideMismatch);
        let mut sum = SymInt(0);
        each!(k, 0..self.len(), {
            if self.tree.is_stand_in(k) {
                continue;
            }
            let term = ok!(cx.mul(self.leaf(k), b.leaf(k)));
            sum = ok!(cx.add(sum, term));
        });
        Ok(sum)
    }

    /// Returns whether each integer of `self` is below its counterpart in `b`; `No` if `b` has fewer modes. Fails if nesting differs.
    pub(crate) const fn elem_less<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Truth> {
        self.less_at(self.root(), b, b.root(), cx)
    }

    const fn less_at<const E: usize>(&self, at: TreeNode, b: &Self, to: TreeNode, cx: &mut ExprGraph<E>) -> Result<Truth> {
        match (self.tree.is_leaf(at), b.tree.is_leaf(to)) {
            (true, true) => return Ok(cx.less(self.leaf(at.lo), b.leaf(to.lo))),
            (false, false) => {}
            _ => {
                return Err(cx.fail(
                    Cause::NotCongruent,
                    SymInt::small(if self.tree.is_leaf(at) { b.tree.rank(to) } else { self.tree.rank(at) }),
                    SymInt(0),
                ));
            }
        }
        let mut truth = Truth::Yes;
        let mut modes = ModePairs::new(at, to);
        while let Some((x, y, _)) = modes.next(&self.tree, &b.tree) {
            truth = match y {
                Some(y) => truth.and(ok!(self.less_at(x, b, y, cx))),
                None => return Ok(Truth::No),
            };
        }
        Ok(truth)
    }

    /// Returns the shape of the coalesced column-major layout of a shape: the product of all extents.
    pub(crate) const fn coalesce_shape<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let product = ok!(self.product(self.root(), cx));
        Ok(TupleValue::scalar(product))
    }
}
