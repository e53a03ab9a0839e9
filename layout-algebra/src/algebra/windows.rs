//! Windows.
//!
//! `windows(A, T)` walks a window in mode 0 and its places in mode 1, mode by mode: `R(w, p) = A(T(w) + p)` for every `p` from 0 on with
//! `T(w) + p < size(A)`, of which there are `size(A) - max T`. Windows overlap, so that an element has as many coordinates as windows have it.
//! A window that is larger than its mode is refused; of an extent that is known at run time only it has no place.

use super::by_mode::Mode;
use super::divide::{Gather, grouped};
use super::tiler::Tiler;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, Span, Stride, SymInt};

grouped! { t, false, Windows;
    /// `windows(A, T)`: `((windows), (places))`.
    windows = Zipped;
}

impl<const N: usize> LayoutValue<N> {
    /// `A|at` by windows of the layout `t`.
    pub(crate) const fn slide<const E: usize>(&self, at: Span, t: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
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
