//! Inverses and the null space.
//!
//! * `R = right_inverse(L)` has `L(R(i)) = i` for `i < size(R)`, as far as the strides of `L` chain from 1.
//! * `Q = left_inverse(L)` has `L(Q(L(c))) = L(c)`, and so `Q(L(c)) = c` if `L` is injective.
//! * `K = nullspace(L)` has `L(K(i)) = 0`. Its size is the product of the extents of the modes of stride 0.
//!
//! Inverses of a layout with basis strides take a coordinate of its codomain, see [`coordinate_layouts`].
//! Let the moving modes `s_i : d_i` of `L` be sorted by `|d_i|`, and let mode `i` begin at the integer coordinate `p_i`. Then
//! `left_inverse(L) = (d_0 : 0, d_1 / d_0 : p_0, d_2 / d_1 : p_1, ..., s_n : p_n)`, coalesced. It needs `d_i | d_{i+1}`. No digit of a value
//! may pass the end of its mode, unless that is the last mode of the domain, which continues: with `M_i = sum_{k < i} (s_k - 1) d_k`, either
//! `M_i < d_i` (modes do not overlap) or `d_{i+1} / d_i <= s_i`. Only the mode of the largest `|d_i|` may have a negative stride.

use super::coalesce::{self, Omit};
use super::coordinate_layouts;
use super::order::Ordered;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, Truth};

impl<const N: usize> LayoutValue<N> {
    /// Returns `right_inverse(L)`, which is `1:0` if the strides do not chain from 1.
    pub(crate) const fn right_inverse<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.by_coordinate(coordinate_layouts::Part::RightInverse, cx)
    }

    /// Returns `right_inverse(L)` as a step of the current operation. Fails for basis strides.
    pub(crate) const fn right_in<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        if self.has_xor() {
            let l = self.sums();
            return if l.has_xor() { l.xor_right(cx) } else { l.right_in(cx) };
        }
        ok!(self.require_integers(cx));
        self.right_along(Basis(0), cx)
    }

    /// Returns the right inverse of the modes along `basis`.
    pub(crate) const fn right_along<const E: usize>(&self, basis: Basis, cx: &mut ExprGraph<E>) -> Result<Self> {
        let chain = ok!(self.chain(basis, SymInt(1), cx));
        chain.merged(chain.root(), Omit::Single, cx)
    }

    /// Returns the modes of `self` along `basis` whose strides chain from `span`, with the strides that walk them in the domain.
    pub(crate) const fn chain<const E: usize>(&self, basis: Basis, mut span: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        let flat = ok!(self.merged(self.root(), Omit::Single, cx));
        let mut out = LayoutValue::empty();
        loop {
            let mut domain = SymInt(1);
            let mut found = false;
            each!(k, 0..flat.len(), {
                let extent = flat.extent(k);
                let next = flat.basis(k).0 == basis.0 && cx.equal(flat.scale(k), span).is_yes();
                // No integer coordinate gets past an extent of 0.
                if !found && next && !extent.is(1) && !extent.is(0) && !domain.is(0) {
                    ok!(out.push_leaf(1, 1, extent, Stride::integer(domain), cx));
                    span = ok!(cx.mul(span, extent));
                    found = true;
                }
                domain = ok!(cx.mul(domain, extent));
            });
            if !found {
                return Ok(out);
            }
        }
    }

    /// Returns `left_inverse(L)`, or `1:0` for an empty `L`. Fails if strides do not divide each other, or modes overlap.
    pub(crate) const fn left_inverse<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        if self.extent_is_zero() {
            // There is no value to invert.
            return Ok(LayoutValue::scalar(SymInt(1), SymInt(0)));
        }
        match self.by_coordinate(coordinate_layouts::Part::LeftInverse, cx) {
            // A mode that turns out to have one element cannot cause these refusals.
            Err(error)
                if !self.is_known() && matches!(error.cause, Cause::NotInjective | Cause::NegativeStride | Cause::StridesDoNotDivide) =>
            {
                Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0)))
            }
            result => result,
        }
    }
}

/// The moving modes of a layout along one basis, sorted by the size of their steps; equal ones in domain order.
pub(crate) struct Moving<const N: usize> {
    /// The leaves of the coalesced layout, sorted by `|d|`.
    pub order: Ordered<N>,
    /// The integer coordinate at which each leaf begins.
    pub place: [SymInt; N],
}

