//! Reads and writes quantities: integers, parameters, arguments and operators. Reading refuses quantities that nest too
//! deeply; others come back as they were written.

use super::graph::named;
use crate::graph::{Expr, ExprOp};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Formatter, Result as FormatResult};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde_json::{Value, json};

/// The maximum depth of operators. JSON text nests two levels for each operator, and readers accept about a
/// hundred levels.
const MOST_NESTED: usize = 48;

/// A quantity that is read from a JSON value.
pub(super) struct Quantity(pub(super) Expr);

struct Operator(ExprOp);

impl<'de> Deserialize<'de> for Operator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        named(deserializer, ExprOp::from_name, || super::listed(ExprOp::ALL.iter().map(|op| op.name()))).map(Operator)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_any(AnyQuantity)? {
            Quantity(expr) if nested(&expr) > MOST_NESTED => {
                Err(D::Error::custom(format!("a quantity of at most {MOST_NESTED} nested operators")))
            }
            quantity => Ok(quantity),
        }
    }
}

/// Returns the depth of nested operators in a quantity; 0 without operators.
fn nested(expr: &Expr) -> usize {
    match expr {
        // Each operand was read by the same function, so it nests at most MOST_NESTED operators.
        Expr::Op(_, operands) => 1 + operands.iter().map(nested).max().unwrap_or(0),
        _ => 0,
    }
}

struct AnyQuantity;

const INTEGER: &str = "an integer of 64 bits";

impl<'de> Visitor<'de> for AnyQuantity {
    type Value = Quantity;

    fn expecting(&self, f: &mut Formatter<'_>) -> FormatResult {
        f.write_str("an integer, the name of a parameter, {\"param\": name}, {\"arg\": k} or {\"op\": name, \"args\": [...]}")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Quantity, E> {
        Ok(Quantity(Expr::Int(number)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Quantity, E> {
        i64::try_from(number).map(|number| Quantity(Expr::Int(number))).map_err(|_| E::custom(INTEGER))
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<Quantity, E> {
        Err(E::custom(INTEGER))
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<Quantity, E> {
        Err(E::custom(INTEGER))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Quantity, E> {
        Err(E::custom(INTEGER))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Quantity, E> {
        Ok(Quantity(Expr::param(name)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Quantity, A::Error> {
        let (mut param, mut arg, mut op, mut args) = (None::<String>, None::<usize>, None::<Operator>, None::<Vec<Quantity>>);
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match key.as_ref() {
                "param" => param = Some(map.next_value()?),
                "arg" => arg = Some(map.next_value()?),
                "op" => op = Some(map.next_value()?),
                "args" => args = Some(map.next_value()?),
                // A number with more digits than any number type holds.
                key if key.starts_with("$serde_json") => return Err(A::Error::custom(INTEGER)),
                key => return Err(A::Error::unknown_field(key, &["param", "arg", "op", "args"])),
            }
        }
        match (param, arg, op, args) {
            (Some(name), None, None, None) => Ok(Quantity(Expr::Param(name))),
            (None, Some(k), None, None) => Ok(Quantity(Expr::Arg(k))),
            (None, None, Some(Operator(op)), Some(operands)) => {
                let operands: Vec<Expr> = operands.into_iter().map(|Quantity(operand)| operand).collect();
                if operands.len() != op.operands() {
                    let plural = if op.operands() == 1 { "" } else { "s" };
                    return Err(A::Error::custom(format!("`{}` of {} operand{plural}", op.name(), op.operands())));
                }
                Ok(Quantity(Expr::Op(op, operands.into_boxed_slice())))
            }
            (None, None, Some(_), None) => Err(A::Error::missing_field("args")),
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

/// Returns the JSON value of a quantity.
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
