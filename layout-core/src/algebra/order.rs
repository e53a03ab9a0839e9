//! Compact layouts of a shape, in a stated order of the modes.
//!
//! The strides of `make_ordered_layout(S, order)` are the running product of the extents, visited by increasing order; leaves of equal
//! order go left to right. Size-1 modes get stride 0.

use super::coordinate_layouts;
use super::modes::Beside;
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Basis, ExprGraph, LayoutValue, Span, Stride, SymInt, Truth, TupleValue};

/// Column-major: the leftmost mode is contiguous.
pub const fn col_major<const N: usize, const E: usize>(shape: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::ColMajor);
    ordered_in(shape, None, cx)
}

/// Row-major: the rightmost leaf is contiguous.
pub const fn row_major<const N: usize, const E: usize>(shape: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::RowMajor);
    let mut order = *shape;
    each!(k, 0..order.len(), {
        order.leaf[k] = -(k as i64);
    });
    ordered_in(shape, Some(&order), cx)
}

/// `make_ordered_layout(S, order)`; `order` is weakly congruent to `S`, one of its leaves may stand for a tuple.
pub const fn ordered<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    order: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::Ordered);
    ordered_in(shape, Some(order), cx)
}

/// A compact layout whose modes lie in the order of `L`'s strides; modes of stride 0 keep it.
pub const fn layout_like<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::LayoutLike);
    if !l.is_integer() {
        return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0)));
    }
    let mut filtered = *l;
    let mut order = [0; N];
    each!(k, 0..l.len(), {
        ok!(cx.require_moving(l.scale(k)));
        order[k] = ok!(cx.abs(l.scale(k))).word();
        if l.scale(k).is(0) {
            filtered.shape[k] = 1;
        }
    });
    let mut out = ok!(compact(&filtered.shape_of(l.root()), &order, cx));
    out.shape = l.shape;
    Ok(out)
}

/// The layout whose index is the coordinate itself: `(4,8):(1@0,1@1)`; `n:1` for an integer.
pub const fn identity<const N: usize, const E: usize>(shape: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::IdentityLayout);
    let mut out = LayoutValue::empty();
    out.tree = shape.tree;
    out.shape = shape.leaf;
    ok!(identity_strides(shape, shape.root(), Basis(0), &mut out, cx));
    Ok(out)
}

const fn identity_strides<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    at: Span,
    basis: Basis,
    out: &mut LayoutValue<N>,
    cx: &ExprGraph<E>,
) -> Result<()> {
    if shape.tree.is_leaf(at) {
        out.set_stride(at.lo, Stride { scale: SymInt(1), basis });
        return Ok(());
    }
    let (mut lo, mut k) = (at.lo, 0);
    while lo < at.hi {
        let child = shape.tree.child_from(at, lo);
        let basis = ok!(coordinate_layouts::step(basis, k, cx));
        ok!(identity_strides(shape, child, basis, out, cx));
        lo = child.hi;
        k += 1;
    }
    Ok(())
}

pub(crate) const fn ordered_in<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    order: Option<&TupleValue<N>>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut keys = [0; N];
    if let Some(order) = order {
        ok!(spread(shape, shape.root(), order, order.root(), &mut keys, cx));
    }
    compact(shape, &keys, cx)
}

/// Gives every leaf of `shape` the key of the leaf of `order` above it.
const fn spread<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    at: Span,
    order: &TupleValue<N>,
    to: Span,
    keys: &mut [i64; N],
    cx: &ExprGraph<E>,
) -> Result<()> {
    if order.tree.is_leaf(to) {
        each!(k, at.lo..at.hi, {
            keys[k] = order.leaf[to.lo];
        });
        return Ok(());
    }
    let mut modes = ok!(Beside::equal(&shape.tree, at, &order.tree, to, cx));
    while let Some((mode, Some(key), _)) = modes.next(&shape.tree, &order.tree) {
        ok!(spread(shape, mode, order, key, keys, cx));
    }
    Ok(())
}

/// Running products of the extents by increasing key, left to right among equal ones.
const fn compact<const N: usize, const E: usize>(shape: &TupleValue<N>, keys: &[i64; N], cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    let mut out = LayoutValue::empty();
    out.tree = shape.tree;
    out.shape = shape.leaf;
    let mut order = Ordered::<N>::new();
    each!(n, 0..shape.len(), {
        ok!(order.insert(n, SymInt(keys[n]), cx));
    });
    let mut span = SymInt(1);
    each!(n, 0..shape.len(), {
        let next = order.leaf[n];
        let extent = shape.leaf(next);
        if extent.is_keep() {
            return Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0)));
        }
        if cx.facts(extent).hi < 0 {
            return Err(cx.fail(Cause::NegativeExtent, extent, SymInt(0)));
        }
        if !extent.is(1) {
            out.set_stride(next, Stride::integer(span));
            span = ok!(cx.mul(span, extent));
        }
    });
    Ok(out)
}

/// Leaves by increasing keys, equal ones as they were put in.
#[derive(Clone, Copy)]
pub(crate) struct Ordered<const N: usize> {
    pub len: usize,
    pub leaf: [usize; N],
    pub key: [SymInt; N],
}

impl<const N: usize> Ordered<N> {
    pub(crate) const fn new() -> Self {
        Ordered { len: 0, leaf: [0; N], key: [SymInt(0); N] }
    }

    /// Puts in one leaf; refused where its place depends on run-time numbers.
    pub(crate) const fn insert<const E: usize>(&mut self, leaf: usize, key: SymInt, cx: &ExprGraph<E>) -> Result<()> {
        let mut i = self.len;
        while i > 0 {
            match cx.less(key, self.key[i - 1]) {
                Truth::Yes => (self.leaf[i], self.key[i]) = (self.leaf[i - 1], self.key[i - 1]),
                Truth::No => break,
                Truth::Unknown => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
            }
            i -= 1;
        }
        (self.leaf[i], self.key[i]) = (leaf, key);
        self.len += 1;
        Ok(())
    }
}
