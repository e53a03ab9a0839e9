//! Products.
//!
//! `logical_product(A, B) = (A, composition(C, B))` with `C` the complement of `A` that goes on for all the copies: a layout of copies of `A`,
//! laid out as `B` says. `C` fills the gaps of `A` first; where `A` has basis strides it does so in each coordinate, and goes on in the last.
//! By-mode tilers multiply mode by mode; `zipped`, `tiled`, `flat` regroup as the divides do. `blocked_product` gives mode `k` the
//! pair (mode k of `A`, mode k of the copies), `raked_product` the other way round. `tile_to_shape(A, S)` repeats `A` until it covers `S`.

use super::by_mode::{Mode, by_mode};
use super::compose::compose;
use super::coordinate_layouts;
use super::divide::{Gather, gather, grouped};
use super::order::ordered_in;
use super::tiler::Tiler;
use crate::error::{Cause, Op, Result, ok};
use crate::value::{ExprGraph, LayoutValue, Span, Stride, SymInt, TupleValue};

grouped! { b, false, Multiply;
    /// `logical_product(A, B)`.
    logical_product = LogicalProduct Pairs;
    /// `zipped_product(A, B)`: `((blocks), (copies))`.
    zipped_product = ZippedProduct Zipped;
    /// `tiled_product(A, B)`: `((blocks), copies, copies, ...)`.
    tiled_product = TiledProduct Tiled;
    /// `flat_product(A, B)`: `(block, ..., copies, ...)`.
    flat_product = FlatProduct Flat;
}

/// `blocked_product(A, B)`: mode `k` is `(A_k, B_k)`.
pub const fn blocked_product<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    b: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::BlockedProduct);
    interleaved(a, b, false, cx)
}

/// `raked_product(A, B)`: mode `k` is `(B_k, A_k)`.
pub const fn raked_product<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    b: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::RakedProduct);
    interleaved(a, b, true, cx)
}

/// `tile_to_shape(A, S, order)`: `blocked_product(A, copies)` with `ceil(S_k / size(A_k))` copies along mode `k`, laid out in `order`
/// (column-major without one). Covers `S`; larger than it where a block does not divide.
pub const fn tile_to_shape<const N: usize, const E: usize>(
    block: &LayoutValue<N>,
    shape: &TupleValue<N>,
    order: Option<&TupleValue<N>>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    cx.begin(Op::TileToShape);
    let rank = shape.tree.rank(shape.root());
    if block.tree.rank(block.root()) > rank {
        return Err(cx.fail(Cause::RankMismatch, SymInt::small(block.tree.rank(block.root())), SymInt::small(rank)));
    }
    let block = ok!(padded(block, rank, cx));
    let mut copies = TupleValue::empty();
    each!(k, 0..rank, {
        let (want, have) = match (shape.tree.mode(shape.root(), k), block.tree.mode(block.root(), k)) {
            (Some(s), Some(b)) => (ok!(shape.product(s, cx)), ok!(block.size_of(b, cx))),
            _ => return Err(cx.fail(Cause::NoSuchMode, SymInt::small(k), SymInt::small(rank))),
        };
        // No number of empty blocks covers anything.
        ok!(cx.require_less(SymInt(0), have, Cause::ZeroExtent, (SymInt(0), SymInt(0))));
        let n = ok!(cx.ceil_div(want, have));
        ok!(copies.push_leaf(1, 1, n, cx));
    });
    let copies = ok!(ordered_in(&copies, order, cx));
    interleaved(&block, &copies, false, cx)
}

pub(crate) const fn multiply<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    b: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    if !b.is_integer() {
        return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0)));
    }
    let free = ok!(coordinate_layouts::by_coordinate(coordinate_layouts::Part::Complement, a, cx));
    let copies = ok!(compose(&free, free.root(), b, cx));
    let mut pair = LayoutValue::empty();
    ok!(pair.push_mode(a, cx));
    ok!(pair.push_mode(&copies, cx));
    Ok(pair)
}

/// `l` as a tuple of at least `rank` modes, filled up with `1:0`.
const fn padded<const N: usize, const E: usize>(l: &LayoutValue<N>, rank: usize, cx: &ExprGraph<E>) -> Result<LayoutValue<N>> {
    let mut out = LayoutValue::empty();
    if l.is_scalar() {
        ok!(out.push_mode(l, cx));
    } else {
        out = *l;
    }
    let mut k = out.tree.rank(out.root());
    while k < rank {
        ok!(out.push_leaf(1, 1, SymInt(1), Stride::integer(SymInt(0)), cx));
        k += 1;
    }
    Ok(out)
}

const fn interleaved<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    b: &LayoutValue<N>,
    raked: bool,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let (ra, rb) = (a.tree.rank(a.root()), b.tree.rank(b.root()));
    let rank = if ra > rb { ra } else { rb };
    let (a, b) = (ok!(padded(a, rank, cx)), ok!(padded(b, rank, cx)));
    let pair = ok!(multiply(&a, &b, cx));
    let mut out = LayoutValue::empty();
    let (mut lo_a, mut lo_b) = (0, a.len());
    while lo_a < a.len() {
        let x = pair.tree.child_from(Span { lo: 0, hi: a.len(), level: 1 }, lo_a);
        let y = pair.tree.child_from(Span { lo: a.len(), hi: pair.len(), level: 1 }, lo_b);
        let (first, second) = if raked { (y, x) } else { (x, y) };
        ok!(out.push(&pair, first, 2, 1, cx));
        ok!(out.push(&pair, second, 2, 2, cx));
        lo_a = x.hi;
        lo_b = y.hi;
    }
    Ok(out)
}
