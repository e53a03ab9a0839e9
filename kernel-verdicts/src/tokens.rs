//! The words, numbers and signs of the text of a kernel.

use crate::KernelError;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The greatest number that a text may state.
const GREATEST: i64 = i32::MAX as i64;

pub(crate) type Result<T> = core::result::Result<T, KernelError>;

/// A word, a number or a sign of a text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Token {
    Word(String),
    Int(i64),
    Mark(&'static str),
    /// The end of a line.
    End,
}

impl Token {
    /// Returns the text for messages.
    pub fn text(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Int(number) => format!("`{number}`"),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::End => "the end of the line".into(),
        }
    }
}

const MARKS: [&str; 19] = ["<=", ">=", "==", "<", ">", "=", "(", ")", "[", "]", "{", "}", ",", "+", "-", "*", "/", "%", "^"];

/// Returns the tokens of a text with their lines. Fails for a sign without a meaning, and for a number that is too great.
pub(crate) fn tokens(text: &str) -> Result<Vec<(usize, Token)>> {
    let mut out = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (line, at) = (line.split('#').next().unwrap_or(""), number + 1);
        let mut rest = line.trim_start();
        let word_end = |text: &str| text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
        while let Some(first) = rest.chars().next() {
            let length = if first.is_ascii_alphanumeric() || first == '_' {
                let length = word_end(rest);
                let word = &rest[..length];
                out.push((at, if first.is_ascii_digit() { Token::Int(number_of(word, at)?) } else { Token::Word(word.into()) }));
                length
            } else {
                let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) else {
                    return Err(KernelError { line: at, message: format!("`{first}` has no meaning here") });
                };
                out.push((at, Token::Mark(mark)));
                mark.len()
            };
            rest = rest[length..].trim_start();
        }
        out.push((at, Token::End));
    }
    Ok(out)
}

/// Returns the number that a word states.
fn number_of(word: &str, line: usize) -> Result<i64> {
    match word.parse::<i64>() {
        Ok(number) if number <= GREATEST => Ok(number),
        _ => Err(KernelError { line, message: format!("`{word}` is not a number up to {GREATEST}") }),
    }
}
