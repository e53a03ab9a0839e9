//! Slice and dice.
//!
//! * `slice(L, c)` keeps the modes that `c` marks with `_` and fixes the others. Its second result is the index of the fixed modes:
//!   `slice(L, c)(k) + offset = L(c with k for each _)`. Refused if XOR strides of a fixed and a kept mode share bits.
//! * `dice(L, c)` keeps the fixed modes and drops the modes marked `_`.
//! * The kept modes of a nested tuple are appended to the modes around it. `_` alone keeps its mode as it is.

use super::modes::ModePairs;
use crate::error::{Result, ok};
use crate::value::{ExprGraph, LayoutValue, SymInt, TreeNode, TupleValue};

impl<const N: usize> LayoutValue<N> {
    /// Returns the modes that `c` marks with `_`, and the index of the fixed modes. Fails if `c` does not match the shape.
    pub(crate) const fn slice<const E: usize>(&self, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<(Self, SymInt)> {
        let mut out = LayoutValue::empty();
        ok!(self.keep(self.root(), c, c.root(), true, &mut out, 0, cx));
        let mut fixed = *c;
        each!(k, 0..fixed.len(), {
            if fixed.leaf(k).is_keep() {
                fixed.leaf[k] = 0;
            }
        });
        let offset = ok!(self.index_of(&fixed, cx));
        if self.has_xor() {
            ok!(self.require_apart(&fixed, &out, cx));
        }
        Ok((out, offset))
    }

    /// Returns the modes that `c` marks with `_`. Fails if `c` does not match the shape.
    pub(crate) const fn kept<const E: usize>(&self, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        if !self.gives_integers() {
            // With strides that are coordinates, `slice` fails, because the index of the fixed modes is not an integer.
            // The kept modes do not need that index.
            let mut out = LayoutValue::empty();
            ok!(self.keep(self.root(), c, c.root(), true, &mut out, 0, cx));
            return Ok(out);
        }
        match self.slice(c, cx) {
            Ok((kept, _)) => Ok(kept),
            Err(error) => Err(error),
        }
    }

    /// Returns the modes that `c` fixes with an integer. Fails if `c` does not match the shape.
    pub(crate) const fn dice<const E: usize>(&self, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        ok!(self.keep(self.root(), c, c.root(), false, &mut out, 0, cx));
        Ok(out)
    }

    #[allow(clippy::too_many_arguments)]
    const fn keep<const E: usize>(
        &self,
        at: TreeNode,
        c: &TupleValue<N>,
        node: TreeNode,
        marked: bool,
        out: &mut Self,
        level: u8,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        if c.tree.is_leaf(node) {
            return if c.leaf(node.lo).is_keep() == marked { out.push(self, at, level, level, cx) } else { Ok(()) };
        }
        let mut modes = ok!(ModePairs::equal(&self.tree, at, &c.tree, node, cx));
        let outer = cx.path();
        while let Some((mode, Some(step), k)) = modes.next(&self.tree, &c.tree) {
            cx.at(outer.then(k));
            ok!(self.keep(mode, c, step, marked, out, 1, cx));
        }
        cx.at(outer);
        Ok(())
    }
}
