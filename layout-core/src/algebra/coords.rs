//! Coordinates and indices.
//!
//! `crd2idx(c, L)`: an integer coordinate of a tuple unravels colexicographically and the last sub-mode takes the whole quotient, unreduced;
//! a leaf contributes coordinate times stride. Total: outside the domain the same formula goes on (floor division for negative
//! coordinates; an extent of 0 passes nothing on). Basis strides add up to a coordinate tuple.

use super::coordinate_layouts;
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Basis, ExprGraph, LayoutValue, Span, SymInt, Truth, TupleValue};

/// The digit that a mode of extent `$extent`, not 0, takes of the known coordinate `$rest`, which keeps the quotient; rounds down.
macro_rules! digit {
    ($rest:expr, $extent:expr) => {{
        let extent = $extent;
        let (quotient, rem) = ($rest / extent, $rest % extent);
        $rest = if rem < 0 { quotient - 1 } else { quotient };
        if rem < 0 { rem + extent } else { rem }
    }};
}
pub(crate) use digit;

/// Index of the coordinate `c`.
pub const fn crd2idx<const N: usize, const E: usize>(l: &LayoutValue<N>, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    cx.begin(Op::Crd2Idx);
    index_of(l, c, cx)
}

pub(crate) const fn index_of<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    c: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<SymInt> {
    if !l.is_integer() {
        return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0)));
    }
    let digits = ok!(natural(&l.tree, &l.shape, l.root(), c, c.root(), cx));
    let mut sum = SymInt(0);
    let mut k = 0;
    while k < l.len() {
        let term = ok!(cx.mul(SymInt::raw(digits[k]), l.scale(k)));
        sum = ok!(cx.add(sum, term));
        k += 1;
    }
    Ok(sum)
}

/// The value at `c` of a layout with basis strides: a coordinate tuple, or an integer where every stride is one.
pub const fn evaluate<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    c: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    cx.begin(Op::Crd2Idx);
    if l.is_integer() {
        return Ok(TupleValue::scalar(ok!(index_of(l, c, cx))));
    }
    let digits = ok!(natural(&l.tree, &l.shape, l.root(), c, c.root(), cx));
    let mut out = TupleValue::empty();
    ok!(gather(l, &digits, Basis(0), &mut out, 0, 0, cx));
    Ok(out)
}

/// The coordinate below `prefix` as a tuple; a path that ends exactly at `prefix` is an integer.
const fn gather<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    digits: &[i64; N],
    prefix: Basis,
    out: &mut TupleValue<N>,
    level: u8,
    join: u8,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    let rank = ok!(coordinate_layouts::rank(l, prefix, cx));
    if rank == 0 {
        let mut sum = SymInt(0);
        let mut k = 0;
        while k < l.len() {
            if l.basis(k).0 == prefix.0 {
                let term = ok!(cx.mul(SymInt::raw(digits[k]), l.scale(k)));
                sum = ok!(cx.add(sum, term));
            }
            k += 1;
        }
        return out.push_leaf(level, join, sum, cx);
    }
    let mut mode = 0;
    while mode < rank {
        match prefix.then(mode) {
            Some(next) => ok!(gather(l, digits, next, out, level + 1, if mode == 0 { join } else { level + 1 }, cx)),
            None => return Err(cx.fail(Cause::TooDeep, SymInt::small(Basis::MAX_STEPS), SymInt(0))),
        }
        mode += 1;
    }
    Ok(())
}

/// The coordinate of every leaf of a tree of extents.
const fn natural<const N: usize, const E: usize>(
    tree: &crate::value::Tree<N>,
    shape: &[i64; N],
    at: Span,
    c: &TupleValue<N>,
    node: Span,
    cx: &mut ExprGraph<E>,
) -> Result<[i64; N]> {
    let mut digits = [0; N];
    ok!(unravel(tree, shape, at, c, node, &mut digits, cx));
    Ok(digits)
}

