//! Expansion: turns parsed input into Rust code.
//!
//! Every generated path starts at a root. `@ $crate` at the start of the input names the root; otherwise it is
//! `::layout_core`. This module expands `int!`, `shape!`, `stride!`, `coord!`, `layout!` and `try_layout!`;
//! `graph` and `texts` hold the other macros.

mod layout;
mod leaf;
mod named_layout;
mod root;

use crate::diag::{Error, Extent, Result};
use crate::evaluate::{check_shape, check_stride, no_xor};
use crate::parse::{Cursor, Expr, Kind, Tree, arguments, expression, is_item, items, tree};
use proc_macro2::{Span, TokenStream};
pub use root::Root;

/// Returns the root that the input names, and a cursor at the tokens after it.
fn input(tokens: TokenStream) -> (Root, Cursor) {
    let mut cursor = Cursor::new(tokens, Extent::at(Span::call_site()));
    let root = Root::take(&mut cursor);
    (root, cursor)
}

/// Returns the tokens of the result; an error becomes a `compile_error!`.
pub fn or_error(result: Result<TokenStream>) -> TokenStream {
    result.unwrap_or_else(Error::into_tokens)
}

/// Returns the expansion of `int!`. Fails if the input is not one static integer.
pub fn int(tokens: TokenStream) -> Result<TokenStream> {
    let (root, mut cursor) = input(tokens);
    let tree = tree(&mut cursor)?;
    cursor.finish("one static integer")?;
    no_xor(&tree, "an integer")?;
    match &tree {
        Tree::Leaf(leaf) if matches!(leaf.kind, Kind::Int(_) | Kind::Static(_) | Kind::Name(_) | Kind::Type(_)) => root.leaf(leaf, false),
        Tree::Leaf(leaf) => {
            Err(Error::new(leaf.at, "not a static integer: write a literal, a constant such as `BLOCK_M`, or `{ expression }`"))
        }
        Tree::Tuple { at, .. } => Err(Error::new(*at, "`int!` makes one integer; tuples are made by `shape!`, `stride!` and `coord!`")),
    }
}

/// Returns the expansion of `shape!`. Fails at a leaf that no shape can have.
pub fn shape(tokens: TokenStream) -> Result<TokenStream> {
    tuple(tokens, check_shape)
}

/// Returns the expansion of `stride!`. Fails at a leaf that no stride can have.
pub fn stride(tokens: TokenStream) -> Result<TokenStream> {
    tuple(tokens, check_stride)
}

/// Returns the expansion of `coord!`. Fails at a leaf that no coordinate can have.
pub fn coord(tokens: TokenStream) -> Result<TokenStream> {
    tuple(tokens, |tree| no_xor(tree, "a coordinate"))
}

fn tuple(tokens: TokenStream, check: impl Fn(&Tree) -> Result<()>) -> Result<TokenStream> {
    let (root, mut cursor) = input(tokens);
    let tree = arguments(&mut cursor)?;
    check(&tree)?;
    root.tree(&tree, false)
}

/// Returns the expansion of `layout!`, or of `try_layout!` if `checked`. Fails if the layout is refused.
pub fn layout(tokens: TokenStream, checked: bool) -> Result<TokenStream> {
    let (root, mut cursor) = input(tokens);
    if is_item(&cursor) {
        return match checked {
            true => Err(Error::new(cursor.here(), "a named layout is checked when it is compiled: write `layout!`")),
            false => items(&mut cursor)?.iter().map(|item| named_layout::item(&root, item)).collect(),
        };
    }
    let expr = expression(&mut cursor)?;
    if matches!(expr, Expr::Tree(_)) && !cursor.is_done() {
        return Err(Error::new(cursor.here(), "a layout is `shape : stride`, with tuples in parentheses: `(4, 8) : (8, 1)`"));
    }
    cursor.finish("the end of the layout")?;
    if checked { layout::checked_value(&root, &expr) } else { layout::value(&root, &expr) }
}

#[cfg(test)]
mod tests;
