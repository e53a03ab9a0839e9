//! The requests of `batch` about layouts as functions, each with a witness.

use crate::answer::{Answer, Refusal, Result, success};
use crate::eval::{LEAVES, SYMBOLS, encode, operands};
use crate::request::{requests, structs};
use crd2idx::algebra::expression::{Operand, apply};
use crd2idx::algebra::functions::{Equality, equal_functions};
use crd2idx::algebra::value::{ExprGraph, SymInt, TupleValue};
use crd2idx::error::Op;
use serde_json::{Value, json};

structs! {
    Operands { args: Vec<Value> }
}

requests! {
    /// Compares two layouts as functions, and returns the least coordinate at which they differ, with both indices.
    "equal_functions" => |(asked,): (Operands,)| equality(asked.args);
}

/// Encodes a number, known or not.
fn number(x: SymInt, scope: &ExprGraph<SYMBOLS>) -> Value {
    encode(&Operand::<LEAVES>::Tuple(TupleValue::scalar(x)), scope)
}

fn equality(given: Vec<Value>) -> Result<Answer> {
    let mut scope = ExprGraph::<SYMBOLS>::new(Op::EqualFunctions);
    let (args, _) = operands(given, &mut scope)?;
    let [a, b] = args.as_slice() else {
        return Err(Refusal::new(format!("equal_functions: 2 operands are needed, but {} are given", args.len())));
    };
    match equal_functions(a, b, &mut scope)? {
        Equality::Equal => Ok(success(json!({"equal": true}))),
        Equality::Differ(first) => {
            let index = |index: Option<TupleValue<LEAVES>>| index.map(|index| encode(&Operand::Tuple(index), &scope));
            let (left, right) = (index(first.left), index(first.right));
            let mut answer = json!({"equal": false, "at": number(first.at, &scope), "left": left, "right": right});
            if left.is_none() || right.is_none() {
                let mut sizes = Vec::new();
                for x in [a, b] {
                    let size: Operand<LEAVES> = apply(Op::Size, &[*x], &mut scope)?;
                    sizes.push(encode(&size, &scope));
                }
                answer["sizes"] = Value::Array(sizes);
            }
            Ok(success(answer))
        }
        Equality::Open(open) => {
            let [at, left, right] = [open.at, open.left, open.right].map(|x| number(x, &scope));
            let message =
                format!("equal_functions: the layouts agree below coordinate {at}; facts do not decide whether {left} is {right}");
            Err(Refusal::new(message).with("kind", "undecided").with("at", at).with("left", left).with("right", right))
        }
    }
}
