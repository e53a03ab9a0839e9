//! Expressions of named operations, which may be nested: `logical_divide((4,2,3):(2,1,8), 4:2)`.

use super::Parser;
use crate::algebra::dispatch::apply;
use crate::algebra::operands::Operand;
use crate::error::{Cause, LayoutError, Op, Result};
use crate::value::{ExprGraph, TupleValue};

/// The maximum nesting of operations.
const DEPTH: usize = 16;

/// The maximum number of operands on the stack, and so of one operation.
const WAITING: usize = 32;

/// The operands of the operations that are still open. Operands are large, so all levels share one array.
struct Stack<const N: usize> {
    len: usize,
    operand: [Operand<N>; WAITING],
}

/// Parses and evaluates `text`: an operand, or `name(expression, ...)`. Fails if it is neither, or an operation refuses its operands.
///
/// ```
/// use layout_algebra::expression::{evaluate, Operand};
/// use layout_algebra::value::ExprGraph;
/// use layout_algebra::error::Op;
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let result = evaluate::<16, 0>("coalesce(logical_divide(24:1, 4))", &mut scope)?;
/// assert_eq!(format!("{result}"), "24:1");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn evaluate<const N: usize, const E: usize>(text: &str, cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    let mut parser = Parser::new(text);
    let mut stack = Stack { len: 0, operand: [Operand::Tuple(TupleValue::empty()); WAITING] };
    expression(text, &mut parser, 0, &mut stack, cx)?;
    parser.finish()?;
    Ok(stack.operand[0])
}

/// Pushes the value of the next expression, inside `level` operations, on the stack. Fails as `evaluate` does.
fn expression<const N: usize, const E: usize>(
    text: &str,
    parser: &mut Parser<'_>,
    level: usize,
    stack: &mut Stack<N>,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    if !parser.peek().is_ascii_lowercase() {
        return push(stack, parser.operand(cx));
    }
    let start = parser.position();
    let end = text.as_bytes()[start..].iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).map_or(text.len(), |n| start + n);
    let op = match Op::from_name(&text[start..end]) {
        Some(op) if level < DEPTH => op,
        Some(_) => {
            return Err(LayoutError::plain(Op::Parse, Cause::TooDeep, DEPTH as i64, 0));
        }
        None if text[end..].trim_start().starts_with('(') => {
            return Err(LayoutError::plain(Op::Parse, Cause::NoSuchOperation, start as i64, 0));
        }
        None => return Err(parser.unexpected()),
    };
    parser.seek(end);
    if !parser.skip(b'(') {
        return Err(parser.unexpected());
    }
    let first = stack.len;
    while !(stack.len == first && parser.skip(b')')) {
        expression(text, parser, level + 1, stack, cx)?;
        if parser.skip(b')') {
            break;
        }
        if !parser.skip(b',') {
            return Err(parser.unexpected());
        }
    }
    let value = apply(op, &stack.operand[first..stack.len], cx);
    stack.len = first;
    push(stack, value)
}

#[inline(never)]
fn push<const N: usize>(stack: &mut Stack<N>, value: Result<Operand<N>>) -> Result<()> {
    if stack.len == WAITING {
        return Err(LayoutError::triple(Op::Parse, Cause::OperandCount, 0, WAITING as i64, WAITING as i64 + 1));
    }
    stack.operand[stack.len] = value?;
    stack.len += 1;
    Ok(())
}
