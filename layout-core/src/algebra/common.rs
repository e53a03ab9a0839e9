//! What two layouts have in common, and how a layout can be cut evenly.

use super::coalesce::coalesced;
use super::compose::compose;
use super::inverse::right_in;
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Ints, Lay, Num, Scope, Stride, gcd};

/// The largest layout `V` with `A(V(i)) = B(V(i)) = i` for `i < size(V)`: the domain elements that are contiguous in both.
pub const fn max_common_layout<const N: usize, const E: usize>(a: &Lay<N>, b: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::MaxCommonLayout);
    common(a, b, cx)
}

/// `size(max_common_layout(A, B))`: how many elements one copy instruction may move.
pub const fn max_common_vector<const N: usize, const E: usize>(a: &Lay<N>, b: &Lay<N>, cx: &mut Scope<E>) -> Result<Num> {
    cx.begin(Op::MaxCommonVector);
    let common = ok!(common(a, b, cx));
    common.size_of(common.root(), cx)
}

const fn common<const N: usize, const E: usize>(a: &Lay<N>, b: &Lay<N>, cx: &mut Scope<E>) -> Result<Lay<N>> {
    let inverse = ok!(right_in(b, cx));
    // Where the whole does not compose, the leading modes of the inverse still may.
    let mut n = inverse.len();
    while n > 0 {
        let mut head = inverse;
        head.tree.len = n;
        let head = ok!(coalesced(&head, head.root(), false, cx));
        if let Ok(shared) = compose(a, a.root(), &head, cx) {
            let shared = ok!(coalesced(&shared, shared.root(), false, cx));
            if shared.scale(0).is(1) {
                let prefix = Lay::scalar(shared.extent(0), Num::ONE);
                let prefix = ok!(compose(&head, head.root(), &prefix, cx));
                return coalesced(&prefix, prefix.root(), false, cx);
            }
        }
        n -= 1;
    }
    Ok(Lay::scalar(Num::ONE, Num::ZERO))
}

/// The largest `n` that divides the extent of the contiguous mode and every other stride, so that `L` moves in aligned groups of `n`;
/// 1 where no mode is contiguous.
pub const fn max_alignment<const N: usize, const E: usize>(l: &Lay<N>, cx: &mut Scope<E>) -> Result<Num> {
    cx.begin(Op::MaxAlignment);
    let flat = ok!(coalesced(l, l.root(), false, cx));
    let mut found = false;
    let mut best = 0;
    let mut k = 0;
    while k < flat.len() {
        let contiguous = !found && flat.scale(k).is(1);
        found = found || contiguous;
        let factor = if contiguous { cx.facts(flat.extent(k)).div } else { cx.facts(flat.scale(k)).div };
        if factor != i64::MAX {
            best = gcd(factor, best);
        }
        k += 1;
    }
    Ok(if found && best > 0 { Num::raw(best) } else { Num::ONE })
}

/// A layout over `[0, size(S))` of at most `n` elements that cuts the leaves of `S` evenly, left to right: leaf by leaf it takes
/// `gcd(extent, what is left of n)`.
pub const fn domain_distribute<const N: usize, const E: usize>(shape: &Ints<N>, n: Num, cx: &mut Scope<E>) -> Result<Lay<N>> {
    cx.begin(Op::DomainDistribute);
    let mut left = match n.value() {
        Some(n) if n > 0 => n,
        Some(_) => return Err(cx.fail(Cause::NotPositive, n, Num::ZERO)),
        None => return Err(cx.fail(Cause::Undecided, Num::ZERO, Num::ZERO)),
    };
    let mut out = Lay::EMPTY;
    let mut span = Num::ONE;
    let mut k = 0;
    while k < shape.len() {
        let take = gcd(left, cx.facts(shape.leaf(k)).div);
        ok!(out.push_leaf(1, 1, Num::raw(take), Stride::integer(span), cx));
        left /= take;
        span = ok!(cx.mul(span, shape.leaf(k)));
        k += 1;
    }
    coalesced(&out, out.root(), false, cx)
}
