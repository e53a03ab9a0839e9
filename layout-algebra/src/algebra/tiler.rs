//! Tilers: a layout, or a tuple of tilers that apply mode by mode, with `_` for a mode that stays as it is.

use super::modes::ModePairs;
use crate::error::{Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, SymInt, TreeNode, TupleValue};

/// A layout, or a tuple of tilers that apply mode by mode. Leaf `k` of `lay` lies inside `by[k]` such tuples. `_` is an extent `_`.
///
/// ```
/// use layout_algebra::{DynCoord, DynLayout, error::Op, value::{ExprGraph, LayoutValue}};
/// use layout_algebra::expression::Tiler;
/// let mut scope = ExprGraph::<0>::new(Op::LogicalDivide);
/// let every_second: LayoutValue<16> = *DynLayout::parse("4:2")?.value();
/// let rows = Tiler::layout(&every_second);
/// assert_eq!(rows.as_layout().map(|l| l.to_string()).as_deref(), Some("4:2"));
/// // A tuple of tilers, mode by mode.
/// let mut both = Tiler::shape(DynCoord::parse("(4,_)")?.value(), &scope)?;
/// both.push_mode(&rows, &scope)?;
/// assert_eq!((both.to_string().as_str(), both.as_layout().is_none(), both.root().len()), ("[4:1;_;4:2]", true, 3));
/// let nested = Tiler::shape(DynCoord::<16>::parse("((4,2),8)")?.value(), &scope)?;
/// assert_eq!((nested.to_string().as_str(), nested.flatten(&mut scope)?.to_string().as_str()), ("[[4:1;2:1];8:1]", "[4:1;2:1;8:1]"));
/// // Over an integer mode, the tiles of a tuple form one block.
/// let block = Tiler::shape(DynCoord::<16>::parse("(4,6)")?.value(), &scope)?.over(DynLayout::parse("24:1")?.value(), &mut scope)?;
/// assert_eq!(block.to_string(), "(4,6):(1,4)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tiler<const N: usize> {
    pub(crate) lay: LayoutValue<N>,
    pub(crate) by: [u8; N],
}

impl<const N: usize> Tiler<N> {
    /// Makes a tiler from a layout.
    pub const fn layout(lay: &LayoutValue<N>) -> Self {
        Tiler { lay: *lay, by: [0; N] }
    }

    /// Makes a by-mode tiler from a shape: every extent `n` becomes the tiler `n:1`. Fails if an extent is not positive.
    pub const fn shape<const E: usize>(shape: &TupleValue<N>, cx: &ExprGraph<E>) -> Result<Self> {
        let mut out = Self::profile(shape);
        each!(k, 0..shape.len(), {
            out.lay.stride[k] = 1;
            if !shape.tree.is_stand_in(k) {
                out.lay.shape[k] = shape.leaf[k];
            }
            refuse_if!(cx, !shape.leaf(k).is_keep() && cx.facts(shape.leaf(k)).hi <= 0, NotPositive, shape.leaf(k));
        });
        Ok(out)
    }

    /// Makes a profile: a by-mode tiler with an unspecified layout for every leaf. `()` acts as `_`: its mode stays as it is.
    pub(crate) const fn profile(profile: &TupleValue<N>) -> Self {
        let mut out = Tiler { lay: LayoutValue::empty(), by: [0; N] };
        if profile.is_empty() {
            out.lay = LayoutValue::scalar(SymInt::KEEP, SymInt(0));
            return out;
        }
        out.lay.tree = profile.tree;
        each!(k, 0..profile.len(), {
            if profile.tree.is_stand_in(k) {
                out.lay.tree.depth[k] = profile.tree.depth_of(k) - 1;
                out.lay.shape[k] = SymInt::KEEP_WORD;
            }
            out.by[k] = out.lay.tree.depth[k];
        });
        out
    }

    /// Appends `mode` as the last mode of a by-mode tuple. Fails if there are too many leaves or they are nested too deep.
    pub const fn push_mode<const E: usize>(&mut self, mode: &Tiler<N>, cx: &ExprGraph<E>) -> Result<()> {
        let at = self.lay.len();
        ok!(self.lay.push_mode(&mode.lay, cx));
        each!(k, at..self.lay.len(), {
            // `():()` has no leaf of its own.
            self.by[k] = if mode.lay.is_empty() { 1 } else { mode.by[k - at] + 1 };
        });
        Ok(())
    }

