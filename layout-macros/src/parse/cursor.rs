//! A position in a list of tokens.

use crate::diag::{Error, Extent, Result};
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// Reads tokens one after the other.
pub struct Cursor {
    tokens: Vec<TokenTree>,
    at: usize,
    /// The place of errors about missing tokens.
    end: Extent,
}

impl Cursor {
    /// All of `tokens`; `end` is where an error about missing ones points.
    pub fn new(tokens: TokenStream, end: Extent) -> Self {
        Cursor { tokens: tokens.into_iter().map(unwrapped).collect(), at: 0, end }
    }

    /// The inside of a group.
    pub fn inside(group: &Group) -> Self {
        Cursor::new(group.stream(), Extent::at(group.span_close()))
    }

    /// The token `ahead` of the next one.
    pub fn peek(&self, ahead: usize) -> Option<&TokenTree> {
        self.tokens.get(self.at + ahead)
    }

    /// The next token.
    pub fn next(&mut self) -> Option<TokenTree> {
        let token = self.tokens.get(self.at).cloned();
        self.at += token.is_some() as usize;
        token
    }

    /// Tests whether no token is left.
    pub fn is_done(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// The place of the next token.
    pub fn here(&self) -> Extent {
        Extent::of(&self.tokens[self.at..(self.at + 1).min(self.tokens.len())], self.end)
    }

    /// The number of tokens read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The tokens read from `position` on, or the next one where there are none.
    pub fn since(&self, position: usize) -> Extent {
        Extent::of(&self.tokens[position..self.at], self.here())
    }

    /// Tests whether the token `ahead` is this mark; the `:` of a path is none.
    pub fn is_mark(&self, ahead: usize, mark: char) -> bool {
        match self.peek(ahead) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == mark => mark != ':' || !self.in_path(self.at + ahead),
            _ => false,
        }
    }

    /// Tests whether the token `ahead` separates operands, or there is none.
    pub fn is_separator(&self, ahead: usize) -> bool {
        self.peek(ahead).is_none() || [',', ':', ';'].iter().any(|mark| self.is_mark(ahead, *mark))
    }

    /// Tests whether the token `ahead` is this word.
    pub fn is_word(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek(ahead), Some(TokenTree::Ident(ident)) if ident == word)
    }

    /// Skips `mark` if it comes next.
    pub fn skip(&mut self, mark: char) -> bool {
        let found = self.is_mark(0, mark);
        self.at += found as usize;
        found
    }

    /// Skips `word` if it comes next.
    pub fn skip_word(&mut self, word: &str) -> bool {
        let found = self.is_word(0, word);
        self.at += found as usize;
        found
    }

    /// The group with these delimiters `ahead` of the next token.
    pub fn group(&self, ahead: usize, delimiter: Delimiter) -> Option<&Group> {
        match self.peek(ahead) {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
            _ => None,
        }
    }

    /// Fails unless everything was read.
    pub fn finish(&self, expected: &str) -> Result<()> {
        match self.peek(0) {
            None => Ok(()),
            Some(token) => Err(Error::new(self.here(), format!("expected {expected}, found `{token}`"))),
        }
    }

    /// The tokens before the place where `stop` holds, or the end.
    pub fn take_until(&mut self, stop: impl Fn(&Cursor) -> bool) -> Vec<TokenTree> {
        let start = self.at;
        while !self.is_done() && !stop(self) {
            self.at += 1;
        }
        self.tokens[start..self.at].to_vec()
    }

    /// The tokens up to the next separator; those between `::<` and `>` (after `type`, between `<` and `>`) do not separate.
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

    /// Tests whether the `:` at `k` is one half of a `::`.
    fn in_path(&self, k: usize) -> bool {
        self.path_starts(k) || (k > 0 && self.path_starts(k - 1))
    }

    /// Tests whether a `::` starts at `k`; in `:::` the first two belong together.
    fn path_starts(&self, k: usize) -> bool {
        let colon = |k: usize| match self.tokens.get(k) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => Some(punct.spacing()),
            _ => None,
        };
        colon(k) == Some(Spacing::Joint) && colon(k + 1).is_some() && !(k > 0 && self.path_starts(k - 1))
    }

    /// Tests whether the next token is the `>` of a `->`.
    fn is_arrow(&self, start: usize) -> bool {
        let before = self.tokens[start..self.at].last();
        matches!(before, Some(TokenTree::Punct(punct)) if punct.as_char() == '-' && punct.spacing() == Spacing::Joint)
    }
}

/// A token that a `macro_rules` fragment such as `$n:literal` wrapped in an invisible group, without the group.
///
/// A longer fragment keeps its group: it binds tighter than what stands around it.
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
