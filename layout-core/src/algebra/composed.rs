//! Composed layouts: `inner o offset o outer`, the function `c -> inner(offset + outer(c))`.
//!
//! Its coordinates are those of `outer`; it stands where no affine layout has these values.

use super::operands::{Composed, Inner};
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::swizzle::Swizzle;
use crate::value::{ExprGraph, SymInt, TupleValue};

/// The most coordinates that [`cosize`] goes through.
const MOST: i64 = 1 << 16;

/// `inner(offset + outer(c))`.
pub const fn evaluate<const N: usize, const E: usize>(l: &Composed<N>, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    let at = ok!(l.outer.evaluate(c, cx));
    let at = ok!(l.offset.elementwise(Op::TupleAdd, &at, cx));
    cx.begin(Op::Crd2Idx);
    match &l.inner {
        Inner::Layout(inner) => inner.evaluate(&at, cx),
        Inner::Swizzle(swizzle) if at.is_scalar() => Ok(TupleValue::scalar(ok!(exchange(*swizzle, at.leaf(0), cx)))),
        Inner::Swizzle(_) => Err(cx.fail(Cause::OutOfRange, SymInt(0), SymInt(0))),
    }
}

/// `swizzle(x)`
const fn exchange<const E: usize>(swizzle: Swizzle, x: SymInt, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    refuse_if!(cx, cx.facts(x).lo < 0, OutOfRange, x);
    if let Some(x) = x.value() {
        return Ok(SymInt::raw(swizzle.apply(x)));
    }
    if swizzle.is_identity() {
        return Ok(x);
    }
    // The field that is read, moved to the place of the one that changes.
    let field = ok!(cx.div(x, SymInt::raw(1 << swizzle.source().trailing_zeros())));
    let field = ok!(cx.rem(field, SymInt::raw(1 << swizzle.source().count_ones())));
    let moved = ok!(cx.mul(field, SymInt::raw(1 << swizzle.target().trailing_zeros())));
    cx.xor(x, moved)
}

/// The number of elements between the least and the greatest index, both included, of a swizzled layout.
///
/// That of `outer` where the swizzle has nothing to exchange; otherwise every coordinate is evaluated, up to 2^16 of them.
pub const fn cosize<const N: usize, const E: usize>(l: &Composed<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    cx.begin(Op::Cosize);
    let (swizzle, offset) = match &l.inner {
        Inner::Swizzle(swizzle) if l.offset.is_scalar() => (*swizzle, l.offset.leaf(0)),
        _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
    };
    let (lo, hi) = ok!(l.outer.extremes(cx));
    let (lo, hi) = (ok!(cx.add(lo, offset)), ok!(cx.add(hi, offset)));
    if let (Some(lo), Some(hi)) = (lo.value(), hi.value())
        && is_identity_on(swizzle, lo, hi)
    {
        return l.outer.cosize(cx);
    }
    let size = match ok!(l.outer.size_of(l.outer.root(), cx)).value() {
        Some(size) if size <= MOST => size,
        Some(size) => {
            return Err(cx.fail(Cause::TooManyCoordinates, SymInt::raw(size), SymInt::raw(MOST)));
        }
        None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
    };
    let (mut lo, mut hi) = (0, -1);
    each!(k, 0..size, {
        let index = ok!(evaluate(l, &TupleValue::scalar(SymInt::raw(k)), cx));
        let index = match if index.is_scalar() { index.leaf(0).value() } else { None } {
            Some(index) => index,
            None => return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0))),
        };
        if k == 0 || index < lo {
            lo = index;
        }
        if k == 0 || index > hi {
            hi = index;
        }
    });
    cx.begin(Op::Cosize);
    let span = ok!(cx.sub(SymInt::raw(hi), SymInt::raw(lo)));
    cx.add(span, SymInt(1))
}

/// Tests that no index from `lo` to `hi` has a bit that `swizzle` reads.
const fn is_identity_on(swizzle: Swizzle, lo: i64, hi: i64) -> bool {
    let source = swizzle.source();
    // Indices that agree from the lowest of these bits on agree in all of them.
    lo >= 0 && lo & source == 0 && (source == 0 || lo >> source.trailing_zeros() == hi >> source.trailing_zeros())
}
