//! Layouts as values: one nesting, and an extent and a stride for each leaf.

use super::tree::MAX_DEPTH;
use super::tuple::zero_among;
use super::{Basis, ExprGraph, SymInt, Tree, TreeNode, TupleValue};
use super::{fits, known};
use crate::error::{Result, ok, refuse_if};

/// Pushes a leaf of words like [`LayoutValue::push_leaf`], inline: constant evaluation pays for every call in the hottest loops.
macro_rules! push_leaf {
    ($lay:expr, $capacity:expr, $level:expr, $join:expr, $extent:expr, $scale:expr, $basis:expr, $cx:expr) => {{
        let n = $lay.tree.len;
        if n == $capacity {
            return Err($cx.fail($crate::error::Cause::Capacity, $crate::value::SymInt::small($capacity), $crate::value::SymInt(0)));
        }
        $lay.shape[n] = $extent;
        $lay.stride[n] = $scale;
        $lay.basis[n] = $basis;
        if n > 0 {
            $lay.tree.join[n - 1] = $join;
        }
        $lay.tree.depth[n] = $level;
        $lay.tree.join[n] = 0;
        $lay.tree.len = n + 1;
    }};
}
pub(crate) use push_leaf;

/// A layout of at most `N` leaves. Leaf `k` has extent `shape[k]` and stride `stride[k]` along `basis[k]`.
///
/// ```
/// use layout_algebra::{error::Op, text::Parser};
/// use layout_algebra::value::{Basis, ExprGraph, LayoutValue, SymInt};
/// let mut scope = ExprGraph::<2>::new(Op::Parse);
/// let l: LayoutValue<8> = Parser::new("((2,4),8):((1,2),?)").layout(&mut scope)?;
/// assert_eq!((l.len(), l.extent(1), l.scale(1), l.basis(1)), (3, SymInt::small(4), SymInt::small(2), Basis::INTEGER));
/// assert!(!l.is_empty() && !l.is_scalar() && !l.is_known() && l.is_integer() && !l.has_xor());
/// // The tree gives the modes. Mode 0 is the tuple (2,4).
/// let mode = l.tree().mode(l.root(), 0).expect("the rank is 2");
/// assert_eq!((l.shape_of(mode).to_string().as_str(), l.size_of(mode, &mut scope)?), ("(2,4)", SymInt::small(8)));
///
/// // `gives_integers` accepts XOR strides, `is_integer` does not.
/// let swizzled: LayoutValue<8> = Parser::new("(8,8):(^9,^1)").layout(&mut scope)?;
/// assert!(swizzled.gives_integers() && !swizzled.is_integer() && swizzled.has_xor());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
///
/// Tools build layouts leaf by leaf. The first number of `push_leaf` counts the tuples around the leaf, the second counts
/// those that it shares with the leaf before:
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::value::{ExprGraph, LayoutValue, Stride, SymInt};
/// let scope = ExprGraph::<0>::new(Op::MakeLayout);
/// let stride = |d| Stride::integer(SymInt::small(d));
/// let mut l = LayoutValue::<8>::empty();
/// l.push_leaf(2, 0, SymInt::small(2), stride(1), &scope)?;
/// l.push_leaf(2, 2, SymInt::small(4), stride(2), &scope)?;
/// l.push_leaf(1, 1, SymInt::small(8), stride(8), &scope)?;
/// assert_eq!(l.to_string(), "((2,4),8):((1,2),8)");
/// // A copy of the whole becomes mode 1 of a new layout.
/// let mut pair = LayoutValue::<8>::empty();
/// pair.push_leaf(1, 0, SymInt::small(3), stride(64), &scope)?;
/// pair.push(&l, l.root(), 1, 1, &scope)?;
/// assert_eq!(pair.to_string(), "(3,((2,4),8)):(64,((1,2),8))");
/// assert!(pair.is_nested());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct LayoutValue<const N: usize> {
    /// The nesting of the leaves, the same for shape and stride.
    pub tree: Tree<N>,
    /// The word of the extent of each leaf.
    pub shape: [i64; N],
    /// The word of the stride of each leaf.
    pub stride: [i64; N],
    /// The basis of each stride ([`Basis`]).
    pub basis: [u32; N],
}

/// A stride: the number of steps along a basis for each step of the coordinate.
///
/// ```
/// use layout_algebra::value::{Basis, Stride, SymInt};
/// let two = Stride::integer(SymInt::small(2));
/// assert!(two.scale.is(2) && two.basis.is_integer());
/// // The stride `^9`.
/// let exchanged = Stride { scale: SymInt::small(9), basis: Basis::XOR };
/// assert!(exchanged.basis.is_xor());
/// ```
#[derive(Clone, Copy)]
pub struct Stride {
    /// The number of steps along the basis.
    pub scale: SymInt,
    /// The basis of the steps.
    pub basis: Basis,
}

