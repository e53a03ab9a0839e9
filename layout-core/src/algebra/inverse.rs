//! Inverses and the null space.
//!
//! `R = right_inverse(L)` has `L(R(i)) = i` for `i < size(R)`, as far as the strides of `L` chain from 1.
//! `Q = left_inverse(L)` has `Q(L(c)) = c` where `L` is injective, and `L(Q(L(c))) = L(c)` where it has modes of stride 0.
//! `K = nullspace(L)` has `L(K(i)) = 0` and as many elements as the modes of stride 0 have.

use super::coalesce::{coalesced, unwrap_single};
use super::complement::sort_by_stride;
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Lay, Num, Scope, Stride};

/// `right_inverse(L)`.
pub const fn right_inverse<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::RightInverse);
    right_in(l, cx)
}

pub(crate) const fn right_in<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    let flat = ok!(coalesced(l, l.root(), false, cx));
    if !flat.is_integer() {
        return Err(cx.fail(Cause::BasisStride, Num::ZERO, Num::ZERO));
    }
    let mut out = Lay::EMPTY;
    let mut span = Num::ONE;
    loop {
        let mut domain = Num::ONE;
        let mut found = false;
        let mut k = 0;
        while k < flat.len() {
            let extent = flat.extent(k);
            if !found && cx.equal(flat.scale(k), span).is_yes() && !extent.is(1) && !extent.is(0) {
                ok!(out.push_leaf(1, 1, extent, Stride::integer(domain), cx));
                span = ok!(cx.mul(span, extent));
                found = true;
            }
            domain = ok!(cx.mul(domain, extent));
            k += 1;
        }
        if !found {
            break;
        }
    }
    coalesced(&out, out.root(), false, cx)
}

/// `left_inverse(L)`.
pub const fn left_inverse<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::LeftInverse);
    let flat = ok!(coalesced(l, l.root(), false, cx));
    if !flat.is_integer() {
        return Err(cx.fail(Cause::BasisStride, Num::ZERO, Num::ZERO));
    }
    // The moving modes twice, beside their strides: their extents, and their positions in the domain.
    let mut moving = Lay::<N>::EMPTY;
    let mut domain = Lay::<N>::EMPTY;
    let mut position = Num::ONE;
    let mut k = 0;
    while k < flat.len() {
        let extent = flat.extent(k);
        if !flat.scale(k).is(0) && !extent.is(1) {
            if cx.facts(flat.scale(k)).hi < 0 {
                return Err(cx.fail(Cause::NegativeStride, flat.scale(k), Num::ZERO));
            }
            ok!(moving.push_leaf(1, 1, extent, flat.stride(k), cx));
            ok!(domain.push_leaf(1, 1, position, flat.stride(k), cx));
        }
        position = ok!(cx.mul(position, extent));
        k += 1;
    }
    ok!(sort_by_stride(&mut moving, cx));
    ok!(sort_by_stride(&mut domain, cx));
    let mut out = Lay::EMPTY;
    let mut span = Num::ONE;
    k = 0;
    while k < moving.len() {
        let (extent, stride) = (moving.extent(k), moving.scale(k));
        let cause = if cx.less(stride, span).is_yes() { Cause::NotInjective } else { Cause::StrideDoesNotNest };
        if matches!(cause, Cause::NotInjective) {
            return Err(cx.fail(cause, span, stride));
        }
        ok!(cx.require_multiple(stride, span, cause, (span, stride)));
        let gap = ok!(cx.div(stride, span));
        ok!(out.push_leaf(1, 1, gap, Stride::ZERO, cx));
        ok!(out.push_leaf(1, 1, extent, Stride::integer(domain.extent(k)), cx));
        span = ok!(cx.mul(extent, stride));
        k += 1;
    }
    coalesced(&out, out.root(), false, cx)
}

/// `nullspace(L)`.
pub const fn nullspace<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::Nullspace);
    let mut out = Lay::EMPTY;
    let mut position = Num::ONE;
    let mut k = 0;
    while k < l.len() {
        if l.scale(k).is(0) && !l.extent(k).is(1) {
            ok!(out.push_leaf(1, 1, l.extent(k), Stride::integer(position), cx));
        }
        position = ok!(cx.mul(position, l.extent(k)));
        k += 1;
    }
    unwrap_single(&mut out);
    Ok(out)
}
