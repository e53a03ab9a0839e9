//! Functions as text for devices, and what a host in Rust hands to these per launch.

use super::function::Function;
use super::names::{Names, Origin, text};
use super::{is_condition, program, refuse};
use crate::diag::{Error, Extent, Result};
use crate::expand::Root;
use layout_core::program::{Emit, Language, Program};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// The name by which generated text refers to the crate, until that is put in its place.
const ROOT: &str = "__layout_core";

/// The constants `NAME_LANGUAGE` of a function, and `NameLaunch` and `name_prepare` where threads need what is computed per launch.
pub fn texts(root: &Root, names: &Names, function: &Function) -> Result<TokenStream> {
    if function.languages.is_empty() {
        return Ok(TokenStream::new());
    }
    let program = program(names, function)?;
    known(names, function, &program)?;
    let (visibility, name) = (&function.visibility, text(&function.name));
    let conditions: Vec<&TokenStream> = function.attributes.iter().filter(|attribute| is_condition(attribute)).collect();
    let mut out = TokenStream::new();
    let mut host: Option<(String, &Ident)> = None;
    for (language, at) in &function.languages {
        let emit = Emit::new(*language, &name).rust_host().crate_path(ROOT);
        let source = program.emit(&emit).map_err(|error| refuse(function, &error))?;
        let constant = Ident::new(&format!("{name}_{language}").to_uppercase(), function.name.span());
        let about = format!("The text of [`{name}`] in {language}.");
        let device = &source.device;
        out.extend(quote! {
            #(#conditions)*
            #[doc = #about]
            #[allow(dead_code)]
            #visibility const #constant: &str = #device;
        });
        let text = source.host.filter(|_| *language != Language::Mlir);
        match (text, &host) {
            (Some(text), Some((known, other))) if text != *known => {
                let message =
                    format!("`{language}` needs other numbers per launch than `{other}`: bound the parameters, so that all fit 32 bits");
                return Err(Error::new(Extent::at(at.span()), message));
            }
            (Some(text), None) => host = Some((text, at)),
            _ => {}
        }
    }
    if let Some((text, _)) = host {
        let root = root.at(function.name.span());
        // An item ends at an empty line.
        for item in text.split("\n\n") {
            let item: TokenStream = item.parse().map_err(|error| refuse(function, &format!("{error}")))?;
            let item = rooted(item, &root);
            out.extend(quote!(#(#conditions)* #[allow(dead_code, clippy::too_many_arguments)] #item));
        }
    }
    Ok(out)
}

/// Refuses constants of Rust, whose numbers are not known here.
fn known(names: &Names, function: &Function, program: &Program) -> Result<()> {
    for input in program.inputs() {
        let what = match names.origin(&input.name) {
            Some(Origin::Constant(_)) => "a constant, whose number is not known while the macro expands",
            Some(Origin::Generic(_)) => "a const parameter, of which a text has none",
            _ => continue,
        };
        let message = format!("`{}` needs `{}`, {what}: make it a `param` or a number", text(&function.name), input.name);
        return Err(Error::new(Extent::at(function.languages[0].1.span()), message));
    }
    Ok(())
}

/// The tokens with the path of the crate in place of its name.
fn rooted(tokens: TokenStream, root: &TokenStream) -> TokenStream {
    let one = |token: TokenTree| match token {
        TokenTree::Ident(ident) if ident == ROOT => root.clone(),
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), rooted(group.stream(), root));
            inside.set_span(Span::call_site());
            TokenStream::from(TokenTree::Group(inside))
        }
        other => other.into(),
    };
    tokens.into_iter().map(one).collect()
}