    /// Adapts the tiler to the modes of `a`: a tuple of plain tiles `n:1` over an integer mode becomes their column-major block,
    /// so `(4,6)` over `24` becomes `(4,6):(1,4)`.
    pub const fn over<const E: usize>(&self, a: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = *self;
        ok!(out.make_blocks(a, a.root(), self.root(), cx));
        Ok(out)
    }

    const fn make_blocks<const E: usize>(&mut self, a: &LayoutValue<N>, at: TreeNode, node: TreeNode, cx: &mut ExprGraph<E>) -> Result<()> {
        if !self.is_by_mode(node) {
            return Ok(());
        }
        if a.tree.is_leaf(at) && self.lay.tree.rank(node) > 1 {
            return if self.is_plain(node) { self.make_block(node, cx) } else { Ok(()) };
        }
        let mut walk = ok!(self.modes(a, at, node, cx));
        while let Some((mode, step, _)) = walk.next(&a.tree, &self.lay.tree) {
            if let Some(step) = step {
                ok!(self.make_blocks(a, mode, step, cx));
            }
        }
        Ok(())
    }

    /// Returns true if every element below the by-mode tuple `node` is a tile `n:1`.
    const fn is_plain(&self, node: TreeNode) -> bool {
        each!(k, node.lo..node.hi, {
            let tile = self.lay.tree.depth[k] == self.by[k] && self.lay.scale(k).is(1) && self.lay.basis(k).is_integer();
            if !tile || self.lay.extent(k).is_keep() {
                return false;
            }
        });
        true
    }

    const fn make_block<const E: usize>(&mut self, node: TreeNode, cx: &mut ExprGraph<E>) -> Result<()> {
        let mut span = SymInt(1);
        each!(k, node.lo..node.hi, {
            self.by[k] = node.level;
            self.lay.stride[k] = span.word();
            span = ok!(cx.mul(span, self.lay.extent(k)));
        });
        Ok(())
    }

    /// Puts all tilers into one tuple: `[[a;b];_;c]` becomes `[a;b;_;c]`.
    pub const fn flatten<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = Tiler { lay: LayoutValue::empty(), by: [0; N] };
        let mut lo = 0;
        while lo < self.lay.len() {
            let mut node = self.root();
            while self.is_by_mode(node) {
                node = self.child_at(node, lo);
            }
            ok!(out.push_mode(&Tiler::layout(&self.lay.part(node)), cx));
            lo = node.hi;
        }
        Ok(out)
    }

    /// Returns the mode of the by-mode tuple `node` that contains leaf `leaf`.
    const fn child_at(&self, node: TreeNode, leaf: usize) -> TreeNode {
        let mut child = node;
        let mut lo = node.lo;
        while lo <= leaf
            && let Some(next) = self.lay.tree.child_from(node, lo)
        {
            child = next;
            lo = next.hi;
        }
        child
    }

    /// Returns the node of the whole tiler.
    pub const fn root(&self) -> TreeNode {
        self.lay.root()
    }

    /// Returns true if `node` is a tuple of tilers.
    pub(crate) const fn is_by_mode(&self, node: TreeNode) -> bool {
        !node.is_empty() && self.by[node.lo] > node.level
    }

    /// Returns true if `node` is `_`.
    pub(crate) const fn is_keep(&self, node: TreeNode) -> bool {
        self.lay.tree.is_leaf(node) && self.lay.extent(node.lo).is_keep()
    }

    /// Returns the tiler as a layout, or `None` if it is a tuple of tilers or `_`.
    pub const fn as_layout(&self) -> Option<&LayoutValue<N>> {
        if self.is_by_mode(self.root()) || self.is_keep(self.root()) { None } else { Some(&self.lay) }
    }

    /// Pairs the modes of the node `at` of `l` with the modes of the node `node` of the tiler. Fails if `node` has the higher rank.
    pub(crate) const fn modes<const E: usize>(
        &self,
        l: &LayoutValue<N>,
        at: TreeNode,
        node: TreeNode,
        cx: &ExprGraph<E>,
    ) -> Result<ModePairs> {
        let (have, given) = (l.tree.rank(at), self.lay.tree.rank(node));
        refuse_if!(cx, given > have && l.tree.is_leaf(at), NotCongruent, SymInt::small(given));
        refuse_if!(cx, given > have, RankMismatch, SymInt::small(given), SymInt::small(have));
        Ok(ModePairs::new(at, node))
    }
}
