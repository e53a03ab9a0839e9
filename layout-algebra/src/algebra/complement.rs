//! Complement.
//!
//! `C = complement(L, m)` is ordered (its strides increase) and disjoint from `L`: sums of a value of `L` and a value of `C` are all different.
//! Going through the modes of `L` by stride, `C` fills the gap below each with as many whole copies of what lies below as fit between two of
//! its values; a last mode repeats the whole until its span is at least `m`. A mode that begins behind the span of those before it has values
//! its stride apart. Modes that begin inside it *interleave*: taken together, their values are at least some distance apart, which is not a
//! matter of strides alone and is found by trying differences, up to [`LIMIT`] of them.
//!
//! Where the strides nest, each a multiple of the span before it, `(L, C)` takes every value below that span exactly once. Divides use
//! that exact form: it refuses strides that do not nest, and an `m` that is not a multiple of the span.
//! Where nothing is left to add the complement is `1:span`, which goes on behind `L`; `1:0` if the span is only known at run time.
//! Modes of stride 0 are left out. Of what another mode of no elements covers there are no copies: then the complement is empty too.

use super::coalesce::Omit;
use super::coords::LIMIT;
use super::order::Ordered;
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, Truth, known, mul, push_leaf};

impl<const N: usize> LayoutValue<N> {
    /// `complement(L, m)`.
    pub(crate) const fn complement<const E: usize>(&self, m: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        cx.begin(Op::Complement);
        refuse_if!(cx, cx.facts(m).hi < 0, NegativeExtent, m);
        self.complement_in(m, false, cx)
    }

    /// The complement in the operation under way; with `exact`, strides must nest and their span must divide `m`.
    pub(crate) const fn complement_in<const E: usize>(&self, m: SymInt, exact: bool, cx: &mut ExprGraph<E>) -> Result<Self> {
        if !self.is_integer() {
            refuse_if!(cx, !self.has_xor(), BasisStride);
            let mut trial = *cx;
            return match (self.xor_complement(m, exact, &mut trial), self.sums()) {
                // Integer strides may succeed where bits fail.
                (Err(error), sums) if !sums.has_xor() && !matches!(error.cause, Cause::Singular) => sums.complement_in(m, exact, cx),
                (result, _) => {
                    *cx = trial;
                    result
                }
            };
        }
        self.along(Basis(0), m, exact, cx)
    }

    /// The complement up to `m` of the modes of `self` that move along `basis`.
    pub(crate) const fn along<const E: usize>(&self, basis: Basis, m: SymInt, exact: bool, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (mut out, span) = ok!(self.filled(basis, exact, cx));
        if exact {
            ok!(cx.require_multiple(m, span, Cause::TileSpanDoesNotDivide, (span, m)));
        }
        let rest = if span.0 == 0 {
            SymInt(0)
        } else if exact {
            ok!(cx.div(m, span))
        } else {
            ok!(cx.ceil_div(m, span))
        };
        push_leaf!(out, N, 1, 1, rest.0, span.0, basis.0, cx);
        let mut out = ok!(out.merged(out.root(), Omit::Single, cx));
        if out.len() == 1 && out.extent(0).is(1) && span.is_known() {
            out.set_stride(0, Stride { scale: span, basis });
        }
        Ok(out)
    }

    /// The modes that fill the gaps of `self` along `basis`, and the span of `self` with them.
    pub(crate) const fn filled<const E: usize>(&self, basis: Basis, exact: bool, cx: &mut ExprGraph<E>) -> Result<(Self, SymInt)> {
        let mut gaps = Gaps::NONE;
        ok!(gaps.find(self, basis, exact, cx));
        let mut out = LayoutValue::empty();
        each!(k, 0..gaps.len, {
            let gap = &gaps.gap[k];
            if gap.copies != 1 {
                push_leaf!(out, N, 1, 1, gap.copies, gap.span, basis.0, cx);
            }
        });
        Ok((out, gaps.span))
    }
}

