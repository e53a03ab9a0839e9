//! Layouts, threads and accesses in requests.

use crate::answer::{Refusal, Result};
use crate::eval::{LEAVES, describe};
use crd2idx::algebra::expression::{Operand, Parser};
use crd2idx::algebra::memory::{Access, Threads};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use serde_json::Value;

/// A layout in the notation.
pub fn layout(value: &Value) -> Result<Operand<LEAVES>> {
    let text = value.as_str().ok_or_else(|| Refusal::malformed(format!("{value} is no layout")))?;
    Parser::whole(text, &mut ExprGraph::<0>::new(Op::Parse)).map_err(|e| Refusal::new(describe(text, &e)))
}

/// A natural number that may be missing.
pub fn number(request: &Value, key: &str, usual: u32) -> Result<u32> {
    let Some(value) = request.get(key) else { return Ok(usual) };
    let small = value.as_u64().and_then(|n| u32::try_from(n).ok());
    small.ok_or_else(|| Refusal::malformed(format!("`{key}` is {value}, which is no 32-bit natural number")))
}

/// The elements of an access.
pub fn access(request: &Value) -> Result<Access> {
    let (element_bits, vector) = (number(request, "element_bits", 32)?, number(request, "vector", 1)?);
    if element_bits == 0 || vector == 0 || element_bits > 128 || vector > 128 {
        return Err(Refusal::new(format!("{vector} elements of {element_bits} bits are no access")));
    }
    Ok(Access { element_bits, vector })
}

/// The text without the parentheses of one number: threads come from notations in which `(64)` is 64, so shape and stride may differ in it.
fn unwrapped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let (before, after) = (&rest[..open], &rest[open + 1..]);
        out.push_str(before);
        match after.split_once(')') {
            Some((number, behind)) if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || " _-".contains(c)) => {
                out.push_str(number);
                rest = behind;
            }
            _ => {
                out.push('(');
                rest = after;
            }
        }
    }
    out + rest
}

/// Threads through a layout: a layout of their coordinates, or a list with the coordinates of each.
pub fn threads(value: &Value, through: &Operand<LEAVES>) -> Result<Threads> {
    let refuse = |e: crd2idx::LayoutError| Refusal::new(e.to_string());
    if let Some(text) = value.as_str() {
        return match layout(&unwrapped(text).into())? {
            Operand::Layout(threads) => Threads::through(through, &threads).map_err(refuse),
            other => Err(Refusal::new(format!("{other} is no layout of threads"))),
        };
    }
    let list = value.as_array().ok_or_else(|| Refusal::malformed("`threads` is neither a layout nor a list"))?;
    Threads::at(through, list.iter().map(thread).collect::<Result<_>>()?).map_err(refuse)
}

/// The coordinates of the values of one thread: `null`, one integer, or a list of coordinates.
pub fn thread(value: &Value) -> Result<Option<Vec<Vec<i64>>>> {
    let malformed = || Refusal::malformed(format!("{value} are no coordinates of a thread"));
    let integer = |value: &Value| value.as_i64().filter(|c| *c >= 0).ok_or_else(malformed);
    match value {
        Value::Null => Ok(None),
        Value::Number(_) => Ok(Some(vec![vec![integer(value)?]])),
        Value::Array(values) => {
            let one = |value: &Value| match value {
                Value::Array(modes) => modes.iter().map(integer).collect::<Result<Vec<i64>>>(),
                one => Ok(vec![integer(one)?]),
            };
            values.iter().map(one).collect::<Result<Vec<_>>>().map(Some)
        }
        _ => Err(malformed()),
    }
}

/// The extents of modes.
pub fn shape(value: &Value) -> Result<Vec<i64>> {
    let extent = |n: &Value| n.as_i64().filter(|n| *n > 0).ok_or_else(|| Refusal::malformed(format!("{n} is no extent")));
    value.as_array().ok_or_else(|| Refusal::malformed("`shape` is no list"))?.iter().map(extent).collect()
}

/// The integer coordinates in a shape of the values of each thread.
pub fn coordinates(value: &Value, shape: &[i64]) -> Result<Vec<Option<Vec<i64>>>> {
    let refuse = || Refusal::malformed(format!("{value} are no threads in the shape"));
    let one = |c: &Vec<i64>| match c.as_slice() {
        [whole] => Ok(*whole),
        modes if modes.len() == shape.len() => {
            modes.iter().zip(shape).rev().try_fold(0i64, |sum, (c, n)| sum.checked_mul(*n)?.checked_add(*c)).ok_or_else(refuse)
        }
        _ => Err(refuse()),
    };
    if let Some(text) = value.as_str() {
        let Operand::Layout(threads) = layout(&unwrapped(text).into())? else { return Err(refuse()) };
        return Threads::through(&identity(), &threads).map(Threads::into_indices).map_err(|e| Refusal::new(e.to_string()));
    }
    let list = value.as_array().ok_or_else(refuse)?;
    list.iter().map(|of| thread(of)?.map(|values| values.iter().map(one).collect()).transpose()).collect()
}

/// The layout that takes every coordinate to itself.
fn identity() -> Operand<LEAVES> {
    let one = Parser::whole("1:1", &mut ExprGraph::<0>::new(Op::Parse));
    one.unwrap_or_else(|error| unreachable!("{error}"))
}
