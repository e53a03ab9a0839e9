//! The root of generated paths. Every generated path to a type or a function of the library must begin with it.

use crate::parse::Cursor;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

/// The crate that contains the types that generated code names: the `$crate` that the exporting crate passed, or
/// `::layout_core`.
pub struct Root(Option<Ident>);

impl Root {
    /// Reads the root: `@ $crate` if the input starts with it. Otherwise reads nothing.
    pub fn take(cursor: &mut Cursor) -> Root {
        let named = cursor.skip('@').then(|| cursor.next()).flatten();
        Root(match named {
            Some(TokenTree::Ident(root)) => Some(root),
            _ => None,
        })
    }

    /// Returns the span for code that is generated for the tokens at `span`, so that errors in it are shown there.
    /// All spans of an expression must come from here, because the compiler joins only spans of one origin.
    pub fn span(&self, span: Span) -> Span {
        self.0.as_ref().map_or(span, |root| root.span().located_at(span))
    }

    /// Returns the path of the root as tokens, with the span that `Root::span` gives for `span`.
    pub fn at(&self, span: Span) -> TokenStream {
        let span = self.span(span);
        match &self.0 {
            Some(root) => {
                let mut root = root.clone();
                root.set_span(span);
                root.into_token_stream()
            }
            None => quote_spanned!(span=> ::layout_core),
        }
    }
}
