//! Quantities: arithmetic on literals, parameters, constants and, in a case of a piecewise sum, dimensions.

use super::names::Names;
use crate::diag::{Error, Extent, Result};
use crate::parse::{Cursor, number};
use layout_core::graph::{Expr, ExprOp};
use proc_macro2::{Delimiter, Ident, TokenTree};

/// What an operator makes of its operands.
type Make = fn(Expr, Expr) -> Expr;

/// Operators from the loosest to the tightest.
const LEVELS: &[&[(&str, Make)]] = &[
    &[("||", |a, b| op(ExprOp::Or, a, b))],
    &[("&&", |a, b| op(ExprOp::And, a, b))],
    &[
        ("==", |a, b| op(ExprOp::Equal, a, b)),
        ("!=", |a, b| Expr::Op(ExprOp::Not, Box::new([op(ExprOp::Equal, a, b)]))),
        ("<=", |a, b| op(ExprOp::LessEqual, a, b)),
        (">=", |a, b| op(ExprOp::LessEqual, b, a)),
        ("<", |a, b| op(ExprOp::Less, a, b)),
        (">", |a, b| op(ExprOp::Less, b, a)),
    ],
    &[("+", |a, b| op(ExprOp::Add, a, b)), ("-", |a, b| op(ExprOp::Sub, a, b))],
    &[("*", |a, b| op(ExprOp::Mul, a, b)), ("/", |a, b| op(ExprOp::Div, a, b)), ("%", |a, b| op(ExprOp::Rem, a, b))],
];

fn op(op: ExprOp, a: Expr, b: Expr) -> Expr {
    Expr::Op(op, Box::new([a, b]))
}

/// Functions of two quantities.
const FUNCTIONS: &[(&str, ExprOp)] = &[("ceil_div", ExprOp::CeilDiv), ("min", ExprOp::Min), ("max", ExprOp::Max)];

/// Reads one quantity. `arguments` are the dimensions it may mention, [`Expr::Arg`] by their places.
pub fn quantity(cursor: &mut Cursor, names: &mut Names, arguments: &[Ident]) -> Result<Expr> {
    binary(cursor, names, arguments, 0)
}

/// Reads a list of quantities in brackets.
pub fn list(cursor: &mut Cursor, names: &mut Names) -> Result<Vec<Expr>> {
    let at = cursor.here();
    let Some(TokenTree::Group(group)) = cursor.next().filter(|token| is_group(token, Delimiter::Bracket)) else {
        return Err(Error::new(at, "expected a list `[..]`"));
    };
    let mut inside = Cursor::inside(&group);
    let mut out = Vec::new();
    while !inside.is_done() {
        out.push(quantity(&mut inside, names, &[])?);
        if !inside.skip(',') {
            inside.finish("`,`")?;
        }
    }
    Ok(out)
}

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

fn binary(cursor: &mut Cursor, names: &mut Names, arguments: &[Ident], level: usize) -> Result<Expr> {
    let Some(operators) = LEVELS.get(level) else { return unary(cursor, names, arguments) };
    let mut left = binary(cursor, names, arguments, level + 1)?;
    while let Some((marks, make)) = operators.iter().find(|(marks, _)| comes_next(cursor, marks)) {
        for _ in marks.chars() {
            cursor.next();
        }
        left = make(left, binary(cursor, names, arguments, level + 1)?);
    }
    Ok(left)
}

fn comes_next(cursor: &Cursor, marks: &str) -> bool {
    marks.chars().enumerate().all(|(k, mark)| cursor.is_mark(k, mark))
}

fn unary(cursor: &mut Cursor, names: &mut Names, arguments: &[Ident]) -> Result<Expr> {
    let at = cursor.here();
    if cursor.skip('-') {
        let inside = unary(cursor, names, arguments)?;
        return Ok(match inside {
            Expr::Int(value) => Expr::Int(-value),
            other => Expr::Int(0).minus(other),
        });
    }
    if cursor.skip('!') {
        return Ok(Expr::Op(ExprOp::Not, Box::new([unary(cursor, names, arguments)?])));
    }
    match cursor.peek(0).cloned() {
        Some(token @ TokenTree::Literal(_)) => {
            cursor.next();
            Ok(Expr::Int(integer(&token)?))
        }
        Some(TokenTree::Group(group)) if matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::None) => {
            cursor.next();
            let mut inside = Cursor::inside(&group);
            let value = quantity(&mut inside, names, arguments)?;
            inside.finish("`)`")?;
            Ok(value)
        }
        Some(TokenTree::Ident(name)) => named(cursor, names, arguments, name),
        _ => Err(Error::new(at, "expected a number, a parameter, or a constant")),
    }
}

