//! Reads the functions that a graph generates, as they are written. `code` makes their Rust text.

use super::names::{Names, text};
use super::statement::{ident, number};
use super::transform::idents;
use crate::diag::{Error, Extent, Result};
use crate::parse::Cursor;
use crate::texts::languages;
use coordinate_graph::graph::Direction;
use coordinate_graph::program::Language;
use proc_macro2::{Delimiter, Ident, Span, TokenStream};

/// A function to generate.
pub struct Function {
    /// The attributes, as written.
    pub attributes: Vec<TokenStream>,
    /// The visibility: nothing, `pub`, `pub(crate)`, ...
    pub visibility: TokenStream,
    /// The name of the function.
    pub name: Ident,
    /// The kind of the result: values, validity, a change, or runs.
    pub what: What,
    /// The direction of the evaluation.
    pub direction: Direction,
    /// The span of the word that gives the direction.
    pub direction_at: Span,
    /// The sources, in the order in which they are written.
    pub sources: Vec<Source>,
    /// True if the function takes its arguments as the fields of a structure, by name.
    pub named: bool,
    /// The dimensions that the function computes, in order.
    pub targets: Vec<Ident>,
    /// The languages for which the function is also written as text, each with its name as written.
    pub languages: Vec<(Language, Ident)>,
}

/// A source of a function: an argument, or a dimension or parameter with a fixed value.
pub struct Source {
    /// The name of the dimension or the parameter.
    pub name: Ident,
    /// The fixed value and the tokens where it is written; `None` for an argument.
    pub value: Option<(i64, Extent)>,
}

/// The kind of the result of a function.
pub enum What {
    /// The values of the targets, in order.
    Values,
    /// A truth value: whether every coordinate lies in its size and not in padding.
    Validity,
    /// The change of the targets when the named coordinate grows by the number.
    Delta(Ident, i64),
    /// The runs of the targets along the named coordinate.
    Runs(Ident),
}

/// Reads `pub fn address = reverse(wg, i, sel = 0) -> a as cuda, wgsl`. Braces instead of parentheses make arguments by
/// name. Fails at a token that does not fit, or at a name that the graph does not have.
pub fn function(cursor: &mut Cursor, names: &Names) -> Result<Function> {
    let (attributes, visibility) = crate::parse::attributes(cursor);
    if !cursor.skip_word("fn") {
        return cursor.expected("`fn name = forward(..) -> ..;`");
    }
    let name = ident(cursor, "the name of the function")?;
    if !cursor.skip('=') {
        return cursor.expected("`= forward(..) -> ..` or `= reverse(..) -> ..`");
    }
    let what = if cursor.skip_word("valid") {
        What::Validity
    } else if cursor.skip_word("delta") {
        let dim = ident(cursor, "the coordinate that grows")?;
        What::Delta(dim, if cursor.skip_word("by") { number(cursor)?.0 } else { 1 })
    } else if cursor.skip_word("runs") {
        What::Runs(ident(cursor, "the coordinate that runs")?)
    } else {
        What::Values
    };
    let direction_at = cursor.here().first;
    let direction = if cursor.skip_word("forward") {
        Direction::Forward
    } else if cursor.skip_word("reverse") {
        Direction::Reverse
    } else {
        return cursor.expected("`forward(..)` or `reverse(..)`");
    };
    let group = [Delimiter::Parenthesis, Delimiter::Brace].into_iter().find_map(|around| cursor.group(0, around).cloned());
    let Some(group) = group else {
        return cursor.expected("the coordinates in parentheses, or in braces for arguments by name");
    };
    cursor.next();
    let sources = sources(&mut Cursor::inside(&group), names)?;
    if let What::Delta(dim, _) | What::Runs(dim) = &what
        && !sources.iter().any(|source| text(&source.name) == text(dim) && source.value.is_none())
    {
        names.dimension(dim)?;
        let verb = if matches!(what, What::Runs(_)) { "run" } else { "grow" };
        return Err(Error::new(Extent::at(dim.span()), format!("`{}` cannot {verb}: it is not one of the coordinates", text(dim))));
    }
    if !(cursor.is_mark(0, '-') && cursor.is_mark(1, '>')) {
        return cursor.expected("`-> target`");
    }
    cursor.skip('-');
    cursor.skip('>');
    let targets = match cursor.group(0, Delimiter::Parenthesis).cloned() {
        Some(group) => {
            cursor.next();
            let mut inside = Cursor::inside(&group);
            let targets = idents(&mut inside)?;
            inside.finish("`,` or `)`")?;
            if targets.is_empty() {
                return Err(Error::new(Extent::group(&group), "there is nothing to compute"));
            }
            targets
        }
        None => vec![ident(cursor, "the dimension to compute")?],
    };
    for target in &targets {
        names.dimension(target)?;
    }
    let languages = languages(cursor)?;
    Ok(Function {
        attributes,
        visibility,
        name,
        what,
        direction,
        direction_at,
        sources,
        named: group.delimiter() == Delimiter::Brace,
        targets,
        languages,
    })
}

fn sources(inside: &mut Cursor, names: &Names) -> Result<Vec<Source>> {
    let mut out = Vec::new();
    while !inside.is_done() {
        let name = ident(inside, "a coordinate")?;
        if !names.is_parameter(&text(&name)) {
            names.dimension(&name)?;
        }
        let value = if inside.skip('=') { Some(number(inside)?) } else { None };
        out.push(Source { name, value });
        if !inside.skip(',') {
            inside.finish("`,` or `)`")?;
        }
    }
    Ok(out)
}
