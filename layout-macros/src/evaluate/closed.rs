//! Evaluates closed expressions, in which every leaf is a literal, with the algebra that run-time layouts use.

use super::{blame, notation};
use crate::diag::{Error, Result};
use crate::parse::Expr;
use layout_algebra::error::Op;
use layout_algebra::expression::{self, Operand, apply};
use layout_algebra::value::MAX_LEAVES;
use layout_algebra::value::{ExprGraph, LayoutValue};

/// A layout with at most as many leaves as a type can have.
pub type KnownLayout = LayoutValue<MAX_LEAVES>;

/// Returns true if the algebra can evaluate `expr` during expansion, because every leaf is a literal.
pub fn is_closed(expr: &Expr) -> bool {
    match expr {
        Expr::Call(call) => call.args.iter().all(is_closed),
        operand => notation::operand(operand).is_some(),
    }
}

/// Returns the value of a closed expression, or the error of the operation or operand that is refused. Operations are
/// applied one by one, so that each error belongs to one of them.
fn evaluate(expr: &Expr) -> Result<Operand<MAX_LEAVES>> {
    let mut scope = ExprGraph::<0>::new(Op::Parse);
    match expr {
        Expr::Call(call) => {
            let args = call.args.iter().map(evaluate).collect::<Result<Vec<_>>>()?;
            apply(call.op, &args, &mut scope).map_err(|error| blame::call(&error, call))
        }
        operand => {
            let Some(notation) = notation::operand(operand) else {
                return Err(Error::new(operand.at(), "not known at expansion"));
            };
            expression::evaluate(&notation, &mut scope).map_err(|error| blame::operand(&error, operand))
        }
    }
}

/// Returns the layout of a closed expression. Fails if an operation is refused, or if the value is not a layout that has a
/// type.
pub fn layout(expr: &Expr) -> Result<KnownLayout> {
    let found = match evaluate(expr)? {
        Operand::Layout(layout) if layout.gives_integers() => return Ok(layout),
        Operand::Layout(_) => "a layout with basis strides, which has no type",
        Operand::Tuple(_) => "an integer or a tuple, not a layout",
        Operand::Strides(_) => "strides, not a layout",
        Operand::Tiler(_) => "a tiler, not a layout",
        _ => "a composed layout, which has no type",
    };
    Err(match expr {
        Expr::Call(call) => Error::new(call.name_at(), format!("`{}` gives {found}", call.name)),
        operand => Error::new(operand.at(), format!("this is {found}")),
    })
}
