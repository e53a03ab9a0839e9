//! Reads names and attributes in the statements of graphs and of texts, and before kernels.

use super::Cursor;
use crate::diag::{Error, Result};
#[cfg(feature = "graph")]
use proc_macro2::TokenStream;
use proc_macro2::{Ident, TokenTree};

impl Cursor {
    /// Fails at the next token, with `what` as the expected text.
    pub fn expected<T>(&self, what: &str) -> Result<T> {
        match self.peek(0) {
            Some(token) if !matches!(token, TokenTree::Group(_)) => {
                Err(Error::new(self.here(), format!("expected {what}, found `{token}`")))
            }
            _ => Err(Error::new(self.here(), format!("expected {what}"))),
        }
    }
}

/// Reads a name other than `_`. Fails at other tokens; `what` describes the name in the error.
pub fn ident(cursor: &mut Cursor, what: &str) -> Result<Ident> {
    match cursor.peek(0).cloned() {
        Some(TokenTree::Ident(name)) if name != "_" => {
            cursor.next();
            Ok(name)
        }
        _ => cursor.expected(what),
    }
}

/// Returns the text of a name without `r#`.
#[cfg(feature = "graph")]
pub fn text(name: &Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#").map(str::to_string).unwrap_or(text)
}

/// Returns true if an attribute is `#[cfg(..)]`.
#[cfg(feature = "graph")]
pub fn is_condition(attribute: &TokenStream) -> bool {
    let inside =
        attribute.clone().into_iter().find_map(|token| if let TokenTree::Group(group) = token { Some(group.stream()) } else { None });
    inside.and_then(|tokens| tokens.into_iter().next()).is_some_and(|token| token.to_string() == "cfg")
}
