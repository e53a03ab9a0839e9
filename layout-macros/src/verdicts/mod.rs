//! `prove_kernel!`: the verdict on a kernel, reached while the macro expands.

mod literal;
#[cfg(test)]
mod tests;

use crate::diag::{Error, Extent, Result, nearest};
use crate::expand::Root;
use crate::parse::{Cursor, attributes, ident};
use kernel_verdicts::{Claim, Kernel};
use literal::Text;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::path::Path;

/// A test for the claims that a name stands for.
type Test = fn(&Claim) -> bool;

/// The names of claims.
const CLAIMS: [(&str, Test); 4] = [
    ("race_free", |claim| matches!(claim, Claim::NoRace(_))),
    ("in_bounds", |claim| matches!(claim, Claim::InBounds(_))),
    ("stored", |claim| matches!(claim, Claim::Stored(_))),
    ("written", |claim| matches!(claim, Claim::Written(_))),
];

/// A claim that the macro requires: its name as written, and the test for its claims.
struct Required {
    name: Ident,
    is: Test,
}

/// The text of a kernel.
struct Source {
    /// The literal.
    at: Extent,
    /// The text as `Kernel::parse` reads it.
    text: String,
    /// The path of the file as written; `None` for a literal.
    file: Option<String>,
    /// An expression for the text.
    value: TokenStream,
}

/// Returns the expansion of `prove_kernel!`. Fails if the text is no kernel, or if a required claim is not proven.
pub fn prove_kernel(tokens: TokenStream) -> Result<TokenStream> {
    let last: Vec<TokenTree> = tokens.clone().into_iter().last().into_iter().collect();
    let mut cursor = Cursor::new(tokens, Extent::of(&last, Extent::at(Span::call_site())));
    // The expansion names `core` alone.
    Root::take(&mut cursor);
    let (attributes, visibility) = attributes(&mut cursor);
    let constant = if cursor.skip_word("const") {
        let name = ident(&mut cursor, "the name of the constant")?;
        if !cursor.skip('=') {
            return cursor.expected("`= \"text\"`");
        }
        Some(name)
    } else if attributes.is_empty() && visibility.is_empty() {
        None
    } else {
        return cursor.expected("`const NAME = ..`");
    };
    let required = required(&mut cursor)?;
    let source = source(&mut cursor)?;
    cursor.skip(';');
    cursor.finish("nothing more")?;
    prove(&source, &required)?;
    let value = &source.value;
    Ok(match constant {
        Some(name) => quote!(#(#attributes)* #visibility const #name: &'static ::core::primitive::str = #value;),
        // The compiler then knows that the crate depends on the file.
        None if source.file.is_some() => quote!(const _: &'static ::core::primitive::str = #value;),
        None => TokenStream::new(),
    })
}

/// Reads `race_free, in_bounds:`, or nothing. Fails at a name that is no claim or is listed twice.
fn required(cursor: &mut Cursor) -> Result<Vec<Required>> {
    let mut out: Vec<Required> = Vec::new();
    if !(cursor.is_mark(1, ':') || cursor.is_mark(1, ',')) {
        return Ok(out);
    }
    loop {
        let name = ident(cursor, "a claim, such as `race_free`")?;
        let at = Extent::at(name.span());
        let Some((_, is)) = CLAIMS.into_iter().find(|(known, _)| name == known) else {
            let names = CLAIMS.map(|(name, _)| name);
            let hint = match nearest(&name.to_string(), names.into_iter()) {
                Some(near) => format!("; is it `{near}`?"),
                None => format!("; the claims are {}", names.join(", ")),
            };
            return Err(Error::new(at, format!("there is no claim `{name}`{hint}")));
        };
        if out.iter().any(|known| known.name == name) {
            return Err(Error::new(at, format!("`{name}` is listed twice")));
        }
        out.push(Required { name, is });
        if cursor.skip(':') {
            return Ok(out);
        }
        if !cursor.skip(',') {
            return cursor.expected("`,`, or `:` and the text of the kernel");
        }
    }
}

/// Reads the text of a kernel, or the path of a file that has it. Fails at other tokens, and if the file cannot be read.
fn source(cursor: &mut Cursor) -> Result<Source> {
    let is_file = cursor.skip_word("file");
    let at = cursor.here();
    let Some((token, Text { text, lines_before })) = cursor.next().and_then(|token| Some((token.clone(), Text::of(&token)?))) else {
        let message = if is_file {
            "expected the path of a file in quotation marks"
        } else {
            "expected the text of a kernel in quotation marks, or `file \"path\"`"
        };
        return Err(Error::new(at, message));
    };
    if !is_file {
        // The report then counts the lines of the Rust file, which the compiler shows.
        return Ok(Source { at, text: "\n".repeat(lines_before) + &text, file: None, value: token.into_token_stream() });
    }
    let Ok(folder) = std::env::var("CARGO_MANIFEST_DIR") else {
        return Err(Error::new(at, "a path begins at the folder CARGO_MANIFEST_DIR, which Cargo sets and this build does not"));
    };
    let path = Path::new(&folder).join(&text).to_string_lossy().into_owned();
    match std::fs::read_to_string(&path) {
        Ok(read) => Ok(Source { at, text: read, file: Some(text), value: quote!(::core::include_str!(#path)) }),
        Err(error) => Err(Error::new(at, format!("cannot read `{path}`: {error}"))),
    }
}

/// Fails at the literal if the text is no kernel, or if a claim is not proven. All claims of the kernel must be proven if none is
/// required. Fails at a required claim that the kernel does not make.
fn prove(source: &Source, required: &[Required]) -> Result<()> {
    let of_file = |message: String| match &source.file {
        Some(file) => format!("{file}: {message}"),
        None => message,
    };
    let kernel = Kernel::parse(&source.text).map_err(|error| Error::new(source.at, of_file(error.to_string())))?;
    let report = kernel.verify_only(|claim| required.is_empty() || required.iter().any(|required| (required.is)(claim)));
    for Required { name, is } in required {
        if !report.findings.iter().any(|finding| is(&finding.claim)) {
            return Err(Error::new(Extent::at(name.span()), format!("`{}` makes no claim `{name}`", report.kernel)));
        }
    }
    if report.is_proven() { Ok(()) } else { Err(Error::new(source.at, report.to_string().trim_end())) }
}