fn named(cursor: &mut Cursor, names: &mut Names, arguments: &[Ident], name: Ident) -> Result<Expr> {
    if let Some((_, op)) = FUNCTIONS.iter().find(|(function, _)| name == function)
        && let Some(group) = cursor.group(1, Delimiter::Parenthesis).cloned()
    {
        cursor.next();
        cursor.next();
        let mut inside = Cursor::inside(&group);
        let first = quantity(&mut inside, names, arguments)?;
        if !inside.skip(',') {
            return Err(Error::new(inside.here(), format!("`{name}` takes two quantities")));
        }
        let second = quantity(&mut inside, names, arguments)?;
        inside.skip(',');
        inside.finish("`)`")?;
        return Ok(self::op(*op, first, second));
    }
    if let Some(k) = arguments.iter().position(|argument| *argument == name) {
        cursor.next();
        return Ok(Expr::Arg(k));
    }
    names.parameter_or_constant(cursor)
}

/// The value of an integer without a suffix.
pub fn integer(token: &TokenTree) -> Result<i64> {
    number(token)?.ok_or_else(|| Error::new(Extent::at(token.span()), format!("expected a number, found `{token}`")))
}

/// A sum of multiples of dimensions and a constant.
pub struct Affine {
    /// One for each dimension.
    pub strides: Vec<Expr>,
    /// The constant.
    pub initial: Expr,
}

/// `expr` as such a sum over `count` dimensions.
pub fn affine(expr: &Expr, count: usize, at: Extent) -> Result<Affine> {
    let mut sum = Affine { strides: vec![Expr::Int(0); count], initial: Expr::Int(0) };
    collect(expr, &Expr::Int(1), &mut sum, at)?;
    Ok(sum)
}

fn collect(expr: &Expr, factor: &Expr, sum: &mut Affine, at: Extent) -> Result<()> {
    match expr {
        Expr::Arg(k) => sum.strides[*k] = plus(&sum.strides[*k], factor),
        Expr::Op(ExprOp::Add, sides) => {
            collect(&sides[0], factor, sum, at)?;
            collect(&sides[1], factor, sum, at)?;
        }
        Expr::Op(ExprOp::Sub, sides) => {
            collect(&sides[0], factor, sum, at)?;
            collect(&sides[1], &times(factor, &Expr::Int(-1)), sum, at)?;
        }
        Expr::Op(ExprOp::Mul, sides) if !mentions(&sides[0]) => collect(&sides[1], &times(factor, &sides[0]), sum, at)?,
        Expr::Op(ExprOp::Mul, sides) if !mentions(&sides[1]) => collect(&sides[0], &times(factor, &sides[1]), sum, at)?,
        other if !mentions(other) => sum.initial = plus(&sum.initial, &times(factor, other)),
        _ => return Err(Error::new(at, "each case is a sum of multiples of the dimensions and a constant")),
    }
    Ok(())
}

fn mentions(expr: &Expr) -> bool {
    match expr {
        Expr::Arg(_) => true,
        Expr::Op(_, operands) => operands.iter().any(mentions),
        _ => false,
    }
}

fn plus(a: &Expr, b: &Expr) -> Expr {
    match (a, b) {
        (Expr::Int(0), other) | (other, Expr::Int(0)) => other.clone(),
        (Expr::Int(x), Expr::Int(y)) if x.checked_add(*y).is_some() => Expr::Int(x + y),
        _ => a.clone().plus(b.clone()),
    }
}

fn times(a: &Expr, b: &Expr) -> Expr {
    match (a, b) {
        (Expr::Int(1), other) | (other, Expr::Int(1)) => other.clone(),
        (Expr::Int(x), Expr::Int(y)) if x.checked_mul(*y).is_some() => Expr::Int(x * y),
        _ => a.clone().times(b.clone()),
    }
}
