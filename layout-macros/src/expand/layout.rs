//! Layouts as values and as types.

use super::leaf::{group, no_basis};
use super::root::Root;
use crate::diag::{Error, Extent, Result};
use crate::evaluate::{self, Known, check, is_closed};
use crate::parse::{Call, Expr, Kind, Leaf, MAX_RANK, Tree};
use layout_core::value::{Span as Node, SymInt};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

/// The value of `layout!`.
pub fn value(root: &Root, expr: &Expr) -> Result<TokenStream> {
    operand(root, resolved(expr)?.as_ref().unwrap_or(expr), true)
}

/// A layout as checked as can be; if it is a closed operation, its result.
pub fn resolved(expr: &Expr) -> Result<Option<Expr>> {
    match known(expr)? {
        // A layout that is written out keeps the spans of its literals.
        Some(layout) if matches!(expr, Expr::Call(_)) => written_out(&layout, expr.at()).map(Some),
        _ => Ok(None),
    }
}

/// The layout of a closed expression.
pub fn known(expr: &Expr) -> Result<Option<Known>> {
    match expr {
        Expr::Tree(tree) => {
            return Err(Error::new(
                tree.at(),
                "strides are missing: write `shape:stride`, or name them: `col_major(shape)`, `row_major(shape)`",
            ));
        }
        Expr::Tiler { at, .. } => {
            return Err(Error::new(*at, "a tiler is not a layout but an operand, as in `logical_divide(layout, [4:1;_])`"));
        }
        _ => check(expr)?,
    }
    if !is_closed(expr) {
        return Ok(None);
    }
    if let Expr::Call(call @ Call { checked: true, .. }) = expr {
        return Err(Error::new(call.name_at(), format!("every number is known here: write `{}`", call.op.name())));
    }
    evaluate::layout(expr).map(Some)
}

/// An operand as a value.
fn operand(root: &Root, expr: &Expr, outermost: bool) -> Result<TokenStream> {
    let span = root.span(expr.at().first);
    let path = root.at(span);
    match expr {
        // As an operand, a type may be a layout.
        Expr::Tree(Tree::Leaf(Leaf { kind: Kind::Type { name, negative: false }, .. })) => {
            Ok(quote_spanned!(span=> <#name as ::core::default::Default>::default()))
        }
        Expr::Tree(tree) => {
            no_basis(tree)?;
            Ok(root.tree(tree))
        }
        Expr::Layout { shape, stride } => {
            no_basis(stride)?;
            let operands = group([root.tree(shape), root.tree(stride)].into_iter(), root.span(expr.at().last));
            Ok(quote_spanned!(span=> #path::Strided::new #operands))
        }
        Expr::Tiler { modes, .. } => {
            let modes = modes.iter().map(|mode| operand(root, mode, false)).collect::<Result<Vec<_>>>()?;
            Ok(group(modes.into_iter(), span))
        }
        Expr::Call(call) => {
            if call.checked && !outermost {
                return Err(Error::new(call.name_at(), "only the outermost operation can be a `try_` form: bind this one to a name first"));
            }
            let op = operation(call)?;
            let args = call.args.iter().map(|arg| operand(root, arg, false)).collect::<Result<Vec<_>>>()?;
            let operands = group([group(args.into_iter(), span)].into_iter(), root.span(call.at.last));
            let new = Ident::new(if call.checked { "try_new" } else { "new" }, span);
            Ok(quote_spanned!(span=> #path::Derived::<#path::op::#op, _>::#new #operands))
        }
    }
}

/// The type of a static operand.
pub fn operand_type(root: &Root, expr: &Expr) -> Result<TokenStream> {
    let span = expr.at().first;
    let path = root.at(span);
    match expr {
        Expr::Tree(tree) => root.tree_type(tree),
        Expr::Layout { shape, stride } => {
            let (shape, stride) = (root.tree_type(shape)?, root.tree_type(stride)?);
            Ok(quote_spanned!(span=> #path::Strided<#shape, #stride>))
        }
        Expr::Tiler { modes, .. } => {
            let modes = modes.iter().map(|mode| operand_type(root, mode)).collect::<Result<Vec<_>>>()?;
            Ok(group(modes.into_iter(), span))
        }
        Expr::Call(call) => {
            let op = operation(call)?;
            let args = call.args.iter().map(|arg| operand_type(root, arg)).collect::<Result<Vec<_>>>()?;
            let args = group(args.into_iter(), span);
            Ok(quote_spanned!(span=> #path::Derived<#path::op::#op, #args>))
        }
    }
}

/// The name of an operation as a type.
pub fn operation(call: &Call) -> Result<Ident> {
    if !layout_core::op::ALL.contains(&call.op) {
        return Err(Error::new(call.name_at(), format!("`{}` does not make a layout of operands that are known only later", call.name)));
    }
    if !(1..=3).contains(&call.args.len()) {
        return Err(Error::new(call.at, format!("`{}` takes one to three operands", call.name)));
    }
    Ok(Ident::new(&format!("{:?}", call.op), call.name.span()))
}

/// A known layout as if it had been written at `at`.
fn written_out(layout: &Known, at: Extent) -> Result<Expr> {
    let shape = tree(layout, layout.root(), at, &|k| layout.extent(k))?;
    let stride = tree(layout, layout.root(), at, &|k| layout.scale(k))?;
    Ok(Expr::Layout { shape, stride })
}

fn tree(layout: &Known, node: Node, at: Extent, leaf: &impl Fn(usize) -> SymInt) -> Result<Tree> {
    let nesting = layout.tree();
    if nesting.is_leaf(node) {
        let value = leaf(node.lo).value().unwrap_or_default();
        return Ok(Tree::Leaf(Leaf { kind: Kind::Int(value), at }));
    }
    let mut modes = Vec::new();
    let mut lo = node.lo;
    while lo < node.hi {
        let mode = nesting.child_from(node, lo);
        modes.push(tree(layout, mode, at, leaf)?);
        lo = mode.hi;
    }
    if modes.len() > MAX_RANK {
        return Err(Error::new(at, format!("the result has a tuple of {} modes, a type has at most {MAX_RANK}", modes.len())));
    }
    Ok(Tree::Tuple { modes, at, span: Span::call_site() })
}
