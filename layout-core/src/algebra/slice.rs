//! Slice and dice.
//!
//! `slice(L, c)` keeps the modes that `c` marks with `_` and fixes the others; the second result is the index of the fixed ones, so
//! `slice(L, c)(k) + offset = L(c with k for each _)`. `dice(L, c)` keeps the fixed modes and drops those marked `_`.
//! The kept part of a nested tuple is appended to the modes around it, and `_` alone keeps its mode as it is.

use super::coords::index_of;
use super::modes::Beside;
use crate::error::{Op, Result, ok};
use crate::value::{ExprGraph, LayoutValue, Span, SymInt, TupleValue};

/// The kept modes and the offset of the fixed ones.
pub const fn slice<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    c: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<(LayoutValue<N>, SymInt)> {
    cx.begin(Op::Slice);
    let mut out = LayoutValue::empty();
    ok!(keep(l, l.root(), c, c.root(), true, &mut out, 0, cx));
    let mut fixed = *c;
    each!(k, 0..fixed.len(), {
        if fixed.leaf(k).is_keep() {
            fixed.leaf[k] = 0;
        }
    });
    let offset = ok!(index_of(l, &fixed, cx));
    Ok((out, offset))
}

/// The kept modes.
pub const fn kept<const N: usize, const E: usize>(l: &LayoutValue<N>, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    match slice(l, c, cx) {
        Ok((kept, _)) => Ok(kept),
        Err(error) => Err(error),
    }
}

/// The modes that `c` fixes.
pub const fn dice<const N: usize, const E: usize>(l: &LayoutValue<N>, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::Dice);
    let mut out = LayoutValue::empty();
    ok!(keep(l, l.root(), c, c.root(), false, &mut out, 0, cx));
    Ok(out)
}

#[allow(clippy::too_many_arguments)]
const fn keep<const N: usize, const E: usize>(
    l: &LayoutValue<N>,
    at: Span,
    c: &TupleValue<N>,
    node: Span,
    marked: bool,
    out: &mut LayoutValue<N>,
    level: u8,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    if c.tree.is_leaf(node) {
        return if c.leaf(node.lo).is_keep() == marked { out.push(l, at, level, level, cx) } else { Ok(()) };
    }
    let mut modes = ok!(Beside::equal(&l.tree, at, &c.tree, node, cx));
    let outer = cx.path();
    while let Some((mode, Some(step), k)) = modes.next(&l.tree, &c.tree) {
        cx.at(outer.then(k));
        ok!(keep(l, mode, c, step, marked, out, 1, cx));
    }
    cx.at(outer);
    Ok(())
}
