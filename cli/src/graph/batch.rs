//! The operation `graph` of `batch`: `{"op": "graph", "graph": {...}, "flatten": name, "query": {...}}`.

use super::file::profile_of;
use super::query;
use crate::answer::{Answer, failure, success, unknown};
use crd2idx::graph::{CoordGraph, GraphError};
use crd2idx::json::{JsonError, graph_from_json};
use serde_json::{Value, json};

/// Why a request is refused: a message, the kind of the error, and more that is known.
pub struct Refusal {
    message: String,
    kind: &'static str,
    more: Answer,
}

impl Refusal {
    /// A request that has not the form it must have.
    pub fn malformed(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), kind: "malformed", more: Answer::new() }
    }

    /// A request that is refused for what it asks.
    pub fn of_kind(message: String, kind: &'static str) -> Refusal {
        Refusal { message, kind, more: Answer::new() }
    }

    /// More work than one request may ask for.
    pub fn too_large(message: String) -> Refusal {
        Refusal::of_kind(message, "too_large")
    }

    /// With this in the answer.
    pub fn with(mut self, key: &str, value: Value) -> Refusal {
        self.more.insert(key.into(), value);
        self
    }
}

impl From<GraphError> for Refusal {
    fn from(error: GraphError) -> Refusal {
        Refusal { message: error.to_string(), kind: error.kind(), more: Answer::new() }
    }
}

impl From<JsonError> for Refusal {
    fn from(error: JsonError) -> Refusal {
        Refusal { message: error.to_string(), kind: error.kind(), more: Answer::new() }.with("path", json!(error.path()))
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        let mut out = failure(refusal.message);
        out.insert("kind".into(), refusal.kind.into());
        out.extend(refusal.more);
        out
    }
}

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer, Answer> {
    if name != "graph" {
        return Err(unknown(name));
    }
    Ok(success(result(request)?))
}

fn result(request: &Value) -> Result<Value, Refusal> {
    query::answer(&graph_of(request)?, part(request, "query")?)
}

fn part<'a>(request: &'a Value, key: &str) -> Result<&'a Value, Refusal> {
    request.get(key).ok_or_else(|| Refusal::malformed(format!("the key `{key}` is missing")))
}

/// The graph of a request, with Flatten as its `flatten` says.
pub fn graph_of(request: &Value) -> Result<CoordGraph, Refusal> {
    let graph = graph_from_json(part(request, "graph")?).map_err(|error| error.below("graph"))?;
    match request.get("flatten").filter(|flatten| !flatten.is_null()) {
        Some(flatten) => Ok(graph.with_flatten(profile_of(flatten).map_err(|message| Refusal::malformed(format!("flatten: {message}")))?)),
        None => Ok(graph),
    }
}
