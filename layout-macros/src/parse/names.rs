//! Names and numbers, and the meaning of their spelling: whether a name is a constant, a variable, a type or a number.

use crate::diag::{Error, Extent, Result};
use proc_macro2::{Delimiter, Ident, Literal, TokenTree};

/// Returns the tokens after the `::` with which the tokens begin; `None` if they begin otherwise.
fn after_colons(tokens: &[TokenTree]) -> Option<&[TokenTree]> {
    match tokens {
        [TokenTree::Punct(a), TokenTree::Punct(b), rest @ ..] if a.as_char() == ':' && b.as_char() == ':' => Some(rest),
        _ => None,
    }
}

/// Returns the last name of a path without generic arguments; `None` if the tokens are not such a path.
pub fn path(tokens: &[TokenTree]) -> Option<Ident> {
    let mut rest = after_colons(tokens).unwrap_or(tokens);
    while let [TokenTree::Ident(name), tail @ ..] = rest {
        if tail.is_empty() {
            return Some(name.clone());
        }
        rest = after_colons(tail)?;
    }
    None
}

/// Returns true if `name` is spelled like a constant: `BLOCK_M`, `M`, `LD2`.
pub fn is_constant_name(name: &Ident) -> bool {
    let name = name.to_string();
    name.contains(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Returns true if a path is spelled like a type: `Tile`, `tiles::Packed`.
pub fn is_type_path(tokens: &[TokenTree]) -> bool {
    path(tokens).is_some_and(|last| {
        let last = last.to_string();
        last.starts_with(|c: char| c.is_ascii_uppercase()) && last.contains(|c: char| c.is_ascii_lowercase())
    })
}

/// Returns true if an expression contains only literals, constants and operators. Its author most likely means a
/// static leaf.
pub fn is_constant(tokens: &[TokenTree]) -> bool {
    tokens.iter().any(|token| is_operator(token) || matches!(token, TokenTree::Group(_))) && is_known(tokens)
}

fn is_known(tokens: &[TokenTree]) -> bool {
    let mut rest = tokens;
    while let [token, tail @ ..] = rest {
        let known = match token {
            TokenTree::Ident(name) => is_constant_name(name) || after_colons(tail).is_some(),
            TokenTree::Literal(literal) => is_integer(literal),
            TokenTree::Punct(punct) => is_operator(token) || punct.as_char() == ':',
            TokenTree::Group(group) => {
                let inside: Vec<_> = group.stream().into_iter().collect();
                matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::None) && !inside.is_empty() && is_known(&inside)
            }
        };
        if !known {
            return false;
        }
        rest = tail;
    }
    true
}

/// Returns the first name in an expression that is spelled like a variable: in small letters, and not in a path, a call, a
/// type or a field. Returns `None` if there is no such name, or if the expression may declare names of its own.
pub fn variable(tokens: &[TokenTree]) -> Option<Ident> {
    let is = |at: Option<&TokenTree>, words: &[&str]| at.is_some_and(|token| words.contains(&token.to_string().as_str()));
    // A statement or a pattern may declare its own names.
    if tokens.iter().any(|token| is(Some(token), &[";", "|", "let", "match", "for"])) {
        return None;
    }
    tokens.iter().enumerate().find_map(|(k, token)| match token {
        TokenTree::Group(group) => variable(&group.stream().into_iter().collect::<Vec<_>>()),
        TokenTree::Ident(name) => {
            let (before, after) = (k.checked_sub(1).and_then(|k| tokens.get(k)), tokens.get(k + 1));
            let called = matches!(after, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
            let part = called || is(after, &[":", "!"]) || is(before, &[".", ":", "as"]);
            let text = name.to_string();
            let reserved = NO_VARIABLES.contains(&text.as_str()) || number(token).is_ok_and(|number| number.is_some());
            (!part && !reserved && !text.contains(|c: char| c.is_ascii_uppercase())).then(|| name.clone())
        }
        _ => None,
    })
}

/// Words in small letters that may occur in an expression of constants.
const NO_VARIABLES: [&str; 22] = [
    "as", "if", "else", "true", "false", "const", "unsafe", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64", "bool",
];

/// Returns true if the token is an operator between integers.
pub fn is_operator(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if "+-*/%<>&|^".contains(punct.as_char()))
}

/// Returns the value of `8`, `0x40`, `1_024` or `_4`; `None` if the token is not a number. Fails at a literal with a
/// suffix, and if the value does not fit 64 bits.
pub fn number(token: &TokenTree) -> Result<Option<i64>> {
    let text = token.to_string().replace('_', "");
    let (digits, radix) = match (token, text.get(..2)) {
        (TokenTree::Ident(_), _) if text.is_empty() || !text.chars().all(|c| c.is_ascii_digit()) => return Ok(None),
        (TokenTree::Ident(_), _) => (text.as_str(), 10),
        (TokenTree::Literal(_), Some("0x")) => (&text[2..], 16),
        (TokenTree::Literal(_), Some("0o")) => (&text[2..], 8),
        (TokenTree::Literal(_), Some("0b")) => (&text[2..], 2),
        (TokenTree::Literal(_), _) => (text.as_str(), 10),
        _ => return Ok(None),
    };
    let fail = |message: String| Err(Error::new(Extent::at(token.span()), message));
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return fail(format!("`{token}` is not a leaf: write an integer without a suffix, such as `8`"));
    }
    match i64::from_str_radix(digits, radix) {
        Ok(value) => Ok(Some(value)),
        Err(_) => fail(format!("`{token}` does not fit 64 bits")),
    }
}

/// Returns true if a literal is an integer without a suffix.
pub fn is_integer(literal: &Literal) -> bool {
    number(&TokenTree::from(literal.clone())).is_ok()
}
