//! Casting the element type: layouts of elements seen as layouts of larger or smaller ones.
//!
//! `upcast(L, n)` indexes groups of `n` elements: a stride `d` with `n | d` becomes `d / n`; one with `d | n` walks inside a group, so
//! `n / d` of its steps become one. `downcast(L, n)` indexes the `n` parts of each element. `recast(L, old, new)` takes bits.

use crate::error::{Cause, Op, Result, ok};
use crate::value::{Lay, Num, Scope, gcd};

/// `upcast(L, n)`.
pub const fn upcast<const N: usize, const E: usize>(l: &Lay<N>, n: Num, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Upcast);
    up(l, n, cx)
}

/// `downcast(L, n)`.
pub const fn downcast<const N: usize, const E: usize>(l: &Lay<N>, n: Num, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Downcast);
    down(l, n, cx)
}

/// `recast_layout(L, old, new)` for element types of `old` and `new` bits.
pub const fn recast<const N: usize, const E: usize>(l: &Lay<N>, old: i64, new: i64, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Recast);
    if old <= 0 || new <= 0 {
        return Err(cx.fail(Cause::NotPositive, Num::raw(if old <= 0 { old } else { new }), Num::ZERO));
    }
    let common = gcd(old, new);
    let finer = ok!(down(l, Num::raw(old / common), cx));
    up(&finer, Num::raw(new / common), cx)
}

const fn up<const N: usize, const E: usize>(l: &Lay<N>, n: Num, cx: &mut Scope<E>) -> Result<Lay<N>> {
    ok!(positive(l, n, cx));
    let mut out = *l;
    let mut k = 0;
    while k < l.len() {
        let (extent, stride) = (l.extent(k), l.scale(k));
        if cx.divides(n, stride).is_yes() {
            out.stride[k] = ok!(signed_div(stride, n, cx)).word();
        } else {
            let step = ok!(cx.abs(stride));
            ok!(cx.require_multiple(n, step, Cause::CastStride, (n, stride)));
            let group = ok!(cx.div(n, step));
            if !cx.divides(extent, group).is_yes() {
                ok!(cx.require_multiple(extent, group, Cause::CastExtent, (extent, group)));
            }
            out.shape[k] = ok!(cx.ceil_div(extent, group)).word();
            out.stride[k] = if out.extent(k).is(1) {
                0
            } else if cx.facts(stride).hi < 0 {
                -1
            } else {
                1
            };
        }
        k += 1;
    }
    Ok(out)
}

const fn down<const N: usize, const E: usize>(l: &Lay<N>, n: Num, cx: &mut Scope<E>) -> Result<Lay<N>> {
    ok!(positive(l, n, cx));
    if n.is(1) {
        return Ok(*l);
    }
    let mut out = *l;
    let mut unit = false;
    let mut k = 0;
    while k < l.len() {
        let stride = l.scale(k);
        if stride.is(1) || stride.is(-1) {
            out.shape[k] = ok!(cx.mul(l.extent(k), n)).word();
            unit = true;
        } else {
            out.stride[k] = ok!(cx.mul(stride, n)).word();
        }
        k += 1;
    }
    if unit { Ok(out) } else { Err(cx.fail(Cause::NoUnitStride, n, Num::ZERO)) }
}

const fn positive<const N: usize, const E: usize>(l: &Lay<N>, n: Num, cx: &Scope<E>) -> Result<()> {
    if !l.is_integer() {
        return Err(cx.fail(Cause::BasisStride, Num::ZERO, Num::ZERO));
    }
    if cx.facts(n).lo < 1 {
        return Err(cx.fail(Cause::NotPositive, n, Num::ZERO));
    }
    Ok(())
}

/// `a / n` where `n` divides `a`, whatever the sign of `a`.
const fn signed_div<const E: usize>(a: Num, n: Num, cx: &mut Scope<E>) -> Result<Num> {
    match (a.value(), n.value()) {
        (Some(a), Some(n)) => Ok(Num::raw(a / n)),
        _ => cx.div(a, n),
    }
}
