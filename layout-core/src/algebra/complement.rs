//! Complement.
//!
//! `C = complement(L, m)` is ordered (its strides increase) and disjoint from `L`: sums of a value of `L` and a value of `C` are all different.
//! Going through the modes of `L` by stride, `C` fills the gap below each stride with as many whole copies of what lies below as fit
//! (a gap is rounded down); a last mode repeats the whole until its span, extent times stride of the last mode, is at least `m`.
//! Where the strides nest, each a multiple of the span before it, `(L, C)` takes every value below that span exactly once. Divides use
//! that exact form: it refuses strides that do not nest, and an `m` that is not a multiple of the span.
//! Where nothing is left to add the complement is `1:span`, which goes on behind `L`; `1:0` if the span is only known at run time.

use super::coalesce::{Omit, merged};
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, Truth, known, mul, push_leaf};

/// `complement(L, m)`.
pub const fn complement<const N: usize, const E: usize>(l: &LayoutValue<N>, m: SymInt, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::Complement);
    if cx.facts(m).hi < 0 {
        return Err(cx.fail(Cause::NegativeExtent, m, SymInt(0)));
    }
    complement_in(l, m, false, cx)
}

/// The complement in the operation under way; with `exact`, strides must nest and their span must divide `m`.
pub(crate) const fn complement_in<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    m: SymInt,
    exact: bool,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    if !l.is_integer() {
        return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0)));
    }
    along(l, Basis(0), m, exact, cx)
}

/// The complement up to `m` of the modes of `l` that move along `basis`.
pub(crate) const fn along<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    basis: Basis,
    m: SymInt,
    exact: bool,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let (mut out, span) = ok!(gaps(l, basis, exact, cx));
    let rest = if exact {
        ok!(cx.require_multiple(m, span, Cause::TileSpanDoesNotDivide, (span, m)));
        ok!(cx.div(m, span))
    } else {
        ok!(cx.ceil_div(m, span))
    };
    push_leaf!(out, N, 1, 1, rest.0, span.0, basis.0, cx);
    let mut out = ok!(merged(&out, out.root(), Omit::Single, cx));
    if out.len() == 1 && out.extent(0).is(1) && span.is_known() {
        out.set_stride(0, Stride { scale: span, basis });
    }
    Ok(out)
}

/// The modes that fill the gaps of `l` along `basis`, and the span of `l` with them.
pub(crate) const fn gaps<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    basis: Basis,
    exact: bool,
    cx: &mut ExprGraph<E>,
) -> Result<(LayoutValue<N>, SymInt)> {
    let flat = ok!(merged(l, l.root(), Omit::Unmoving, cx));
    let mut sorted = LayoutValue::<N>::empty();
    let mut k = 0;
    while k < flat.tree.len {
        let (extent, stride) = (flat.shape[k], flat.stride[k]);
        if flat.basis[k] == basis.0 && extent != 1 {
            if extent == 0 {
                return Err(cx.fail(Cause::ZeroExtent, SymInt(0), SymInt(0)));
            }
            if if known!(stride) { stride < 0 } else { cx.facts(SymInt(stride)).hi < 0 } {
                return Err(cx.fail(unless_single(Cause::NegativeStride, SymInt(extent)), SymInt(stride), SymInt(0)));
            }
            if !known!(stride) {
                ok!(cx.require_positive(SymInt(stride)));
            }
            push_leaf!(sorted, N, 1, 1, extent, stride, basis.0, cx);
        }
        k += 1;
    }
    if sorted.tree.len > 1 {
        ok!(sort_by_stride(&mut sorted, cx));
    }
    let mut out = LayoutValue::empty();
    let mut span = SymInt(1);
    k = 0;
    while k < sorted.tree.len {
        let (extent, stride) = (SymInt(sorted.shape[k]), SymInt(sorted.stride[k]));
        ok!(require_behind(extent, stride, span, exact, cx));
        let gap = ok!(cx.div(stride, span));
        if !known!(extent.0) && !cx.equal(stride, span).is_yes() {
            // A mode of one element would leave no gap.
            ok!(cx.require_less(SymInt(1), extent, Cause::SingleElement, (extent, SymInt(0))));
        }
        if gap.0 != 1 {
            push_leaf!(out, N, 1, 1, gap.0, span.0, basis.0, cx);
        }
        span = mul!(cx, extent, stride);
        k += 1;
    }
    Ok((out, span))
}

/// The cause of a refusal of a mode, which does not hold for one of a single element.
const fn unless_single(cause: Cause, extent: SymInt) -> Cause {
    if extent.is_known() { cause } else { Cause::Undecided }
}

/// Requires a stride not to fall inside the `span` before it; with `exact`, to be a multiple of it.
const fn require_behind<const E: usize>(extent: SymInt, stride: SymInt, span: SymInt, exact: bool, cx: &mut ExprGraph<E>) -> Result<()> {
    if known!(stride.0) && known!(span.0) && stride.0 >= span.0 && (!exact || stride.0 % span.0 == 0) {
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

/// Sorts flat leaves by stride, each with its extent; equal strides by extent.
pub(crate) const fn sort_by_stride<const N: usize, const E: usize>(l: &mut LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<()> {
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
                Truth::Unknown => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
            }
            k -= 1;
        }
        i += 1;
    }
    Ok(())
}
