//! Reads leaves, and decides which are static and which are run-time values.

use super::cursor::Cursor;
use super::names::{is_constant, is_constant_name, number, path, variable};
use crate::diag::{Error, Extent, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A leaf of a tuple.
pub struct Leaf {
    pub kind: Kind,
    /// True if `-` stands before a kind that has no sign of its own.
    pub negative: bool,
    /// True if `^` stands before it: an XOR stride.
    pub xor: bool,
    pub at: Extent,
}

/// The meaning of a leaf.
pub enum Kind {
    /// A literal, known now.
    Int(i64),
    /// `_`.
    Keep,
    /// A constant expression of type `usize`, known to the compiler.
    Static(TokenStream),
    /// A name in capitals. It is a layout where an operation takes a layout, else a constant of type `usize`.
    Name(TokenStream),
    /// `type T`: a type that is a static integer or a layout.
    Type(TokenStream),
    /// Any other expression, which is copied to the output.
    Value(Vec<TokenTree>),
    /// A stride along a basis, `1@0`.
    Basis(String),
}

/// Reads one leaf. Fails if there is none, or if its spelling is refused, such as `8u32` or `LD / 2` without braces.
pub fn leaf(cursor: &mut Cursor) -> Result<Leaf> {
    let fallback = cursor.here();
    if cursor.is_mark(0, '?') {
        return Err(Error::new(fallback, "`?` leaves a number open, which only text can do: write the variable"));
    }
    let xor = cursor.skip('^');
    let tokens = cursor.take_leaf();
    let at = Extent::of(&tokens, fallback);
    if tokens.is_empty() {
        return Err(Error::new(at, "expected an integer, a name, an expression, `_`, or a tuple"));
    }
    let (kind, negative) = kind(&tokens, at)?;
    if xor {
        let reason = match &kind {
            Kind::Value(_) => "is static: `^9`, `^LD` or `^{ expression }`",
            Kind::Keep | Kind::Basis(_) | Kind::Type(_) => "is a number: `^9`",
            Kind::Int(value) if *value < 0 => "is not negative",
            _ if negative => "is not negative",
            _ => "",
        };
        if !reason.is_empty() {
            return Err(Error::new(at, format!("an XOR stride {reason}")));
        }
    }
    Ok(Leaf { kind, negative, xor, at })
}

fn kind(tokens: &[TokenTree], at: Extent) -> Result<(Kind, bool)> {
    if let [TokenTree::Group(group)] = tokens
        && group.delimiter() == Delimiter::None
    {
        let inside: Vec<_> = group.stream().into_iter().collect();
        return kind(&inside, at);
    }
    if let Some(unsigned) = unsigned(tokens, at)? {
        return Ok((unsigned, false));
    }
    if let [TokenTree::Punct(minus), rest @ ..] = tokens
        && minus.as_char() == '-'
        && let Some(unsigned) = unsigned(rest, at)?
    {
        return match unsigned {
            Kind::Int(value) => Ok((Kind::Int(-value), false)),
            Kind::Basis(text) => Ok((Kind::Basis(format!("-{text}")), false)),
            Kind::Keep => Err(Error::new(at, "`_` has no sign")),
            Kind::Value(_) => Err(Error::new(at, "a run-time stride that may be negative is `Signed(stride)`, of an `isize`")),
            constant => Ok((constant, true)),
        };
    }
    if is_constant(tokens) {
        return Err(Error::new(at, format!("a constant expression needs braces to be static: `{{ {} }}`", stream(tokens))));
    }
    Ok((Kind::Value(tokens.to_vec()), false))
}

fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

/// Returns the kind of a leaf without a sign; `None` if the tokens are a general expression or have a sign. `at` is their
/// range. Fails if the spelling is refused.
fn unsigned(tokens: &[TokenTree], at: Extent) -> Result<Option<Kind>> {
    Ok(match tokens {
        [TokenTree::Ident(word)] if word == "_" => Some(Kind::Keep),
        [token] if number(token)?.is_some() => number(token)?.map(Kind::Int),
        [_, TokenTree::Punct(sign), ..] if sign.as_char() == '@' => Some(Kind::Basis(basis(tokens)?)),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => {
            if let Some(name) = variable(&group.stream().into_iter().collect::<Vec<_>>()) {
                let message = format!(
                    "braces make a constant, and `{name}` is spelled like a variable: write the expression without braces, or `const {{ .. }}`"
                );
                return Err(Error::new(Extent::at(name.span()), message));
            }
            Some(Kind::Static(group.stream()))
        }
        [TokenTree::Ident(word), rest @ ..] if word == "dyn" => match path(rest) {
            Some(_) => Some(Kind::Value(rest.to_vec())),
            None => return Err(Error::new(at, "`dyn` is followed by the name of a variable")),
        },
        [TokenTree::Ident(word), rest @ ..] if word == "const" => match rest {
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => Some(Kind::Static(group.stream())),
            rest if path(rest).is_some() => Some(Kind::Static(stream(rest))),
            _ => return Err(Error::new(at, "`const` is followed by the path of a constant, or by a block")),
        },
        [TokenTree::Ident(word), rest @ ..] if word == "type" => match rest {
            [] => return Err(Error::new(at, "`type` is followed by a type")),
            rest => Some(Kind::Type(stream(rest))),
        },
        tokens => path(tokens).filter(is_constant_name).map(|_| Kind::Name(stream(tokens))),
    })
}

/// Returns the notation of a basis stride such as `1@0@1`. Fails if the tokens are not numbers with `@` between them.
fn basis(tokens: &[TokenTree]) -> Result<String> {
    let text = tokens.iter().enumerate().map(|(k, token)| match token {
        TokenTree::Punct(sign) if k % 2 == 1 && sign.as_char() == '@' => Ok("@".into()),
        token => number(token)?
            .filter(|_| k % 2 == 0)
            .map(|value| value.to_string())
            .ok_or_else(|| Error::new(Extent::at(token.span()), "expected a stride such as `1@0`: a number, `@`, the number of a mode")),
    });
    text.collect()
}
