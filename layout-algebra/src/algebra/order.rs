//! Compact layouts of a shape, in a given order of the modes.
//!
//! `make_ordered_layout(S, order)` visits the leaves by increasing order, leaves of equal order left to right. The stride of a
//! leaf is the product of the extents visited before it. Modes of extent 1 get stride 0.

use super::coordinate_layouts;
use super::modes::ModePairs;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, TreeNode, Truth, TupleValue};

impl<const N: usize> TupleValue<N> {
    /// Returns the compact column-major layout of the shape `self`: the leftmost leaf is contiguous.
    pub(crate) const fn col_major<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        self.ordered_in(None, cx)
    }

    /// Returns the compact row-major layout of the shape `self`: the rightmost leaf is contiguous.
    pub(crate) const fn row_major<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        let mut order = *self;
        each!(k, 0..order.len(), {
            order.leaf[k] = -(k as i64);
        });
        self.ordered_in(Some(&order), cx)
    }

    /// Returns `make_ordered_layout(S, order)`. One leaf of `order` may apply to a tuple of `S`. Fails if the nesting does not match.
    pub(crate) const fn ordered<const E: usize>(&self, order: &Self, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        self.ordered_in(Some(order), cx)
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the compact layout whose strides have the order of the strides of `L`. A stride of 0 stays. Fails unless all are integers.
    pub(crate) const fn layout_like<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        ok!(self.require_integers(cx));
        let mut filtered = *self;
        let mut order = [0; N];
        each!(k, 0..self.len(), {
            ok!(cx.require_moving(self.scale(k)));
            order[k] = ok!(cx.abs(self.scale(k))).word();
            if self.scale(k).is(0) {
                filtered.shape[k] = 1;
            }
        });
        let mut out = ok!(filtered.shape_of(self.root()).compact(&order, cx));
        out.shape = self.shape;
        Ok(out)
    }

    /// Returns the leaves by increasing stride, and by increasing extent if strides are equal. Fails for strides along coordinates.
    pub(crate) const fn sort<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        refuse_if!(cx, !self.gives_integers(), BasisStride);
        let flat = ok!(self.flatten(cx));
        let (mut by_extent, mut by_stride) = (Ordered::<N>::new(), Ordered::<N>::new());
        each!(k, 0..flat.len(), {
            ok!(by_extent.insert(k, flat.extent(k), cx));
        });
        each!(n, 0..flat.len(), {
            let k = by_extent.leaf[n];
            ok!(by_stride.insert(k, flat.scale(k), cx));
        });
        let mut out = flat;
        each!(n, 0..flat.len(), {
            let k = by_stride.leaf[n];
            (out.shape[n], out.stride[n], out.basis[n]) = (flat.shape[k], flat.stride[k], flat.basis[k]);
        });
        Ok(out)
    }
}

impl<const N: usize> TupleValue<N> {
    /// Returns the layout whose index is the coordinate itself: `(4,8):(1@0,1@1)`; `n:1` for an integer. Fails beyond 4 nested tuples.
    ///
    /// ```
    /// use layout_algebra::{DynCoord, error::Op, value::ExprGraph};
    /// let shape: DynCoord = "(4,(2,3))".parse()?;
    /// let coordinates = shape.value().identity(&mut ExprGraph::<0>::new(Op::Identity))?;
    /// assert_eq!(coordinates.to_string(), "(4,(2,3)):(1@0,(1@0@1,1@1@1))");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn identity<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        let mut out = LayoutValue::empty();
        out.tree = self.tree;
        out.shape = self.leaf;
        ok!(self.identity_strides(self.root(), Basis(0), &mut out, cx));
        Ok(out)
    }

    const fn identity_strides<const E: usize>(
        &self,
        at: TreeNode,
        basis: Basis,
        out: &mut LayoutValue<N>,
        cx: &ExprGraph<E>,
    ) -> Result<()> {
        if self.tree.is_leaf(at) {
            out.set_stride(at.lo, Stride { scale: SymInt(1), basis });
            return Ok(());
        }
        let (mut lo, mut k) = (at.lo, 0);
        while let Some(child) = self.tree.child_from(at, lo) {
            let basis = ok!(coordinate_layouts::step(basis, k, cx));
            ok!(self.identity_strides(child, basis, out, cx));
            lo = child.hi;
            k += 1;
        }
        Ok(())
    }

    pub(crate) const fn ordered_in<const E: usize>(&self, order: Option<&Self>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        let mut keys = [0; N];
        if let Some(order) = order {
            ok!(self.spread(self.root(), order, order.root(), &mut keys, cx));
        }
        self.compact(&keys, cx)
    }

    /// Sets `keys[k]` of every leaf `k` of `self` to the leaf of `order` that covers it. Fails if the nesting does not match.
    const fn spread<const E: usize>(&self, at: TreeNode, order: &Self, to: TreeNode, keys: &mut [i64; N], cx: &ExprGraph<E>) -> Result<()> {
        if order.tree.is_leaf(to) {
            each!(k, at.lo..at.hi, {
                keys[k] = order.leaf[to.lo];
            });
            return Ok(());
        }
        let mut modes = ok!(ModePairs::equal(&self.tree, at, &order.tree, to, cx));
        while let Some((mode, Some(key), _)) = modes.next(&self.tree, &order.tree) {
            ok!(self.spread(mode, order, key, keys, cx));
        }
        Ok(())
    }

    /// Returns the compact layout that visits the leaves by increasing key, equal keys left to right. Fails for negative extents.
    const fn compact<const E: usize>(&self, keys: &[i64; N], cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        let mut out = LayoutValue::empty();
        out.tree = self.tree;
        out.shape = self.leaf;
        let mut order = Ordered::<N>::new();
        each!(n, 0..self.len(), {
            ok!(order.insert(n, SymInt(keys[n]), cx));
        });
        let mut span = SymInt(1);
        each!(n, 0..self.len(), {
            let next = order.leaf[n];
            let extent = self.leaf(next);
            refuse_if!(cx, extent.is_keep(), UnexpectedKeep);
            refuse_if!(cx, cx.facts(extent).hi < 0, NegativeExtent, extent);
            if !extent.is(1) {
                out.set_stride(next, Stride::integer(span));
                span = ok!(cx.mul(span, extent));
            }
        });
        Ok(out)
    }
}

/// Leaves sorted by key. Equal keys keep the order of insertion.
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

    /// Inserts one leaf. Fails if its position depends on run-time numbers.
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
