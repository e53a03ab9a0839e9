//! The comparison of two layouts mode by mode, with run-time leaves.
//!
//! Both layouts are coalesced: no mode continues the one before it. If they agree below `p`, the product of the modes that are compared,
//! coordinate `p` takes the next mode of each layout one step. So two different strides give different values at `p`, and `p` is the
//! least such coordinate. Of two modes `n : d` and `m : d` with `n < m`, the first layout takes its next mode one step at `p n`, where
//! the second has `n d`. Both differ, because equal ones would have been merged.

use crate::error::{Result, ok};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, Truth};

/// The result of the comparison of two layouts.
pub(super) enum Comparison {
    /// Size and indices are the same.
    Same,
    /// The layouts agree below `at`. There they have these values, `None` outside the domain.
    Differ { at: SymInt, left: Option<Stride>, right: Option<Stride> },
    /// The layouts agree below `at`. Facts do not decide whether `left` and `right`, on which the rest depends, are equal.
    Open { at: SymInt, left: SymInt, right: SymInt },
    /// The modes have XOR strides in one layout, and other strides in the other one, or continue each other in another way.
    Mixed,
}

/// The mode of a coalesced layout that is compared next, without the part that has been compared.
struct Cursor<'a, const N: usize> {
    layout: &'a LayoutValue<N>,
    mode: usize,
    extent: SymInt,
    stride: Stride,
}

impl<'a, const N: usize> Cursor<'a, N> {
    const fn new(layout: &'a LayoutValue<N>) -> Self {
        let mut out = Cursor { layout, mode: 0, extent: SymInt(1), stride: Stride::integer(SymInt(0)) };
        out.load();
        out
    }

    const fn ended(&self) -> bool {
        self.mode >= self.layout.len()
    }

    /// Loads the mode `self.mode`, or the next one whose extent is not 1.
    const fn load(&mut self) {
        while !self.ended() && self.layout.extent(self.mode).is(1) {
            self.mode += 1;
        }
        if !self.ended() {
            self.extent = self.layout.extent(self.mode);
            self.stride = self.layout.stride(self.mode);
            if self.stride.scale.is(0) {
                self.stride.basis = Basis::INTEGER;
            }
        }
    }

    const fn advance(&mut self) {
        self.mode += 1;
        self.load();
    }

    /// Skips the first `steps` steps of the mode, whose extent they divide.
    const fn skip<const E: usize>(&mut self, steps: SymInt, cx: &mut ExprGraph<E>) -> Result<()> {
        self.extent = ok!(cx.div(self.extent, steps));
        self.stride.scale = ok!(cx.mul(self.stride.scale, steps));
        Ok(())
    }

    /// Returns the value of the mode's next step, or `None` at the end.
    const fn value(&self) -> Option<Stride> {
        if self.ended() { None } else { Some(self.stride) }
    }

    /// Tests whether the mode can be cut after `steps` steps. Without carries, only a multiplication by a power of two is a shift.
    const fn can_cut(&self, steps: SymInt) -> bool {
        !self.stride.basis.is_xor() || (steps.is_known() && steps.0 > 0 && steps.0.count_ones() == 1)
    }
}

/// Returns true if `a` is a known number, and no multiple of the number that divides `b`.
const fn is_no_multiple<const E: usize>(a: SymInt, b: SymInt, cx: &ExprGraph<E>) -> bool {
    let div = cx.facts(b).div;
    a.is_known() && div > 0 && a.0 % div != 0
}

/// Returns whether two strides take the same step.
const fn same_step<const E: usize>(a: Stride, b: Stride, cx: &ExprGraph<E>) -> Truth {
    if a.basis.0 == b.basis.0 {
        return if is_no_multiple(a.scale, b.scale, cx) || is_no_multiple(b.scale, a.scale, cx) {
            Truth::No
        } else {
            cx.equal(a.scale, b.scale)
        };
    }
    match (cx.equal(a.scale, SymInt(0)), cx.equal(b.scale, SymInt(0))) {
        (Truth::Yes, Truth::Yes) => Truth::Yes,
        (Truth::No, _) | (_, Truth::No) => Truth::No,
        _ => Truth::Unknown,
    }
}