impl Stride {
    /// Returns a stride along the integers.
    pub const fn integer(scale: SymInt) -> Stride {
        Stride { scale, basis: Basis(0) }
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the layout `():()` of one element.
    pub const fn empty() -> Self {
        LayoutValue { tree: Tree { len: 0, depth: [0; N], join: [0; N] }, shape: [0; N], stride: [0; N], basis: [0; N] }
    }

    /// Returns the layout `extent:stride`.
    pub(crate) const fn scalar(extent: SymInt, stride: SymInt) -> Self {
        let mut out = Self::empty();
        if N > 0 {
            out.tree.push_leaf(0, 0);
            out.shape[0] = extent.word();
            out.stride[0] = stride.word();
        }
        out
    }

    /// Returns the nesting of the leaves.
    pub const fn tree(&self) -> &Tree<N> {
        &self.tree
    }

    /// Returns the number of leaves, the stand-ins of empty modes included.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.tree.len
    }

    /// Returns true for `():()`, which has no leaf.
    pub const fn is_empty(&self) -> bool {
        self.tree.len == 0
    }

    /// Returns the node of the whole layout.
    #[inline(always)]
    pub const fn root(&self) -> TreeNode {
        self.tree.root()
    }

    /// Returns true if shape and stride are bare integers.
    pub const fn is_scalar(&self) -> bool {
        self.tree.is_leaf(self.root())
    }

    /// Returns the extent of leaf `k`.
    #[inline(always)]
    pub const fn extent(&self, k: usize) -> SymInt {
        SymInt::raw(self.shape[k])
    }

    /// Returns the stride of leaf `k`, in steps of [`LayoutValue::basis`].
    #[inline(always)]
    pub const fn scale(&self, k: usize) -> SymInt {
        SymInt::raw(self.stride[k])
    }

    /// Returns the basis of the stride of leaf `k`.
    #[inline(always)]
    pub const fn basis(&self, k: usize) -> Basis {
        Basis(self.basis[k])
    }

    pub(crate) const fn stride(&self, k: usize) -> Stride {
        Stride { scale: self.scale(k), basis: self.basis(k) }
    }

    pub(crate) const fn set_stride(&mut self, k: usize, stride: Stride) {
        self.stride[k] = stride.scale.word();
        self.basis[k] = stride.basis.0;
    }

    /// Returns true if every stride is a plain integer.
    pub const fn is_integer(&self) -> bool {
        each!(k, 0..self.tree.len, {
            if self.basis[k] != 0 {
                return false;
            }
        });
        true
    }

    /// Returns true if the values are integers: every stride is an integer or an XOR stride.
    pub const fn gives_integers(&self) -> bool {
        each!(k, 0..self.tree.len, {
            if self.basis[k] != 0 && self.basis[k] != Basis::XOR.0 {
                return false;
            }
        });
        true
    }

    /// Returns true if the tree is a nesting, and every stand-in of an empty tuple is `1:0`.
    pub const fn is_nested(&self) -> bool {
        if !self.tree.is_nesting() {
            return false;
        }
        each!(k, 0..self.tree.len, {
            if self.tree.is_stand_in(k) && (self.shape[k] != 1 || self.stride[k] != 0 || self.basis[k] != 0) {
                return false;
            }
        });
        true
    }

    /// Returns true if every extent and stride is known.
    pub const fn is_known(&self) -> bool {
        each!(k, 0..self.tree.len, {
            if !known!(self.shape[k]) || !known!(self.stride[k]) {
                return false;
            }
        });
        true
    }

    /// Returns true if some extent is known to be 0.
    pub(crate) const fn extent_is_zero(&self) -> bool {
        zero_among(&self.shape, 0, self.tree.len)
    }

    /// Appends one leaf inside `level` tuples, which shares `join` of them with the leaf before it. Fails if there are `N` leaves.
    #[inline]
    pub const fn push_leaf<const E: usize>(
        &mut self,
        level: u8,
        join: u8,
        extent: SymInt,
        stride: Stride,
        cx: &ExprGraph<E>,
    ) -> Result<()> {
        push_leaf!(self, N, level, join, extent.0, stride.scale.0, stride.basis.0, cx);
        Ok(())
    }

