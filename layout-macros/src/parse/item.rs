//! Reads layouts that get a name: `pub type Tile = (32,16):(1,32);`.

use super::cursor::Cursor;
use super::expr::{Expr, expression};
use crate::diag::{Error, Result};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// A type that names a layout: `pub type Tile = (32,16):(1,32);`.
pub struct Item {
    /// The attributes, as written.
    pub attributes: Vec<TokenStream>,
    /// The visibility: nothing, `pub`, `pub(crate)`, ...
    pub visibility: TokenStream,
    /// The name of the type.
    pub name: Ident,
    /// The layout that the type is.
    pub layout: Expr,
}

/// Returns true if an item comes next, not a layout.
pub fn is_item(cursor: &Cursor) -> bool {
    // `type T : ...` is a layout whose shape is the static integer `T`.
    let names = cursor.is_word(0, "type") && (cursor.is_mark(2, '=') || cursor.is_mark(2, '<'));
    cursor.is_mark(0, '#') || cursor.is_word(0, "pub") || names
}

/// Reads items to the end of the input. Fails at the first token that does not fit.
pub fn items(cursor: &mut Cursor) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    while !cursor.is_done() {
        items.push(item(cursor)?);
    }
    Ok(items)
}

/// Reads attributes and a visibility, both of which may be missing.
pub fn attributes(cursor: &mut Cursor) -> (Vec<TokenStream>, TokenStream) {
    let mut attributes = Vec::new();
    while cursor.is_mark(0, '#') && cursor.group(1, Delimiter::Bracket).is_some() {
        attributes.push([cursor.next(), cursor.next()].into_iter().flatten().collect());
    }
    let mut visibility = TokenStream::new();
    if cursor.is_word(0, "pub") {
        visibility.extend(cursor.next());
        if cursor.group(0, Delimiter::Parenthesis).is_some() {
            visibility.extend(cursor.next());
        }
    }
    (attributes, visibility)
}

fn item(cursor: &mut Cursor) -> Result<Item> {
    let (attributes, visibility) = attributes(cursor);
    if !cursor.skip_word("type") {
        return Err(Error::new(cursor.here(), "expected `type Name = layout;`"));
    }
    let at = cursor.here();
    let Some(TokenTree::Ident(name)) = cursor.next() else {
        return Err(Error::new(at, "expected the name of the layout"));
    };
    if cursor.is_mark(0, '<') {
        return Err(Error::new(cursor.here(), "a named layout has no parameters: its leaves are known where it is defined"));
    }
    if !cursor.skip('=') {
        return Err(Error::new(cursor.here(), "expected `=`"));
    }
    let layout = expression(cursor)?;
    if !cursor.skip(';') {
        return Err(Error::new(cursor.here(), "expected `;` after the layout"));
    }
    Ok(Item { attributes, visibility, name, layout })
}
