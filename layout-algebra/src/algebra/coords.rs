//! Coordinates, indices and preimages.
//!
//! `crd2idx(c, L)`: an integer coordinate of a tuple unravels colexicographically, and the last sub-mode takes the whole quotient.
//! A leaf contributes coordinate times stride. The formula also holds outside the domain (floor division below 0; an extent of 0 passes
//! 0 on). Basis strides add up to a coordinate tuple, XOR strides add without carries ([`xor`](super::xor)).

use super::coordinate_layouts;
use super::modes::ModePairs;
use super::order::Ordered;
use super::relation::{Relation, Solution};
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, SymInt, Tree, TreeNode, Truth, TupleValue};

/// The maximum number of points, run steps or search steps that are tried one by one.
pub(crate) const LIMIT: i64 = 1 << 14;

/// Computes `$rest` modulo `$extent`, which is not 0, and replaces `$rest` by the quotient, rounded down. Both are known.
macro_rules! digit {
    ($rest:expr, $extent:expr) => {{
        let extent = $extent;
        let (quotient, rem) = ($rest / extent, $rest % extent);
        $rest = if rem < 0 { quotient - 1 } else { quotient };
        if rem < 0 { rem + extent } else { rem }
    }};
}
pub(crate) use digit;

impl<const N: usize> LayoutValue<N> {
    /// Returns the index of the coordinate `c`. Fails if `c` does not match the shape or contains `_`, and for basis strides.
    pub(crate) const fn crd2idx<const E: usize>(&self, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        cx.begin(Op::Crd2Idx);
        self.index_of(c, cx)
    }

    pub(crate) const fn index_of<const E: usize>(&self, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        if !self.is_integer() {
            refuse_if!(cx, !self.has_xor(), BasisStride);
            return self.xor_sum(&ok!(self.tree.digits(&self.shape, c, cx)).taken, cx);
        }
        let digits = ok!(self.tree.digits(&self.shape, c, cx)).taken;
        let mut sum = SymInt(0);
        each!(k, 0..self.len(), {
            let term = ok!(cx.mul(SymInt::raw(digits[k]), self.scale(k)));
            sum = ok!(cx.add(sum, term));
        });
        Ok(sum)
    }

    /// Returns `L(c)`: a coordinate tuple if there are basis strides, otherwise an integer. Fails if `c` does not match the shape.
    ///
    /// ```
    /// use layout_algebra::{DynCoord, error::Op, text::Parser};
    /// use layout_algebra::value::{ExprGraph, LayoutValue};
    /// let mut scope = ExprGraph::<0>::new(Op::Parse);
    /// let transposed: LayoutValue<16> = Parser::new("(8,6):(1@1,1@0)").layout(&mut scope)?;
    /// let c = DynCoord::flat(&[7, 2])?;
    /// assert_eq!(transposed.evaluate(c.value(), &mut scope)?.to_string(), "(2,7)");
    /// let plain = Parser::new("(8,6):(1,8)").layout(&mut scope)?;
    /// assert_eq!(plain.evaluate(c.value(), &mut scope)?.to_string(), "23");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn evaluate<const E: usize>(&self, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
        cx.begin(Op::Crd2Idx);
        if self.is_integer() || self.has_xor() {
            return Ok(TupleValue::scalar(ok!(self.index_of(c, cx))));
        }
        self.along_bases(&ok!(self.tree.digits(&self.shape, c, cx)).taken, cx)
    }

    /// Returns the coordinate that strides along bases add up to, given the coordinate of every leaf.
    pub(crate) const fn along_bases<const E: usize>(&self, digits: &[i64; N], cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
        let mut out = TupleValue::empty();
        ok!(self.coordinate_below(digits, Basis(0), &mut out, 0, 0, cx));
        Ok(out)
    }

    /// Appends the coordinate below `prefix` to `out`: a tuple, or an integer if paths end exactly at `prefix`.
    const fn coordinate_below<const E: usize>(
        &self,
        digits: &[i64; N],
        prefix: Basis,
        out: &mut TupleValue<N>,
        level: u8,
        join: u8,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let rank = ok!(self.rank_at(prefix, cx));
        if rank == 0 {
            let mut sum = SymInt(0);
            each!(k, 0..self.len(), {
                if self.basis(k).0 == prefix.0 {
                    let term = ok!(cx.mul(SymInt::raw(digits[k]), self.scale(k)));
                    sum = ok!(cx.add(sum, term));
                }
            });
            return out.push_leaf(level, join, sum, cx);
        }
        each!(mode, 0..rank, {
            let next = ok!(coordinate_layouts::step(prefix, mode, cx));
            ok!(self.coordinate_below(digits, next, out, level + 1, if mode == 0 { join } else { level + 1 }, cx));
        });
        Ok(())
    }
}

