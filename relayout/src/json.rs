//! Sides, requests and plans as JSON.
//!
//! A side is a text in the notation or an object: `{"layout": .., "base": [..], "replicas": n}`, `{"pieces": [{"layout": .., "at": [..],
//! "extent": [..], "base": [..]}]}`. A request has `from` and `to`, and perhaps `extent` (a number, or one for each mode), `max_loops`,
//! `limit` and `element_bytes` (a number, or those of source and target).

use crate::descriptors::{Descriptor, Descriptors};
use crate::plan::{Copy, Loop, Message, Piece, Place, Plan, PlanError, Planner, Side, Statistics};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use layout_core::error::UnknownKey;
use serde_json::{Map, Value, json};

layout_core::errors! {
    /// What cannot be read or planned.
    #[non_exhaustive]
    RequestError of Plan(PlanError) {
        /// The request has not the form it must have.
        Form { /** What is wrong with it. */ message: String } => "plan/request", "{message}";
    }
}

type Result<T> = core::result::Result<T, RequestError>;

fn form<T>(message: impl Into<String>) -> Result<T> {
    Err(RequestError::Form { message: message.into() })
}

/// A plan that is asked for: both sides, the options, and bytes an element.
pub struct Request {
    /// The source.
    pub from: Side,
    /// The target.
    pub to: Side,
    /// Extent and options.
    pub planner: Planner,
    /// Bytes of an element in the source and in the target.
    pub element_bytes: [i64; 2],
}

impl Request {
    /// The keys of a request, which may also have `op` and `id`.
    pub const KEYS: &[&str] = &["from", "to", "extent", "element_bytes", "max_loops", "limit"];

    /// Reads a request. Fails where it has another key.
    ///
    /// ```
    /// use relayout::json::{Request, plan};
    /// let request = serde_json::json!({"from": "(4,4):(1@0,1@1)", "to": "(4,4):(1@1,1@0)", "extent": 13});
    /// let request = Request::from_json(&request)?;
    /// let answer = plan(&request.planner.plan(&request.from, &request.to)?);
    /// assert_eq!(answer["copies"][1], serde_json::json!({"from": 0, "to": 1, "src": 1, "dst": 0, "count": 1}));
    /// # Ok::<(), relayout::json::RequestError>(())
    /// ```
    pub fn from_json(request: &Value) -> Result<Request> {
        let Value::Object(object) = request else { return form(format!("a request is an object, not {request}")) };
        known("the request", object.keys().filter(|key| !["op", "id"].contains(&key.as_str())), Request::KEYS)?;
        let part = |key: &str| request.get(key).map_or_else(|| form(format!("the key `{key}` is missing")), Ok);
        let mut planner = match request.get("extent").filter(|extent| !extent.is_null()) {
            None => Planner::new(),
            Some(Value::Array(extents)) => Planner::new().extent(&integers(extents, "extent")?),
            Some(extent) => Planner::new().elements(integer(extent, "extent")?),
        };
        if let Some(loops) = count(request, "max_loops")? {
            planner = planner.max_loops(loops);
        }
        if let Some(copies) = count(request, "limit")? {
            planner = planner.limit(copies);
        }
        let element_bytes = match request.get("element_bytes") {
            None => [1, 1],
            Some(Value::Array(both)) => match integers(both, "element_bytes")?[..] {
                [from, to] => [from, to],
                _ => return form("`element_bytes` is a number, or those of source and target"),
            },
            Some(both) => [integer(both, "element_bytes")?; 2],
        };
        if element_bytes.iter().any(|bytes| *bytes < 0) {
            return form("`element_bytes` is negative");
        }
        Ok(Request { from: side(part("from")?)?, to: side(part("to")?)?, planner, element_bytes })
    }
}

/// Refuses an object with a key that is not in `allowed`.
fn known<'k>(what: &str, keys: impl Iterator<Item = &'k String>, allowed: &[&str]) -> Result<()> {
    UnknownKey::among(keys.map(String::as_str), allowed).map_or(Ok(()), |unknown| form(format!("{what}: {unknown}")))
}

