//! The traces of by-mode operations and of merged modes.

use crate::algebra::coalesce::Omit;
use crate::algebra::tiler::Tiler;
use crate::error::{Op, Path, Result, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, TreeNode};

/// The state of a merge after some leaves: the number of merged modes, and the last of them.
///
/// ```
/// use layout_algebra::{DynLayout, trace::merged_modes, value::Basis};
/// let a: DynLayout = "(4,5,3):(1,0,4)".parse()?;
/// // `filter` drops the mode of stride 0, so the last leaf continues the first.
/// let last = merged_modes(a.value(), true)?.last().unwrap();
/// assert_eq!((last.modes, last.extent, last.stride, last.basis), (1, 12, 1, Basis::INTEGER));
/// assert_eq!(merged_modes(a.value(), false)?.last().map(|last| last.modes), Some(3));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// The number of modes so far; 0 if every leaf was left out.
    pub modes: usize,
    /// The extent of the last mode.
    pub extent: i64,
    /// The stride of the last mode.
    pub stride: i64,
    /// The basis of the stride of the last mode.
    pub basis: Basis,
}

/// Traces `coalesce(L)`, or with `filter` `filter(L)`: the last mode after each leaf of `l`. A leaf that changes nothing is left
/// out, a leaf that changes the extent is merged, and any other leaf begins a mode. Fails if a number is not known.
///
/// ```
/// use layout_algebra::{DynLayout, trace};
/// let l: DynLayout = "(2,1,6,4):(1,6,2,24)".parse()?;
/// let merged: Vec<_> = trace::merged_modes(l.value(), false)?.map(|last| (last.modes, last.extent, last.stride)).collect();
/// assert_eq!(merged, [(1, 2, 1), (1, 2, 1), (1, 12, 1), (2, 4, 24)]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn merged_modes<const N: usize>(l: &LayoutValue<N>, filter: bool) -> Result<impl Iterator<Item = Merged> + use<N>> {
    let (l, omit) = (*l, if filter { Omit::Unmoving } else { Omit::Single });
    let mut cx = ExprGraph::<0>::new(Op::Coalesce);
    refuse_if!(cx, !l.is_known(), Undecided);
    l.merged(l.root(), omit, &mut cx)?;
    Ok((1..=l.len()).map_while(move |hi| {
        let out = l.merged(TreeNode { hi, ..l.root() }, omit, &mut cx).ok()?;
        let last = out.len().checked_sub(1)?;
        // With no leaf left, the result is `1:0`.
        let modes = if out.shape[last] == 1 { 0 } else { out.len() };
        Some(Merged { modes, extent: out.shape[last], stride: out.stride[last], basis: out.basis(last) })
    }))
}

/// Calls `each(path, mode, layout)` for every layout in the tiler `t` and its mode of `a`. Fails if a tuple of `t` has the higher rank.
///
/// ```
/// use layout_algebra::{DynCoord, DynLayout, error::Op, expression::Tiler, trace, value::ExprGraph};
/// let a: DynLayout = "(8,(4,6)):(24,(6,1))".parse()?;
/// let tiler = Tiler::shape(DynCoord::parse("(_,(2,3))")?.value(), &ExprGraph::<0>::new(Op::LogicalDivide))?;
/// let mut steps = Vec::new();
/// trace::by_mode(a.value(), &tiler, &mut |path, mode, tile| steps.push(format!("{:?}: {mode} by {tile}", path.modes())))?;
/// assert_eq!(steps, ["[1, 0]: 4:6 by 2:1", "[1, 1]: 6:1 by 3:1"]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn by_mode<const N: usize>(
    a: &LayoutValue<N>,
    t: &Tiler<N>,
    each: &mut impl FnMut(Path, LayoutValue<N>, LayoutValue<N>),
) -> Result<()> {
    let cx = ExprGraph::<0>::new(Op::Composition);
    walk(a, a.root(), t, t.root(), Path::ROOT, each, &cx)
}

fn walk<const N: usize>(
    a: &LayoutValue<N>,
    at: TreeNode,
    t: &Tiler<N>,
    node: TreeNode,
    path: Path,
    each: &mut impl FnMut(Path, LayoutValue<N>, LayoutValue<N>),
    cx: &ExprGraph<0>,
) -> Result<()> {
    if t.is_keep(node) {
        return Ok(());
    }
    if !t.is_by_mode(node) {
        each(path, a.part(at), t.lay.part(node));
        return Ok(());
    }
    let mut modes = t.modes(a, at, node, cx)?;
    while let Some((mode, step, k)) = modes.next(&a.tree, &t.lay.tree) {
        if let Some(step) = step {
            walk(a, mode, t, step, path.then(k), each, cx)?;
        }
    }
    Ok(())
}
