//! Reads the transforms of a graph. The table of transforms in `coordinate-graph` gives their names and fields, so a new
//! transform needs nothing here.

use super::blame;
use super::names::{EdgeAt, Names, text};
use super::quantity::{Affine, affine, list, quantity};
use super::statement::{ident, number};
use crate::diag::{Error, Extent, Result, nearest};
use crate::parse::Cursor;
use coordinate_graph::graph::{Dataflow, DimId, Expr, ReadFields, Transform};
use proc_macro2::{Delimiter, Ident, TokenTree};

/// Reads a transform and adds it to the graph: `Tile(k -> i, j)` or `Pad(x -> u; left = 1, right = 1)`. Fails at a token
/// that does not fit, or if the graph refuses the edge.
pub fn transform(cursor: &mut Cursor, names: &mut Names) -> Result<()> {
    let name = ident(cursor, "`param`, `const`, `dim`, `flatten`, `fn`, or a transform such as `Tile(k -> i, j)`")?;
    if !Transform::NAMES.contains(&text(&name).as_str()) {
        return unknown(&name);
    }
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
    let many = if inputs.len() == 1 { &outputs } else { &inputs };
    let mut fields = Fields { cursor: inside, found: Vec::new(), names, many, cases: [0, 0].map(Affine::zero) };
    let Some(kind) = Transform::read(&text(&name), &mut fields) else { return unknown(&name) };
    let kind = kind?;
    if !fields.found.is_empty() {
        fields.cursor.skip(',');
    }
    fields.cursor.finish("`)`")?;
    let found = fields.found;
    let dims = |list: &[Ident]| list.iter().map(|name| names.dimension(name)).collect::<Result<Vec<DimId>>>();
    let (from, to) = (dims(&inputs)?, dims(&outputs)?);
    let edge = EdgeAt { name, sides: [inputs, outputs], fields: found };
    names.graph.connect(kind, from, to).map_err(|error| blame::edge(&edge, &error))?;
    names.edges.push(edge);
    Ok(())
}

/// Reads names with commas between them, and stops at another token. Fails at `_`.
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

/// Fails, because `name` is not a transform; the error suggests a similar name if there is one.
fn unknown<T>(name: &Ident) -> Result<T> {
    let word = text(name);
    let at = Extent::at(name.span());
    if Dataflow::from_name(&word).is_some() {
        return Err(Error::new(at, format!("`{word}` relates storage, which has no code")));
    }
    const STATEMENTS: [&str; 5] = ["param", "const", "dim", "flatten", "fn"];
    let best = nearest(&word, Transform::NAMES.iter().copied().chain(STATEMENTS));
    let hint = best.map(|best| format!("; is it `{best}`?")).unwrap_or_default();
    let what = if word.starts_with(|c: char| c.is_lowercase()) { "statement" } else { "transform" };
    Err(Error::new(at, format!("there is no {what} `{word}`{hint}")))
}

/// The fields of a transform, which come after the `;`.
struct Fields<'a> {
    cursor: Cursor,
    /// The keys of the fields read so far, each with the extent of its value in the source.
    found: Vec<(&'static str, Extent)>,
    names: &'a mut Names,
    /// The dimensions that a condition and its sums may mention: the outputs of a transform with one input, otherwise the
    /// inputs.
    many: &'a [Ident],
    /// The sums of the two cases of `if .. else ..`. `condition` reads them, and `pair` and `lists` return their parts.
    cases: [Affine; 2],
}

impl Fields<'_> {
    /// Reads `key = ..`, with a comma before it unless it is the first field; `read` reads the value. Fails if another
    /// token comes next or `read` fails.
    fn next<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Cursor, &mut Names) -> Result<T>) -> Result<T> {
        if !self.found.is_empty() && !self.cursor.skip(',') {
            return self.cursor.expected(&format!("`, {key} = ..`"));
        }
        if !(self.cursor.is_word(0, key) && self.cursor.is_mark(1, '=')) {
            return self.cursor.expected(&format!("`{key} = ..`"));
        }
        self.cursor.next();
        self.cursor.next();
        let start = self.cursor.position();
        let value = read(&mut self.cursor, self.names)?;
        self.found.push((key, self.cursor.since(start)));
        Ok(value)
    }

    /// Reads `if a == 0 { 4 * b + c } else { d + 4 }`. Returns the condition and stores the two sums in `cases`. Fails at a
    /// token that does not fit.
    fn condition(&mut self) -> Result<Expr> {
        let (cursor, many) = (&mut self.cursor, self.many);
        if !cursor.skip_word("if") {
            return cursor.expected("`if condition { sum } else { sum }`");
        }
        let condition = quantity(cursor, self.names, many)?;
        for (k, sum) in self.cases.iter_mut().enumerate() {
            if k == 1 && !cursor.skip_word("else") {
                return cursor.expected("`else { sum }`");
            }
            let Some(group) = cursor.group(0, Delimiter::Brace).cloned() else {
                return cursor.expected("`{ sum }`");
            };
            cursor.next();
            let mut inside = Cursor::inside(&group);
            *sum = affine(&mut inside, self.names, many)?;
            inside.finish("`+`, `-` or `}`")?;
        }
        Ok(condition)
    }
}

impl ReadFields for Fields<'_> {
    type Error = Error;

    fn quantity(&mut self, key: &'static str) -> Result<Expr> {
        if key == "condition" { self.condition() } else { self.next(key, |cursor, names| quantity(cursor, names, &[])) }
    }

    fn quantities(&mut self, key: &'static str) -> Result<Vec<Expr>> {
        self.next(key, |cursor, names| list(cursor, key, |cursor| quantity(cursor, names, &[])))
    }

    fn pair(&mut self, _: &'static str) -> Result<[Expr; 2]> {
        Ok(self.cases.each_ref().map(|sum| sum.initial.clone()))
    }

    fn lists(&mut self, _: &'static str) -> Result<[Vec<Expr>; 2]> {
        Ok(self.cases.each_ref().map(|sum| sum.strides.clone()))
    }

    fn numbers(&mut self, key: &'static str) -> Result<Box<[i64]>> {
        self.next(key, |cursor, _| list(cursor, "entries", |cursor| Ok(number(cursor)?.0))).map(Vec::into)
    }

    /// Reads the flag `key`, which is false if it is omitted. Fails at a value other than `true` and `false`.
    fn flag(&mut self, key: &'static str) -> Result<bool> {
        let comma = self.cursor.is_mark(0, ',') as usize;
        if self.cursor.peek(comma).is_none() {
            return Ok(false);
        }
        self.next(key, |cursor, _| match (cursor.skip_word("true"), cursor.skip_word("false")) {
            (true, _) => Ok(true),
            (_, true) => Ok(false),
            _ => cursor.expected("`true` or `false`"),
        })
    }
}