/// Reads a side: a text, or an object. Fails where an object has an unknown key.
pub fn side(value: &Value) -> Result<Side> {
    let object = match value {
        Value::String(text) => return Ok(Side::parse(text)?),
        Value::Object(object) => object,
        other => return form(format!("a side is a text or an object, not {other}")),
    };
    let of = if object.contains_key("pieces") { "pieces" } else { "layout" };
    known("a side", object.keys(), &[of, "base", "replicas"])?;
    let base = numbers(object, "base")?;
    let read = match object.get("pieces") {
        None => Side::parse(text(object)?)?,
        Some(Value::Array(pieces)) if !pieces.is_empty() => Side::pieces(pieces.iter().map(piece).collect::<Result<Vec<_>>>()?),
        Some(_) => return form("`pieces` is not a list of pieces"),
    };
    Ok(match object.get("replicas") {
        None => read,
        Some(replicas) => read.with_replicas(integer(replicas, "replicas")?),
    }
    .with_base(&base))
}

fn piece(value: &Value) -> Result<Piece> {
    let Value::Object(object) = value else { return form("a piece is an object with a `layout`") };
    known("a piece", object.keys(), &["layout", "at", "extent", "base"])?;
    Ok(Piece::new(text(object)?, &numbers(object, "at")?, &numbers(object, "extent")?)?.with_base(&numbers(object, "base")?))
}

fn text(object: &Map<String, Value>) -> Result<&str> {
    object.get("layout").and_then(Value::as_str).map_or_else(|| form("the text `layout` is missing"), Ok)
}

fn integer(value: &Value, what: &str) -> Result<i64> {
    value.as_i64().map_or_else(|| form(format!("`{what}` is not an integer of 64 bits")), Ok)
}

fn integers(list: &[Value], what: &str) -> Result<Vec<i64>> {
    list.iter().map(|value| integer(value, what)).collect()
}

fn numbers(object: &Map<String, Value>, key: &str) -> Result<Vec<i64>> {
    match object.get(key) {
        None => Ok(vec![]),
        Some(Value::Array(list)) => integers(list, key),
        Some(_) => form(format!("`{key}` is not a list")),
    }
}

fn count(request: &Value, key: &str) -> Result<Option<usize>> {
    let Some(value) = request.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
    let Ok(count) = usize::try_from(integer(value, key)?) else { return form(format!("`{key}` is negative")) };
    Ok(Some(count))
}

/// Lists of descriptors: `{"source": [[address, length, place], ..], "target": [..], "short": {"copies": [..]}}`.
pub fn descriptors(lists: &Descriptors) -> Value {
    let list = |list: &[Descriptor]| list.iter().map(|one| json!([one.address, one.length, place(&one.place)])).collect::<Vec<_>>();
    let short = lists.short.iter().flat_map(|message| message.copies.iter().map(|copy| one(&message.from, &message.to, copy)));
    json!({"source": list(&lists.source), "target": list(&lists.target), "short": {"copies": short.collect::<Vec<_>>()}})
}

/// A plan as its list of copies: `{"copies": [{"from": 0, "to": 0, "src": 0, "dst": 0, "count": 8, "loops": [[6, 8, 10]]}]}`.
pub fn plan(plan: &Plan) -> Value {
    json!({"copies": plan.copies().map(|(from, to, copy)| one(from, to, copy)).collect::<Vec<_>>()})
}

fn one(from: &Place, to: &Place, copy: &Copy) -> Value {
    let mut out = json!({"from": place(from), "to": place(to), "src": copy.source, "dst": copy.target, "count": copy.count});
    if !copy.loops.is_empty() {
        out["loops"] = copy.loops.iter().map(|Loop { count, source, target }| json!([count, source, target])).collect();
    }
    out
}

/// A place: a number, or a list where it has several.
pub fn place(place: &Place) -> Value {
    place.number().map_or_else(|| json!(place.numbers()), |number| json!(number))
}

/// The statistics of a plan; bytes where elements have `element_bytes` in the source and in the target.
pub fn statistics(plan: &Plan, element_bytes: [i64; 2]) -> Value {
    let Statistics { elements, local, remote, messages, descriptors } = plan.statistics();
    let bytes = |width: i64| {
        let bytes = i128::from(elements) * i128::from(width);
        i64::try_from(bytes).map_or_else(|_| Value::String(bytes.to_string()), Value::from)
    };
    let message = |message: &Message| {
        json!({
            "from": place(&message.from),
            "to": place(&message.to),
            "elements": message.elements(),
            "descriptors": message.copies.len(),
        })
    };
    json!({
        "elements": elements,
        "from_bytes": bytes(element_bytes[0]),
        "to_bytes": bytes(element_bytes[1]),
        "local": local,
        "remote": remote,
        "pairs": messages,
        "descriptors": descriptors,
        "messages": plan.messages().iter().map(message).collect::<Vec<_>>(),
    })
}
