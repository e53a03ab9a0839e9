//! Writes operands as text for the parser of the algebra, so that macros and run-time layouts read one notation.

use crate::parse::{Expr, Kind, Tree};

/// Returns the notation of an operand; `None` for calls, for swizzled layouts, and for leaves that are not literals.
pub fn operand(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Call(_) | Expr::Swizzled(_) => None,
        Expr::Tree(tree) => tuple(tree),
        Expr::Layout { shape, stride } => Some(format!("{}:{}", tuple(shape)?, tuple(stride)?)),
        Expr::Tiler { modes, .. } => Some(format!("[{}]", list(modes, ";", operand)?)),
    }
}

fn tuple(tree: &Tree) -> Option<String> {
    match tree {
        Tree::Tuple { modes, .. } => Some(format!("({})", list(modes, ",", tuple)?)),
        Tree::Leaf(leaf) => match &leaf.kind {
            Kind::Int(value) if leaf.xor => Some(format!("^{value}")),
            Kind::Int(value) => Some(value.to_string()),
            Kind::Keep => Some("_".into()),
            Kind::Basis(text) => Some(text.clone()),
            _ => None,
        },
    }
}

fn list<T>(items: &[T], separator: &str, text: impl Fn(&T) -> Option<String>) -> Option<String> {
    Some(items.iter().map(text).collect::<Option<Vec<_>>>()?.join(separator))
}
