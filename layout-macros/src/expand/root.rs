//! Where generated paths start.

use crate::parse::Cursor;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

/// The crate that has the types: what `$crate` was where the macro is exported, or `::layout_core`.
pub struct Root(Option<Ident>);

impl Root {
    /// Takes `@ $crate` if the input starts with it.
    pub fn take(cursor: &mut Cursor) -> Root {
        let named = cursor.skip('@').then(|| cursor.next()).flatten();
        Root(match named {
            Some(TokenTree::Ident(root)) => Some(root),
            _ => None,
        })
    }

    /// The span of what is generated for the tokens at `span`: an error in it is shown there. It is the same for all parts of an expression, as
    /// the compiler joins only spans of one origin.
    pub fn span(&self, span: Span) -> Span {
        self.0.as_ref().map_or(span, |root| root.span().located_at(span))
    }

    /// The path, seen at `span`.
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
