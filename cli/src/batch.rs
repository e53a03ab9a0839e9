//! JSON lines in, JSON lines out.

use super::answer::{Answer, Refusal, Result, known_request, success, unknown};
use super::eval::{LEAVES, SYMBOLS, describe};
use super::{emit, graph, input, linear, memory, plan, ragged, sparse};
use crd2idx::DynLayout;
use crd2idx::algebra::expression::{Composed, Operand, Parser, apply};
use crd2idx::algebra::value::{ExprGraph, TupleValue};
use crd2idx::error::Op;
use crd2idx::layouts::DynCoord;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// The most indices that one `composed_eval` lists.
const MOST_INDICES: i64 = 1 << 20;

/// Answers each line of `input` on `output`, at once.
pub fn run(mut input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        serde_json::to_writer(&mut output, &reply(&line))?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

/// The answer to a request.
pub fn reply(line: &[u8]) -> Value {
    let request = match input::parse(line) {
        Ok(request) => request,
        Err(error) => return Value::Object(Refusal::new(format!("unreadable request: {error}")).into()),
    };
    let mut reply = answer(&request).unwrap_or_else(Answer::from);
    if let Some(id) = request.get("id") {
        reply.insert("id".into(), id.clone());
    }
    Value::Object(reply)
}

/// The operations of one kind, called with the name of one and the request.
type Family = fn(&str, &Value) -> Result<Answer>;

/// Families of operations, by the name before the first dot.
const FAMILIES: &[(&str, Family)] = &[
    ("graph", graph::batch::answer),
    ("emit", emit::batch::answer),
    ("bank_conflicts", memory::answer),
    ("coalescing", memory::answer),
    ("f2", linear::answer),
    ("plan", plan::batch::answer),
    ("sparse", sparse::answer),
    ("ragged", ragged::batch::answer),
    ("swizzle_search", memory::answer),
];

fn answer(request: &Value) -> Result<Answer> {
    let name = request.get("op").and_then(Value::as_str).ok_or_else(|| Refusal::new("the request has no string `op`"))?;
    let family = name.split('.').next();
    match FAMILIES.iter().find(|(known, _)| Some(*known) == family) {
        // An operation on layouts has operands, whatever family its name is in.
        Some((_, answer)) if request.get("args").is_none() || Op::from_name(name).is_none() => answer(name, request),
        _ => layouts(name, request),
    }
}

/// The operations on layouts, in the notation.
fn layouts(name: &str, request: &Value) -> Result<Answer> {
    let composed_eval = name == "composed_eval";
    let op = if composed_eval { Op::Composed } else { Op::from_name(name).ok_or_else(|| unknown(name))? };
    known_request(request, &[&["args"]])?;
    let given = request.get("args").and_then(Value::as_array).ok_or_else(|| Refusal::new("the request has no list `args`"))?;
    let mut scope = ExprGraph::<SYMBOLS>::new(op);
    let mut args = Vec::with_capacity(given.len());
    let mut marked = false;
    for value in given {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => return Err(Refusal::new(format!("argument {other} is neither text nor an integer"))),
        };
        marked |= has_marks(&text);
        args.push(Parser::whole::<LEAVES, SYMBOLS>(&text, &mut scope).map_err(|e| Refusal::new(describe(&text, &e)))?);
    }
    let refuse = |e: crd2idx::LayoutError| Refusal::new(e.to_string());
    if composed_eval {
        return match apply(op, &args, &mut scope).map_err(refuse)? {
            Operand::Composed(layout) => all_indices(&layout, &mut scope).map(success),
            other => Err(Refusal::new(format!("{other} is not a composed layout"))),
        };
    }
    let result = apply(op, &args, &mut scope).map_err(refuse)?;
    let mut reply = success(if marked { Value::String(result.with_facts(&scope).to_string()) } else { encode(&result, &scope) });
    if let (Op::Slice, [Operand::Layout(layout), Operand::Tuple(coordinate)]) = (op, args.as_slice())
        && layout.gives_integers()
        && layout.is_known()
        && coordinate.is_known()
    {
        let (layout, coordinate) = (DynLayout::from_value(*layout).map_err(refuse)?, DynCoord::from_value(*coordinate).map_err(refuse)?);
        reply.insert("offset".into(), json!(layout.slice(&coordinate).map_err(refuse)?.1));
    }
    Ok(reply)
}

/// Tests whether a text marks static integers, `_4`: its answers stay in the notation.
fn has_marks(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair[0] == b'_' && (pair[1].is_ascii_digit() || pair[1] == b'-'))
}

/// Encodes an integer as a number and everything else in the notation, with the facts of run-time quantities.
fn encode(value: &Operand<LEAVES>, scope: &ExprGraph<SYMBOLS>) -> Value {
    match value {
        Operand::Tuple(ints) if ints.is_scalar() && ints.leaf(0).is_known() => json!(ints.leaf(0).value()),
        other => Value::String(other.with_facts(scope).to_string()),
    }
}

/// The index of every 1-D coordinate.
fn all_indices(layout: &Composed<LEAVES>, scope: &mut ExprGraph<SYMBOLS>) -> Result<Value> {
    let refuse = |e: crd2idx::LayoutError| Refusal::new(e.to_string());
    let size = match apply(Op::Size, &[Operand::Layout(layout.outer)], scope).map_err(refuse)? {
        Operand::Tuple(size) => size.leaf(0).value(),
        _ => None,
    };
    let size = size.ok_or_else(|| Refusal::new("the number of elements is known at run time only"))?;
    if size > MOST_INDICES {
        return Err(Refusal::new(format!("the layout has {size} elements; at most {MOST_INDICES} are listed")));
    }
    let mut indices = Vec::with_capacity(size as usize);
    for k in 0..size {
        let coordinate = TupleValue::integer(k).ok_or_else(|| Refusal::new("the coordinate overflows"))?;
        let index = apply(Op::Crd2Idx, &[Operand::Composed(*layout), Operand::Tuple(coordinate)], scope).map_err(refuse)?;
        indices.push(encode(&index, scope));
    }
    Ok(Value::Array(indices))
}
