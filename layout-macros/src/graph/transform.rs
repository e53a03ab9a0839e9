//! The transforms of a graph.

use super::blame;
use super::names::{EdgeAt, Names, text};
use super::quantity::{affine, list, quantity};
use super::statement::{ident, number};
use crate::diag::{Error, Extent, Result, nearest};
use crate::parse::Cursor;
use layout_core::graph::{Dataflow, DimId, Expr, Transform};
use proc_macro2::{Delimiter, Ident, TokenTree};

/// `Tile(k -> i, j)`, `Pad(x -> u; left = 1, right = 1)`
pub fn transform(cursor: &mut Cursor, names: &mut Names) -> Result<()> {
    let name = ident(cursor, "`param`, `const`, `dim`, `flatten`, `fn`, or a transform such as `Tile(k -> i, j)`")?;
    known(&name)?;
    let Some(group) = cursor.group(0, Delimiter::Parenthesis).cloned() else {
        return cursor.expected(&format!("dimensions: `{name}(inputs -> outputs)`"));
    };
    cursor.next();
    let mut inside = Cursor::inside(&group);
    let inputs = idents(&mut inside)?;
    if !(inside.skip('-') && inside.skip('>')) {
        return inside.expected(if inputs.is_empty() { "dimensions, and `->`" } else { "`->` between inputs and outputs" });
    }
    let outputs = idents(&mut inside)?;
    if !inside.skip(';') {
        inside.finish("`,`, `;` or `)`")?;
    }
    let mut fields = Fields { cursor: inside, found: Vec::new() };
    let many = if inputs.len() == 1 { &outputs } else { &inputs };
    let kind = kind(&name, &mut fields, names, many)?;
    fields.cursor.finish("`)`")?;
    let dims = |list: &[Ident]| list.iter().map(|name| names.dimension(name)).collect::<Result<Vec<DimId>>>();
    let (from, to) = (dims(&inputs)?, dims(&outputs)?);
    let edge = EdgeAt { name, sides: [inputs, outputs], fields: fields.found };
    names.graph.connect(kind, from, to).map_err(|error| blame::edge(&edge, &error))?;
    names.edges.push(edge);
    Ok(())
}

/// Reads names with commas between them.
pub fn idents(cursor: &mut Cursor) -> Result<Vec<Ident>> {
    let mut out = Vec::new();
    while matches!(cursor.peek(0), Some(TokenTree::Ident(_))) {
        out.push(ident(cursor, "the name of a dimension")?);
        if !cursor.skip(',') {
            break;
        }
    }
    Ok(out)
}

/// The names of all transforms.
const TRANSFORMS: &[&str] = &[
    "Flatten",
    "Tile",
    "Join",
    "Split",
    "Sunder",
    "PassThrough",
    "Inherit",
    "MakeOutput",
    "Forget",
    "PiecewiseAffineJoin",
    "ConstructMacroTile",
    "DestructMacroTile",
    "PairSwap",
    "Rotate",
    "Pad",
    "Slice",
    "Embed",
    "Modulo",
    "Xor",
    "Freeze",
    "Insert",
    "Replicate",
    "Gather",
];

/// Fails unless `name` is a transform, or may be one.
fn known(name: &Ident) -> Result<()> {
    let word = text(name);
    if TRANSFORMS.contains(&word.as_str()) {
        return Ok(());
    }
    let at = Extent::at(name.span());
    if Dataflow::from_name(&word).is_some() {
        return Err(Error::new(at, format!("`{word}` relates storage, which has no code")));
    }
    const STATEMENTS: [&str; 5] = ["param", "const", "dim", "flatten", "fn"];
    let best = nearest(&word, TRANSFORMS.iter().copied().chain(STATEMENTS));
    let hint = best.map(|best| format!("; is it `{best}`?")).unwrap_or_default();
    let what = if word.starts_with(|c: char| c.is_lowercase()) { "statement" } else { "transform" };
    Err(Error::new(at, format!("there is no {what} `{word}`{hint}")))
}

