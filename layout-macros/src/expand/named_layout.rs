//! Code for layouts that get a name: `layout! { pub type Tile = layout; }`.

use super::layout::{known, operand_types, operation, resolved};
use super::root::Root;
use crate::diag::{Error, Extent, Result};
use crate::evaluate::KnownLayout;
use crate::parse::{Expr, Item};
use layout_algebra::DynLayout;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// Returns the code of `pub type Tile = layout;`: a type of size 0 that is this layout. Fails if the layout is refused or
/// has run-time leaves.
pub fn item(root: &Root, item: &Item) -> Result<TokenStream> {
    let Item { attributes, visibility, name, layout } = item;
    let known = known(layout)?;
    let pattern = pattern(root, resolved(layout)?.as_ref().unwrap_or(layout))?;
    let valid = valid(root, name, layout.at());
    let path = root.at(name.span());
    let conditions: TokenStream = attributes.iter().filter(|attribute| is_cfg(attribute)).cloned().collect();
    let document = known.as_ref().map(|layout| {
        let text = format!("\n\nThe layout `{layout}`.");
        quote!(#[doc = #text])
    });
    let storage = known.as_ref().and_then(|layout| storage(&path, layout)).map(|uint| {
        quote! {
            #conditions
            impl #path::tensor::StaticCosize for #name {
                type Cosize = #uint;
            }
        }
    });
    Ok(quote_spanned! {name.span()=>
        #(#attributes)*
        #document
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::default::Default,
            ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq,
        )]
        #visibility struct #name;

        #conditions
        impl #path::layouts::NamedLayout for #name {
            const PATTERN: &'static #path::layouts::Pattern = &#pattern;
            const VALID: () = #valid;
        }

        #conditions
        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(<Self as #path::TypedLayout>::NOTATION)
            }
        }

        // Evaluated here, so that `cargo check` and editors report a wrong layout.
        #conditions
        const _: () = <#name as #path::TypedLayout>::VALID;

        #storage
    })
}

fn is_cfg(attribute: &TokenStream) -> bool {
    attribute.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == "cfg"),
        _ => false,
    })
}

/// Returns the code of the check that refuses a wrong layout `name`. Its error points at `at`, where the layout is written.
fn valid(root: &Root, name: &Ident, at: Extent) -> TokenStream {
    let (span, path) = (at.first, root.at(at.first));
    let nothing = quote_spanned!(at.last=> ());
    quote_spanned!(span=> <#name as #path::layouts::NamedLayout>::PATTERN.require #nothing)
}

/// Returns the code of the pattern of a layout, which the compiler evaluates to check it. Fails at an expression that
/// cannot get a name.
fn pattern(root: &Root, expr: &Expr) -> Result<TokenStream> {
    let span = expr.at().first;
    let path = root.at(span);
    let form = |ty: TokenStream| quote_spanned!(span=> <#ty as #path::layouts::AsOperand>::DESCRIPTOR);
    match expr {
        Expr::Layout { shape, stride } => {
            let (shape, stride) = (form(root.tree(shape, true)?), form(root.tree(stride, true)?));
            Ok(quote_spanned!(span=> #path::layouts::Pattern::strided(&#shape, &#stride)))
        }
        Expr::Call(call) if call.checked => {
            Err(Error::new(call.name_at(), "a named layout is static: it takes the plain form of an operation"))
        }
        Expr::Call(call) => {
            let op = operation(call)?;
            let forms = operand_types(root, call)?.into_iter().map(form);
            Ok(quote_spanned!(span=> #path::layouts::Pattern::derive(#path::error::Op::#op, &[#(#forms),*])))
        }
        Expr::Swizzled(swizzled) => {
            let message =
                "a swizzled layout has no name of its own here: name the layout inside, and write `type T = Swizzled<B, M, S, Name>;`";
            Err(Error::new(swizzled.at, message))
        }
        Expr::Tree(_) | Expr::Tiler { .. } => Err(Error::new(expr.at(), "this is no layout")),
    }
}

/// Returns the type of the cosize as a typenum integer, written bit by bit, because not every size has a named type.
/// Returns `None` if no run-time layout can hold this one.
fn storage(root: &TokenStream, layout: &KnownLayout) -> Option<TokenStream> {
    let cosize = DynLayout::from_value(*layout).ok()?.cosize();
    let mut uint = quote!(#root::number::typenum::UTerm);
    for k in (0..i64::BITS - cosize.leading_zeros()).rev() {
        let bit = if cosize >> k & 1 == 1 { quote!(B1) } else { quote!(B0) };
        uint = quote!(#root::number::typenum::UInt<#uint, #root::number::typenum::#bit>);
    }
    Some(uint)
}
