//! Reads quantities: arithmetic on literals, parameters, constants and, in a case of a piecewise sum, dimensions.

use super::names::{Names, text};
use crate::diag::{Error, Extent, Result};
use crate::parse::{Cursor, number};
use coordinate_graph::graph::{Expr, ExprOp};
use proc_macro2::{Delimiter, Ident, TokenTree};

/// Makes the expression of an operator from its two operands.
type Make = fn(Expr, Expr) -> Expr;

/// The operators by precedence, from the loosest to the tightest.
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

/// The position in `LEVELS` of the products.
const PRODUCTS: usize = LEVELS.len() - 1;

fn op(op: ExprOp, a: Expr, b: Expr) -> Expr {
    Expr::Op(op, Box::new([a, b]))
}

/// The functions of two quantities, by name.
const FUNCTIONS: &[(&str, ExprOp)] = &[("ceil_div", ExprOp::CeilDiv), ("min", ExprOp::Min), ("max", ExprOp::Max)];

/// Reads one quantity. It may mention the dimensions `arguments`, which become [`Expr::Arg`] with their position in this
/// list. Fails at a token that does not fit, a division by a literal 0, or an overflow.
pub fn quantity(cursor: &mut Cursor, names: &mut Names, arguments: &[Ident]) -> Result<Expr> {
    binary(cursor, names, arguments, 0)
}

/// Reads a list in brackets; `entry` reads each entry, and `what` names the list in errors. Fails if there are no brackets
/// or `entry` fails.
pub fn list<T>(cursor: &mut Cursor, what: &str, mut entry: impl FnMut(&mut Cursor) -> Result<T>) -> Result<Vec<T>> {
    let Some(group) = cursor.group(0, Delimiter::Bracket).cloned() else {
        return cursor.expected(&format!("{what} in brackets: `[1, 2]`"));
    };
    cursor.next();
    let mut inside = Cursor::inside(&group);
    let mut out = Vec::new();
    while !inside.is_done() {
        out.push(entry(&mut inside)?);
        if !inside.skip(',') {
            inside.finish("`,` or `]`")?;
        }
    }
    Ok(out)
}

fn binary(cursor: &mut Cursor, names: &mut Names, arguments: &[Ident], level: usize) -> Result<Expr> {
    let Some(operators) = LEVELS.get(level) else { return unary(cursor, names, arguments) };
    let start = cursor.position();
    let mut left = binary(cursor, names, arguments, level + 1)?;
    while let Some((marks, make)) = operators.iter().find(|(marks, _)| comes_next(cursor, marks)) {
        for _ in marks.chars() {
            cursor.next();
        }
        let divisor = cursor.position();
        let right = binary(cursor, names, arguments, level + 1)?;
        left = match (*marks, &left, &right) {
            ("/" | "%", _, Expr::Int(0)) => return Err(Error::new(cursor.since(divisor), "this divides by 0")),
            ("+" | "-" | "*", Expr::Int(a), Expr::Int(b)) => {
                let value = match *marks {
                    "+" => a.checked_add(*b),
                    "-" => a.checked_sub(*b),
                    _ => a.checked_mul(*b),
                };
                let overflow = || Error::new(cursor.since(start), format!("{a} {marks} {b} does not fit 64 bits"));
                Expr::Int(value.ok_or_else(overflow)?)
            }
            _ => make(left, right),
        };
    }
    Ok(left)
}

fn comes_next(cursor: &Cursor, marks: &str) -> bool {
    marks.chars().enumerate().all(|(k, mark)| cursor.is_mark(k, mark))
}

fn unary(cursor: &mut Cursor, names: &mut Names, arguments: &[Ident]) -> Result<Expr> {
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
        _ => cursor.expected("a number, a parameter, or a constant"),
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
            return inside.expected(&format!("`,`: `{name}` takes two quantities"));
        }
        let start = inside.position();
        let second = quantity(&mut inside, names, arguments)?;
        if (op, &second) == (&ExprOp::CeilDiv, &Expr::Int(0)) {
            return Err(Error::new(inside.since(start), "this divides by 0"));
        }
        inside.skip(',');
        inside.finish("`)`")?;
        return Ok(self::op(*op, first, second));
    }
    if let Some(k) = arguments.iter().position(|argument| text(argument) == text(&name)) {
        cursor.next();
        return Ok(Expr::Arg(k));
    }
    names.parameter_or_constant(cursor)
}

/// Returns the value of an integer without a suffix. Fails at other tokens, and if the value does not fit 64 bits.
pub fn integer(token: &TokenTree) -> Result<i64> {
    let value = number(token).map_err(|error| Error { message: error.message.replace("is not a leaf", "is not a number"), ..error })?;
    value.ok_or_else(|| Error::new(Extent::at(token.span()), format!("expected a number, found `{token}`")))
}

/// A sum of multiples of dimensions, plus a constant.
pub struct Affine {
    /// The factor of each dimension, in the order of the transform.
    pub strides: Vec<Expr>,
    /// The constant term.
    pub initial: Expr,
}

impl Affine {
    /// Returns the sum 0 over `count` dimensions.
    pub fn zero(count: usize) -> Affine {
        Affine { strides: vec![Expr::Int(0); count], initial: Expr::Int(0) }
    }
}

/// Reads a sum. A term is a multiple of one of the dimensions `many`, a quantity without dimensions, or a multiple of a sum of
/// such terms. Fails at other terms, for example the product of two dimensions.
pub fn affine(cursor: &mut Cursor, names: &mut Names, many: &[Ident]) -> Result<Affine> {
    let mut sum = Affine::zero(many.len());
    let mut sign = 1;
    loop {
        let start = cursor.position();
        let term = binary(cursor, names, many, PRODUCTS)?;
        if collect(&term, &Expr::Int(sign), &mut sum).is_none() {
            return Err(Error::new(
                cursor.since(start),
                "a case is a sum of multiples of the dimensions and a constant, and this is no multiple",
            ));
        }
        if !cursor.is_mark(0, '+') && !cursor.is_mark(0, '-') {
            return Ok(sum);
        }
        sign = if cursor.is_mark(0, '+') { 1 } else { -1 };
        cursor.next();
    }
}

/// Adds `factor` times `expr` to `sum`. Returns `None` if `expr` is not a sum of multiples of dimensions and a constant; then
/// `sum` is incomplete.
fn collect(expr: &Expr, factor: &Expr, sum: &mut Affine) -> Option<()> {
    match expr {
        Expr::Arg(k) => sum.strides[*k] = plus(&sum.strides[*k], factor),
        Expr::Op(ExprOp::Add, sides) => {
            collect(&sides[0], factor, sum)?;
            collect(&sides[1], factor, sum)?;
        }
        Expr::Op(ExprOp::Sub, sides) => {
            collect(&sides[0], factor, sum)?;
            collect(&sides[1], &times(factor, &Expr::Int(-1)), sum)?;
        }
        Expr::Op(ExprOp::Mul, sides) if !mentions(&sides[0]) => collect(&sides[1], &times(factor, &sides[0]), sum)?,
        Expr::Op(ExprOp::Mul, sides) if !mentions(&sides[1]) => collect(&sides[0], &times(factor, &sides[1]), sum)?,
        other if !mentions(other) => sum.initial = plus(&sum.initial, &times(factor, other)),
        _ => return None,
    }
    Some(())
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
