//! Expressions from the command line.

use crd2idx::algebra::dispatch::apply;
use crd2idx::error::{Cause, Op};
use crd2idx::text::{self, Operand, Parser};
use crd2idx::value::ExprGraph;

/// Leaves of one operand, and symbolic quantities (`?`) of one expression.
pub const LEAVES: usize = 64;
/// Symbolic quantities of one expression.
pub const SYMBOLS: usize = 64;

/// The value of `expression`, or the index of `coordinate` in it, as text.
pub fn eval(expression: &str, coordinate: Option<&str>) -> Result<String, String> {
    let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
    let value = text::evaluate::<LEAVES, SYMBOLS>(expression, &mut scope).map_err(|e| describe(expression, &e))?;
    let Some(coordinate) = coordinate else { return Ok(value.with_facts(&scope).to_string()) };
    let coordinate = Parser::whole(coordinate, &mut scope).map_err(|e| describe(coordinate, &e))?;
    apply(Op::Crd2Idx, &[value, coordinate], &mut scope).map(|index: Operand<LEAVES>| index.to_string()).map_err(|e| e.to_string())
}

/// The message of an error, with the place in the text where it could not be read, and what is written there instead.
pub fn describe(text: &str, error: &crd2idx::LayoutError) -> String {
    match (error.cause, error.numbers()[0]) {
        (Cause::Syntax, Some(at)) => {
            let rest = text.get(at as usize..).unwrap_or("");
            if rest.is_empty() {
                return format!("{error}: the text ends early");
            }
            let name = &rest[..rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())];
            if name.starts_with(|c: char| c.is_ascii_lowercase()) && rest[name.len()..].starts_with('(') && Op::from_name(name).is_none() {
                return format!("{error}: `{name}` is not an operation, `crd2idx ops` lists them");
            }
            format!("{error}: `{}`", rest.chars().take(20).collect::<String>())
        }
        (Cause::OperandKind, _) => format!("{error}: a layout has strides, `shape:stride`; shapes, coordinates and numbers have none"),
        _ => error.to_string(),
    }
}

/// The names of the operations, one a line.
pub fn operations() -> String {
    Op::ALL.iter().filter(|op| !matches!(op, Op::Parse | Op::Identity)).map(|op| op.name()).collect::<Vec<_>>().join("\n")
}
