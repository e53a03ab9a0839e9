//! `crd2idx batch`: reads a JSON request from each line, and answers it on a line. A new family of requests joins `FAMILIES`.

use crate::answer::{Answer, Refusal, Result, success, text, unknown};
use crate::eval::{LEAVES, SYMBOLS, encode, operands};
use crate::request::{self, Row};
use crate::{analysis, choice, emit, functions, graph, input, linear, memory, placement, plan, ragged, sparse};
use crd2idx::DynLayout;
use crd2idx::algebra::expression::{ComposedValue, Operand, apply};
use crd2idx::algebra::value::{ExprGraph, TupleValue};
use crd2idx::error::Op;
use crd2idx::layouts::DynCoord;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// The maximum number of indices that one `composed_eval` lists.
const MOST_INDICES: i64 = 1 << 20;

/// Answers each line of `input` on `output`, before it reads the next. Fails only if reading or writing fails: a refusal is an
/// answer.
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
        writeln!(output, "{}", reply(&line))?;
        output.flush()?;
    }
}

/// Returns the answer to the request in a line, with the `id` of the request if it has one. Every refusal is an answer, too.
pub fn reply(line: &[u8]) -> String {
    let mut request = match input::parse(line) {
        Ok(request) => request,
        Err(error) => return text(Answer::from(Refusal::new(format!("unreadable request: {error}")))),
    };
    let mut taken = |key: &str| request.as_object_mut().and_then(|object| object.remove(key));
    let (id, op) = (taken("id"), taken("op"));
    let answer = match op.as_ref().and_then(Value::as_str) {
        Some(name) => answer(name, &request),
        None => Err(Refusal::new("the request has no string `op`")),
    };
    let mut reply = answer.unwrap_or_else(Answer::from);
    reply.extend(id.map(|id| ("id".into(), id)));
    text(reply)
}

/// The requests that are not operations on layouts, by family.
const FAMILIES: &[&[Row]] = &[
    analysis::REQUESTS,
    choice::REQUESTS,
    emit::REQUESTS,
    functions::REQUESTS,
    linear::REQUESTS,
    graph::query::REQUESTS,
    graph::verify::REQUESTS,
    memory::REQUESTS,
    placement::REQUESTS,
    plan::REQUESTS,
    ragged::batch::REQUESTS,
    ragged::lists::REQUESTS,
    sparse::REQUESTS,
];

/// Returns the requests that are not operations on layouts, family by family.
pub fn requests() -> impl Iterator<Item = &'static Row> {
    FAMILIES.iter().copied().flatten()
}

/// Returns a line for each request: name, keys, and what it computes.
pub fn listed() -> String {
    requests().map(|row| format!("{} {}  #{}", row.name, (row.keys)().join(" "), row.about)).collect::<Vec<_>>().join("\n")
}

fn answer(name: &str, request: &Value) -> Result<Answer> {
    match requests().find(|row| row.name == name) {
        // A request with operands is the operation on layouts, unless the request of this name has the operands too.
        Some(row) if request.get("args").is_none() || (row.keys)().contains(&"args") || Op::from_name(name).is_none() => {
            (row.answer)(request)
        }
        _ => layouts(name, request),
    }
}

/// The operands of an operation on layouts: texts in the notation, and integers.
#[derive(Deserialize)]
struct Operands {
    args: Vec<Value>,
}

/// Answers an operation on layouts. Refuses unknown names, unreadable operands, and whatever the operation refuses.
fn layouts(name: &str, request: &Value) -> Result<Answer> {
    let composed_eval = name == "composed_eval";
    let op = if composed_eval { Op::Composed } else { Op::from_name(name).ok_or_else(|| unknown(name))? };
    let (Operands { args: given },) = request::read::<(Operands,)>(request, &[])?;
    let mut scope = ExprGraph::<SYMBOLS>::new(op);
    let (args, marked) = operands(given, &mut scope)?;
    if composed_eval {
        let layout = match args.as_slice() {
            [layout @ (Operand::Layout(_) | Operand::Composed(_))] => *layout,
            _ => apply(op, &args, &mut scope)?,
        };
        return all_indices(&layout, &mut scope).map(success);
    }
    let result = apply(op, &args, &mut scope)?;
    let mut reply = success(if marked { Value::String(result.with_facts(&scope).to_string()) } else { encode(&result, &scope) });
    if let (Op::Slice, [Operand::Layout(layout), Operand::Tuple(coordinate)]) = (op, args.as_slice())
        && layout.gives_integers()
        && layout.is_known()
        && coordinate.is_known()
    {
        let (layout, coordinate) = (DynLayout::from_value(*layout)?, DynCoord::from_value(*coordinate)?);
        reply.insert("offset".into(), json!(layout.slice(&coordinate)?.1));
    }
    Ok(reply)
}

/// Returns the index of every linear coordinate, from 0 on. Refuses layouts of unknown size, or of more than `MOST_INDICES`
/// elements, and values that are not layouts.
fn all_indices(layout: &Operand<LEAVES>, scope: &mut ExprGraph<SYMBOLS>) -> Result<Value> {
    let outer = match layout {
        Operand::Layout(layout) | Operand::Composed(ComposedValue { outer: layout, .. }) => *layout,
        other => return Err(Refusal::new(format!("{other} is not a layout"))),
    };
    let size = match apply(Op::Size, &[Operand::Layout(outer)], scope)? {
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
        let index = apply(Op::Crd2Idx, &[*layout, Operand::Tuple(coordinate)], scope)?;
        indices.push(encode(&index, scope));
    }
    Ok(Value::Array(indices))
}
