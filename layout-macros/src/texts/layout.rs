//! `layout_text!`: the index functions of layouts as text.

use super::{Wanted, languages, texts};
use crate::diag::{Error, Extent, Result};
use crate::expand::Root;
use crate::parse::{Cursor, attributes, ident, text};
use coordinate_graph::program::{Coordinates, Program};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// Returns the expansion of `layout_text!`. Fails at the first item that is refused.
pub fn layout_text(tokens: TokenStream) -> Result<TokenStream> {
    let last: Vec<TokenTree> = tokens.clone().into_iter().last().into_iter().collect();
    let mut cursor = Cursor::new(tokens, Extent::of(&last, Extent::at(Span::call_site())));
    let root = Root::take(&mut cursor);
    let mut out = TokenStream::new();
    while !cursor.is_done() {
        out.extend(item(&mut cursor, &root)?);
    }
    Ok(out)
}

/// Reads one item, such as `pub place(ld, row, col) = "(8,?):(?,1)" as cuda, wgsl;`, and returns its constants. Fails at a
/// token that does not fit, or if the layout is refused.
fn item(cursor: &mut Cursor, root: &Root) -> Result<TokenStream> {
    let (attributes, visibility) = attributes(cursor);
    let name = ident(cursor, "the name of the function")?;
    let parameters = match cursor.group(0, Delimiter::Parenthesis).cloned() {
        None => Vec::new(),
        Some(group) => {
            cursor.next();
            parameters(&mut Cursor::inside(&group))?
        }
    };
    if !cursor.skip('=') {
        return cursor.expected("`= \"layout\"`");
    }
    let at = cursor.here();
    let Some(notation) = cursor.peek(0).and_then(literal) else {
        return cursor.expected("a layout in quotation marks");
    };
    cursor.next();
    let languages = languages(cursor)?;
    if languages.is_empty() {
        return cursor.expected("`as` and languages, such as `as cuda, wgsl`");
    }
    if !cursor.skip(';') {
        return cursor.expected("`;`");
    }
    let program = Program::parse_layout(&notation, Coordinates::Modes).map_err(|error| Error::new(at, error.to_string()))?;
    let inputs = program.inputs().len();
    if parameters.len() > inputs {
        let known = program.inputs().iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(Error::new(at, format!("{} names for the {inputs} parameters {known}", parameters.len())));
    }
    let about = format!("The index of `{notation}`");
    let wanted = Wanted { attributes: &attributes, visibility: &visibility, name: &name, languages: &languages, about: &about };
    texts(root, &wanted, &program.with_input_names(parameters))
}

fn parameters(inside: &mut Cursor) -> Result<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    while !inside.is_done() {
        let name = ident(inside, "the name of a parameter")?;
        if out.contains(&text(&name)) {
            return Err(Error::new(Extent::at(name.span()), format!("`{}` is listed twice", text(&name))));
        }
        out.push(text(&name));
        if !inside.skip(',') {
            inside.finish("`,` or `)`")?;
        }
    }
    Ok(out)
}

/// Returns the text of a plain string literal; `None` for other tokens.
fn literal(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    let text = literal.to_string();
    text.strip_prefix('"')?.strip_suffix('"').filter(|text| !text.contains('\\')).map(str::to_string)
}