const fn unravel<const N: usize, const E: usize>(
    tree: &crate::value::Tree<N>,
    shape: &[i64; N],
    at: Span,
    c: &TupleValue<N>,
    node: Span,
    digits: &mut [i64; N],
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    if c.tree.is_leaf(node) {
        let mut rest = c.leaf(node.lo);
        if rest.is_keep() {
            return Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0)));
        }
        let mut k = at.lo;
        while k < at.hi {
            let extent = SymInt::raw(shape[k]);
            if k + 1 == at.hi {
                digits[k] = rest.word();
            } else if extent.is(0) {
                digits[k] = rest.word();
                rest = SymInt(0);
            } else {
                digits[k] = ok!(cx.rem(rest, extent)).word();
                rest = ok!(cx.div(rest, extent));
            }
            k += 1;
        }
        return Ok(());
    }
    let given = c.tree.rank(node);
    if tree.is_leaf(at) {
        return Err(cx.fail(Cause::NotCongruent, SymInt::small(given), SymInt(0)));
    }
    let have = tree.rank(at);
    if have != given {
        return Err(cx.fail(Cause::RankMismatch, SymInt::small(given), SymInt::small(have)));
    }
    let outer = cx.path();
    let (mut a, mut b, mut k) = (at.lo, node.lo, 0);
    while a < at.hi {
        let (mode, step) = (tree.child_from(at, a), c.tree.child_from(node, b));
        cx.at(outer.then(k));
        ok!(unravel(tree, shape, mode, c, step, digits, cx));
        a = mode.hi;
        b = step.hi;
        k += 1;
    }
    cx.at(outer);
    Ok(())
}

/// Whether every integer of `c` lies in the extent of the mode it addresses.
pub const fn in_bounds<const N: usize, const E: usize>(l: &LayoutValue<N>, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<bool> {
    within(l, l.root(), c, c.root(), cx)
}

const fn within<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    at: Span,
    c: &TupleValue<N>,
    node: Span,
    cx: &mut ExprGraph<E>,
) -> Result<bool> {
    if c.tree.is_leaf(node) {
        let size = ok!(l.size_of(at, cx));
        let c = c.leaf(node.lo);
        return Ok(!cx.less(c, SymInt(0)).is_yes() && cx.less(c, size).is_yes());
    }
    if l.tree.is_leaf(at) || l.tree.rank(at) != c.tree.rank(node) {
        return Err(cx.fail(Cause::RankMismatch, SymInt::small(c.tree.rank(node)), SymInt::small(l.tree.rank(at))));
    }
    let (mut a, mut b) = (at.lo, node.lo);
    while a < at.hi {
        let (mode, step) = (l.tree.child_from(at, a), c.tree.child_from(node, b));
        if !ok!(within(l, mode, c, step, cx)) {
            return Ok(false);
        }
        a = mode.hi;
        b = step.hi;
    }
    Ok(true)
}

/// Colexicographic index of `c` in `shape`: the index in the column-major layout, by Horner's rule. An integer is its own index.
pub const fn crd2idx_shape<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    c: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<SymInt> {
    cx.begin(Op::Crd2IdxShape);
    horner(shape, shape.root(), c, c.root(), cx)
}

const fn horner<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    at: Span,
    c: &TupleValue<N>,
    node: Span,
    cx: &mut ExprGraph<E>,
) -> Result<SymInt> {
    if c.tree.is_leaf(node) {
        let c = c.leaf(node.lo);
        return if c.is_keep() { Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0))) } else { Ok(c) };
    }
    let (have, given) = (shape.tree.rank(at), c.tree.rank(node));
    if shape.tree.is_leaf(at) || have != given {
        return Err(cx.fail(Cause::RankMismatch, SymInt::small(given), SymInt::small(have)));
    }
    let (mut sum, mut scale) = (SymInt(0), SymInt(1));
    let (mut a, mut b) = (at.lo, node.lo);
    while a < at.hi {
        let (mode, step) = (shape.tree.child_from(at, a), c.tree.child_from(node, b));
        let digit = ok!(horner(shape, mode, c, step, cx));
        let term = ok!(cx.mul(digit, scale));
        sum = ok!(cx.add(sum, term));
        a = mode.hi;
        b = step.hi;
        if a < at.hi {
            let size = ok!(shape.product(mode, cx));
            scale = ok!(cx.mul(scale, size));
        }
    }
    Ok(sum)
}