/// The gap below a mode of a layout, or below several that interleave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The least distance between two values of the modes: the stride of one mode.
    pub distance: i64,
    /// The elements covered below the modes; the stride of the gap.
    pub span: i64,
    /// The copies of these that fit in the distance: the extent of the gap, 1 where there is none.
    pub copies: i64,
    /// The modes, by stride.
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// The moving modes of a layout along one basis by stride, and the gaps below them. Words of the algebra.
#[derive(Clone)]
pub(crate) struct Gaps<const N: usize> {
    pub modes: LayoutValue<N>,
    pub len: usize,
    pub gap: [Gap; N],
    /// The elements that the modes cover with their gaps filled.
    pub span: SymInt,
}

impl<const N: usize> Gaps<N> {
    pub(crate) const NONE: Gaps<N> =
        Gaps { modes: LayoutValue::empty(), len: 0, gap: [Gap { distance: 1, span: 1, copies: 1, first: 0, end: 0 }; N], span: SymInt(1) };

    /// Finds the gaps of `l`. Where it fails, the only mode counts down, or the one behind the last gap does not fit.
    pub(crate) const fn find<const E: usize>(
        &mut self,
        l: &LayoutValue<N>,
        basis: Basis,
        exact: bool,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let flat = ok!(l.merged(l.root(), Omit::Unmoving, cx));
        let (mut last, mut in_order, mut empty) = (0, true, false);
        each!(k, 0..flat.tree.len, {
            let (extent, stride) = (flat.shape[k], flat.stride[k]);
            if flat.basis[k] == basis.0 && extent != 1 && stride != 0 {
                if if known!(stride) { stride < 0 } else { cx.facts(SymInt(stride)).hi < 0 } {
                    self.modes = LayoutValue::scalar(SymInt(extent), SymInt(stride));
                    return Err(cx.fail(unless_single(Cause::NegativeStride, SymInt(extent)), SymInt(stride), SymInt(0)));
                }
                if !known!(stride) {
                    ok!(cx.require_positive(SymInt(stride)));
                }
                in_order = in_order && (self.modes.tree.len == 0 || (known!(stride) && known!(last) && last <= stride));
                // A layout without values meets no other.
                empty = empty || extent == 0;
                push_leaf!(self.modes, N, 1, 1, extent, stride, basis.0, cx);
                last = stride;
            }
        });
        if !in_order {
            ok!(self.sort(cx));
        }
        let mut k = 0;
        while k < self.modes.tree.len {
            let (extent, stride, span) = (SymInt(self.modes.shape[k]), SymInt(self.modes.stride[k]), self.span);
            k += 1;
            let inside = !exact && !empty && known!(stride.0) && known!(span.0) && stride.0 < span.0;
            let joined = if inside { self.interleave(k) } else { Truth::No };
            refuse_if!(cx, matches!(joined, Truth::Unknown), Undecided);
            if matches!(joined, Truth::Yes) {
                let gap = &self.gap[self.len - 1];
                let mut end = SymInt(gap.distance);
                each!(i, gap.first..k, {
                    let reach = ok!(cx.mul(SymInt(self.modes.shape[i] - 1), SymInt(self.modes.stride[i])));
                    end = ok!(cx.add(end, reach));
                });
                self.span = end;
                continue;
            }
            if exact || !empty {
                ok!(require_behind(extent, stride, span, exact, cx));
            }
            let copies = if span.0 == 0 { SymInt(0) } else { ok!(cx.div(stride, span)) };
            if !known!(extent.0) && !cx.equal(stride, span).is_yes() {
                // A mode of one element would leave no gap.
                ok!(cx.require_less(SymInt(1), extent, Cause::SingleElement, (extent, SymInt(0))));
            }
            self.gap[self.len] = Gap { distance: stride.0, span: span.0, copies: copies.0, first: k - 1, end: k };
            self.len += 1;
            self.span = mul!(cx, extent, stride);
        }
        Ok(())
    }

