//! Products of layouts.
//!
//! `logical_product(A, B) = (A, composition(C, B))`, where `C` is the complement of `A` without an end: copies of `A`, laid out like `B`.
//! `C` fills the gaps of `A` first. With basis strides it does so in each coordinate, and continues in the last one. By-mode tilers multiply
//! mode by mode; `zipped`, `tiled` and `flat` regroup like the divides. Mode `k` of `blocked_product` is (mode k of `A`, mode k of the
//! copies); `raked_product` swaps the two. `tile_to_shape(A, S)` repeats `A` until it covers `S`.

use super::by_mode::Mode;
use super::coordinate_layouts;
use super::divide::{Gather, grouped};
use super::tiler::Tiler;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, Stride, SymInt, TreeNode, TupleValue};

grouped! { b, false, Multiply;
    /// Returns `logical_product(A, B)`: each multiplied mode becomes `(block, copies)`.
    logical_product = Pairs;
    /// Returns `zipped_product(A, B)`: `((blocks), (copies))`.
    zipped_product = Zipped;
    /// Returns `tiled_product(A, B)`: `((blocks), copies, copies, ...)`.
    tiled_product = Tiled;
    /// Returns `flat_product(A, B)`: `(block, ..., copies, ...)`.
    flat_product = Flat;
}

impl<const N: usize> LayoutValue<N> {
    /// Returns `blocked_product(A, B)`: mode `k` is `(A_k, B_k)`.
    pub(crate) const fn blocked_product<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.interleaved(b, false, cx)
    }

    /// Returns `raked_product(A, B)`: mode `k` is `(B_k, A_k)`.
    pub(crate) const fn raked_product<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.interleaved(b, true, cx)
    }

    /// Returns `tile_to_shape(A, S, order)`: `blocked_product(A, copies)` with `ceil(S_k / size(A_k))` copies along mode `k`,
    /// in `order`, or column-major. Covers `S`, and more if a block does not divide it. Fails if `A` is empty or has more modes than `S`.
    pub(crate) const fn tile_to_shape<const E: usize>(
        &self,
        shape: &TupleValue<N>,
        order: Option<&TupleValue<N>>,
        cx: &mut ExprGraph<E>,
    ) -> Result<Self> {
        let rank = shape.tree.rank(shape.root());
        refuse_if!(cx, self.tree.rank(self.root()) > rank, RankMismatch, SymInt::small(self.tree.rank(self.root())), SymInt::small(rank));
        let block = ok!(self.padded(rank, cx));
        let mut copies = TupleValue::empty();
        each!(k, 0..rank, {
            let (want, have) = match (shape.tree.mode(shape.root(), k), block.tree.mode(block.root(), k)) {
                (Some(s), Some(b)) => (ok!(shape.product(s, cx)), ok!(block.size_of(b, cx))),
                _ => return Err(cx.fail(Cause::NoSuchMode, SymInt::small(k), SymInt::small(rank))),
            };
            // Empty blocks cover nothing.
            ok!(cx.require_less(SymInt(0), have, Cause::ZeroExtent, (SymInt(0), SymInt(0))));
            let n = ok!(cx.ceil_div(want, have));
            ok!(copies.push_leaf(1, 1, n, cx));
        });
        let copies = ok!(copies.ordered_in(order, cx));
        block.interleaved(&copies, false, cx)
    }

    pub(crate) const fn multiply<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        ok!(b.require_integers(cx));
        let free = ok!(self.by_coordinate(coordinate_layouts::Part::Complement, cx));
        let copies = ok!(free.compose(free.root(), b, cx));
        let mut pair = LayoutValue::empty();
        ok!(pair.push_mode(&self.mixed_beside(copies.bits_together()), cx));
        ok!(pair.push_mode(&copies, cx));
        Ok(pair)
    }

    /// Returns `self` as a tuple of at least `rank` modes, filled up with `1:0`.
    const fn padded<const E: usize>(&self, rank: usize, cx: &ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        if self.is_scalar() {
            ok!(out.push_mode(self, cx));
        } else {
            out = *self;
        }
        let mut k = out.tree.rank(out.root());
        while k < rank {
            ok!(out.push_leaf(1, 1, SymInt(1), Stride::integer(SymInt(0)), cx));
            k += 1;
        }
        Ok(out)
    }

    const fn interleaved<const E: usize>(&self, b: &Self, raked: bool, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (ra, rb) = (self.tree.rank(self.root()), b.tree.rank(b.root()));
        let rank = if ra > rb { ra } else { rb };
        let (a, b) = (ok!(self.padded(rank, cx)), ok!(b.padded(rank, cx)));
        let pair = ok!(a.multiply(&b, cx));
        let mut out = LayoutValue::empty();
        let (mut lo_a, mut lo_b) = (0, a.len());
        let (blocks, copies) = (TreeNode { lo: 0, hi: a.len(), level: 1 }, TreeNode { lo: a.len(), hi: pair.len(), level: 1 });
        while let (Some(x), Some(y)) = (pair.tree.child_from(blocks, lo_a), pair.tree.child_from(copies, lo_b)) {
            let (first, second) = if raked { (y, x) } else { (x, y) };
            ok!(out.push(&pair, first, 2, 1, cx));
            ok!(out.push(&pair, second, 2, 2, cx));
            lo_a = x.hi;
            lo_b = y.hi;
        }
        Ok(out)
    }
}
