//! Elements that two layouts have in common, and even cuts of a layout.

use super::coalesce::{Omit, merged};
use super::compose::compose;
use super::inverse::right_in;
use super::size::extremes;
use crate::error::{Cause, Op, Result, ok};
use crate::value::{ExprGraph, LayoutValue, Stride, SymInt, TupleValue, gcd};

/// The elements of both domains that are contiguous in both: the largest layout `V` that begins `right_inverse(B)` and has
/// `A(V(i)) = B(V(i)) = i` for `i < size(V)`. No other is larger where `B` is injective and no stride of it is negative.
pub const fn max_common_layout<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    b: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::MaxCommonLayout);
    common(a, b, cx)
}

/// `size(max_common_layout(A, B))`: how many elements one copy instruction may move.
pub const fn max_common_vector<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    b: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<SymInt> {
    cx.begin(Op::MaxCommonVector);
    let common = ok!(common(a, b, cx));
    common.size_of(common.root(), cx)
}

const fn common<const N: usize, const E: usize>(a: &LayoutValue<N>, b: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    let inverse = ok!(right_in(b, cx));
    let mut best = LayoutValue::scalar(SymInt(1), SymInt(0));
    each!(n, 0..inverse.len(), {
        let whole = ok!(leading(&inverse, n, inverse.extent(n), cx));
        if !ok!(agrees(a, &whole, cx)) {
            return match inverse.extent(n).value() {
                Some(extent) => part_of_mode(a, &inverse, n, extent, &best, cx),
                None => linear_part(a, &whole, &best, cx),
            };
        }
        best = whole;
    });
    Ok(best)
}

/// The first `n` modes of `l` and `extent` steps of the next, coalesced.
const fn leading<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    n: usize,
    extent: SymInt,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut out = LayoutValue::empty();
    let mut k = 0;
    while k <= n {
        ok!(out.push_leaf(1, 1, if k < n { l.extent(k) } else { extent }, l.stride(k), cx));
        k += 1;
    }
    merged(&out, out.root(), Omit::Single, cx)
}

/// Tests whether `v` stays in the domain of `a` and `a` provably undoes it: `A(V(i)) = i`.
const fn agrees<const N: usize, const E: usize>(a: &LayoutValue<N>, v: &LayoutValue<N>, cx: &ExprGraph<E>) -> Result<bool> {
    let mut trial = *cx;
    let (domain, size) = (ok!(a.size_of(a.root(), &mut trial)), ok!(v.size_of(v.root(), &mut trial)));
    let (_, last) = ok!(extremes(v, &mut trial));
    if !trial.less(last, domain).is_yes() {
        return Ok(false);
    }
    match compose(a, a.root(), v, &mut trial) {
        Ok(shared) if trial.promises == cx.promises => {
            let shared = ok!(merged(&shared, shared.root(), Omit::Single, &mut trial));
            let contiguous = shared.is_scalar() && shared.is_integer() && shared.scale(0).is(1);
            Ok(size.is(1) || (contiguous && trial.equal(shared.extent(0), size).is_yes()))
        }
        _ => Ok(false),
    }
}

/// `best` and as many of the `extent` steps of mode `n` of the inverse as agree: what agrees at one length does at every shorter one.
const fn part_of_mode<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    inverse: &LayoutValue<N>,
    n: usize,
    extent: i64,
    best: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut best = *best;
    let (mut good, mut bad) = (1, extent);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        let head = ok!(leading(inverse, n, SymInt(middle), cx));
        if ok!(agrees(a, &head, cx)) {
            best = head;
            good = middle;
        } else {
            bad = middle;
        }
    }
    Ok(best)
}

/// The first run of `head` along which `a` is contiguous, if it is longer than `best`.
const fn linear_part<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    head: &LayoutValue<N>,
    best: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut trial = *cx;
    if let Ok(shared) = compose(a, a.root(), head, &mut trial) {
        let shared = ok!(merged(&shared, shared.root(), Omit::Single, &mut trial));
        if shared.is_integer() && shared.scale(0).is(1) {
            let run = LayoutValue::scalar(shared.extent(0), SymInt(1));
            if let Ok(part) = compose(head, head.root(), &run, &mut trial) {
                let part = ok!(merged(&part, part.root(), Omit::Single, &mut trial));
                if trial.promises == cx.promises && ok!(agrees(a, &part, &trial)) {
                    *cx = trial;
                    return Ok(part);
                }
            }
        }
    }
    Ok(*best)
}

/// The largest `n` that divides the extent of the mode of stride 1 and every other stride, so that `L` moves in aligned groups of `n`
/// consecutive coordinates; 1 where no mode is contiguous.
pub const fn max_alignment<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    cx.begin(Op::MaxAlignment);
    let flat = ok!(merged(l, l.root(), Omit::Single, cx));
    let mut found = false;
    let mut best = 0;
    each!(k, 0..flat.len(), {
        let contiguous = !found && flat.scale(k).is(1);
        found = found || contiguous;
        let factor = if contiguous { cx.facts(flat.extent(k)).div } else { cx.facts(flat.scale(k)).div };
        if factor != i64::MAX {
            best = gcd(factor, best);
        }
    });
    Ok(if found && best > 0 { SymInt::raw(best) } else { SymInt(1) })
}

/// A layout over `[0, size(S))` of at most `n` elements that cuts the leaves of `S` evenly, left to right: leaf by leaf it takes
/// `gcd(extent, what is left of n)`.
pub const fn domain_distribute<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    n: SymInt,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::DomainDistribute);
    let mut left = match n.value() {
        Some(n) if n > 0 => n,
        Some(_) => return Err(cx.fail(Cause::NotPositive, n, SymInt(0))),
        None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
    };
    let mut out = LayoutValue::empty();
    let mut span = SymInt(1);
    each!(k, 0..shape.len(), {
        let take = gcd(left, cx.facts(shape.leaf(k)).div);
        ok!(out.push_leaf(1, 1, SymInt::raw(take), Stride::integer(span), cx));
        left /= take;
        span = ok!(cx.mul(span, shape.leaf(k)));
    });
    merged(&out, out.root(), Omit::Single, cx)
}