/// The numbers of a transform: what stands after the `;`.
struct Fields {
    cursor: Cursor,
    found: Vec<(&'static str, Extent)>,
}

impl Fields {
    /// `key = ..`, after a comma if it is not the first.
    fn next<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Cursor) -> Result<T>) -> Result<T> {
        if !self.found.is_empty() && !self.cursor.skip(',') {
            return self.cursor.expected(&format!("`, {key} = ..`"));
        }
        if !(self.cursor.is_word(0, key) && self.cursor.is_mark(1, '=')) {
            return self.cursor.expected(&format!("`{key} = ..`"));
        }
        self.cursor.next();
        self.cursor.next();
        let start = self.cursor.position();
        let value = read(&mut self.cursor)?;
        self.found.push((key, self.cursor.since(start)));
        Ok(value)
    }

    fn quantity(&mut self, key: &'static str, names: &mut Names) -> Result<Expr> {
        self.next(key, |cursor| quantity(cursor, names, &[]))
    }

    /// Whether there is more than a last comma.
    fn more(&self) -> bool {
        let comma = self.cursor.is_mark(0, ',') as usize;
        self.cursor.peek(comma).is_some()
    }
}

/// The transform with what stands after the `;`.
fn kind(name: &Ident, fields: &mut Fields, names: &mut Names, many: &[Ident]) -> Result<Transform> {
    let kind = match text(name).as_str() {
        "Flatten" => Transform::Flatten,
        "Tile" => Transform::Tile,
        "Join" => Transform::Join,
        "Split" => Transform::Split,
        "Sunder" => Transform::Sunder,
        "PassThrough" => Transform::PassThrough,
        "Inherit" => Transform::Inherit,
        "MakeOutput" => Transform::MakeOutput,
        "Forget" => Transform::Forget,
        "ConstructMacroTile" => Transform::ConstructMacroTile,
        "DestructMacroTile" => Transform::DestructMacroTile,
        "Xor" => Transform::Xor,
        "Insert" => Transform::Insert,
        "Replicate" => Transform::Replicate,
        "PairSwap" => Transform::PairSwap { rows_per_group: fields.quantity("rows_per_group", names)? },
        "Pad" => Transform::Pad { left: fields.quantity("left", names)?, right: fields.quantity("right", names)? },
        "Slice" => Transform::Slice { begin: fields.quantity("begin", names)?, end: fields.quantity("end", names)? },
        "Modulo" => Transform::Modulo { modulus: fields.quantity("modulus", names)? },
        "Freeze" => Transform::Freeze { at: fields.quantity("at", names)? },
        "Rotate" => Transform::Rotate {
            rows_per_group: fields.quantity("rows_per_group", names)?,
            positions: fields.quantity("positions", names)?,
            inverse: fields.more() && fields.next("inverse", truth)?,
        },
        "Embed" => Transform::Embed {
            coefficients: fields.next("coefficients", |cursor| list(cursor, "coefficients", |cursor| quantity(cursor, names, &[])))?,
        },
        "Gather" => {
            let table = fields.next("table", |cursor| list(cursor, "entries", |cursor| Ok(number(cursor)?.0)))?;
            Transform::Gather { table: table.into() }
        }
        "PiecewiseAffineJoin" => return piecewise(&mut fields.cursor, names, many),
        other => return Err(Error::new(Extent::at(name.span()), format!("there is no transform `{other}`"))),
    };
    if !fields.found.is_empty() {
        fields.cursor.skip(',');
    }
    Ok(kind)
}

fn truth(cursor: &mut Cursor) -> Result<bool> {
    if cursor.skip_word("true") {
        Ok(true)
    } else if cursor.skip_word("false") {
        Ok(false)
    } else {
        cursor.expected("`true` or `false`")
    }
}

/// `if a == 0 { 4 * b + c } else { d + 4 }`
fn piecewise(cursor: &mut Cursor, names: &mut Names, many: &[Ident]) -> Result<Transform> {
    if !cursor.skip_word("if") {
        return cursor.expected("`if condition { sum } else { sum }`");
    }
    let condition = quantity(cursor, names, many)?;
    let mut case = |cursor: &mut Cursor| -> Result<_> {
        let Some(group) = cursor.group(0, Delimiter::Brace).cloned() else {
            return cursor.expected("`{ sum }`");
        };
        cursor.next();
        let mut inside = Cursor::inside(&group);
        let sum = affine(&mut inside, names, many)?;
        inside.finish("`+`, `-` or `}`")?;
        Ok((sum.strides, sum.initial))
    };
    let (a, x) = case(cursor)?;
    if !cursor.skip_word("else") {
        return cursor.expected("`else { sum }`");
    }
    let (b, y) = case(cursor)?;
    Ok(Transform::PiecewiseAffineJoin { condition, strides: [a, b], initial: [x, y] })
}
