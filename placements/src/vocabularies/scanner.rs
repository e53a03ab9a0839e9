//! Reads words, numbers and signs of a short text.

use crate::error::{PlacementError, Result};
use alloc::string::String;

/// The maximum number of characters of a text in a message.
const SHOWN: usize = 80;

/// A text and the byte that is read next.
pub(crate) struct Scanner<'t> {
    vocabulary: &'static str,
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub fn new(vocabulary: &'static str, text: &'t str) -> Self {
        Scanner { vocabulary, text, at: 0 }
    }

    /// Returns the error of this place.
    pub fn fail<T>(&self, expected: &'static str) -> Result<T> {
        let text: String = self.text.chars().take(SHOWN).collect();
        Err(PlacementError::Text { vocabulary: self.vocabulary, at: self.at, expected, text })
    }

    fn rest(&mut self) -> &'t str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    /// Reads `sign` if it comes next.
    pub fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// Reads `sign`. Fails if something else comes next.
    pub fn expect(&mut self, sign: &str, expected: &'static str) -> Result<()> {
        if self.eat(sign) { Ok(()) } else { self.fail(expected) }
    }

    /// Reads letters, digits, `_` and `.`, which may be none.
    pub fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Reads `name` if it is the next word.
    pub fn keyword(&mut self, name: &str) -> bool {
        let at = self.at;
        let found = self.word() == name;
        self.at = if found { self.at } else { at };
        found
    }

    /// Reads an integer with an optional sign. Fails for other texts, and beyond 64 bits.
    pub fn number(&mut self) -> Result<i64> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let end = rest[sign..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| sign + end);
        match rest[..end].parse() {
            Ok(number) => {
                self.at += end;
                Ok(number)
            }
            Err(_) => self.fail("an integer of 64 bits"),
        }
    }

    /// Reads a name in single or double quotes.
    pub fn quoted(&mut self) -> Result<&'t str> {
        let rest = self.rest();
        let quote = rest.chars().next().filter(|quote| ['\'', '"'].contains(quote));
        let name = quote.and_then(|quote| rest[1..].split_once(quote));
        match name {
            Some((name, _)) => {
                self.at += name.len() + 2;
                Ok(name)
            }
            None => self.fail("a name in quotes"),
        }
    }

    /// Tests whether a name in quotes comes next.
    pub fn is_quoted(&mut self) -> bool {
        self.rest().starts_with(['\'', '"'])
    }

    /// Fails unless everything is read.
    pub fn end(&mut self) -> Result<()> {
        if self.rest().is_empty() { Ok(()) } else { self.fail("the end") }
    }

    /// Reads items until `close`, with commas between them. A comma may stand after the last one.
    pub fn list(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        while !self.eat(close) {
            item(self)?;
            if !self.eat(",") {
                return self.expect(close, "a comma or the end of the list");
            }
        }
        Ok(())
    }
}
