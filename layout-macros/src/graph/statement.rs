//! The statements of a graph: parameters, dimensions, transforms, functions.

use super::names::{Names, Origin, at, text};
use super::quantity::{affine, integer, list, quantity};
use crate::diag::{Error, Extent, Result, nearest};
use crate::parse::Cursor;
use layout_core::graph::{Dataflow, DimId, Dimension, Direction, Expr, Transform};
use layout_core::value::Facts;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// A function to generate.
pub struct Function {
    /// Attributes as written.
    pub attributes: Vec<TokenStream>,
    /// Nothing, `pub`, `pub(crate)`, ...
    pub visibility: TokenStream,
    /// Its name.
    pub name: Ident,
    /// What of the targets it returns.
    pub what: What,
    /// Which way.
    pub direction: Direction,
    /// What is bound; with a number, to that.
    pub sources: Vec<(Ident, Option<i64>)>,
    /// What it computes.
    pub targets: Vec<Ident>,
}

/// What a function returns.
pub enum What {
    /// The values of the targets.
    Values,
    /// Whether every coordinate lies in its size.
    Validity,
    /// How much the targets change when a coordinate grows.
    Delta(Ident, i64),
}

/// Reads all statements: the graph, and the functions asked for.
pub fn statements(cursor: &mut Cursor) -> Result<(Names, Vec<Function>)> {
    let mut names = Names::default();
    let mut functions = Vec::new();
    while !cursor.is_done() {
        if cursor.skip_word("param") {
            parameters(cursor, &mut names, Origin::Argument)?;
        } else if cursor.skip_word("const") {
            parameters(cursor, &mut names, Origin::Generic)?;
        } else if cursor.skip_word("dim") {
            dimensions(cursor, &mut names)?;
        } else if cursor.is_mark(0, '#') || cursor.is_word(0, "pub") || cursor.is_word(0, "fn") {
            functions.push(function(cursor, &names)?);
        } else {
            transform(cursor, &mut names)?;
        }
        if !cursor.skip(';') {
            return Err(Error::new(cursor.here(), "expected `;`"));
        }
    }
    Ok((names, functions))
}

fn ident(cursor: &mut Cursor, what: &str) -> Result<Ident> {
    let at = cursor.here();
    match cursor.next() {
        Some(TokenTree::Ident(name)) => Ok(name),
        _ => Err(Error::new(at, format!("expected {what}"))),
    }
}

/// `m: 1..=4096 % 8, ld`
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

/// `1..`, `1..=4096`, `0.. % 8`
fn facts(cursor: &mut Cursor) -> Result<Facts> {
    let mut facts = Facts { lo: number(cursor)?, ..Facts::NATURAL };
    let at = cursor.here();
    if !(cursor.skip('.') && cursor.skip('.')) {
        return Err(Error::new(at, "expected a range: `1..`, `1..=4096`"));
    }
    if cursor.skip('=') {
        facts.hi = number(cursor)?;
    } else if matches!(cursor.peek(0), Some(TokenTree::Literal(_))) {
        facts.hi = number(cursor)?.saturating_sub(1);
    }
    let at = cursor.here();
    if cursor.skip('%') {
        facts.div = number(cursor)?;
    }
    if facts.hi < facts.lo || facts.div < 1 || facts.lo < 0 {
        return Err(Error::new(at, "the range is empty, negative, or its divisor is less than 1"));
    }
    Ok(facts)
}

fn number(cursor: &mut Cursor) -> Result<i64> {
    let at = cursor.here();
    let negative = cursor.skip('-');
    match cursor.next() {
        Some(token) => integer(&token).map(|value| if negative { -value } else { value }),
        None => Err(Error::new(at, "expected a number")),
    }
}

/// `a, row = 256 : ld, col = 128 : 1 offset 4`
fn dimensions(cursor: &mut Cursor, names: &mut Names) -> Result<()> {
    loop {
        let name = ident(cursor, "the name of a dimension")?;
        let mut dim = Dimension::new(text(&name));
        if cursor.skip('=') {
            dim.size = known(cursor, names)?;
            if cursor.skip(':') {
                dim.stride = known(cursor, names)?;
            }
        }
        if cursor.skip_word("offset") {
            dim.offset = Some(quantity(cursor, names, &[])?);
        }
        names.graph.add(dim).map_err(|error| at(&name, &error))?;
        if !cursor.skip(',') {
            return Ok(());
        }
    }
}

