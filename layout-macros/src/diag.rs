//! Errors that point at tokens.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A stretch of source: stable Rust cannot join spans, so both ends are kept.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The first token.
    pub first: Span,
    /// The last token.
    pub last: Span,
}

impl Extent {
    /// One token.
    pub fn at(span: Span) -> Self {
        Extent { first: span, last: span }
    }

    /// A group with its delimiters.
    pub fn group(group: &Group) -> Self {
        match group.delimiter() {
            // Invisible delimiters have no place of their own.
            Delimiter::None => Extent::at(group.span()),
            _ => Extent { first: group.span_open(), last: group.span_close() },
        }
    }

    /// From the start of this one to the end of `other`.
    pub fn to(self, other: Extent) -> Self {
        Extent { first: self.first, last: other.last }
    }

    /// All of `tokens`, or `fallback` where there are none.
    pub fn of(tokens: &[TokenTree], fallback: Extent) -> Self {
        let token = |token: &TokenTree| match token {
            TokenTree::Group(group) => Extent::group(group),
            token => Extent::at(token.span()),
        };
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => token(first).to(token(last)),
            _ => fallback,
        }
    }
}

/// What is wrong, and where.
#[derive(Debug)]
pub struct Error {
    /// The tokens to underline.
    pub at: Extent,
    /// The text.
    pub message: String,
}

/// `Result` of reading and evaluating.
pub type Result<T> = core::result::Result<T, Error>;

impl Error {
    /// An error at `at`.
    pub fn new(at: Extent, message: impl Into<String>) -> Self {
        Error { at, message: message.into() }
    }

    /// `::core::compile_error! { "message" }`; the compiler underlines from its first token to its last.
    pub fn into_tokens(self) -> TokenStream {
        let Extent { first, last } = self.at;
        let colons = || [Punct::new(':', Spacing::Joint), Punct::new(':', Spacing::Alone)].map(|punct| spanned(punct, first));
        let mut text = Literal::string(&self.message);
        text.set_span(last);
        let body = Group::new(Delimiter::Brace, TokenTree::from(text).into());
        let mut out: Vec<TokenTree> = Vec::new();
        out.extend(colons());
        out.push(Ident::new("core", first).into());
        out.extend(colons());
        out.push(Ident::new("compile_error", first).into());
        out.push(spanned(Punct::new('!', Spacing::Alone), first));
        out.push(spanned(body, last));
        out.into_iter().collect()
    }
}

fn spanned(token: impl Into<TokenTree>, span: Span) -> TokenTree {
    let mut token = token.into();
    token.set_span(span);
    token
}

pub use layout_core::graph::nearest;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_suggested_only_when_it_is_near() {
        let names = ["logical_divide", "zipped_divide", "coalesce"];
        assert_eq!(nearest("logical_devide", names.into_iter()), Some("logical_divide"));
        assert_eq!(nearest("coalesec", names.into_iter()), Some("coalesce"));
        assert_eq!(nearest("frobnicate", names.into_iter()), None);
    }
}
