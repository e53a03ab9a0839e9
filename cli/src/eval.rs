//! `crd2idx eval`: expressions from the command line.

use crate::answer::Refusal;
use crate::graph::Binding;
use crd2idx::DynLayout;
use crd2idx::algebra::expression::{ComposedValue, Operand, Parser, apply, bind, evaluate};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::{Cause, Form, Op};
use crd2idx::graph::nearest;
use crd2idx::layouts::DynCoord;
use serde_json::{Value, json};

/// Marks an argument that is an expression: shells complete no file names in it, and `crd2idx repl` replaces names in it by their values.
pub const EXPRESSION: clap::ValueHint = clap::ValueHint::Other;
/// The maximum number of leaves of one operand.
pub const LEAVES: usize = 64;
/// The maximum number of symbolic quantities (`?`) of one expression.
pub const SYMBOLS: usize = 64;

/// Returns the value of `expression`, or the index of `coordinate` in it, as text. `values` has the numbers of names in both. Notes a
/// coordinate outside the shape on standard error. Fails with a message if one cannot be read or an operation refuses its operands.
pub fn eval(expression: &str, coordinate: Option<&str>, values: &[Binding]) -> Result<String, String> {
    let values: Vec<(&str, i64)> = values.iter().map(|Binding(name, value)| (name.as_str(), *value)).collect();
    let (expression, coordinate) = (&bind(expression, &values), coordinate.map(|coordinate| bind(coordinate, &values)));
    let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
    let value = evaluate::<LEAVES, SYMBOLS>(expression, &mut scope).map_err(|e| describe(expression, &e))?;
    let Some(coordinate) = coordinate else { return Ok(value.with_facts(&scope).to_string()) };
    let coordinate = Parser::whole(&coordinate, &mut scope).map_err(|e| describe(&coordinate, &e))?;
    let index: Operand<LEAVES> = apply(Op::Crd2Idx, &[value, coordinate], &mut scope).map_err(|e| e.to_string())?;
    if let (Operand::Layout(layout) | Operand::Composed(ComposedValue { outer: layout, .. }), Operand::Tuple(coordinate)) =
        (&value, &coordinate)
        && let (Ok(layout), Ok(coordinate)) = (DynLayout::from_value(*layout), DynCoord::from_value(*coordinate))
        && let Ok(None) = layout.checked_crd2idx(&coordinate)
    {
        eprintln!("crd2idx: note: {coordinate} is outside the shape {}", layout.shape());
    }
    Ok(index.to_string())
}

/// Reads the operands of a request: texts in the notation, and integers. Returns them, and true if one marks static integers, as in `_4`.
/// Refuses other values, and unreadable texts.
pub(crate) fn operands(given: Vec<Value>, scope: &mut ExprGraph<SYMBOLS>) -> crate::answer::Result<(Vec<Operand<LEAVES>>, bool)> {
    let mut args = Vec::with_capacity(given.len());
    let mut marked = false;
    for value in given {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            other => return Err(Refusal::new(format!("argument {other} is neither text nor an integer"))),
        };
        marked |= has_marks(&text);
        args.push(Parser::whole::<LEAVES, SYMBOLS>(&text, scope).map_err(|e| Refusal::new(describe(&text, &e)))?);
    }
    Ok((args, marked))
}

/// Tests whether a text marks static integers, as in `_4`. The answer is then text in the notation.
fn has_marks(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair[0] == b'_' && (pair[1].is_ascii_digit() || pair[1] == b'-'))
}

/// Encodes an integer as a number and everything else in the notation, with the facts of run-time quantities.
pub(crate) fn encode(value: &Operand<LEAVES>, scope: &ExprGraph<SYMBOLS>) -> Value {
    match value {
        Operand::Tuple(ints) if ints.is_scalar() && ints.leaf(0).is_known() => json!(ints.leaf(0).value()),
        other => Value::String(other.with_facts(scope).to_string()),
    }
}

/// Returns the message of an error in `text`. If `text` could not be read, the message quotes it from there.
///
/// ```
/// let error = crd2idx::DynLayout::<16>::parse("(4,8):(8,x)").unwrap_err();
/// assert_eq!(crd2idx_cli::describe("(4,8):(8,x)", &error), "parse: unexpected text at byte 9: `x)`");
/// ```
pub fn describe(text: &str, error: &crd2idx::LayoutError) -> String {
    let at = error.numbers()[0].and_then(|at| text.get(usize::try_from(at).ok()?..)).unwrap_or("");
    let word = || &at[..at.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(at.len())];
    match error.cause {
        Cause::Syntax if at.is_empty() => format!("{error}: the text ends early"),
        Cause::Syntax => format!("{error}: `{}`", at.chars().take(20).collect::<String>()),
        Cause::NumberTooLarge => format!("{error}: `{}`", word()),
        Cause::NoSuchOperation => format!("{error}: `{}`{} (`crd2idx ops` lists them)", word(), hint(word())),
        // Users often mean a layout when they write a tuple.
        Cause::OperandKind if error.to_string().contains("is a tuple, where an integer or a layout") => {
            format!("{error}: a layout has strides, `shape:stride`; shapes, coordinates and numbers have none")
        }
        _ => error.to_string(),
    }
}

/// Returns the operations, a line for each way to call one: the operands, and the law. If `names` are given, returns these operations
/// alone, each form with an example. Fails if there is no operation of a name.
pub fn operations(names: &[String]) -> Result<String, String> {
    let line = |op: &Op, form: &Form| format!("{}{form}  # {}", op.name(), form.law);
    if names.is_empty() {
        return Ok(Op::ALL.iter().flat_map(|op| op.forms().iter().map(move |form| line(op, form))).collect::<Vec<_>>().join("\n"));
    }
    let mut lines = Vec::new();
    for name in names {
        let op = Op::from_name(name).ok_or_else(|| format!("there is no operation of the name `{name}`{}", hint(name)))?;
        for form in op.forms() {
            lines.push(line(&op, form));
            lines.push(format!("    {}({}) = {}", op.name(), form.given.join(", "), form.gives));
        }
    }
    Ok(lines.join("\n"))
}

/// Returns the words that name the operation whose name is nearest to `word`, or an empty text if none is near.
fn hint(word: &str) -> String {
    let names = Op::ALL.iter().flat_map(|op| op.aliases().iter().copied().chain([op.name()]));
    nearest(word, names).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}
