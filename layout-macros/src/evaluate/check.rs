//! Checks of shapes and strides that do not need the values of their leaves.

use crate::diag::{Error, Result};
use crate::parse::{Expr, Kind, Tree};

/// Checks the shape and the strides of every layout in an expression. Fails at the first leaf or tuple that is wrong.
pub fn check(expr: &Expr) -> Result<()> {
    match expr {
        Expr::Call(call) => call.args.iter().try_for_each(check),
        Expr::Tiler { modes, .. } => modes.iter().try_for_each(check),
        Expr::Tree(_) => Ok(()),
        Expr::Swizzled(swizzled) => check(&swizzled.outer),
        Expr::Layout { shape, stride } => {
            congruent(shape, stride)?;
            if let Some(keep) = shape.find(|leaf| matches!(leaf.kind, Kind::Keep)) {
                return Err(Error::new(keep.at, "`_` is not an extent"));
            }
            check_shape(shape)?;
            check_stride(stride)
        }
    }
}

/// Fails at a leaf that no shape can have: negative, with `^`, or with a basis.
pub fn check_shape(shape: &Tree) -> Result<()> {
    if let Some(leaf) = shape.find(|leaf| leaf.negative || matches!(leaf.kind, Kind::Int(value) if value < 0)) {
        return Err(Error::new(leaf.at, "an extent is not negative"));
    }
    no_xor(shape, "an extent")?;
    match shape.find(|leaf| matches!(leaf.kind, Kind::Basis(_))) {
        Some(leaf) => Err(Error::new(leaf.at, "an extent has no basis: `@` belongs to strides")),
        None => Ok(()),
    }
}

/// Fails at a leaf with `^`, which belongs to strides. `what` names the leaves in the error.
pub fn no_xor(tree: &Tree, what: &str) -> Result<()> {
    match tree.find(|leaf| leaf.xor) {
        Some(leaf) => Err(Error::new(leaf.at, format!("{what} has no `^`: it belongs to strides"))),
        None => Ok(()),
    }
}

/// Fails at a leaf that no stride can have: `_`.
pub fn check_stride(stride: &Tree) -> Result<()> {
    match stride.find(|leaf| matches!(leaf.kind, Kind::Keep)) {
        Some(keep) => Err(Error::new(keep.at, "`_` is not a stride")),
        None => Ok(()),
    }
}

/// Fails if shape and stride differ in nesting. A run-time value or a type may be a tuple, so it matches any nesting.
fn congruent(shape: &Tree, stride: &Tree) -> Result<()> {
    match (shape, stride) {
        (Tree::Tuple { modes: extents, .. }, Tree::Tuple { modes: strides, .. }) => {
            for (extent, stride) in extents.iter().zip(strides) {
                congruent(extent, stride)?;
            }
            let (extent, stride) = (extents.get(strides.len()), strides.get(extents.len()));
            let counts = format!("shape and stride differ in nesting: {} extents, {} strides", extents.len(), strides.len());
            match stride.or(extent) {
                Some(surplus) => Err(Error::new(surplus.at(), counts)),
                None => Ok(()),
            }
        }
        (Tree::Tuple { modes, .. }, Tree::Leaf(leaf)) if !may_be_tuple(stride) => {
            Err(Error::new(leaf.at, format!("shape and stride differ in nesting: one stride for a tuple of {} extents", modes.len())))
        }
        (Tree::Leaf(_), Tree::Tuple { modes, at, .. }) if !may_be_tuple(shape) => {
            Err(Error::new(*at, format!("shape and stride differ in nesting: a tuple of {} strides for one extent", modes.len())))
        }
        _ => Ok(()),
    }
}

fn may_be_tuple(tree: &Tree) -> bool {
    matches!(tree, Tree::Leaf(leaf) if matches!(leaf.kind, Kind::Value(_) | Kind::Type(_)))
}
