//! Maps an error of the algebra to the tokens that caused it. A new cause that has a literal or an operand to point at gets
//! an arm in `cause`.

use crate::diag::{Error, Extent};
use crate::parse::{Call, Expr, Kind, Tree};
use layout_algebra::LayoutError;
use layout_algebra::error::Cause;

/// Returns the error of a refused operation. It points at the literal that the error names, else at the operand, else at
/// the name of the operation.
pub fn call(error: &LayoutError, call: &Call) -> Error {
    Error::new(cause(error, call).unwrap_or(call.name_at()), error.to_string())
}

/// Returns the error of a refused operand. It points at the literal that the error names, else at the operand.
pub fn operand(error: &LayoutError, operand: &Expr) -> Error {
    let [a, b, _] = error.numbers();
    // The error of an overflow contains its factors. Numbers 0 and 1 are skipped, because they also stand in errors without
    // numbers.
    let numbers = [b, a].into_iter().flatten().filter(|number| number.unsigned_abs() > 1);
    let at = numbers.into_iter().find_map(|number| literal(operand, &[], number)).unwrap_or(operand.at());
    Error::new(at, error.to_string())
}

/// Returns the tokens that an operation is refused for: a literal of an operand, an operand, or the whole call; `None` if
/// the error names none of these.
fn cause(error: &LayoutError, call: &Call) -> Option<Extent> {
    let [a, b, _] = error.numbers();
    let path = error.path.modes();
    let (left, right) = (call.args.first(), call.args.get(1));
    match error.cause {
        Cause::TileDoesNotDivide | Cause::NotPositive | Cause::NoSuchMode => {
            call.args.iter().skip(1).find_map(|arg| literal(arg, path, a?)).or(right.map(Expr::at))
        }
        Cause::TileSpanDoesNotDivide | Cause::Carry => right.map(|right| mode(right, path)),
        Cause::RunDoesNotDivide => right.and_then(|right| literal(right, path, b?).or(literal(right, path, a?))),
        Cause::NotInjective | Cause::StrideDoesNotNest | Cause::StridesDoNotDivide => literal(left?, path, b?),
        Cause::NegativeStride | Cause::ZeroExtent => literal(left?, path, a?),
        Cause::RankMismatch | Cause::NotCongruent | Cause::CastExtent | Cause::CastStride => right.map(Expr::at),
        Cause::OperandKind => call.args.get(usize::try_from(a?).ok()?).map(Expr::at),
        Cause::OperandCount => Some(call.at),
        _ => None,
    }
}

/// Returns the tokens of the mode `path` of an operand, or of the operand if it has no such mode.
fn mode(operand: &Expr, path: &[u8]) -> Extent {
    match (operand, path) {
        (Expr::Layout { shape, .. }, [_, ..]) => shape.node(path).at(),
        (Expr::Tiler { modes, .. }, [first, rest @ ..]) => modes.get(*first as usize).map_or(operand.at(), |operand| mode(operand, rest)),
        (Expr::Tree(tree), path) => tree.node(path).at(),
        _ => operand.at(),
    }
}

/// Returns the tokens of the literal `number` in the mode `path` of an operand, else anywhere in the operand; `None` if it
/// does not occur.
fn literal(operand: &Expr, path: &[u8], number: i64) -> Option<Extent> {
    let leaf = |tree: &Tree| tree.find(|leaf| matches!(leaf.kind, Kind::Int(value) if value == number)).map(|leaf| leaf.at);
    match operand {
        Expr::Tree(tree) => leaf(tree.node(path)).or_else(|| leaf(tree)),
        Expr::Layout { shape, stride } => [stride.node(path), shape.node(path), stride, shape].into_iter().find_map(leaf),
        Expr::Tiler { modes, .. } => {
            let named = path.split_first().and_then(|(first, rest)| literal(modes.get(*first as usize)?, rest, number));
            named.or_else(|| modes.iter().find_map(|mode| literal(mode, &[], number)))
        }
        Expr::Call(_) | Expr::Swizzled(_) => None,
    }
}
