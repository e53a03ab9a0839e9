//! Complement.
//!
//! `C = complement(L, m)` is ordered (strides increase), its indices and those of `L` add up without overlap, and `(L, C)` covers `[0, m)`.
//! It exists when the modes of `L`, sorted by stride, nest: each stride is a multiple of all that the modes before it span.
//! `m` is rounded up to a multiple of that span; divides use the exact form, which refuses instead.

use super::coalesce::coalesced;
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Lay, Num, Scope, Stride, Truth};

/// `complement(L, m)`.
pub const fn complement<const N: usize, const E: usize>(l: &Lay<N>, m: Num, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Complement);
    complement_in(l, m, false, cx)
}

/// The complement in the operation under way; with `exact`, the span of `l` must divide `m`.
pub(crate) const fn complement_in<const N: usize, const E: usize>(
    l: &Lay<N>,
    m: Num,
    exact: bool,
    cx: &mut Scope<E>,
) -> Result<Lay<N>> {
    let sorted = ok!(nested(l, cx));
    let mut out = Lay::EMPTY;
    let mut span = Num::ONE;
    let mut k = 0;
    while k < sorted.len() {
        let gap = ok!(cx.div(sorted.scale(k), span));
        ok!(out.push_leaf(1, 1, gap, Stride::integer(span), cx));
        span = ok!(cx.mul(sorted.extent(k), sorted.scale(k)));
        k += 1;
    }
    let rest = if exact {
        ok!(cx.require_multiple(m, span, Cause::TileSpanDoesNotDivide, (span, m)));
        ok!(cx.div(m, span))
    } else {
        ok!(cx.ceil_div(m, span))
    };
    ok!(out.push_leaf(1, 1, rest, Stride::integer(span), cx));
    coalesced(&out, out.root(), false, cx)
}

/// The modes of `l` that move, sorted by stride, each stride a multiple of the span of those before it.
pub(crate) const fn nested<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    let mut sorted = ok!(coalesced(l, l.root(), true, cx));
    if sorted.len() == 1 && sorted.extent(0).is(1) {
        return Ok(Lay::EMPTY);
    }
    ok!(sort_by_stride(&mut sorted, cx));
    let mut span = Num::ONE;
    let mut k = 0;
    while k < sorted.len() {
        let (extent, stride) = (sorted.extent(k), sorted.scale(k));
        if extent.is(0) {
            return Err(cx.fail(Cause::ZeroExtent, Num::ZERO, Num::ZERO));
        }
        if cx.facts(stride).hi < 0 {
            return Err(cx.fail(Cause::NegativeStride, stride, Num::ZERO));
        }
        let cause = if cx.less(stride, span).is_yes() { Cause::NotInjective } else { Cause::StrideDoesNotNest };
        if matches!(cause, Cause::NotInjective) {
            return Err(cx.fail(cause, span, stride));
        }
        ok!(cx.require_multiple(stride, span, cause, (span, stride)));
        span = ok!(cx.mul(extent, stride));
        k += 1;
    }
    Ok(sorted)
}

/// Sorts flat leaves by stride, each with its extent; equal strides by extent.
pub(crate) const fn sort_by_stride<const N: usize, const E: usize>(l: &mut Lay<N>, cx: &mut Scope<E>) -> Result<()> {
    let mut i = 1;
    while i < l.len() {
        let mut k = i;
        while k > 0 {
            let before = match cx.less(l.scale(k), l.scale(k - 1)) {
                Truth::No if cx.equal(l.scale(k), l.scale(k - 1)).is_yes() => cx.less(l.extent(k), l.extent(k - 1)),
                truth => truth,
            };
            match before {
                Truth::Yes => {
                    (l.shape[k], l.shape[k - 1]) = (l.shape[k - 1], l.shape[k]);
                    (l.stride[k], l.stride[k - 1]) = (l.stride[k - 1], l.stride[k]);
                    (l.basis[k], l.basis[k - 1]) = (l.basis[k - 1], l.basis[k]);
                }
                Truth::No => break,
                Truth::Unknown => return Err(cx.fail(Cause::Undecided, Num::ZERO, Num::ZERO)),
            }
            k -= 1;
        }
        i += 1;
    }
    Ok(())
}