    /// Puts the modes in the order of their strides.
    const fn sort<const E: usize>(&mut self, cx: &ExprGraph<E>) -> Result<()> {
        let (given, mut order) = (self.modes, Ordered::<N>::new());
        each!(k, 0..given.tree.len, {
            ok!(order.insert(k, given.scale(k), cx));
        });
        each!(k, 0..order.len, {
            self.modes.shape[k] = given.shape[order.leaf[k]];
            self.modes.stride[k] = order.key[k].0;
        });
        Ok(())
    }

    /// Puts mode `end - 1`, which begins inside the span of those before it, to the modes of the last gap, and these to those of the gap before
    /// while what lies below does not fit between their values. Fails where two values are equal, or there are too many to tell.
    #[cold]
    const fn interleave(&mut self, end: usize) -> Truth {
        let mut at = self.len;
        while at > 0 {
            at -= 1;
            let Gap { first, span, .. } = self.gap[at];
            match self.modes.distance(first, end) {
                Some(0) => return Truth::No,
                Some(distance) if known!(span) => {
                    if span <= distance {
                        let copies = if span > 0 { distance / span } else { 0 };
                        self.gap[at] = Gap { distance, span, copies, first, end };
                        self.len = at + 1;
                        return Truth::Yes;
                    }
                }
                _ => return Truth::Unknown,
            }
        }
        Truth::No
    }
}

impl<const N: usize> LayoutValue<N> {
    /// The least distance between two values of the modes `first..end`; 0 where two coordinates have one value, or there are more than [`LIMIT`]
    /// differences of coordinates. `None` where numbers are open.
    const fn distance(&self, first: usize, end: usize) -> Option<i64> {
        // The longest mode is not gone through: its steps that come nearest are computed.
        let mut longest = first;
        let mut count = 1i64;
        each!(k, first..end, {
            if !known!(self.shape[k]) || !known!(self.stride[k]) {
                return None;
            }
            let other = if self.shape[k] > self.shape[longest] { longest } else { k };
            longest = if self.shape[k] > self.shape[longest] { k } else { longest };
            if k > first {
                count = count.saturating_mul(self.shape[other].saturating_mul(2) - 1);
            }
        });
        if count > LIMIT {
            return Some(0);
        }
        let (most, stride) = ((self.shape[longest] - 1) as i128, self.stride[longest] as i128);
        let mut least = stride;
        // The other half has the same distances.
        each!(difference, 0..count / 2, {
            let mut rest = difference;
            let mut apart = 0i128;
            each!(k, first..end, {
                if k != longest {
                    let width = 2 * self.shape[k] - 1;
                    apart += (rest % width - self.shape[k] + 1) as i128 * self.stride[k] as i128;
                    rest /= width;
                }
            });
            let mut steps = -apart / stride - 1;
            let last = steps + 2;
            while steps <= last {
                let inside = if steps < -most {
                    -most
                } else if steps > most {
                    most
                } else {
                    steps
                };
                let here = apart + inside * stride;
                let here = if here < 0 { -here } else { here };
                least = if here < least { here } else { least };
                steps += 1;
            }
        });
        Some(least as i64)
    }
}

/// The cause of a refusal of a mode, which does not hold for one of a single element.
const fn unless_single(cause: Cause, extent: SymInt) -> Cause {
    if extent.is_known() { cause } else { Cause::Undecided }
}

/// Requires a stride not to fall inside the `span` before it; with `exact`, to be a multiple of it.
const fn require_behind<const E: usize>(extent: SymInt, stride: SymInt, span: SymInt, exact: bool, cx: &mut ExprGraph<E>) -> Result<()> {
    if known!(stride.0) && known!(span.0) && stride.0 >= span.0 && (!exact || (span.0 != 0 && stride.0 % span.0 == 0)) {
        return Ok(());
    }
    if cx.less(stride, span).is_yes() {
        return Err(cx.fail(unless_single(Cause::NotInjective, extent), span, stride));
    }
    if exact {
        // A positive multiple of the span is behind it.
        return cx.require_multiple(stride, span, Cause::StrideDoesNotNest, (span, stride));
    }
    let last = ok!(cx.sub(span, SymInt(1)));
    cx.require_less(last, stride, Cause::NotInjective, (span, stride))
}