    /// Appends the node `from` of `other` inside `level` tuples, of which it shares `join` with the leaf before. Fails if it does not fit.
    pub const fn push<const M: usize, const E: usize>(
        &mut self,
        other: &LayoutValue<M>,
        from: TreeNode,
        level: u8,
        join: u8,
        cx: &ExprGraph<E>,
    ) -> Result<()> {
        if other.tree.is_empty(from) {
            return self.push_empty(level, join, cx);
        }
        let mut n = self.tree.len;
        refuse_if!(cx, n + (from.hi - from.lo) > N, Capacity, SymInt::small(N));
        if n > 0 {
            self.tree.join[n - 1] = join;
        }
        each!(k, from.lo..from.hi, {
            refuse_if!(cx, other.tree.depth_of(k) - from.level > MAX_DEPTH - level, TooDeep, SymInt::small(MAX_DEPTH as usize));
            self.shape[n] = other.shape[k];
            self.stride[n] = other.stride[k];
            self.basis[n] = other.basis[k];
            self.tree.depth[n] = other.tree.depth[k] - from.level + level;
            self.tree.join[n] = if k + 1 < from.hi { other.tree.join[k] - from.level + level } else { 0 };
            n += 1;
        });
        self.tree.len = n;
        Ok(())
    }

    /// Appends an empty mode inside `level` tuples, or fails if it does not fit. At level 0 it is `():()`, which has no leaf.
    pub(crate) const fn push_empty<const E: usize>(&mut self, level: u8, join: u8, cx: &ExprGraph<E>) -> Result<()> {
        if level > 0 {
            refuse_if!(cx, self.tree.len == N, Capacity, SymInt::small(N));
            refuse_if!(cx, level >= MAX_DEPTH, TooDeep, SymInt::small(MAX_DEPTH as usize));
            (self.shape[self.tree.len], self.stride[self.tree.len], self.basis[self.tree.len]) = (1, 0, 0);
            self.tree.push_empty(level, join);
        }
        Ok(())
    }

    /// Appends all of `other` as the last mode of a tuple. Fails if it does not fit.
    pub(crate) const fn push_mode<const E: usize>(&mut self, other: &LayoutValue<N>, cx: &ExprGraph<E>) -> Result<()> {
        self.push(other, other.root(), 1, 1, cx)
    }

    /// Returns the node `at` as a separate layout.
    pub(crate) const fn part(&self, at: TreeNode) -> Self {
        if self.tree.is_empty(at) {
            return LayoutValue::empty();
        }
        let mut out = *self;
        out.tree.len = at.hi - at.lo;
        if at.lo == 0 && at.level == 0 {
            return out;
        }
        each!(k, at.lo..at.hi, {
            let n = k - at.lo;
            out.shape[n] = self.shape[k];
            out.stride[n] = self.stride[k];
            out.basis[n] = self.basis[k];
            out.tree.depth[n] = self.tree.depth[k] - at.level;
            out.tree.join[n] = if k + 1 < at.hi { self.tree.join[k] - at.level } else { 0 };
        });
        out
    }

    /// Returns the extents of the node `at` as a tuple.
    pub const fn shape_of(&self, at: TreeNode) -> TupleValue<N> {
        let part = self.part(at);
        TupleValue { tree: part.tree, leaf: part.shape }
    }

    /// Returns the product of the extents of the node `at`. Fails if it overflows.
    pub const fn size_of<const E: usize>(&self, at: TreeNode, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        let mut size = SymInt(1);
        each!(k, at.lo..at.hi, {
            let exact = size.0 as i128 * self.shape[k] as i128;
            if known!(size.0) && known!(self.shape[k]) && fits!(exact) {
                size = SymInt(exact as i64);
            } else if zero_among(&self.shape, k, at.hi) {
                return Ok(SymInt(0));
            } else {
                size = ok!(cx.mul(size, SymInt(self.shape[k])));
            }
        });
        Ok(size)
    }

    /// Joins a shape and strides into one layout. Fails if they are nested differently, or an extent is negative or `_`.
    pub(crate) const fn zip<const E: usize>(shape: &TupleValue<N>, stride: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        refuse_if!(cx, !shape.tree.congruent(shape.root(), &stride.tree, stride.root()), ShapeStrideMismatch);
        let mut out = *stride;
        each!(k, 0..shape.len(), {
            let extent = shape.leaf(k);
            refuse_if!(cx, extent.is_keep() || stride.scale(k).is_keep(), UnexpectedKeep);
            refuse_if!(cx, cx.facts(extent).hi < 0, NegativeExtent, extent);
            out.shape[k] = extent.word();
            if out.tree.is_stand_in(k) {
                (out.shape[k], out.stride[k], out.basis[k]) = (1, 0, 0);
            }
        });
        Ok(out)
    }
}
