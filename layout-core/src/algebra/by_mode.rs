//! Mode by mode: what composition, divides and products do with a tuple of tilers, and coalescing with a profile.

use super::coalesce::{self, Omit};
use super::tiler::Tiler;
use super::{compose, divide, product};
use crate::error::{Result, ok};
use crate::value::{ExprGraph, LayoutValue, Span};

/// The operation on a mode and the layout in the tiler for it.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    Compose,
    Divide,
    Multiply,
    /// The layout in the tiler does not matter.
    Coalesce,
}

/// `what` for each layout in the tiler `t` and its mode of `a`; `_` and modes that `t` does not name stay.
pub(crate) const fn by_mode<const N: usize, const E: usize>(
    what: Mode,
    a: &LayoutValue<N>,
    t: &Tiler<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut out = LayoutValue::empty();
    ok!(walk(what, a, a.root(), t, t.root(), &mut out, 0, 0, cx));
    Ok(out)
}

#[allow(clippy::too_many_arguments)]
const fn walk<const N: usize, const E: usize>(
    what: Mode,
    a: &LayoutValue<N>,
    at: Span,
    t: &Tiler<N>,
    node: Span,
    out: &mut LayoutValue<N>,
    level: u8,
    join: u8,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    if t.is_keep(node) {
        return out.push(a, at, level, join, cx);
    }
    let outer = cx.path();
    if !t.is_by_mode(node) {
        let tile = t.lay.part(node);
        let mode = match what {
            Mode::Compose => ok!(compose::compose(a, at, &tile, cx)),
            Mode::Divide => ok!(divide::divide(a, at, &tile, cx)),
            Mode::Multiply => ok!(product::multiply(&a.part(at), &tile, cx)),
            Mode::Coalesce => ok!(coalesce::merged(a, at, Omit::Single, cx)),
        };
        cx.at(outer);
        return out.push(&mode, mode.root(), level, join, cx);
    }
    let mut modes = ok!(t.modes(a, at, node, cx));
    let mut join = join;
    while let Some((mode, step, k)) = modes.next(&a.tree, &t.lay.tree) {
        cx.at(outer.then(k));
        match step {
            Some(step) => ok!(walk(what, a, mode, t, step, out, level + 1, join, cx)),
            None => ok!(out.push(a, mode, level + 1, join, cx)),
        }
        join = level + 1;
    }
    cx.at(outer);
    Ok(())
}
