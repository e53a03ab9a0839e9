//! Errors that point at tokens of the input. Every module reports through `Error`; only this module makes tokens of
//! `compile_error!`.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::quote_spanned;

/// A range of source text, from the token `first` to the token `last`. It keeps both ends, because stable Rust cannot join
/// spans.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub first: Span,
    pub last: Span,
}

impl Extent {
    pub fn at(span: Span) -> Self {
        Extent { first: span, last: span }
    }

    /// Returns the range of a group, including its delimiters.
    pub fn group(group: &Group) -> Self {
        match group.delimiter() {
            // Invisible delimiters have no position in the source.
            Delimiter::None => Extent::at(group.span()),
            _ => Extent { first: group.span_open(), last: group.span_close() },
        }
    }

    /// Returns the range from the start of this one to the end of `other`.
    pub fn to(self, other: Extent) -> Self {
        Extent { first: self.first, last: other.last }
    }

    /// Returns the range of all `tokens`, or `fallback` if there are none.
    pub fn of(tokens: &[TokenTree], fallback: Extent) -> Self {
        let token = |token: &TokenTree| match token {
            TokenTree::Group(group) => Extent::group(group),
            token => Extent::at(token.span()),
        };
        tokens.first().zip(tokens.last()).map_or(fallback, |(first, last)| token(first).to(token(last)))
    }
}

/// An error: its message, and the range of tokens to underline.
#[derive(Debug)]
pub struct Error {
    pub at: Extent,
    pub message: String,
}

pub type Result<T> = core::result::Result<T, Error>;

impl Error {
    pub fn new(at: Extent, message: impl Into<String>) -> Self {
        Error { at, message: message.into() }
    }

    /// Returns `::core::compile_error! { "message" }`. The compiler underlines from its first token to its last.
    pub fn into_tokens(self) -> TokenStream {
        let Error { at: Extent { first, last }, message } = self;
        let mut out = quote_spanned!(first=> ::core::compile_error!);
        out.extend(quote_spanned!(last=> { #message }));
        out
    }
}

pub use layout_algebra::text::nearest;

#[cfg(test)]
pub mod tests;
