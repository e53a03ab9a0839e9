//! The library under test, called by operation names and texts, as a user of the command line does.

use super::{Function, Layout, Tree, notation};
use crd2idx::LayoutError;
use crd2idx::algebra::expression::apply;
use crd2idx::algebra::expression::{Operand, Parser};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use std::fmt::Display;

/// The most leaves of an operand, with room for the product of two layouts of these tests.
const LEAVES: usize = 32;

/// Returns the text of `op(args...)`, or the refusal of the library. Panics if there is no such operation.
pub fn ask(op: &str, args: &[&dyn Display]) -> Result<String, LayoutError> {
    let op = Op::from_name(op).unwrap_or_else(|| panic!("there is no operation {op}"));
    let mut scope = ExprGraph::<0>::new(op);
    let mut operands = Vec::with_capacity(args.len());
    for arg in args {
        operands.push(Parser::whole::<LEAVES, 0>(&arg.to_string(), &mut scope)?);
    }
    apply(op, &operands, &mut scope).map(|result: Operand<LEAVES>| result.to_string())
}

/// Returns the result of `op(args...)`, or its refusal. Panics if the result is not a layout.
pub fn ask_layout(op: &str, args: &[&dyn Display]) -> Result<Layout, LayoutError> {
    ask(op, args).map(|text| notation::layout(&text).unwrap_or_else(|| panic!("{op} gives {text}, which is not a layout")))
}

/// Returns the result of `op(args...)`, or its refusal. Panics if the result is not a layout, plain or composed.
pub fn ask_function(op: &str, args: &[&dyn Display]) -> Result<Function, LayoutError> {
    ask(op, args).map(|text| notation::function(&text).unwrap_or_else(|| panic!("{op} gives {text}, which is not a layout")))
}

/// Returns the result of `op(args...)`, or its refusal. Panics if the result is not a tuple or an integer.
pub fn ask_ints(op: &str, args: &[&dyn Display]) -> Result<Tree<i64>, LayoutError> {
    ask(op, args).map(|text| notation::ints(&text).unwrap_or_else(|| panic!("{op} gives {text}, which is not a tuple")))
}

/// Returns the result of `op(args...)`, or its refusal. Panics if the result is not an integer.
pub fn ask_int(op: &str, args: &[&dyn Display]) -> Result<i64, LayoutError> {
    ask(op, args).map(|text| text.parse().unwrap_or_else(|_| panic!("{op} gives {text}, which is not an integer")))
}
