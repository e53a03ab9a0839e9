//! Functions from text to text: expressions, explanations, emitted text, plans, and all other requests.

use crate::memory::{OwnedText, result, text};
use crate::status::{ErrorReport, Failure, Outcome, Status, guarded};
use crd2idx::algebra::expression::evaluate;
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use crd2idx_cli::{LEAVES, SYMBOLS, answer, answer_to, reply};
use serde_json::{Value, json};
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// Returns the result of a request of `crd2idx batch`, the value of `ok`.
fn requested(op: &str, mut request: Value) -> Outcome<Value> {
    match request.as_object_mut() {
        Some(request) => request.insert("op".into(), op.into()),
        None => return Err(Failure::answered(op, &json!({"error": "the request is no JSON object", "kind": "malformed"}))),
    };
    let unreadable = |error: serde_json::Error| Failure::call(Status::Refused, "answer", error.to_string());
    let mut reply: Value = serde_json::from_str(&reply(request.to_string().as_bytes())).map_err(unreadable)?;
    match reply.get_mut("ok") {
        Some(value) => Ok(value.take()),
        None => Err(Failure::answered(op, &reply)),
    }
}

/// Reads a request of the operation `op`.
fn parsed(op: &str, request: &str) -> Outcome<Value> {
    let malformed = |error: &dyn ToString| json!({"error": format!("unreadable request: {}", error.to_string()), "kind": "malformed"});
    crd2idx::json::parse(request).map_err(|error| Failure::answered(op, &malformed(&error)))
}

/// Writes the value of an expression, as `crd2idx eval` prints it.
///
/// Expressions are operands in the notation (layouts, tuples, tilers, swizzles, composed layouts), and operations by name, nested:
/// `crd2idx ops` lists them. Run-time numbers are `?`, as in `(?{div=8},64):(64,1)`.
///
/// # Safety
///
/// `expression` is null, or `length` bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_eval(
    expression: *const c_char,
    length: usize,
    value: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        // SAFETY: the caller promises the bytes.
        let expression = unsafe { text(expression, length, "expression") }?;
        let value = result(value, "value")?;
        let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
        let found = evaluate::<LEAVES, SYMBOLS>(expression, &mut scope).map_err(|error| Failure::layout(expression, &error))?;
        value.write(found.with_facts(&scope).to_string().into());
        Ok(())
    })
}

/// Writes an explanation of an expression: how its value comes about, or what fails and what would work.
///
/// If `coordinate` is not null, the explanation is of the index of this coordinate, a text in the notation.
///
/// # Safety
///
/// Each text is null, or its bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_explain(
    expression: *const c_char,
    length: usize,
    coordinate: *const c_char,
    coordinate_length: usize,
    explanation: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        // SAFETY: the caller promises the bytes.
        let expression = unsafe { text(expression, length, "expression") }?;
        let mut arguments = vec!["explain", "--", expression];
        if !coordinate.is_null() {
            // SAFETY: the caller promises the bytes.
            arguments.push(unsafe { text(coordinate, coordinate_length, "coordinate") }?);
        }
        let explanation = result(explanation, "explanation")?;
        let found = answer(arguments).map_err(|message| Failure::answered("explain", &json!({"error": message})))?;
        explanation.write(found.into());
        Ok(())
    })
}

/// Writes the index function of a layout as source text.
///
/// `language` is `c`, `cuda`, `hip`, `opencl`, `wgsl`, `rust` or `mlir`. `name` is the name of the function. `expression` may have
/// run-time numbers, `?`, which become parameters. `device` gets the function. `host` gets the function that computes on the host what
/// is constant in a launch, and is empty if there is none. `crd2idx_emit` has more options.
///
/// # Safety
///
/// Each text is null, or its bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_emit(
    expression: *const c_char,
    length: usize,
    language: *const c_char,
    language_length: usize,
    name: *const c_char,
    name_length: usize,
    device: Option<&mut MaybeUninit<OwnedText>>,
    host: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        // SAFETY: the caller promises the bytes.
        let [layout, to, name] = unsafe {
            [text(expression, length, "expression")?, text(language, language_length, "language")?, text(name, name_length, "name")?]
        };
        emitted(json!({"layout": layout, "to": to, "name": name}), device, host)
    })
}

