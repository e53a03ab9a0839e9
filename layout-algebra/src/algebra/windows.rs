//! Windows over a layout.
//!
//! `windows(A, T)` has the elements of a window in mode 0 and the positions of the window in mode 1, mode by mode:
//! `R(w, p) = A(T(w) + p)` for `0 <= p < size(A) - max T`. Windows overlap, so an element has one coordinate for each
//! window that contains it. A window with a negative index, or larger than its mode, is refused. If a window turns out
//! larger than its mode only at run time, the mode of positions has extent 0.
//!
//! `grouped!` defines `windows` for the algebra alone. It calls `by_mode` (`by_mode.rs`), which calls `slide` on each
//! mode. The row in `operations.rs` makes the name in the notation and the public methods.

use super::by_mode::Mode;
use super::divide::{Gather, grouped};
use super::tiler::Tiler;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, Stride, SymInt, TreeNode};

grouped! { t, false, Windows;
    /// Returns `windows(A, T)`: `((windows), (positions))`.
    windows = Zipped;
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the windows of the layout `t` over the node `at` of `self`. Fails if `t` has a negative index or one beyond the node.
    pub(crate) const fn slide<const E: usize>(&self, at: TreeNode, t: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let size = ok!(self.size_of(at, cx));
        let (first, last) = ok!(t.extremes(cx));
        ok!(cx.require_less(SymInt(-1), first, Cause::OutOfRange, (first, size)));
        let places = ok!(cx.sub(size, last));
        refuse_if!(cx, cx.facts(places).hi <= 0, OutOfRange, last, size);
        let places = ok!(cx.max(places, SymInt(0)));
        let mut pair = LayoutValue::empty();
        ok!(pair.push_mode(t, cx));
        ok!(pair.push_leaf(1, 1, places, Stride::integer(SymInt(1)), cx));
        self.compose(at, &pair, cx)
    }
}