impl<const N: usize> Moving<N> {
    pub(crate) const fn of<const E: usize>(flat: &LayoutValue<N>, basis: Basis, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = Moving { order: Ordered::new(), place: [SymInt(1); N] };
        let mut place = SymInt(1);
        each!(k, 0..flat.len(), {
            let (extent, scale) = (flat.extent(k), flat.scale(k));
            if flat.basis(k).0 == basis.0 && !scale.is(0) && !extent.is(1) {
                let step = if is_negative(scale, cx) { ok!(cx.abs(scale)) } else { scale };
                ok!(cx.require_positive(step));
                ok!(out.order.insert(k, step, cx));
            }
            out.place[k] = place;
            place = ok!(cx.mul(place, extent));
        });
        Ok(out)
    }
}

const fn is_negative<const E: usize>(x: SymInt, cx: &ExprGraph<E>) -> bool {
    cx.facts(x).hi < 0
}

impl<const N: usize> LayoutValue<N> {
    /// Returns true if a mode of this stride provably continues the last mode of `self`.
    const fn is_continued_by<const E: usize>(&self, stride: Stride, cx: &mut ExprGraph<E>) -> bool {
        let last = self.len() - 1;
        self.basis[last] == stride.basis.0 && coalesce::continues(self.extent(last), self.scale(last), stride.scale, cx)
    }

    /// Returns the left inverse of the modes along `basis`. Fails as `left_inverse`.
    pub(crate) const fn left_along<const E: usize>(&self, basis: Basis, cx: &mut ExprGraph<E>) -> Result<Self> {
        let flat = ok!(self.merged(self.root(), Omit::Single, cx));
        let moving = ok!(Moving::of(&flat, basis, cx));
        // The last mode takes whole quotients; a mode of extent 1 after it would take them instead.
        let end = self.len();
        let goes_on = end > 0 && (!self.extent(end - 1).is(1) || flat.is_continued_by(self.stride(end - 1), cx));
        let mut out = LayoutValue::empty();
        let order = &moving.order;
        if order.len > 0 && !order.key[0].is(1) {
            ok!(out.push_leaf(1, 1, order.key[0], Stride::integer(SymInt(0)), cx));
        }
        // The reach of the modes of smaller strides.
        let mut reach = SymInt(0);
        each!(i, 0..order.len, {
            let (leaf, step) = (order.leaf[i], order.key[i]);
            let place = moving.place[leaf];
            let extent = flat.extent(leaf);
            let mut contained = goes_on && leaf + 1 == flat.len();
            if i + 1 < order.len {
                refuse_if!(cx, is_negative(flat.scale(leaf), cx), NegativeStride, flat.scale(leaf));
                let next = order.key[i + 1];
                ok!(cx.require_multiple(next, step, Cause::StridesDoNotDivide, (step, next)));
                let ratio = ok!(cx.div(next, step));
                contained = contained || matches!(cx.less(extent, ratio), Truth::No);
                ok!(out.push_leaf(1, 1, ratio, Stride::integer(place), cx));
            } else {
                let place = if is_negative(flat.scale(leaf), cx) { ok!(cx.sub(SymInt(0), place)) } else { place };
                ok!(out.push_leaf(1, 1, extent, Stride::integer(place), cx));
            }
            let below = if contained { SymInt(0) } else { reach };
            let covered = if below.is_known() { ok!(cx.add(below, SymInt(1))) } else { below };
            ok!(cx.require_less(below, step, Cause::NotInjective, (covered, step)));
            if i + 1 < order.len {
                let steps = ok!(cx.sub(extent, SymInt(1)));
                let more = ok!(cx.mul(steps, step));
                reach = ok!(cx.add(reach, more));
            }
        });
        out.merged(out.root(), Omit::Single, cx)
    }

    /// Returns `nullspace(L)`. A stride that is only known at run time must not be 0: that is a promise.
    pub(crate) const fn nullspace<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        if self.has_xor() {
            let l = self.sums();
            return if l.has_xor() { l.xor_nullspace(cx) } else { l.nullspace(cx) };
        }
        let mut out = LayoutValue::empty();
        let mut position = SymInt(1);
        each!(k, 0..self.len(), {
            ok!(cx.require_moving(self.scale(k)));
            if self.scale(k).is(0) && !self.extent(k).is(1) && !position.is(0) {
                ok!(out.push_leaf(1, 1, self.extent(k), Stride::integer(position), cx));
            }
            position = ok!(cx.mul(position, self.extent(k)));
        });
        out.unwrap_single();
        Ok(out)
    }
}
