//! Code for layouts and operations, as values and as types. `leaf.rs` has the code of their leaves, and `named_layout.rs`
//! the types with names.

use super::leaf::group;
use super::root::Root;
use crate::diag::{Error, Extent, Result};
use crate::evaluate::{self, KnownLayout, check, is_closed};
use crate::parse::{Call, Expr, Kind, Leaf, MAX_RANK, Swizzled, Tree};
use layout_algebra::error::Op;
use layout_algebra::value::{SymInt, TreeNode};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// Returns the code of `layout!`: the expression of the layout. Fails if the layout is refused.
pub fn value(root: &Root, expr: &Expr) -> Result<TokenStream> {
    Expansion { root, form: Form::Value }.operand(resolved(expr)?.as_ref().unwrap_or(expr), true)
}

/// Returns the code of `try_layout!`, which checks everything that depends on run-time leaves, operands first. Fails if the
/// layout is refused during expansion.
pub fn checked_value(root: &Root, expr: &Expr) -> Result<TokenStream> {
    if known(expr)?.is_some() {
        return Err(Error::new(expr.at(), "every number is known here: write `layout!`"));
    }
    let mut expansion = Expansion { root, form: Form::Checked(Vec::new()) };
    let value = expansion.operand(expr, true)?;
    let Form::Checked(operands) = expansion.form else { return Ok(value) };
    Ok(operands.into_iter().rev().fold(value, |value, (name, operand)| {
        quote! {
            match #operand {
                ::core::result::Result::Ok(#name) => #value,
                ::core::result::Result::Err(error) => ::core::result::Result::Err(error),
            }
        }
    }))
}

/// Returns the types of the operands of an operation. Fails at an operand that has no type, such as a run-time value.
pub fn operand_types(root: &Root, call: &Call) -> Result<Vec<TokenStream>> {
    Expansion { root, form: Form::Type }.operands(call)
}

/// Checks a layout as far as its literals allow. Returns the resulting shape and strides for a closed operation, else
/// `None`. Fails if the layout is refused.
pub fn resolved(expr: &Expr) -> Result<Option<Expr>> {
    match known(expr)? {
        // A layout of shape and stride stays as it is, which keeps the spans of its literals.
        Some(layout) if matches!(expr, Expr::Call(_)) => written_out(&layout, expr.at()).map(Some),
        _ => Ok(None),
    }
}

/// Returns the layout of a closed expression; `None` if the expression is not closed. Fails if it is refused or is not a
/// layout.
pub fn known(expr: &Expr) -> Result<Option<KnownLayout>> {
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

/// The kind of code for an expression.
enum Form {
    Value,
    /// A value that is checked: the operands so far, each as `(name that the remaining code uses, code of the operand)`.
    Checked(Vec<(Ident, TokenStream)>),
    Type,
}

struct Expansion<'a> {
    root: &'a Root,
    form: Form,
}

