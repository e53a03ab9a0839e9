//! Divides of a layout by a tiler.
//!
//! `logical_divide(A, T) = composition(A, (T, complement(T, size(A))))`: mode 0 walks a tile, mode 1 the tiles. The result permutes `A`,
//! so a tiler is refused if its span does not divide, or if it visits an element twice. A tile with basis strides is complemented in the
//! coordinates of the shape of `A`. By-mode tilers divide mode by mode; modes that they do not name stay. A tuple of plain tiles over an
//! integer mode is their column-major block. `zipped` gathers the tiles in mode 0, which is `composition(A, T)`, and the rests in mode 1;
//! `_` takes the whole mode. `tiled` also unpacks the rests, `flat` unpacks both.

use super::by_mode::Mode;
use super::tiler::Tiler;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, Stride, SymInt, TreeNode};

/// Defines by-mode operations that differ in the grouping of their pairs. `$mode` names the operation on one mode. `$over`
/// says whether [`Tiler::over`] prepares the tiler for the layout first.
macro_rules! grouped {
    ($tiler:ident, $over:expr, $mode:ident; $($(#[$doc:meta])* $name:ident = $how:ident;)*) => {
        impl<const N: usize> LayoutValue<N> { $(
            $(#[$doc])*
            pub(crate) const fn $name<const E: usize>(&self, $tiler: &Tiler<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
                let t = if $over { ok!($tiler.over(self, cx)) } else { *$tiler };
                let pairs = ok!(self.by_mode(Mode::$mode, &t, cx));
                pairs.regrouped(&t, Gather::$how, cx)
            }
        )* }
    };
}
pub(crate) use grouped;

grouped! { t, true, Divide;
    /// Returns `logical_divide(A, T)`: each divided mode becomes `(tile, rest)`.
    logical_divide = Pairs;
    /// Returns `zipped_divide(A, T)`: `((tiles), (rests))`.
    zipped_divide = Zipped;
    /// Returns `tiled_divide(A, T)`: `((tiles), rest, rest, ...)`.
    tiled_divide = Tiled;
    /// Returns `flat_divide(A, T)`: `(tile, tile, ..., rest, rest, ...)`.
    flat_divide = Flat;
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the node `at` of `self` divided by the layout `t`. Fails if `t` visits an element twice or does not divide the node.
    pub(crate) const fn divide<const E: usize>(&self, at: TreeNode, t: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let size = ok!(self.size_of(at, cx));
        each!(k, 0..t.tree.len, {
            refuse_if!(cx, t.stride[k] == 0 && t.shape[k] != 1, NotInjective, t.extent(k));
        });
        let rest = if t.is_integer() || t.has_xor() {
            if t.stride[0] == 1 && t.basis[0] == 0 && t.is_scalar() {
                // The frequent tile `n:1` gets a simpler message.
                let tile = t.extent(0);
                ok!(cx.require_multiple(size, tile, Cause::TileDoesNotDivide, (tile, size)));
            }
            ok!(t.complement_in(size, true, cx))
        } else {
            ok!(self.rest(at, t, cx))
        };
        let mut pair = LayoutValue::empty();
        ok!(pair.push_mode(t, cx));
        ok!(pair.push_mode(&rest, cx));
        self.compose(at, &pair, cx)
    }
}

/// The grouping of the pairs of a by-mode divide or product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gather {
    /// Keeps each pair (tile, rest) as one mode.
    Pairs,
    Zipped,
    Tiled,
    Flat,
}

impl<const N: usize> LayoutValue<N> {
    /// Regroups `self`, which has a `(first, second)` mode for each layout in the tiler `t`: all first halves, then all second.
    pub(crate) const fn regrouped<const E: usize>(&self, t: &Tiler<N>, how: Gather, cx: &ExprGraph<E>) -> Result<Self> {
        if matches!(how, Gather::Pairs) {
            return Ok(*self);
        }
        let mut out = LayoutValue::empty();
        ok!(self.half(self.root(), t, t.root(), 0, &mut out, 1, 1, matches!(how, Gather::Flat), cx));
        ok!(self.half(self.root(), t, t.root(), 1, &mut out, 1, 1, !matches!(how, Gather::Zipped), cx));
        Ok(out)
    }

    /// Appends the first (`which` 0) or second (`which` 1) halves of the modes of the node `at`. With `unpack`, appends the
    /// modes of each half one by one.
    #[allow(clippy::too_many_arguments)]
    const fn half<const E: usize>(
        &self,
        at: TreeNode,
        t: &Tiler<N>,
        node: TreeNode,
        which: usize,
        out: &mut Self,
        level: u8,
        join: u8,
        unpack: bool,
        cx: &ExprGraph<E>,
    ) -> Result<()> {
        if t.is_keep(node) {
            return if which == 0 {
                out.push(self, at, level, join, cx)
            } else {
                out.push_leaf(level, join, SymInt(1), Stride::integer(SymInt(0)), cx)
            };
        }
        if !t.is_by_mode(node) {
            let mode = match self.tree.mode(at, which) {
                Some(mode) => mode,
                None => return Err(cx.fail(Cause::NoSuchMode, SymInt::small(which), SymInt(1))),
            };
            if !unpack || self.tree.is_leaf(mode) {
                return out.push(self, mode, level, join, cx);
            }
            let mut lo = mode.lo;
            while let Some(child) = self.tree.child_from(mode, lo) {
                ok!(out.push(self, child, level, join, cx));
                lo = child.hi;
            }
            return Ok(());
        }
        let mut walk = ok!(t.modes(self, at, node, cx));
        let (inner, mut join) = if unpack { (level, join) } else { (level + 1, join) };
        while let Some((mode, step, _)) = walk.next(&self.tree, &t.lay.tree) {
            match step {
                Some(step) => ok!(self.half(mode, t, step, which, out, inner, join, false, cx)),
                None if which == 1 => ok!(out.push(self, mode, inner, join, cx)),
                None => continue,
            }
            join = inner;
        }
        Ok(())
    }
}
