//! A cursor over a list of tokens, with the lookahead that the other readers need.

use crate::diag::{Error, Extent, Result};
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// A cursor that reads tokens one after the other. An `ahead` of 0 is the next token.
pub struct Cursor {
    tokens: Vec<TokenTree>,
    at: usize,
    /// The tokens that errors about missing tokens point at.
    end: Extent,
}

impl Cursor {
    /// Creates a cursor over `tokens`. Errors about missing tokens point at `end`.
    pub fn new(tokens: TokenStream, end: Extent) -> Self {
        Cursor { tokens: tokens.into_iter().map(unwrapped).collect(), at: 0, end }
    }

    /// Creates a cursor over the inside of a group.
    pub fn inside(group: &Group) -> Self {
        Cursor::new(group.stream(), Extent::at(group.span_close()))
    }

    /// Returns the token `ahead` positions after the next token, without reading it; `None` after the end.
    pub fn peek(&self, ahead: usize) -> Option<&TokenTree> {
        self.tokens.get(self.at + ahead)
    }

    /// Reads the next token and returns it; `None` at the end.
    pub fn next(&mut self) -> Option<TokenTree> {
        let token = self.tokens.get(self.at).cloned();
        self.at += token.is_some() as usize;
        token
    }

    /// Returns true if no token is left.
    pub fn is_done(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// Returns the range of the next token; at the end, the range for missing tokens.
    pub fn here(&self) -> Extent {
        Extent::of(&self.tokens[self.at..(self.at + 1).min(self.tokens.len())], self.end)
    }

    /// Returns the number of tokens read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns the range of the tokens read since `position`, or of the next token if there are none.
    pub fn since(&self, position: usize) -> Extent {
        Extent::of(&self.tokens[position..self.at], self.here())
    }

    /// Returns true if the token `ahead` positions after the next one is `mark`. A `:` that belongs to a `::` is not a
    /// mark.
    pub fn is_mark(&self, ahead: usize, mark: char) -> bool {
        match self.peek(ahead) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == mark => mark != ':' || !self.in_path(self.at + ahead),
            _ => false,
        }
    }

    /// Returns true if the token `ahead` positions after the next one is `,`, `:` or `;`, or if there is none.
    pub fn is_separator(&self, ahead: usize) -> bool {
        self.peek(ahead).is_none() || [',', ':', ';'].iter().any(|mark| self.is_mark(ahead, *mark))
    }

    /// Returns true if the token `ahead` positions after the next one is `word`.
    pub fn is_word(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek(ahead), Some(TokenTree::Ident(ident)) if ident == word)
    }

    /// Reads `mark` if it comes next, and returns true if it did.
    pub fn skip(&mut self, mark: char) -> bool {
        let found = self.is_mark(0, mark);
        self.at += found as usize;
        found
    }

    /// Reads `word` if it comes next, and returns true if it did.
    pub fn skip_word(&mut self, word: &str) -> bool {
        let found = self.is_word(0, word);
        self.at += found as usize;
        found
    }

    /// Returns the group with these delimiters, `ahead` positions after the next token; `None` if another token is there.
    pub fn group(&self, ahead: usize, delimiter: Delimiter) -> Option<&Group> {
        match self.peek(ahead) {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
            _ => None,
        }
    }

    /// Fails if a token is left. `expected` names what should come instead.
    pub fn finish(&self, expected: &str) -> Result<()> {
        match self.peek(0) {
            None => Ok(()),
            Some(token) => Err(Error::new(self.here(), format!("expected {expected}, found `{token}`"))),
        }
    }

    /// Reads the tokens up to the position where `stop` holds, or to the end.
    pub fn take_until(&mut self, stop: impl Fn(&Cursor) -> bool) -> Vec<TokenTree> {
        let start = self.at;
        while !self.is_done() && !stop(self) {
            self.at += 1;
        }
        self.tokens[start..self.at].to_vec()
    }

    /// Reads the tokens up to the next separator. Tokens between `::<` and `>` do not separate; after `type`,
    /// neither do tokens between `<` and `>`.
    pub fn take_leaf(&mut self) -> Vec<TokenTree> {
        let start = self.at;
        let is_type = self.is_word(0, "type");
        let mut angles = 0usize;
        while !self.is_done() && (angles > 0 || !self.is_separator(0)) {
            if let Some(TokenTree::Punct(punct)) = self.peek(0) {
                let after_path = self.at >= start + 2 && self.path_starts(self.at - 2);
                match punct.as_char() {
                    '<' if angles > 0 || is_type || after_path => angles += 1,
                    '>' if angles > 0 && !self.is_arrow(start) => angles -= 1,
                    _ => {}
                }
            }
            self.at += 1;
        }
        self.tokens[start..self.at].to_vec()
    }

    /// Returns true if the `:` at `k` is one half of a `::`.
    fn in_path(&self, k: usize) -> bool {
        self.path_starts(k) || (k > 0 && self.path_starts(k - 1))
    }

    /// Returns true if a `::` starts at `k`. In `:::`, the first two belong together.
    fn path_starts(&self, k: usize) -> bool {
        let colon = |k: usize| match self.tokens.get(k) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => Some(punct.spacing()),
            _ => None,
        };
        colon(k) == Some(Spacing::Joint) && colon(k + 1).is_some() && !(k > 0 && self.path_starts(k - 1))
    }

    /// Returns true if the next token is the `>` of a `->` that begins at or after token `start`.
    fn is_arrow(&self, start: usize) -> bool {
        let before = self.tokens[start..self.at].last();
        matches!(before, Some(TokenTree::Punct(punct)) if punct.as_char() == '-' && punct.spacing() == Spacing::Joint)
    }
}

/// Removes the invisible group in which `macro_rules` wraps a fragment of one token, such as `$n:literal`.
///
/// A longer fragment keeps its group, because it binds tighter than the tokens around it.
fn unwrapped(token: TokenTree) -> TokenTree {
    if let TokenTree::Group(group) = &token
        && group.delimiter() == Delimiter::None
    {
        let mut inside = group.stream().into_iter();
        if let (Some(only), None) = (inside.next(), inside.next()) {
            return unwrapped(only);
        }
    }
    token
}
