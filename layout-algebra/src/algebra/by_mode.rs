//! By-mode application: composition, divides, windows and products with a tuple of tilers, and coalescing with a profile.

use super::coalesce::Omit;
use super::tiler::Tiler;
use crate::error::{Result, ok};
use crate::value::{ExprGraph, LayoutValue, TreeNode, TupleValue};

/// The operation on a mode and the layout that the tiler has for it.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    Compose,
    Divide,
    Multiply,
    Windows,
    /// Coalesce the mode; the layout in the tiler is ignored.
    Coalesce,
}

impl<const N: usize> LayoutValue<N> {
    /// Returns `coalesce(L, profile)`: coalesces each mode of `L` that matches a leaf of `profile`. Fails if `profile` has more modes.
    pub(crate) const fn coalesce_by<const E: usize>(&self, profile: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.by_mode(Mode::Coalesce, &Tiler::profile(profile), cx)
    }

    /// Applies `what` to each layout in the tiler `t` and its mode of `self`. Modes with `_` or nothing in `t` stay. Fails as `what`.
    pub(crate) const fn by_mode<const E: usize>(&self, what: Mode, t: &Tiler<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        ok!(self.walk_modes(what, self.root(), t, t.root(), &mut out, 0, 0, cx));
        Ok(out)
    }

    #[allow(clippy::too_many_arguments)]
    const fn walk_modes<const E: usize>(
        &self,
        what: Mode,
        at: TreeNode,
        t: &Tiler<N>,
        node: TreeNode,
        out: &mut Self,
        level: u8,
        join: u8,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        if t.is_keep(node) {
            return out.push(self, at, level, join, cx);
        }
        let outer = cx.path();
        if !t.is_by_mode(node) {
            let tile = t.lay.part(node);
            let mode = match what {
                Mode::Compose => ok!(self.compose(at, &tile, cx)),
                Mode::Divide => ok!(self.divide(at, &tile, cx)),
                Mode::Multiply => ok!(self.part(at).multiply(&tile, cx)),
                Mode::Windows => ok!(self.slide(at, &tile, cx)),
                Mode::Coalesce => ok!(self.merged(at, Omit::Single, cx)),
            };
            cx.at(outer);
            return out.push(&mode, mode.root(), level, join, cx);
        }
        let mut modes = ok!(t.modes(self, at, node, cx));
        let mut join = join;
        while let Some((mode, step, k)) = modes.next(&self.tree, &t.lay.tree) {
            cx.at(outer.then(k));
            match step {
                Some(step) => ok!(self.walk_modes(what, mode, t, step, out, level + 1, join, cx)),
                None => ok!(out.push(self, mode, level + 1, join, cx)),
            }
            join = level + 1;
        }
        cx.at(outer);
        Ok(())
    }
}