/// The digits of a coordinate: for each leaf of a tree of extents, the integer `left` that reaches it and its digit `taken`.
pub(crate) struct Digits<const N: usize> {
    pub left: [i64; N],
    pub taken: [i64; N],
}

impl<const N: usize> Tree<N> {
    /// Returns the digits of `c` in this tree with the extents `shape`. Fails if `c` does not match the tree or contains `_`.
    pub(crate) const fn digits<const E: usize>(&self, shape: &[i64; N], c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Digits<N>> {
        let mut digits = Digits { left: [0; N], taken: [0; N] };
        ok!(self.unravel(shape, self.root(), c, c.root(), &mut digits, cx));
        Ok(digits)
    }

    const fn unravel<const E: usize>(
        &self,
        shape: &[i64; N],
        at: TreeNode,
        c: &TupleValue<N>,
        node: TreeNode,
        digits: &mut Digits<N>,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        if c.tree.is_leaf(node) {
            let mut left = c.leaf(node.lo);
            refuse_if!(cx, left.is_keep(), UnexpectedKeep);
            each!(k, at.lo..at.hi, {
                let extent = SymInt(shape[k]);
                digits.left[k] = left.0;
                digits.taken[k] = left.0;
                if extent.is(0) {
                    left = SymInt(0);
                } else if k + 1 < at.hi {
                    digits.taken[k] = ok!(cx.rem(left, extent)).0;
                    left = ok!(cx.div(left, extent));
                }
            });
            return Ok(());
        }
        let mut modes = ok!(ModePairs::equal(self, at, &c.tree, node, cx));
        let outer = cx.path();
        while let Some((mode, Some(step), k)) = modes.next(self, &c.tree) {
            cx.at(outer.then(k));
            ok!(self.unravel(shape, mode, c, step, digits, cx));
        }
        cx.at(outer);
        Ok(())
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Returns true if every integer of `c` provably is in `0..size` of the mode that it addresses. Fails if `c` does not match.
    pub(crate) const fn in_bounds<const E: usize>(&self, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<bool> {
        self.within(self.root(), c, c.root(), cx)
    }

    const fn within<const E: usize>(&self, at: TreeNode, c: &TupleValue<N>, node: TreeNode, cx: &mut ExprGraph<E>) -> Result<bool> {
        if c.tree.is_leaf(node) {
            let size = ok!(self.size_of(at, cx));
            let c = c.leaf(node.lo);
            return Ok(!cx.less(c, SymInt(0)).is_yes() && cx.less(c, size).is_yes());
        }
        let mut modes = ok!(ModePairs::equal(&self.tree, at, &c.tree, node, cx));
        let mut inside = true;
        while let Some((mode, Some(step), _)) = modes.next(&self.tree, &c.tree) {
            inside = inside && ok!(self.within(mode, c, step, cx));
        }
        Ok(inside)
    }
}

impl<const N: usize> TupleValue<N> {
    /// Returns the colexicographic index of `c` in the shape `self`. An integer is its own index. Fails if `c` does not match.
    pub(crate) const fn crd2idx_shape<const E: usize>(&self, c: &Self, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        cx.begin(Op::Crd2IdxShape);
        self.horner(self.root(), c, c.root(), cx)
    }

    /// Returns the colexicographic index of `c` in each mode of the shape `self`. Fails if `c` does not match.
    pub(crate) const fn crd2idx_each<const E: usize>(&self, c: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        cx.begin(Op::Crd2IdxShape);
        if c.tree.is_leaf(c.root()) {
            return Ok(*c);
        }
        let mut out = TupleValue::empty();
        let mut modes = ok!(ModePairs::equal(&self.tree, self.root(), &c.tree, c.root(), cx));
        while let Some((mode, Some(step), _)) = modes.next(&self.tree, &c.tree) {
            ok!(out.push_leaf(1, 1, ok!(self.horner(mode, c, step, cx)), cx));
        }
        Ok(out)
    }

    const fn horner<const E: usize>(&self, at: TreeNode, c: &Self, node: TreeNode, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        if c.tree.is_leaf(node) {
            let c = c.leaf(node.lo);
            return if c.is_keep() { Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0))) } else { Ok(c) };
        }
        let mut modes = ok!(ModePairs::equal(&self.tree, at, &c.tree, node, cx));
        let (mut sum, mut scale, mut before) = (SymInt(0), SymInt(1), at);
        while let Some((mode, Some(step), k)) = modes.next(&self.tree, &c.tree) {
            if k > 0 {
                let size = ok!(self.product(before, cx));
                scale = ok!(cx.mul(scale, size));
            }
            let digit = ok!(self.horner(mode, c, step, cx));
            let term = ok!(cx.mul(digit, scale));
            sum = ok!(cx.add(sum, term));
            before = mode;
        }
        Ok(sum)
    }

