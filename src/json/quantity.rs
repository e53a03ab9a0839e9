//! Quantities: integers, parameters, arguments, operators.

use super::place::{At, Result};
use crate::graph::{Expr, ExprOp};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Value, json};

/// The most operators around one another: JSON text nests two levels for each, and readers take about a hundred.
const MOST_NESTED: usize = 48;

/// The quantity here.
pub(super) fn read(at: At<'_>) -> Result<Expr> {
    nested(at, 0)
}

/// A quantity that may be missing.
pub(super) fn read_optional(at: Option<At<'_>>) -> Result<Option<Expr>> {
    at.and_then(At::non_null).map(read).transpose()
}

fn nested(at: At<'_>, depth: usize) -> Result<Expr> {
    match at.value {
        Value::Number(_) => at.integer().map(Expr::Int),
        Value::String(name) => Ok(Expr::Param(name.clone())),
        Value::Object(map) if map.contains_key("param") => Ok(Expr::param(at.object(&["param"])?.key("param")?.text()?)),
        Value::Object(map) if map.contains_key("arg") => at.object(&["arg"])?.key("arg")?.number().map(Expr::Arg),
        Value::Object(map) if map.contains_key("op") => {
            let object = at.object(&["op", "args"])?;
            if depth == MOST_NESTED {
                return Err(at.expected(format!("a quantity of at most {MOST_NESTED} nested operators")));
            }
            let op = object.key("op")?.named(ExprOp::from_name, names)?;
            let given = object.key("args")?;
            let count = given.value.as_array().map_or(0, Vec::len);
            let operands = given.each(|operand| nested(operand, depth + 1))?;
            if count != op.operands() {
                let plural = if op.operands() == 1 { "" } else { "s" };
                return Err(given.expected(format!("a list of {} operand{plural} for `{}`", op.operands(), op.name())));
            }
            Ok(Expr::Op(op, operands.into_boxed_slice()))
        }
        Value::Object(map) => match map.keys().next() {
            Some(_) => at.object(&["param", "arg", "op", "args"]).and_then(|_| Err(at.expected(WHAT))),
            None => Err(at.expected(WHAT)),
        },
        _ => Err(at.expected(WHAT)),
    }
}

const WHAT: &str = "an integer, the name of a parameter, {\"param\": name}, {\"arg\": k} or {\"op\": name, \"args\": [...]}";

fn names() -> String {
    ExprOp::ALL.iter().map(|op| op.name()).collect::<Vec<_>>().join(", ")
}

/// The value that [`read`] makes this quantity of.
pub(super) fn write(expr: &Expr) -> Value {
    match expr {
        Expr::Int(value) => json!(value),
        Expr::Arg(k) => json!({"arg": k}),
        Expr::Param(name) => json!(name),
        Expr::Op(op, operands) => json!({"op": op.name(), "args": write_all(operands)}),
    }
}

pub(super) fn write_all(list: &[Expr]) -> Value {
    list.iter().map(write).collect()
}
