//! Reads the statements of a graph: parameters, dimensions, and the mode of Flatten. Transforms and functions have
//! their own modules.

use super::function::{Function, function};
use super::names::{Names, Origin, text};
use super::quantity::{integer, quantity};
use super::transform::transform;
use crate::diag::{Error, Extent, Result};
use crate::parse::Cursor;
pub use crate::parse::ident;
use coordinate_graph::graph::{Dimension, Expr, FlattenMode};
use layout_algebra::value::Facts;
use proc_macro2::{Ident, TokenTree};

/// Reads all statements. Returns the graph with its names, and the functions to generate. Fails at the first statement that
/// is not valid.
pub fn statements(cursor: &mut Cursor) -> Result<(Names, Vec<Function>)> {
    let mut names = Names::default();
    let mut functions = Vec::new();
    let mut is_read = false;
    while !cursor.is_done() {
        if cursor.skip_word("param") {
            parameters(cursor, &mut names, Origin::Argument)?;
        } else if cursor.skip_word("const") {
            parameters(cursor, &mut names, Origin::Generic)?;
        } else if cursor.skip_word("dim") {
            dimensions(cursor, &mut names)?;
        } else if cursor.is_word(0, "flatten") {
            let start = cursor.position();
            names.graph = core::mem::take(&mut names.graph).with_flatten(flatten(cursor)?);
            if core::mem::replace(&mut is_read, true) {
                return Err(Error::new(cursor.since(start), "how Flatten is read was said before"));
            }
        } else if cursor.is_mark(0, '#') || cursor.is_word(0, "pub") || cursor.is_word(0, "fn") {
            functions.push(function(cursor, &names)?);
        } else {
            transform(cursor, &mut names)?;
        }
        if !cursor.skip(';') {
            return cursor.expected("`;`");
        }
    }
    Ok((names, functions))
}

/// Reads `flatten sizes` from its first word on. Fails at a word that is no mode.
fn flatten(cursor: &mut Cursor) -> Result<FlattenMode> {
    const MODES: [(&str, FlattenMode); 3] =
        [("sizes", FlattenMode::Sizes), ("strides", FlattenMode::Strides), ("declared", FlattenMode::Declared)];
    cursor.next();
    let mode = MODES.iter().find(|(word, _)| cursor.skip_word(word));
    mode.map_or_else(|| cursor.expected("`sizes`, `strides` or `declared`"), |(_, mode)| Ok(*mode))
}

/// Reads and declares parameters: `m: 1..=4096 % 8, ld`. `origin` gives the origin of each from its name. Fails at a range
/// without numbers or a name that is taken.
fn parameters(cursor: &mut Cursor, names: &mut Names, origin: fn(Ident) -> Origin) -> Result<()> {
    loop {
        let name = ident(cursor, "the name of a parameter")?;
        let facts = if cursor.skip(':') { facts(cursor)? } else { Facts::NATURAL };
        names.declare(&name, origin(name.clone()), facts)?;
        if !cursor.skip(',') {
            return Ok(());
        }
    }
}

/// Reads the range and the divisor of a parameter: `1..`, `1..=4096`, `0.. % 8`. Fails if no number satisfies them.
fn facts(cursor: &mut Cursor) -> Result<Facts> {
    let start = cursor.position();
    let (lo, at) = number(cursor)?;
    if lo < 0 {
        return Err(Error::new(at, format!("a parameter is a `usize`, which is never {lo}")));
    }
    if !(cursor.is_mark(0, '.') && cursor.is_mark(1, '.')) {
        return cursor.expected("a range: `1..`, `1..=4096`");
    }
    cursor.skip('.');
    cursor.skip('.');
    let mut facts = Facts { lo, ..Facts::NATURAL };
    if cursor.skip('=') {
        facts.hi = number(cursor)?.0;
    } else if matches!(cursor.peek(0), Some(TokenTree::Literal(_))) {
        facts.hi = number(cursor)?.0.saturating_sub(1);
    }
    if facts.hi < facts.lo {
        return Err(Error::new(cursor.since(start), "no number is in this range"));
    }
    if cursor.skip('%') {
        let (div, at) = number(cursor)?;
        if div < 1 {
            return Err(Error::new(at, format!("a divisor is at least 1, not {div}")));
        }
        facts.div = div;
        if facts.hi / div * div < facts.lo {
            return Err(Error::new(cursor.since(start), format!("no multiple of {div} is in this range")));
        }
    }
    Ok(facts)
}

/// Reads a number with its sign, and returns it with its tokens. Fails at other tokens.
pub fn number(cursor: &mut Cursor) -> Result<(i64, Extent)> {
    let start = cursor.position();
    let negative = cursor.skip('-');
    let Some(token) = cursor.peek(0).cloned().filter(|token| !matches!(token, TokenTree::Punct(_) | TokenTree::Group(_))) else {
        return cursor.expected("a number");
    };
    let value = integer(&token)?;
    cursor.next();
    Ok((if negative { -value } else { value }, cursor.since(start)))
}

/// Reads and adds dimensions: `a, row = 256 : ld, col = 128 : 1 offset 4`. Fails at a quantity or a name that the graph
/// refuses.
fn dimensions(cursor: &mut Cursor, names: &mut Names) -> Result<()> {
    loop {
        let name = ident(cursor, "the name of a dimension")?;
        let mut dim = Dimension::new(text(&name));
        let mut size = Extent::at(name.span());
        if cursor.skip('=') {
            let start = cursor.position();
            dim.size = known(cursor, names)?;
            size = cursor.since(start);
            if cursor.skip(':') {
                dim.stride = known(cursor, names)?;
            }
        }
        if cursor.skip_word("offset") {
            dim.offset = Some(quantity(cursor, names, &[])?);
        }
        names.add(&name, dim, size)?;
        if !cursor.skip(',') {
            return Ok(());
        }
    }
}

/// Reads a quantity; `None` for `_`. Fails as `quantity` does.
fn known(cursor: &mut Cursor, names: &mut Names) -> Result<Option<Expr>> {
    if cursor.skip_word("_") { Ok(None) } else { quantity(cursor, names, &[]).map(Some) }
}