impl Expansion<'_> {
    fn operand(&mut self, expr: &Expr, outermost: bool) -> Result<TokenStream> {
        let root = self.root;
        let as_type = matches!(self.form, Form::Type);
        let (span, last) = (root.span(expr.at().first), root.span(expr.at().last));
        let path = root.at(span);
        match expr {
            // An operand that is a type may be a layout.
            Expr::Tree(Tree::Leaf(Leaf { kind: Kind::Type(name), negative: false, .. })) if !as_type => {
                Ok(quote_spanned!(span=> <#name as ::core::default::Default>::default()))
            }
            Expr::Tree(tree) => root.tree(tree, as_type),
            Expr::Tiler { modes, .. } => group(modes.iter().map(|mode| self.operand(mode, false)), span),
            Expr::Layout { shape, stride } => {
                let (shape, stride) = (root.tree(shape, as_type), root.tree(stride, as_type));
                if as_type {
                    let (shape, stride) = (shape?, stride?);
                    return Ok(quote_spanned!(span=> #path::Strided<#shape, #stride>));
                }
                let operands = group([shape, stride].into_iter(), last)?;
                let checked = matches!(self.form, Form::Checked(_)) && !is_closed(expr);
                Ok(self.made(quote_spanned!(span=> #path::Strided), operands, span, checked, outermost))
            }
            Expr::Swizzled(_) if !outermost => {
                let message = "operations on a swizzled layout are those of the layout inside: write `S<..> o offset o operation(layout)`";
                Err(Error::new(expr.at(), message))
            }
            Expr::Swizzled(Swizzled { parameters, offset, outer, .. }) => {
                let offset = root.tree(offset, false)?;
                let outer = match (name_in_capitals(outer), &**outer) {
                    (Some(name), _) => self.only_layout(name, outer.at()),
                    (_, Expr::Tree(Tree::Leaf(Leaf { kind: Kind::Value(_), .. }))) => self.operand(outer, false)?,
                    _ => self.operand(resolved(outer)?.as_ref().unwrap_or(outer), false)?,
                };
                let swizzle = quote_spanned!(span=> #path::layouts::StaticSwizzle::<#parameters>);
                let composed = quote_spanned!(span=> #path::layouts::Composed::new(#swizzle, #offset, #outer));
                Ok(match self.form {
                    Form::Checked(_) => quote!(::core::result::Result::Ok::<_, #path::LayoutError>(#composed)),
                    _ => composed,
                })
            }
            Expr::Call(call) => {
                let all = matches!(self.form, Form::Checked(_));
                if call.checked && !outermost && !all {
                    let message = "only the outermost operation can be a `try_` form: write `try_layout!`, which checks all of them";
                    return Err(Error::new(call.name_at(), message));
                }
                let op = operation(call)?;
                let operands = group(self.operands(call)?.into_iter().map(Ok), span)?;
                if as_type {
                    return Ok(quote_spanned!(span=> #path::ops::Derived<#path::ops::op::#op, #operands>));
                }
                let operands = group([Ok(operands)].into_iter(), last)?;
                let checked = call.checked || all && !is_closed(expr);
                Ok(self.made(quote_spanned!(span=> #path::ops::Derived::<#path::ops::op::#op, _>), operands, span, checked, outermost))
            }
        }
    }

    fn operands(&mut self, call: &Call) -> Result<Vec<TokenStream>> {
        let operand = |(at, arg): (usize, &Expr)| {
            let Some(name) = layout_name(call, at) else { return self.operand(arg, false) };
            if matches!(self.form, Form::Type) {
                return Ok(name.clone());
            }
            Ok(self.only_layout(name, arg.at()))
        };
        call.args.iter().enumerate().map(operand).collect()
    }

    /// Returns the code of the name `name`, which must be a layout. The compiler reports any other value at `at`.
    fn only_layout(&self, name: &TokenStream, at: Extent) -> TokenStream {
        let span = self.root.span(at.first);
        let path = self.root.at(span);
        quote_spanned! {span=> {
            #[inline(always)]
            const fn only_layout<L: #path::Layout>(layout: L) -> L {
                layout
            }
            only_layout(#name)
        }}
    }

    /// Returns `ty::new(operands)`, or `ty::try_new(operands)` if `checked`. Unless it is the `outermost` operation, a
    /// checked operand gets a name, and the name is returned.
    fn made(&mut self, ty: TokenStream, operands: TokenStream, span: Span, checked: bool, outermost: bool) -> TokenStream {
        let new = Ident::new(if checked { "try_new" } else { "new" }, span);
        let made = quote_spanned!(span=> #ty::#new #operands);
        match &mut self.form {
            Form::Checked(names) if checked && !outermost => {
                let name = Ident::new(&format!("operand_{}", names.len()), Span::mixed_site());
                names.push((name.clone(), made));
                name.into_token_stream()
            }
            _ => made,
        }
    }
}

/// Returns operand number `at` if it is a name in capitals and the operation takes a layout there; otherwise `None`. Such a
/// name is a layout, not an integer.
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
    name_in_capitals(call.args.get(at).filter(|_| takes_layout)?)
}

fn name_in_capitals(expr: &Expr) -> Option<&TokenStream> {
    match expr {
        Expr::Tree(Tree::Leaf(Leaf { kind: Kind::Name(name), negative: false, .. })) => Some(name),
        _ => None,
    }
}

/// Returns the name of the type of an operation. Fails if the operation has no type, or has no or more than three operands.
pub fn operation(call: &Call) -> Result<Ident> {
    if !Op::TYPED.contains(&call.op) {
        return Err(Error::new(call.name_at(), format!("`{}` does not make a layout of operands that are known only later", call.name)));
    }
    if !(1..=3).contains(&call.args.len()) {
        return Err(Error::new(call.at, format!("`{}` takes one to three operands", call.name)));
    }
    Ok(Ident::new(&format!("{:?}", call.op), call.name.span()))
}

/// Returns a known layout as an expression, as if it had been written at `at`. Fails if a tuple exceeds the rank that types
/// have.
fn written_out(layout: &KnownLayout, at: Extent) -> Result<Expr> {
    let shape = tree(layout, layout.root(), at, &|k| (layout.extent(k), false))?;
    let stride = tree(layout, layout.root(), at, &|k| (layout.scale(k), layout.basis(k).is_xor()))?;
    Ok(Expr::Layout { shape, stride })
}

fn tree(layout: &KnownLayout, node: TreeNode, at: Extent, leaf: &impl Fn(usize) -> (SymInt, bool)) -> Result<Tree> {
    let nesting = layout.tree();
    if nesting.is_leaf(node) {
        let (value, xor) = leaf(node.lo);
        return Ok(Tree::Leaf(Leaf { kind: Kind::Int(value.value().unwrap_or_default()), negative: false, xor, at }));
    }
    let mut modes = Vec::new();
    let mut lo = node.lo;
    while let Some(mode) = nesting.child_from(node, lo) {
        modes.push(tree(layout, mode, at, leaf)?);
        lo = mode.hi;
    }
    if modes.len() > MAX_RANK {
        return Err(Error::new(at, format!("the result has a tuple of {} modes, a type has at most {MAX_RANK}", modes.len())));
    }
    Ok(Tree::Tuple { modes, at, span: Span::call_site() })
}
