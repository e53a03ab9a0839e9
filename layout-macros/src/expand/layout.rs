//! Layouts as values and as types.

use super::leaf::{group, no_basis};
use super::root::Root;
use crate::diag::{Error, Extent, Result};
use crate::evaluate::{self, Known, check, is_closed};
use crate::parse::{Call, Expr, Kind, Leaf, MAX_RANK, Tree};
use layout_core::error::Op;
use layout_core::value::{Span as Node, SymInt};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// The value of `layout!`.
pub fn value(root: &Root, expr: &Expr) -> Result<TokenStream> {
    Values { root, checks: None }.operand(resolved(expr)?.as_ref().unwrap_or(expr), true)
}

/// The value of `try_layout!`: all that depends on run-time leaves is checked, operands first.
pub fn checked_value(root: &Root, expr: &Expr) -> Result<TokenStream> {
    if known(expr)?.is_some() {
        return Err(Error::new(expr.at(), "every number is known here: write `layout!`"));
    }
    let mut values = Values { root, checks: Some(Vec::new()) };
    let mut out = values.operand(expr, true)?;
    for (name, check) in values.checks.into_iter().flatten().rev() {
        out = quote! {
            match #check {
                ::core::result::Result::Ok(#name) => #out,
                ::core::result::Result::Err(error) => ::core::result::Result::Err(error),
            }
        };
    }
    Ok(out)
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

/// Expressions as values.
struct Values<'a> {
    root: &'a Root,
    /// Where everything is checked: the names of operands, and what each is if it is right.
    checks: Option<Vec<(Ident, TokenStream)>>,
}

impl Values<'_> {
    fn operand(&mut self, expr: &Expr, outermost: bool) -> Result<TokenStream> {
        let root = self.root;
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
                let checked = self.checks.is_some() && !is_closed(expr);
                Ok(self.made(quote_spanned!(span=> #path::Strided), operands, span, checked, outermost))
            }
            Expr::Tiler { modes, .. } => {
                let modes = modes.iter().map(|mode| self.operand(mode, false)).collect::<Result<Vec<_>>>()?;
                Ok(group(modes.into_iter(), span))
            }
            Expr::Call(call) => {
                if call.checked && !outermost && self.checks.is_none() {
                    let message = "only the outermost operation can be a `try_` form: write `try_layout!`, which checks all of them";
                    return Err(Error::new(call.name_at(), message));
                }
                let op = operation(call)?;
                let args = call.args.iter().enumerate().map(|(at, arg)| match layout_name(call, at) {
                    // Anything but a layout is refused at the name.
                    Some(name) => {
                        let (span, name) = (root.span(arg.at().first), name.clone());
                        let path = root.at(span);
                        Ok(quote_spanned! {span=> {
                            #[inline(always)]
                            const fn only_layout<L: #path::Layout>(layout: L) -> L {
                                layout
                            }
                            only_layout(#name)
                        }})
                    }
                    None => self.operand(arg, false),
                });
                let args = args.collect::<Result<Vec<_>>>()?;
                let operands = group([group(args.into_iter(), span)].into_iter(), root.span(call.at.last));
                let checked = call.checked || (self.checks.is_some() && !is_closed(expr));
                Ok(self.made(quote_spanned!(span=> #path::Derived::<#path::op::#op, _>), operands, span, checked, outermost))
            }
        }
    }

    /// `ty::new(operands)`, or `ty::try_new(operands)`, which has a name if it is an operand.
    fn made(&mut self, ty: TokenStream, operands: TokenStream, span: Span, checked: bool, outermost: bool) -> TokenStream {
        let new = Ident::new(if checked { "try_new" } else { "new" }, span);
        let made = quote_spanned!(span=> #ty::#new #operands);
        match &mut self.checks {
            Some(checks) if checked && !outermost => {
                let name = Ident::new(&format!("operand_{}", checks.len()), Span::mixed_site());
                checks.push((name.clone(), made));
                name.into_token_stream()
            }
            _ => made,
        }
    }
}

/// The name in capitals that stands where an operation takes a layout: it is that layout, and no integer.
fn layout_name(call: &Call, at: usize) -> Option<&TokenStream> {
    use Op::*;
    let takes_layout = match at {
        0 => !matches!(call.op, ColMajor | RowMajor | Ordered),
        1 => matches!(
            call.op,
            Composition | LogicalProduct | ZippedProduct | TiledProduct | FlatProduct | BlockedProduct | RakedProduct | MaxCommonLayout
        ),
        _ => false,
    };
    match call.args.get(at) {
        Some(Expr::Tree(Tree::Leaf(Leaf { kind: Kind::Static { value, negative: false, name: true }, .. }))) if takes_layout => Some(value),
        _ => None,
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
            let args = group(operand_types(root, call)?.into_iter(), span);
            Ok(quote_spanned!(span=> #path::Derived<#path::op::#op, #args>))
        }
    }
}

/// The types of the operands of an operation.
pub fn operand_types(root: &Root, call: &Call) -> Result<Vec<TokenStream>> {
    let types = call.args.iter().enumerate();
    types.map(|(at, arg)| layout_name(call, at).map_or_else(|| operand_type(root, arg), |name| Ok(name.clone()))).collect()
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