    /// Returns the coordinate in the shape `self` of a colexicographic index. The last mode is not reduced. A tuple unravels by mode.
    pub(crate) const fn idx2crd<const E: usize>(&self, index: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        cx.begin(Op::Idx2CrdShape);
        Ok(TupleValue::nested(self.tree, ok!(self.tree.digits(&self.leaf, index, cx)).taken))
    }

    /// Returns `crd2crd(self, S, T)`: the coordinate of `T` with the colexicographic index that `self` has in `S`.
    pub(crate) const fn crd2crd<const E: usize>(&self, from: &Self, to: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        cx.begin(Op::Crd2Crd);
        let index = ok!(from.horner(from.root(), self, self.root(), cx));
        Ok(TupleValue::nested(to.tree, ok!(to.tree.digits(&to.leaf, &TupleValue::scalar(index), cx)).taken))
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Returns a coordinate `c` with `L(c) = index`, the only one if `L` is injective. Fails if there is none.
    ///
    /// The search visits the strides from the largest down. Each mode takes as many steps as fit in the index, and gives steps
    /// back if the modes below cannot reach the rest. After [`LIMIT`] such attempts, a [`Relation`] decides.
    pub(crate) const fn preimage<const E: usize>(&self, index: SymInt, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
        cx.begin(Op::Preimage);
        if self.has_xor() {
            let l = self.sums();
            return if l.has_xor() { l.xor_preimage(index, cx) } else { l.preimage(index, cx) };
        }
        let steps = ok!(Steps::to(self, index, cx));
        let mut out = TupleValue::nested(self.tree, [0; N]);
        each!(i, 0..steps.order.len, {
            out.leaf[steps.order.leaf[i]] = steps.coordinate(self, i);
        });
        Ok(out)
    }
}

/// The search for an index: the moving modes from the largest stride to the smallest, and the steps that each takes.
#[derive(Clone)]
pub(crate) struct Steps<const N: usize> {
    /// Sorted by `-|d|`. The steps of a negative stride are counted from the far end of its mode.
    pub order: Ordered<N>,
    pub taken: [i64; N],
    /// The index that is searched for, minus the least index of the layout.
    pub start: i64,
}

impl<const N: usize> Steps<N> {
    pub(crate) const fn to<const E: usize>(l: &LayoutValue<N>, index: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        ok!(l.require_integers(cx));
        refuse_if!(cx, !(l.is_known() && index.is_known()), Undecided);
        let (low, high) = ok!(l.extremes(cx));
        let none = Err(cx.fail(Cause::NoSuchIndex, index, SymInt(0)));
        if index.0 < low.0 || index.0 > high.0 {
            return none;
        }
        let mut out = Steps { order: Ordered::new(), taken: [0; N], start: ok!(cx.sub(index, low)).0 };
        each!(k, 0..l.len(), {
            if l.stride[k] != 0 && l.shape[k] != 1 {
                ok!(out.order.insert(k, SymInt(-l.stride[k].abs()), cx));
            }
        });
        // The joint reach of each mode and all later modes.
        let len = out.order.len;
        let mut reach = [0; N];
        let mut k = len;
        while k > 0 {
            k -= 1;
            let below = if k + 1 < len { reach[k + 1] } else { 0 };
            reach[k] = below + (l.shape[out.order.leaf[k]] - 1) * out.size(k);
        }
        let (mut i, mut rest, mut tries) = (0, out.start, 0);
        loop {
            if i == len && rest == 0 {
                return Ok(out);
            }
            if i < len && rest <= reach[i] {
                let (most, last) = (rest / out.size(i), l.shape[out.order.leaf[i]] - 1);
                out.taken[i] = if most < last { most } else { last };
                rest -= out.taken[i] * out.size(i);
                i += 1;
                continue;
            }
            // Go back to the last mode that can take one step less.
            loop {
                if i == 0 {
                    return none;
                }
                i -= 1;
                let most = if i + 1 < len { reach[i + 1] } else { 0 };
                if out.taken[i] > 0 && rest + out.size(i) <= most {
                    break;
                }
                rest += out.taken[i] * out.size(i);
            }
            out.taken[i] -= 1;
            rest += out.size(i);
            i += 1;
            tries += 1;
            if tries == LIMIT {
                let mut relation = Relation::new(out.start as i128);
                each!(k, 0..len, {
                    relation.push(k, out.size(k), 0, l.shape[out.order.leaf[k]] - 1);
                });
                return match relation.solve() {
                    Solution::None => none,
                    Solution::Some(taken) => {
                        out.taken = taken;
                        Ok(out)
                    }
                    Solution::Open => Err(cx.fail(Cause::TooManyCoordinates, SymInt(LIMIT + 1), SymInt(LIMIT))),
                };
            }
        }
    }

