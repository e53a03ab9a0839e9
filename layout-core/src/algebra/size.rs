//! Size, cosize and coshape.
//!
//! `size(L)` is the number of coordinates. `cosize(L) = max L - min L + 1` over them, 0 when there is none:
//! `1 + sum (s_k - 1) |d_k|`, exact for negative strides and stride 0.

use super::coords;
use crate::error::{Cause, LayoutError, Op, Result, ok};
use crate::value::{ExprGraph, LayoutValue, SymInt, TupleValue, known};

/// The number of coordinates of `l`.
pub const fn size<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    cx.begin(Op::Size);
    l.size_of(l.root(), cx)
}

/// The number of elements between the least and the greatest index, both included.
pub const fn cosize<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    if !l.is_integer() {
        let extents = ok!(coshape(l, cx));
        return extents.product(extents.root(), cx);
    }
    cx.begin(Op::Cosize);
    span(l, cx)
}

const fn span<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    let (lo, hi) = ok!(extremes(l, cx));
    let span = ok!(cx.sub(hi, lo));
    cx.add(span, SymInt(1))
}

/// The extents of the indices, coordinate by coordinate, of which `cosize(L)` is the product.
///
/// Of integer strides this is the cosize. Along a coordinate it is `1 + sum (s_k - 1) |d_k|` over the modes that move along it.
pub const fn coshape<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    cx.begin(Op::Coshape);
    if l.is_integer() {
        return Ok(TupleValue::scalar(ok!(span(l, cx))));
    }
    // The last coordinate is the largest where no stride is negative.
    let mut upward = *l;
    let mut last = [0; N];
    each!(k, 0..l.len(), {
        upward.stride[k] = ok!(cx.abs(l.scale(k))).word();
        last[k] = ok!(cx.sub(l.extent(k), SymInt(1))).word();
    });
    let mut out = ok!(coords::along_bases(&upward, &last, cx));
    each!(k, 0..out.len(), {
        out.leaf[k] = if l.extent_is_zero() { 0 } else { ok!(cx.add(out.leaf(k), SymInt(1))).word() };
    });
    Ok(out)
}

/// The least and the greatest index; `(0, -1)` for an empty layout.
pub(crate) const fn extremes<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<(SymInt, SymInt)> {
    let (mut lo, mut hi) = (SymInt(0), SymInt(0));
    if l.extent_is_zero() {
        return Ok((SymInt(0), SymInt(-1)));
    }
    each!(k, 0..l.len(), {
        if !l.basis(k).is_integer() {
            return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0)));
        }
        let steps = ok!(cx.sub(l.extent(k), SymInt(1)));
        let reach = ok!(cx.mul(steps, l.scale(k)));
        let up = ok!(cx.max(reach, SymInt(0)));
        let down = ok!(cx.min(reach, SymInt(0)));
        hi = ok!(cx.add(hi, up));
        lo = ok!(cx.add(lo, down));
    });
    Ok((lo, hi))
}

/// Checks that the size and every index of `l` fit, as every layout made at run time must.
pub const fn check<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<()> {
    each!(k, 0..l.len(), {
        if l.extent(k).is_keep() || l.scale(k).is_keep() {
            return Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0)));
        }
        if cx.facts(l.extent(k)).hi < 0 {
            return Err(cx.fail(Cause::NegativeExtent, l.extent(k), SymInt(0)));
        }
    });
    if !l.is_known() {
        // An extent that is not known yet may be 0; the layout is checked when it is.
        return Ok(());
    }
    ok!(l.size_of(l.root(), cx));
    if l.is_integer() {
        ok!(span(l, cx));
    }
    Ok(())
}

/// The larger of size and cosize where every number is known, else 0; beyond `i64::MAX` only known to be more.
pub(crate) const fn reach<const N: usize>(l: &LayoutValue<N>) -> i128 {
    let (mut size, mut cosize) = (1i128, 1i128);
    let mut beyond = false;
    each!(k, 0..l.tree.len, {
        let (extent, stride) = (l.shape[k], l.stride[k]);
        if !known!(extent) || !known!(stride) || extent == 0 {
            return 0;
        }
        if !beyond {
            let span = if l.basis[k] == 0 { (extent as i128 - 1) * stride as i128 } else { 0 };
            cosize += if span < 0 { -span } else { span };
            size *= extent as i128;
            beyond = size > i64::MAX as i128 || cosize > i64::MAX as i128;
        }
    });
    if size > cosize { size } else { cosize }
}

/// A result whose size and indices fit 64 bits, as those of every layout must.
pub(crate) const fn fitting<const N: usize>(result: Result<LayoutValue<N>>, op: Op) -> Result<LayoutValue<N>> {
    match result {
        Ok(l) if reach(&l) > i64::MAX as i128 => Err(LayoutError::plain(op, Cause::TooLong, 0, 0)),
        result => result,
    }
}
