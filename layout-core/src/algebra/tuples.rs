//! Operations on integer tuples: profiles, elementwise arithmetic, products, comparisons.
//!
//! Elementwise operations go down both trees together. Where one side has an integer for a tuple of the other, `ceil_div` and `shape_div`
//! let the integer divide the leaves from the left, each taking what the leaves before it left over, and otherwise divide by the product.

use super::modes::Beside;
use crate::error::{Cause, Op, Result, ok};
use crate::value::{ExprGraph, Span, SymInt, Truth, TupleValue};

/// The number of modes; 1 for an integer.
pub const fn rank<const N: usize, const E: usize>(a: &TupleValue<N>, _: &ExprGraph<E>) -> Result<SymInt> {
    Ok(SymInt::small(a.tree.rank(a.root())))
}

/// The number of nested tuples; 0 for an integer.
pub const fn depth<const N: usize, const E: usize>(a: &TupleValue<N>, _: &ExprGraph<E>) -> Result<SymInt> {
    Ok(SymInt::small(a.tree.depth(a.root())))
}

/// Returns true if `a` and `b` are nested alike.
pub const fn congruent<const N: usize>(a: &TupleValue<N>, b: &TupleValue<N>) -> bool {
    a.tree.congruent(a.root(), &b.tree, b.root())
}

/// Returns true if `a` is nested like `b` once some of its integers are replaced by tuples. A partial order.
pub const fn weakly_congruent<const N: usize>(a: &TupleValue<N>, b: &TupleValue<N>) -> bool {
    a.tree.weakly_congruent(a.root(), &b.tree, b.root())
}

