//! Functions as text for devices, with the code that prepares their launches on a host in Rust.

mod layout;
#[cfg(test)]
mod tests;

pub use layout::layout_text;

use crate::diag::{Error, Extent, Result};
use crate::expand::Root;
use crate::parse::{Cursor, ident, is_condition, text};
use coordinate_graph::program::{Emit, Language, Program};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// The name of the crate in generated text. `rooted` replaces it by the path of the root.
const ROOT: &str = "__layout_core";

/// A function that is requested as text.
pub struct Wanted<'a> {
    /// The attributes, as written. Only `#[cfg(..)]` attributes are used.
    pub attributes: &'a [TokenStream],
    /// The visibility of the constants.
    pub visibility: &'a TokenStream,
    /// The name of the function.
    pub name: &'a Ident,
    /// The languages, each with its name as written.
    pub languages: &'a [(Language, Ident)],
    /// The subject of the text, for the documentation of the constants.
    pub about: &'a str,
}

/// Reads `as cuda, wgsl`, or nothing. Returns the languages, each with its name as written. Fails at a name that is no
/// language or is listed twice, and at Rust.
pub fn languages(cursor: &mut Cursor) -> Result<Vec<(Language, Ident)>> {
    let mut out: Vec<(Language, Ident)> = Vec::new();
    if !cursor.skip_word("as") {
        return Ok(out);
    }
    loop {
        let name = ident(cursor, "a language, such as `cuda`")?;
        let at = Extent::at(name.span());
        let language = match text(&name).parse::<Language>() {
            Err(error) => return Err(Error::new(at, error.to_string())),
            Ok(Language::Rust) => return Err(Error::new(at, "the function itself is in Rust")),
            Ok(language) => language,
        };
        if out.iter().any(|(known, _)| *known == language) {
            return Err(Error::new(at, format!("`{language}` is listed twice")));
        }
        out.push((language, name));
        if !cursor.skip(',') {
            return Ok(out);
        }
    }
}

/// Returns the constants `NAME_LANGUAGE` of a function. If threads need numbers that are computed per launch, also returns
/// `NameLaunch` and `name_prepare`. Fails if a language cannot express the program.
pub fn texts(root: &Root, wanted: &Wanted<'_>, program: &Program) -> Result<TokenStream> {
    let (visibility, name) = (wanted.visibility, text(wanted.name));
    let conditions: Vec<&TokenStream> = wanted.attributes.iter().filter(|attribute| is_condition(attribute)).collect();
    let refuse = |error: &dyn core::fmt::Display| Error::new(Extent::at(wanted.name.span()), error.to_string());
    let mut out = TokenStream::new();
    let mut host: Option<(String, &Ident)> = None;
    for (language, at) in wanted.languages {
        let source = program.emit(&Emit::new(*language, &name).rust_host().crate_path(ROOT)).map_err(|error| refuse(&error))?;
        let constant = Ident::new(&format!("{name}_{language}").to_uppercase(), wanted.name.span());
        let about = format!("{} in {language}.", wanted.about);
        let device = &source.device;
        out.extend(quote! {
            #(#conditions)*
            #[doc = #about]
            #[allow(dead_code)]
            #visibility const #constant: &str = #device;
        });
        match (source.host, &host) {
            (Some(text), Some((known, other))) if text != *known => {
                let message = format!("`{language}` needs other numbers per launch than `{other}`: bound them, so that all fit 32 bits");
                return Err(Error::new(Extent::at(at.span()), message));
            }
            (Some(text), None) => host = Some((text, at)),
            _ => {}
        }
    }
    if let Some((text, _)) = host {
        let root = root.at(wanted.name.span());
        // Generated items are separated by empty lines.
        for item in text.split("\n\n") {
            let item: TokenStream = item.parse().map_err(|error| refuse(&error))?;
            let item = rooted(item, &root);
            out.extend(quote!(#(#conditions)* #[allow(dead_code, clippy::too_many_arguments)] #item));
        }
    }
    Ok(out)
}

/// Replaces the stand-in for the crate in `tokens` by the path `root`.
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