/// Compares two coalesced layouts. `left` and `right` are values of the same kind: integers, or coordinates along bases.
pub(super) const fn compare<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    r: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<Comparison> {
    match (l.extent_is_zero(), r.extent_is_zero()) {
        (true, true) => return Ok(Comparison::Same),
        (true, false) => return Ok(begins(r, false, cx)),
        (false, true) => return Ok(begins(l, true, cx)),
        _ => {}
    }
    let (mut a, mut b, mut at) = (Cursor::new(l), Cursor::new(r), SymInt(1));
    loop {
        if a.ended() && b.ended() {
            return Ok(Comparison::Same);
        }
        if a.ended() || b.ended() {
            return Ok(differ(at, &a, &b, cx));
        }
        if a.stride.basis.is_xor() != b.stride.basis.is_xor() && !cx.equal(a.stride.scale, b.stride.scale).is_no() {
            return Ok(Comparison::Mixed);
        }
        match same_step(a.stride, b.stride, cx) {
            Truth::Yes => {}
            Truth::No => return Ok(differ(at, &a, &b, cx)),
            Truth::Unknown => return Ok(Comparison::Open { at, left: a.stride.scale, right: b.stride.scale }),
        }
        let (n, m) = (a.extent, b.extent);
        if cx.equal(n, m).is_yes() {
            at = ok!(cx.mul(at, n));
            a.advance();
            b.advance();
        } else if cx.divides(n, m).is_yes() && b.can_cut(n) {
            at = ok!(cx.mul(at, n));
            ok!(b.skip(n, cx));
            a.advance();
        } else if cx.divides(m, n).is_yes() && a.can_cut(m) {
            at = ok!(cx.mul(at, m));
            ok!(a.skip(m, cx));
            b.advance();
        } else if a.stride.basis.is_xor() {
            return Ok(Comparison::Mixed);
        } else if cx.less(n, m).is_yes() {
            at = ok!(cx.mul(at, n));
            b.stride.scale = ok!(cx.mul(b.stride.scale, n));
            a.advance();
            return ends(at, &a, &b, cx);
        } else if cx.less(m, n).is_yes() {
            at = ok!(cx.mul(at, m));
            a.stride.scale = ok!(cx.mul(a.stride.scale, m));
            b.advance();
            return ends(at, &a, &b, cx);
        } else {
            return Ok(Comparison::Open { at, left: n, right: m });
        }
    }
}

/// Compares `l` with a layout that is empty: it differs at coordinate 0, unless it may be empty too.
const fn begins<const N: usize, const E: usize>(l: &LayoutValue<N>, is_left: bool, cx: &ExprGraph<E>) -> Comparison {
    if let Some(extent) = possibly_empty(l, cx) {
        return Comparison::Open { at: SymInt(0), left: extent, right: SymInt(0) };
    }
    let mut start = Stride::integer(SymInt(0));
    if !l.is_empty() {
        start.basis = l.stride(0).basis;
    }
    let (left, right) = if is_left { (Some(start), None) } else { (None, Some(start)) };
    Comparison::Differ { at: SymInt(0), left, right }
}

/// Compares the values at `at`, where one mode ends and the other one has more steps, which do not divide.
const fn ends<const N: usize, const E: usize>(at: SymInt, a: &Cursor<N>, b: &Cursor<N>, cx: &ExprGraph<E>) -> Result<Comparison> {
    if let (Some(left), Some(right)) = (a.value(), b.value()) {
        if left.basis.is_xor() != right.basis.is_xor() && !cx.equal(left.scale, right.scale).is_no() {
            return Ok(Comparison::Mixed);
        }
        match same_step(left, right, cx) {
            Truth::No => {}
            Truth::Unknown => return Ok(Comparison::Open { at, left: left.scale, right: right.scale }),
            // The mode that follows continues the one that ended.
            Truth::Yes => return Ok(Comparison::Mixed),
        }
    }
    Ok(differ(at, a, b, cx))
}

/// Returns that the values at `at` differ, if both modes have another step and the layouts are not empty; else the open question.
const fn differ<const N: usize, const E: usize>(at: SymInt, a: &Cursor<N>, b: &Cursor<N>, cx: &ExprGraph<E>) -> Comparison {
    // A known extent that is left is 0, or has a second step.
    if !a.ended() && !a.extent.is_known() && !has_second(a.extent, cx) {
        return Comparison::Open { at, left: a.extent, right: SymInt(1) };
    }
    if !b.ended() && !b.extent.is_known() && !has_second(b.extent, cx) {
        return Comparison::Open { at, left: b.extent, right: SymInt(1) };
    }
    match (possibly_empty(a.layout, cx), possibly_empty(b.layout, cx)) {
        (Some(extent), _) | (_, Some(extent)) => Comparison::Open { at, left: extent, right: SymInt(0) },
        _ => Comparison::Differ { at, left: a.value(), right: b.value() },
    }
}

/// Returns true if the extent is provably more than 1. A positive multiple of 8 is.
const fn has_second<const E: usize>(extent: SymInt, cx: &ExprGraph<E>) -> bool {
    let facts = cx.facts(extent);
    facts.lo > 1 || facts.lo == 1 && facts.div > 1
}

/// Returns an extent that may be 0.
const fn possibly_empty<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &ExprGraph<E>) -> Option<SymInt> {
    each!(k, 0..l.len(), {
        if cx.facts(l.extent(k)).lo < 1 {
            return Some(l.extent(k));
        }
    });
    None
}