/// Tests whether `b` refines `a`: weakly congruent, and each integer of `a` is the product of what stands for it in `b`. A partial order.
pub const fn compatible<const N: usize, const E: usize>(a: &TupleValue<N>, b: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Truth> {
    cx.begin(Op::Compatible);
    if !weakly_congruent(a, b) {
        return Ok(Truth::No);
    }
    refines(a, a.root(), b, b.root(), cx)
}

const fn refines<const N: usize, const E: usize>(
    a: &TupleValue<N>,
    at: Span,
    b: &TupleValue<N>,
    to: Span,
    cx: &mut ExprGraph<E>,
) -> Result<Truth> {
    if a.tree.is_leaf(at) {
        let product = ok!(b.product(to, cx));
        return Ok(cx.equal(a.leaf(at.lo), product));
    }
    let mut truth = Truth::Yes;
    let mut modes = Beside::new(at, to);
    while let Some((x, Some(y), _)) = modes.next(&a.tree, &b.tree) {
        truth = truth.and(ok!(refines(a, x, b, y, cx)));
    }
    Ok(truth)
}

/// Tests whether every mode of `shape` is a whole number of the tiler's.
pub const fn evenly_divides<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    tiler: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<Truth> {
    cx.begin(Op::EvenlyDivides);
    even(shape, shape.root(), tiler, tiler.root(), cx)
}

const fn even<const N: usize, const E: usize>(
    a: &TupleValue<N>,
    at: Span,
    b: &TupleValue<N>,
    to: Span,
    cx: &mut ExprGraph<E>,
) -> Result<Truth> {
    if b.tree.is_leaf(to) || a.tree.is_leaf(at) {
        let (x, y) = (ok!(a.product(at, cx)), ok!(b.product(to, cx)));
        return Ok(cx.divides(y, x));
    }
    let mut truth = Truth::Yes;
    let mut modes = Beside::new(at, to);
    while let Some((x, Some(y), _)) = modes.next(&a.tree, &b.tree) {
        truth = truth.and(ok!(even(a, x, b, y, cx)));
    }
    if b.tree.rank(to) > a.tree.rank(at) { Ok(Truth::No) } else { Ok(truth) }
}

/// One of the elementwise operations on `a` and `b`; see [`Op`] for their names.
///
/// `CeilDiv`, `RoundUp`, `ShapeDiv`, `ElemScale`: `b` may lack trailing modes, which leave `a` as it is.
/// `TupleAdd`, `TupleSub`: the shorter side is filled up with 0.
pub const fn elementwise<const N: usize, const E: usize>(
    op: Op,
    a: &TupleValue<N>,
    b: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    cx.begin(op);
    let mut out = TupleValue::empty();
    ok!(zip(op, a, a.root(), b, b.root(), &mut out, 0, 0, cx));
    Ok(out)
}

#[allow(clippy::too_many_arguments)]
const fn zip<const N: usize, const E: usize>(
    op: Op,
    a: &TupleValue<N>,
    at: Span,
    b: &TupleValue<N>,
    to: Span,
    out: &mut TupleValue<N>,
    level: u8,
    join: u8,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    let (leaf_a, leaf_b) = (a.tree.is_leaf(at), b.tree.is_leaf(to));
    if leaf_a && leaf_b {
        let value = ok!(scalar(op, a.leaf(at.lo), b.leaf(to.lo), cx));
        return out.push_leaf(level, join, value, cx);
    }
    let sum = matches!(op, Op::TupleAdd | Op::TupleSub);
    if leaf_a || leaf_b {
        // 0 is neutral; otherwise only divisions go between an integer and a tuple.
        if sum && leaf_b && b.leaf(to.lo).is(0) {
            return out.push(a, at, level, join, cx);
        }
        if matches!(op, Op::TupleAdd) && leaf_a && a.leaf(at.lo).is(0) {
            return out.push(b, to, level, join, cx);
        }
        if leaf_b && matches!(op, Op::CeilDiv | Op::ShapeDiv) {
            return divide_left(op, a, at, &mut b.leaf(to.lo), out, level, join, cx);
        }
        if leaf_a && matches!(op, Op::CeilDiv | Op::ShapeDiv) {
            let product = ok!(b.product(to, cx));
            let value = ok!(scalar(op, a.leaf(at.lo), product, cx));
            return out.push_leaf(level, join, value, cx);
        }
        let rank = if leaf_a { b.tree.rank(to) } else { a.tree.rank(at) };
        return Err(cx.fail(Cause::NotCongruent, SymInt::small(rank), SymInt(0)));
    }
    let outer = cx.path();
    let (mut i, mut k, mut n, mut join) = (at.lo, to.lo, 0, join);
    while i < at.hi || k < to.hi {
        cx.at(outer.then(n));
        if i == at.hi {
            if !sum {
                return Err(cx.fail(Cause::RankMismatch, SymInt::small(b.tree.rank(to)), SymInt::small(a.tree.rank(at))));
            }
            let y = b.tree.child_from(to, k);
            ok!(out.push(b, y, level + 1, join, cx));
            k = y.hi;
        } else if k == to.hi {
            if matches!(op, Op::ShapeDiv) {
                return Err(cx.fail(Cause::RankMismatch, SymInt::small(b.tree.rank(to)), SymInt::small(a.tree.rank(at))));
            }
            let x = a.tree.child_from(at, i);
            ok!(out.push(a, x, level + 1, join, cx));
            i = x.hi;
        } else {
            let (x, y) = (a.tree.child_from(at, i), b.tree.child_from(to, k));
            ok!(zip(op, a, x, b, y, out, level + 1, join, cx));
            i = x.hi;
            k = y.hi;
        }
        join = level + 1;
        n += 1;
    }
    cx.at(outer);
    Ok(())
}

/// Divides the leaves of `a|at` by the integer `left`, from the left.
#[allow(clippy::too_many_arguments)]
const fn divide_left<const N: usize, const E: usize>(
    op: Op,
    a: &TupleValue<N>,
    at: Span,
    left: &mut SymInt,
    out: &mut TupleValue<N>,
    level: u8,
    join: u8,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    let part = a.part(at);
    let mut divided = part;
    each!(k, 0..part.len(), {
        divided.leaf[k] = ok!(scalar(op, part.leaf(k), *left, cx)).word();
        *left = ok!(scalar(op, *left, part.leaf(k), cx));
    });
    out.push(&divided, divided.root(), level, join, cx)
}

const fn scalar<const E: usize>(op: Op, a: SymInt, b: SymInt, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    if a.is_keep() || b.is_keep() {
        return Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0)));
    }
    let divides = matches!(op, Op::CeilDiv | Op::RoundUp | Op::ShapeDiv);
    if divides && cx.facts(b).hi < 1 {
        return Err(cx.fail(Cause::NotPositive, b, SymInt(0)));
    }
    match op {
        Op::CeilDiv => cx.ceil_div(a, b),
        Op::RoundUp => {
            let n = ok!(cx.ceil_div(a, b));
            cx.mul(n, b)
        }
        Op::ShapeDiv => {
            if cx.divides(b, a).is_yes() {
                cx.div(a, b)
            } else if cx.divides(a, b).is_yes() {
                Ok(SymInt(1))
            } else {
                ok!(cx.require_multiple(a, b, Cause::ShapeDiv, (a, b)));
                cx.div(a, b)
            }
        }
        Op::ElemScale => cx.mul(a, b),
        Op::TupleAdd => cx.add(a, b),
        Op::TupleSub => cx.sub(a, b),
        Op::TupleMax => cx.max(a, b),
        Op::TupleMin => cx.min(a, b),
        _ => Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
    }
}

/// The exclusive running product of the leaves: the strides of the column-major layout, size-1 modes included.
pub const fn prefix_product<const N: usize, const E: usize>(a: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    cx.begin(Op::PrefixProduct);
    running_product(a, false, cx)
}

/// The exclusive running product from the right: the strides of the row-major layout.
pub const fn suffix_product<const N: usize, const E: usize>(a: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    cx.begin(Op::SuffixProduct);
    running_product(a, true, cx)
}

const fn running_product<const N: usize, const E: usize>(a: &TupleValue<N>, reverse: bool, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    let mut out = *a;
    let mut product = SymInt(1);
    let mut n = 0;
    while n < a.len() {
        let k = if reverse { a.len() - 1 - n } else { n };
        out.leaf[k] = product.word();
        n += 1;
        if n < a.len() {
            product = ok!(cx.mul(product, a.leaf(k)));
        }
    }
    Ok(out)
}

