//! Tilers: a layout, or a tuple of tilers applied mode by mode with `_` for a mode left alone.

use crate::error::{Cause, Result, ok};
use crate::value::{Ints, Lay, Num, Scope, Span};

/// A tiler: the tree of `lay`, in which leaf `k` lies inside `by[k]` by-mode tuples; below those it is a layout. `_` is a leaf of extent `_`.
#[derive(Clone, Copy)]
pub struct Tiler<const N: usize> {
    pub(crate) lay: Lay<N>,
    pub(crate) by: [u8; N],
}

impl<const N: usize> Tiler<N> {
    /// A layout as a tiler.
    pub const fn layout(lay: &Lay<N>) -> Self {
        Tiler { lay: *lay, by: [0; N] }
    }

    /// A shape as a by-mode tiler: every extent `n` is the tiler `n:1`.
    pub const fn shape<const E: usize>(shape: &Ints<N>, cx: &Scope<E>) -> Result<Self> {
        if shape.is_empty() {
            return Err(cx.fail(Cause::RankMismatch, Num::ZERO, Num::ONE));
        }
        let mut out = Tiler { lay: Lay::EMPTY, by: [0; N] };
        out.lay.tree = shape.tree;
        out.lay.shape = shape.leaf;
        let mut k = 0;
        while k < shape.len() {
            out.by[k] = shape.tree.depth[k];
            out.lay.stride[k] = 1;
            if !shape.leaf(k).is_keep() && cx.facts(shape.leaf(k)).hi <= 0 {
                return Err(cx.fail(Cause::NotPositive, shape.leaf(k), Num::ZERO));
            }
            k += 1;
        }
        Ok(out)
    }

    /// Appends `mode` as one more mode of a by-mode tuple.
    pub(crate) const fn push_mode<const E: usize>(&mut self, mode: &Tiler<N>, cx: &Scope<E>) -> Result<()> {
        let at = self.lay.len();
        ok!(self.lay.push_mode(&mode.lay, cx));
        let mut k = 0;
        while k < mode.lay.len() {
            self.by[at + k] = mode.by[k] + 1;
            k += 1;
        }
        Ok(())
    }

    /// The whole tiler.
    pub const fn root(&self) -> Span {
        self.lay.root()
    }

    /// Whether `node` is a tuple of tilers.
    pub(crate) const fn is_by_mode(&self, node: Span) -> bool {
        !node.is_empty() && self.by[node.lo] > node.level
    }

    /// Whether `node` is `_`.
    pub(crate) const fn is_keep(&self, node: Span) -> bool {
        self.lay.tree.is_leaf(node) && self.lay.extent(node.lo).is_keep()
    }

    /// Whether the whole tiler is a layout.
    pub const fn as_layout(&self) -> Option<&Lay<N>> {
        if self.is_by_mode(self.root()) || self.is_keep(self.root()) { None } else { Some(&self.lay) }
    }

    /// The modes of the node `at` of a layout beside those of `node`; refuses a tiler of higher rank.
    pub(crate) const fn modes<const E: usize>(&self, l: &Lay<N>, at: Span, node: Span, cx: &Scope<E>) -> Result<Modes> {
        let (have, given) = (l.tree.rank(at), self.lay.tree.rank(node));
        if given > have {
            return Err(cx.fail(Cause::RankMismatch, Num::small(given), Num::small(have)));
        }
        Ok(Modes { at, node, a: at.lo, t: node.lo, k: 0 })
    }
}

/// Walks the modes of a layout beside those of a by-mode tiler.
pub(crate) struct Modes {
    at: Span,
    node: Span,
    a: usize,
    t: usize,
    k: usize,
}

impl Modes {
    /// The next mode, the tiler for it (`None` past the tiler's rank) and its number.
    pub(crate) const fn next<const N: usize>(&mut self, l: &Lay<N>, t: &Tiler<N>) -> Option<(Span, Option<Span>, usize)> {
        if self.a >= self.at.hi {
            return None;
        }
        let mode = if l.tree.is_leaf(self.at) { self.at } else { l.tree.child_from(self.at, self.a) };
        let step = if self.t < self.node.hi {
            let step = t.lay.tree.child_from(self.node, self.t);
            self.t = step.hi;
            Some(step)
        } else {
            None
        };
        self.a = mode.hi;
        self.k += 1;
        Some((mode, step, self.k - 1))
    }
}