/// A quantity, or `_` for none.
fn known(cursor: &mut Cursor, names: &mut Names) -> Result<Option<Expr>> {
    if cursor.skip_word("_") { Ok(None) } else { quantity(cursor, names, &[]).map(Some) }
}

/// `Tile(k -> i, j)`, `Pad(x -> u; left = 1, right = 1)`
fn transform(cursor: &mut Cursor, names: &mut Names) -> Result<()> {
    let name = ident(cursor, "`param`, `const`, `dim`, `fn`, or a transform such as `Tile(k -> i, j)`")?;
    let at_group = cursor.here();
    let Some(TokenTree::Group(group)) = cursor.next().filter(|token| matches!(token, TokenTree::Group(_))) else {
        return Err(Error::new(at_group, format!("expected dimensions: `{name}(inputs -> outputs)`")));
    };
    let mut inside = Cursor::inside(&group);
    let inputs = idents(&mut inside)?;
    if !(inside.skip('-') && inside.skip('>')) {
        return Err(Error::new(inside.here(), "expected `->` between inputs and outputs"));
    }
    let outputs = idents(&mut inside)?;
    let more = inside.skip(';');
    if !more {
        inside.finish("`,`, `;` or `)`")?;
    }
    let many = if inputs.len() == 1 { &outputs } else { &inputs };
    let kind = kind(&name, &mut inside, names, many)?;
    inside.finish("the end of the transform")?;
    let dims = |list: &[Ident]| list.iter().map(|name| names.dimension(name)).collect::<Result<Vec<DimId>>>();
    let (inputs, outputs) = (dims(&inputs)?, dims(&outputs)?);
    names.graph.connect(kind, inputs, outputs).map_err(|error| at(&name, &error))
}

fn idents(cursor: &mut Cursor) -> Result<Vec<Ident>> {
    let mut out = Vec::new();
    while let Some(TokenTree::Ident(name)) = cursor.peek(0).cloned() {
        cursor.next();
        out.push(name);
        if !cursor.skip(',') {
            break;
        }
    }
    Ok(out)
}

/// The transform with what stands after the `;`.
fn kind(name: &Ident, rest: &mut Cursor, names: &mut Names, many: &[Ident]) -> Result<Transform> {
    let mut value = |key: &str| -> Result<Expr> {
        field(rest, key)?;
        let value = quantity(rest, names, &[])?;
        rest.skip(',');
        Ok(value)
    };
    Ok(match text(name).as_str() {
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
        "PairSwap" => Transform::PairSwap { rows_per_group: value("rows_per_group")? },
        "Pad" => Transform::Pad { left: value("left")?, right: value("right")? },
        "Slice" => Transform::Slice { begin: value("begin")?, end: value("end")? },
        "Modulo" => Transform::Modulo { modulus: value("modulus")? },
        "Freeze" => Transform::Freeze { at: value("at")? },
        "Rotate" => {
            let (rows_per_group, positions) = (value("rows_per_group")?, value("positions")?);
            let inverse = !rest.is_done() && {
                field(rest, "inverse")?;
                let word = ident(rest, "`true` or `false`")?;
                word == "true"
            };
            Transform::Rotate { rows_per_group, positions, inverse }
        }
        "Embed" => {
            field(rest, "coefficients")?;
            Transform::Embed { coefficients: list(rest, names)? }
        }
        "Gather" => {
            field(rest, "table")?;
            let here = rest.here();
            let entry = |entry: Expr| match entry {
                Expr::Int(value) => Ok(value),
                _ => Err(Error::new(here, "the entries of a table are numbers")),
            };
            Transform::Gather { table: list(rest, names)?.into_iter().map(entry).collect::<Result<_>>()? }
        }
        "PiecewiseAffineJoin" => piecewise(rest, names, many)?,
        other if Dataflow::from_name(other).is_some() => {
            return Err(Error::new(Extent::at(name.span()), format!("`{other}` relates storage, which has no code")));
        }
        other => {
            let hint = nearest(other, TRANSFORMS.iter().copied()).map(|best| format!("; is it `{best}`?"));
            let message = format!("there is no transform `{other}`{}", hint.unwrap_or_default());
            return Err(Error::new(Extent::at(name.span()), message));
        }
    })
}

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

