//! Nested tuples of integers: shapes, coordinates, and strides without a basis.

use super::tree::MAX_DEPTH;
use super::{ExprGraph, SymInt, Tree, TreeNode};
use crate::error::{Result, refuse_if};

/// A nested tuple of at most `N` integers.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::value::{ExprGraph, SymInt, TupleValue};
/// let scope = ExprGraph::<0>::new(Op::Parse);
/// let mut slice = TupleValue::<8>::empty();
/// slice.push_leaf(1, 0, SymInt::KEEP, &scope)?;
/// slice.push_leaf(1, 1, SymInt::small(3), &scope)?;
/// assert_eq!(slice.to_string(), "(_,3)");
/// assert_eq!((slice.len(), slice.leaf(1), slice.tree().rank(slice.root())), (2, SymInt::small(3), 2));
/// assert!(slice.has_keep() && slice.is_known() && slice.is_nested() && !slice.is_empty());
/// // The tuple becomes mode 1 of another.
/// let mut pair = TupleValue::<8>::empty();
/// pair.push_leaf(1, 0, SymInt::ONE, &scope)?;
/// pair.push(&slice, slice.root(), 1, 1, &scope)?;
/// assert_eq!(pair.to_string(), "(1,(_,3))");
/// // A bare integer is no tuple of one.
/// let (five, low) = (TupleValue::<8>::scalar(SymInt::small(5)), TupleValue::<8>::integer(i64::MIN));
/// assert_eq!((five.is_scalar(), five.to_string().as_str(), low.is_none()), (true, "5", true));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct TupleValue<const N: usize> {
    /// The nesting of the integers.
    pub tree: Tree<N>,
    /// The word of each integer ([`SymInt::word`]).
    pub leaf: [i64; N],
}

impl<const N: usize> TupleValue<N> {
    /// Nests the leaves `words` like `tree`, with 1 in the stand-ins of empty tuples.
    pub(crate) const fn nested(tree: Tree<N>, words: [i64; N]) -> Self {
        let mut out = TupleValue { tree, leaf: words };
        each!(k, 0..tree.len, {
            if tree.is_stand_in(k) {
                out.leaf[k] = 1;
            }
        });
        out
    }

    /// Returns the empty tuple `()`.
    pub const fn empty() -> Self {
        TupleValue { tree: Tree { len: 0, depth: [0; N], join: [0; N] }, leaf: [0; N] }
    }

    /// Returns a bare integer.
    pub const fn scalar(value: SymInt) -> Self {
        let mut out = Self::empty();
        if N > 0 {
            out.tree.push_leaf(0, 0);
            out.leaf[0] = value.word();
        }
        out
    }

    /// Returns the known integer `value`, or `None` if a [`SymInt`] cannot hold it.
    pub const fn integer(value: i64) -> Option<Self> {
        match SymInt::known(value) {
            Some(value) => Some(Self::scalar(value)),
            None => None,
        }
    }

    /// Returns true if the tree is a nesting, and all stand-ins of empty tuples have the integer 1.
    pub const fn is_nested(&self) -> bool {
        if !self.tree.is_nesting() {
            return false;
        }
        each!(k, 0..self.tree.len, {
            if self.tree.is_stand_in(k) && self.leaf[k] != 1 {
                return false;
            }
        });
        true
    }

    /// Returns the nesting of the integers.
    pub const fn tree(&self) -> &Tree<N> {
        &self.tree
    }

    /// Returns the integer of leaf `k`, from 0.
    #[inline(always)]
    pub const fn leaf(&self, k: usize) -> SymInt {
        SymInt::raw(self.leaf[k])
    }

    /// Returns the number of leaves, the stand-ins of empty tuples included.
    pub const fn len(&self) -> usize {
        self.tree.len
    }

    /// Returns true for `()`.
    pub const fn is_empty(&self) -> bool {
        self.tree.len == 0
    }

    /// Returns the node of the whole tuple.
    pub const fn root(&self) -> TreeNode {
        self.tree.root()
    }

    /// Returns true for a bare integer.
    pub const fn is_scalar(&self) -> bool {
        self.tree.is_leaf(self.tree.root())
    }

    /// Returns true if every leaf is a known number or `_`.
    pub const fn is_known(&self) -> bool {
        each!(k, 0..self.tree.len, {
            if !self.leaf(k).is_known() && !self.leaf(k).is_keep() {
                return false;
            }
        });
        true
    }

    /// Returns true if a leaf is `_`.
    pub const fn has_keep(&self) -> bool {
        each!(k, 0..self.tree.len, {
            if self.leaf(k).is_keep() {
                return true;
            }
        });
        false
    }

    /// Appends one leaf inside `level` tuples, which shares `join` of them with the leaf before it. Fails if there are `N` leaves.
    pub const fn push_leaf<const E: usize>(&mut self, level: u8, join: u8, value: SymInt, cx: &ExprGraph<E>) -> Result<()> {
        refuse_if!(cx, self.tree.len == N, Capacity, SymInt::small(N));
        self.leaf[self.tree.len] = value.word();
        self.tree.push_leaf(level, join);
        Ok(())
    }

    /// Appends the node `from` of `other` inside `level` tuples, of which it shares `join` with the leaf before. Fails if it does not fit.
    pub const fn push<const M: usize, const E: usize>(
        &mut self,
        other: &TupleValue<M>,
        from: TreeNode,
        level: u8,
        join: u8,
        cx: &ExprGraph<E>,
    ) -> Result<()> {
        refuse_if!(cx, other.tree.too_deep(from, level), TooDeep, SymInt::small(MAX_DEPTH as usize));
        let empty = other.tree.is_empty(from);
        let count = if empty { (level > 0) as usize } else { from.len() };
        refuse_if!(cx, self.tree.len + count > N, Capacity, SymInt::small(N));
        each!(k, 0..count, {
            self.leaf[self.tree.len + k] = if empty { 1 } else { other.leaf[from.lo + k] };
        });
        self.tree.push(&other.tree, from, level, join);
        Ok(())
    }

    /// Returns the product of the leaves of the node `at`: 1 for `()`, 0 if a leaf is known to be 0. Fails if it overflows.
    pub(crate) const fn product<const E: usize>(&self, at: TreeNode, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        let mut product = SymInt(1);
        each!(k, at.lo..at.hi, {
            product = match cx.mul(product, self.leaf(k)) {
                Ok(product) => product,
                Err(_) if zero_among(&self.leaf, k, at.hi) => return Ok(SymInt(0)),
                Err(error) => return Err(error),
            };
        });
        Ok(product)
    }

    /// Returns the node `at` as a separate tuple.
    pub(crate) const fn part(&self, at: TreeNode) -> Self {
        let mut out = Self::empty();
        each!(k, 0..at.len(), {
            out.leaf[k] = self.leaf[at.lo + k];
        });
        out.tree.push(&self.tree, at, 0, 0);
        out
    }
}

/// Returns true if one of the words `lo..hi` is 0. Then their product is 0 even if a partial product overflows.
pub(crate) const fn zero_among<const N: usize>(words: &[i64; N], lo: usize, hi: usize) -> bool {
    each!(k, lo..hi, {
        if words[k] == 0 {
            return true;
        }
    });
    false
}