    /// Returns `|d|` of the leaf at index `i` of `order`.
    pub(crate) const fn size(&self, i: usize) -> i64 {
        -self.order.key[i].0
    }

    /// Returns the coordinate of the leaf at index `i` of `order`: `taken[i]`, or `extent - 1 - taken[i]` for a negative stride.
    pub(crate) const fn coordinate(&self, l: &LayoutValue<N>, i: usize) -> i64 {
        let leaf = self.order.leaf[i];
        if l.stride[leaf] < 0 { l.shape[leaf] - 1 - self.taken[i] } else { self.taken[i] }
    }
}

impl<const N: usize> TupleValue<N> {
    /// Returns the colexicographic successor of `self` in `shape`. The last leaf takes every carry and does not wrap. Fails unless
    /// both are congruent and the carries are known.
    pub(crate) const fn increment<const E: usize>(&self, shape: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        cx.begin(Op::IncrementCoord);
        if !self.tree.congruent(self.root(), &shape.tree, shape.root()) {
            let (have, given) = (shape.tree.rank(shape.root()), self.tree.rank(self.root()));
            return Err(cx.fail(Cause::RankMismatch, SymInt::small(given), SymInt::small(have)));
        }
        let mut out = *self;
        let mut carry = true;
        let mut rest = self.tree.integers();
        each!(k, 0..self.len(), {
            if self.tree.is_stand_in(k) {
                continue;
            }
            rest -= 1;
            refuse_if!(cx, self.leaf(k).is_keep(), UnexpectedKeep);
            if carry {
                let next = ok!(cx.add(self.leaf(k), SymInt(1)));
                carry = rest > 0
                    && match cx.less(next, shape.leaf(k)) {
                        Truth::Yes => false,
                        Truth::No => true,
                        Truth::Unknown => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                    };
                out.leaf[k] = if carry { 0 } else { next.word() };
            }
        });
        Ok(out)
    }
}
