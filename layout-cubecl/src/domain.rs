//! The domain of a layout: the form of its coordinates and their extents.

use crate::coordinate::CubeCoordinate;
use crate::{CubeError, Result};
use coordinate_graph::program::{Coordinates, NODES};
use layout_algebra::algebra::functions::{Verdict, in_bounds};
use layout_algebra::error::{Op, OperandKind};
use layout_algebra::expression::{Operand, evaluate};
use layout_algebra::value::{ExprGraph, Facts, LayoutValue, MAX_LEAVES, Tree, TreeNode};

/// The extents of the integers of a coordinate, and the form that the program of the layout takes.
pub(crate) struct Domain {
    pub coordinates: Coordinates,
    pub extents: Vec<Facts>,
}

/// Returns the layout that takes the coordinates, with its numbers as nodes of `graph`. Fails if the text is no layout.
pub(crate) fn parse(text: &str, graph: &mut ExprGraph<NODES>) -> Result<LayoutValue<MAX_LEAVES>> {
    match evaluate::<MAX_LEAVES, NODES>(text, graph)? {
        Operand::Layout(layout) => Ok(layout),
        Operand::Composed(composed) => Ok(composed.outer),
        other => Err(other.instead_of(OperandKind::Layout).into()),
    }
}

/// Finds the form of coordinates `C` of a layout: one integer, one for each mode, or one for each leaf.
pub(crate) fn of<C: CubeCoordinate>(text: &str, layout: &LayoutValue<MAX_LEAVES>, graph: &mut ExprGraph<NODES>) -> Result<Domain> {
    let (tree, root, form) = (layout.tree(), layout.root(), C::form());
    let modes = children(tree, root);
    let (coordinates, nodes) = if form == "_" {
        (Coordinates::Linear, vec![root])
    } else if form == flat(modes.len()) {
        (Coordinates::Modes, modes)
    } else if form == form_of(tree, root) {
        (Coordinates::Leaves, (0..layout.len()).map(|lo| TreeNode { lo, hi: lo + 1, level: 0 }).collect())
    } else {
        return Err(CubeError::Coordinate { form, layout: text.into() });
    };
    let mut extents = Vec::new();
    for (k, node) in nodes.into_iter().enumerate() {
        let size = if coordinates == Coordinates::Leaves { layout.extent(k) } else { layout.size_of(node, graph)? };
        extents.push(graph.facts(size));
    }
    Ok(Domain { coordinates, extents })
}

/// Returns the integer that an expression without run-time leaves evaluates to.
pub(crate) fn number(text: &str) -> Result<i64> {
    let mut graph = ExprGraph::<0>::new(Op::Parse);
    match evaluate::<MAX_LEAVES, 0>(text, &mut graph)? {
        Operand::Tuple(tuple) if tuple.len() == 1 => {
            Ok(tuple.leaf(0).value().unwrap_or_else(|| unreachable!("a graph without nodes has known numbers: {text}")))
        }
        other => Err(other.instead_of(OperandKind::Tuple).into()),
    }
}

/// The indices of a layout whose numbers are all known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Range {
    /// Every index is from 0 to this number minus 1, and the greatest is there. 0 for a layout without elements.
    Below(i64),
    /// An index is negative.
    Negative,
    /// Nothing bounds the indices, or they are coordinates.
    Undecided,
}

/// Returns the range of the indices of a layout without run-time leaves.
pub(crate) fn range(text: &str) -> Result<Range> {
    let mut graph = ExprGraph::<0>::new(Op::Parse);
    let layout = evaluate::<MAX_LEAVES, 0>(text, &mut graph)?;
    // No index fits a buffer without elements, so the answer names the least index if it is negative, otherwise the greatest.
    Ok(match in_bounds(&layout, 0, &mut graph) {
        Ok(Verdict::Holds(_)) => Range::Below(0),
        Ok(Verdict::Fails(at)) if at.index < 0 => Range::Negative,
        Ok(Verdict::Fails(at)) => Range::Below(at.index.saturating_add(1)),
        Err(_) => Range::Undecided,
    })
}

fn children(tree: &Tree<MAX_LEAVES>, at: TreeNode) -> Vec<TreeNode> {
    let (mut out, mut lo) = (Vec::new(), at.lo);
    if tree.is_leaf(at) {
        return vec![at];
    }
    while let Some(child) = tree.child_from(at, lo) {
        lo = child.hi;
        out.push(child);
    }
    out
}

fn flat(rank: usize) -> String {
    format!("({})", vec!["_"; rank].join(","))
}

fn form_of(tree: &Tree<MAX_LEAVES>, at: TreeNode) -> String {
    if tree.is_leaf(at) {
        return "_".into();
    }
    let forms: Vec<String> = children(tree, at).into_iter().map(|child| form_of(tree, child)).collect();
    format!("({})", forms.join(","))
}
