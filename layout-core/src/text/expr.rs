//! Expressions: `logical_divide((4,2,3):(2,1,8), 4:2)`, operations by name, nested.

use super::{Operand, Parser};
use crate::algebra::apply::apply;
use crate::error::{Cause, LayoutError, Op, Result};
use crate::value::{Ints, Scope};

/// The most operands of one operation, and the deepest nesting of operations.
const LIMIT: usize = 16;

/// Reads and evaluates `text`: an operand, or `name(expression, ...)`.
///
/// ```
/// use layout_core::text::{evaluate, Operand};
/// use layout_core::value::Scope;
/// use layout_core::error::Op;
/// let mut scope = Scope::<0>::new(Op::Parse);
/// let result = evaluate::<16, 0>("coalesce(logical_divide(24:1, 4))", &mut scope)?;
/// assert_eq!(format!("{result}"), "24:1");
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
pub fn evaluate<const N: usize, const E: usize>(text: &str, cx: &mut Scope<E>) -> Result<Operand<N>> {
    let mut parser = Parser::new(text);
    let value = expression(text, &mut parser, 0, cx)?;
    parser.finish()?;
    Ok(value)
}

fn expression<const N: usize, const E: usize>(text: &str, parser: &mut Parser<'_>, level: usize, cx: &mut Scope<E>) -> Result<Operand<N>> {
    let first = parser.peek();
    let start = parser.position();
    if !first.is_ascii_lowercase() {
        return parser.operand(cx);
    }
    let end = text.as_bytes()[start..].iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).map_or(text.len(), |n| start + n);
    let op = match Op::from_name(&text[start..end]) {
        Some(op) if level < LIMIT => op,
        Some(_) => return Err(LayoutError::plain(Op::Parse, Cause::TooDeep, LIMIT as i64, 0)),
        None => return Err(parser.unexpected()),
    };
    parser.seek(end);
    if !parser.skip(b'(') {
        return Err(parser.unexpected());
    }
    let mut args = [Operand::Ints(Ints::EMPTY); LIMIT];
    let mut n = 0;
    while !(n == 0 && parser.skip(b')')) {
        if n == LIMIT {
            return Err(LayoutError::plain(op, Cause::OperandCount, LIMIT as i64, n as i64 + 1));
        }
        args[n] = expression(text, parser, level + 1, cx)?;
        n += 1;
        if parser.skip(b')') {
            break;
        }
        if !parser.skip(b',') {
            return Err(parser.unexpected());
        }
    }
    apply(op, &args[..n], cx)
}