/// `key =`
fn field(cursor: &mut Cursor, key: &str) -> Result<()> {
    if cursor.skip_word(key) && cursor.skip('=') { Ok(()) } else { Err(Error::new(cursor.here(), format!("expected `{key} = ...`"))) }
}

/// `if a == 0 { 4 * b + c } else { d + 4 }`
fn piecewise(cursor: &mut Cursor, names: &mut Names, many: &[Ident]) -> Result<Transform> {
    if !cursor.skip_word("if") {
        return Err(Error::new(cursor.here(), "expected `if condition { sum } else { sum }`"));
    }
    let condition = quantity(cursor, names, many)?;
    let mut case = |cursor: &mut Cursor| -> Result<_> {
        let here = cursor.here();
        let Some(group) = cursor.group(0, Delimiter::Brace).cloned() else {
            return Err(Error::new(here, "expected `{ sum }`"));
        };
        cursor.next();
        sum(&group, names, many)
    };
    let (a, x) = case(cursor)?;
    if !cursor.skip_word("else") {
        return Err(Error::new(cursor.here(), "expected `else { sum }`"));
    }
    let (b, y) = case(cursor)?;
    Ok(Transform::PiecewiseAffineJoin { condition, strides: [a, b], initial: [x, y] })
}

fn sum(group: &Group, names: &mut Names, many: &[Ident]) -> Result<(Vec<Expr>, Expr)> {
    let mut inside = Cursor::inside(group);
    let here = inside.here();
    let value = quantity(&mut inside, names, many)?;
    inside.finish("`}`")?;
    let sum = affine(&value, many.len(), here)?;
    Ok((sum.strides, sum.initial))
}

/// `pub fn address = reverse(wg, i, sel = 0) -> a`
fn function(cursor: &mut Cursor, names: &Names) -> Result<Function> {
    let (attributes, visibility) = crate::parse::attributes(cursor);
    if !cursor.skip_word("fn") {
        return Err(Error::new(cursor.here(), "expected `fn name = forward(..) -> ..;`"));
    }
    let name = ident(cursor, "the name of the function")?;
    if !cursor.skip('=') {
        return Err(Error::new(cursor.here(), "expected `= forward(..) -> ..` or `= reverse(..) -> ..`"));
    }
    let what = if cursor.skip_word("valid") {
        What::Validity
    } else if cursor.skip_word("delta") {
        let dim = ident(cursor, "the coordinate that grows")?;
        names.dimension(&dim)?;
        What::Delta(dim, if cursor.skip_word("by") { number(cursor)? } else { 1 })
    } else {
        What::Values
    };
    let direction = if cursor.skip_word("forward") {
        Direction::Forward
    } else if cursor.skip_word("reverse") {
        Direction::Reverse
    } else {
        return Err(Error::new(cursor.here(), "expected `forward(..)` or `reverse(..)`"));
    };
    let here = cursor.here();
    let Some(group) = cursor.group(0, Delimiter::Parenthesis).cloned() else {
        return Err(Error::new(here, "expected the coordinates in parentheses"));
    };
    cursor.next();
    let sources = sources(&mut Cursor::inside(&group), names)?;
    if !(cursor.skip('-') && cursor.skip('>')) {
        return Err(Error::new(cursor.here(), "expected `-> target`"));
    }
    let targets = match cursor.group(0, Delimiter::Parenthesis).cloned() {
        Some(group) => {
            cursor.next();
            let mut inside = Cursor::inside(&group);
            let targets = idents(&mut inside)?;
            inside.finish("`)`")?;
            targets
        }
        None => vec![ident(cursor, "the dimension to compute")?],
    };
    if targets.is_empty() {
        return Err(Error::new(here, "there is nothing to compute"));
    }
    for target in &targets {
        names.dimension(target)?;
    }
    Ok(Function { attributes, visibility, name, what, direction, sources, targets })
}

fn sources(inside: &mut Cursor, names: &Names) -> Result<Vec<(Ident, Option<i64>)>> {
    let mut out = Vec::new();
    while !inside.is_done() {
        let name = ident(inside, "a coordinate")?;
        if !names.parameters.iter().any(|(known, _)| *known == text(&name)) {
            names.dimension(&name)?;
        }
        let value = if inside.skip('=') { Some(number(inside)?) } else { None };
        out.push((name, value));
        if !inside.skip(',') {
            inside.finish("`,` or `)`")?;
        }
    }
    Ok(out)
}