/// The coordinate of `shape` at colexicographic `index`, last mode unreduced; a tuple index is taken mode by mode.
pub const fn idx2crd<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    index: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    cx.begin(Op::Idx2CrdShape);
    let digits = ok!(natural(&shape.tree, &shape.leaf, shape.root(), index, index.root(), cx));
    Ok(TupleValue { tree: shape.tree, leaf: digits })
}

/// `crd2crd(c, S, T)`: the coordinate of `T` with the colexicographic index that `c` has in `S`.
pub const fn crd2crd<const N: usize, const E: usize>(
    c: &TupleValue<N>,
    from: &TupleValue<N>,
    to: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    cx.begin(Op::Crd2Crd);
    let index = ok!(horner(from, from.root(), c, c.root(), cx));
    let digits = ok!(natural(&to.tree, &to.leaf, to.root(), &TupleValue::scalar(index), TupleValue::<N>::scalar(index).root(), cx));
    Ok(TupleValue { tree: to.tree, leaf: digits })
}

/// The coordinate `c` of `L` with `L(c) = index`, when `L` is injective and takes the value.
///
/// The strides are tried from the largest; each takes the quotient, at most to the end of its extent. The result is checked.
pub const fn preimage<const N: usize, const E: usize>(l: &LayoutValue<N>, index: SymInt, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    cx.begin(Op::Idx2Crd);
    if !l.is_integer() {
        return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0)));
    }
    if !(l.is_known() && index.is_known()) {
        return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0)));
    }
    // Negative strides count down from the top of their mode.
    let mut rest = index;
    let mut out = TupleValue { tree: l.tree, leaf: [0; N] };
    let mut done = [false; N];
    let mut k = 0;
    while k < l.len() {
        if l.scale(k).word() < 0 {
            let steps = ok!(cx.sub(l.extent(k), SymInt(1)));
            let low = ok!(cx.mul(steps, l.scale(k)));
            rest = ok!(cx.sub(rest, low));
        }
        done[k] = l.scale(k).is(0) || l.extent(k).is(1);
        k += 1;
    }
    loop {
        let mut next = N;
        k = 0;
        while k < l.len() {
            if !done[k] && (next == N || l.scale(k).word().unsigned_abs() > l.scale(next).word().unsigned_abs()) {
                next = k;
            }
            k += 1;
        }
        if next == N {
            break;
        }
        done[next] = true;
        let (extent, stride) = (l.extent(next).word(), l.scale(next).word());
        let mut digit = rest.word().div_euclid(stride.abs());
        if digit > extent - 1 {
            digit = extent - 1;
        }
        if digit < 0 {
            digit = 0;
        }
        rest = ok!(cx.sub(rest, SymInt::raw(digit * stride.abs())));
        out.leaf[next] = if stride < 0 { extent - 1 - digit } else { digit };
    }
    if l.extent_is_zero() || !rest.is(0) {
        return Err(cx.fail(Cause::NoSuchIndex, index, SymInt(0)));
    }
    Ok(out)
}

/// The colexicographic successor of `c` in `shape`; the last leaf takes every carry and is not wrapped.
pub const fn increment<const N: usize, const E: usize>(
    c: &TupleValue<N>,
    shape: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    cx.begin(Op::IncrementCoord);
    if !c.tree.congruent(c.root(), &shape.tree, shape.root()) {
        let (have, given) = (shape.tree.rank(shape.root()), c.tree.rank(c.root()));
        return Err(cx.fail(Cause::RankMismatch, SymInt::small(given), SymInt::small(have)));
    }
    let mut out = *c;
    let mut carry = true;
    let mut k = 0;
    while k < c.len() {
        if c.leaf(k).is_keep() {
            return Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0)));
        }
        if carry {
            let next = ok!(cx.add(c.leaf(k), SymInt(1)));
            carry = k + 1 < c.len()
                && match cx.less(next, shape.leaf(k)) {
                    Truth::Yes => false,
                    Truth::No => true,
                    Truth::Unknown => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                };
            out.leaf[k] = if carry { 0 } else { next.word() };
        }
        k += 1;
    }
    Ok(out)
}