/// The product, sum, largest, smallest or greatest common divisor of all leaves.
pub const fn fold<const N: usize, const E: usize>(op: Op, a: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    cx.begin(op);
    if matches!(op, Op::Product) {
        return a.product(a.root(), cx);
    }
    if a.is_empty() && !matches!(op, Op::TupleSum | Op::TupleGcd) {
        return Err(cx.fail(Cause::RankMismatch, SymInt(0), SymInt(1)));
    }
    let mut out = if a.is_empty() { SymInt(0) } else { a.leaf(0) };
    each!(k, 1..a.len(), {
        let x = a.leaf(k);
        out = match op {
            Op::TupleSum => ok!(cx.add(out, x)),
            Op::TupleMax => ok!(cx.max(out, x)),
            Op::TupleMin => ok!(cx.min(out, x)),
            Op::TupleGcd => match (out.value(), x.value()) {
                (Some(p), Some(q)) => SymInt::raw(crate::value::gcd(p.abs(), q.abs())),
                _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
            },
            _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
        };
    });
    Ok(out)
}

/// The product of each mode, as a flat tuple.
pub const fn product_each<const N: usize, const E: usize>(a: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    cx.begin(Op::ProductEach);
    let mut out = TupleValue::empty();
    let mut k = 0;
    while let Some(mode) = a.tree.mode(a.root(), k) {
        let product = ok!(a.product(mode, cx));
        ok!(out.push_leaf(1, 1, product, cx));
        k += 1;
    }
    Ok(out)
}

/// The products of `a` at the leaves of `guide`.
pub const fn product_like<const N: usize, const E: usize>(
    a: &TupleValue<N>,
    guide: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    cx.begin(Op::ProductLike);
    if !weakly_congruent(guide, a) {
        return Err(cx.fail(Cause::RankMismatch, SymInt::small(guide.tree.rank(guide.root())), SymInt::small(a.tree.rank(a.root()))));
    }
    let mut out = *guide;
    ok!(products_at(a, a.root(), guide, guide.root(), &mut out, cx));
    Ok(out)
}

const fn products_at<const N: usize, const E: usize>(
    a: &TupleValue<N>,
    at: Span,
    guide: &TupleValue<N>,
    to: Span,
    out: &mut TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    if guide.tree.is_leaf(to) {
        out.leaf[to.lo] = ok!(a.product(at, cx)).word();
        return Ok(());
    }
    let mut modes = Beside::new(at, to);
    while let Some((x, Some(y), _)) = modes.next(&a.tree, &guide.tree) {
        ok!(products_at(a, x, guide, y, out, cx));
    }
    Ok(())
}

/// The sum of the products of corresponding leaves of two congruent tuples.
pub const fn inner_product<const N: usize, const E: usize>(a: &TupleValue<N>, b: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    cx.begin(Op::InnerProduct);
    if !congruent(a, b) {
        return Err(cx.fail(Cause::ShapeStrideMismatch, SymInt(0), SymInt(0)));
    }
    let mut sum = SymInt(0);
    each!(k, 0..a.len(), {
        let term = ok!(cx.mul(a.leaf(k), b.leaf(k)));
        sum = ok!(cx.add(sum, term));
    });
    Ok(sum)
}

/// Tests whether each integer of `a` is less than that of `b` at the same place; a shorter `a` is compared on its own modes, a longer one is not less.
pub const fn elem_less<const N: usize, const E: usize>(a: &TupleValue<N>, b: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Truth> {
    cx.begin(Op::ElemLess);
    less_at(a, a.root(), b, b.root(), cx)
}

const fn less_at<const N: usize, const E: usize>(
    a: &TupleValue<N>,
    at: Span,
    b: &TupleValue<N>,
    to: Span,
    cx: &mut ExprGraph<E>,
) -> Result<Truth> {
    match (a.tree.is_leaf(at), b.tree.is_leaf(to)) {
        (true, true) => return Ok(cx.less(a.leaf(at.lo), b.leaf(to.lo))),
        (false, false) => {}
        _ => {
            return Err(cx.fail(
                Cause::NotCongruent,
                SymInt::small(if a.tree.is_leaf(at) { b.tree.rank(to) } else { a.tree.rank(at) }),
                SymInt(0),
            ));
        }
    }
    let mut truth = Truth::Yes;
    let mut modes = Beside::new(at, to);
    while let Some((x, y, _)) = modes.next(&a.tree, &b.tree) {
        truth = match y {
            Some(y) => truth.and(ok!(less_at(a, x, b, y, cx))),
            None => return Ok(Truth::No),
        };
    }
    Ok(truth)
}

/// Adjacent extents of a flattened shape multiplied while all are known: the shape of the coalesced column-major layout.
pub const fn coalesce_shape<const N: usize, const E: usize>(shape: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    cx.begin(Op::CoalesceShape);
    let product = ok!(shape.product(shape.root(), cx));
    Ok(TupleValue::scalar(product))
}