/// Writes the index function of a layout, or of a question about a coordinate graph, as source text.
///
/// `request` is the JSON of the request `emit` of `crd2idx batch`, with or without its `op`. For a graph it is
/// `{"graph": {..}, "forward": ["i", "j"], "targets": ["k"], "to": "cuda", "name": "place"}`. `device` and `host` are as for
/// `crd2idx_layout_emit`. A request for expressions (`"expression": true`) is one for `crd2idx_answer`.
///
/// # Safety
///
/// `request` is null, or `length` bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_emit(
    request: *const c_char,
    length: usize,
    device: Option<&mut MaybeUninit<OwnedText>>,
    host: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        // SAFETY: the caller promises the bytes.
        emitted(parsed("emit", unsafe { text(request, length, "request") }?)?, device, host)
    })
}

/// Writes the texts of a request `emit`.
fn emitted(request: Value, device: Option<&mut MaybeUninit<OwnedText>>, host: Option<&mut MaybeUninit<OwnedText>>) -> Outcome<()> {
    let (device, host) = (result(device, "device")?, result(host, "host")?);
    let emitted = requested("emit", request)?;
    let source = |key: &str| emitted.get(key).and_then(Value::as_str).map(String::from);
    match source("device") {
        Some(text) => device.write(text.into()),
        None => return Err(Failure::answered("emit", &json!({"error": "the request is one for expressions: use crd2idx_answer"}))),
    };
    host.write(source("host").unwrap_or_default().into());
    Ok(())
}

/// Writes the plan of copies that brings every element of a tensor from one layout to another, as JSON.
///
/// `request` is the JSON of the request `plan` of `crd2idx batch`, with or without its `op`:
/// `{"from": "(4,4):(1@0,1@1)", "to": "(4,4):(1@1,1@0)", "element_bytes": 4}`.
///
/// # Safety
///
/// `request` is null, or `length` bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_plan(
    request: *const c_char,
    length: usize,
    plan: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        // SAFETY: the caller promises the bytes.
        let request = unsafe { text(request, length, "request") }?;
        let plan = result(plan, "plan")?;
        plan.write(requested("plan", parsed("plan", request)?)?.to_string().into());
        Ok(())
    })
}

/// Writes what a function answers to a text of C.
///
/// # Safety
///
/// `request` is null, or `length` bytes can be read there.
unsafe fn answered(
    request: *const c_char,
    length: usize,
    place: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
    of: fn(&[u8]) -> String,
) -> Status {
    guarded(error, || {
        // SAFETY: the caller promises the bytes.
        let request = unsafe { text(request, length, "request") }?;
        let place = result(place, "reply")?;
        place.write(of(request.as_bytes()).into());
        Ok(())
    })
}

/// Writes the answer to a request of `crd2idx batch`: `{"op": "coalesce", "args": ["(2,4):(1,2)"]}` gives `{"ok":"8:1"}`.
///
/// A refusal is an answer, too, and the call then succeeds. `crd2idx ops` and `crd2idx requests` list the requests: all operations,
/// graphs, plans, sparse and ragged arrays, placements, proofs.
///
/// # Safety
///
/// `request` is null, or `length` bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_answer(
    request: *const c_char,
    length: usize,
    reply_text: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    // SAFETY: the caller promises the bytes.
    unsafe { answered(request, length, reply_text, error, reply) }
}

/// Writes what the command prints, as JSON. `{"arguments": ["svg", "layout", "(4,8):(8,1)"]}` gives `{"ok": ".."}`, and a refusal
/// `{"error": ".."}`.
///
/// The text `"input"` of the request is standard input. The command reads and writes the files that its arguments name.
///
/// # Safety
///
/// `request` is null, or `length` bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_command(
    request: *const c_char,
    length: usize,
    reply_text: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    // SAFETY: the caller promises the bytes.
    unsafe { answered(request, length, reply_text, error, answer_to) }
}
