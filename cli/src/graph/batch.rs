//! The operation `graph` of `batch`: `{"op": "graph", "graph": {...}, "flatten": name, "query": {...}}`.

use super::file::profile_of;
use super::query;
use crate::answer::{Answer, Refusal, Result, one_of, part};
use crd2idx::graph::CoordGraph;
use crd2idx::json::graph_from_json;
use serde_json::Value;

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer> {
    one_of(&[("graph", &[&["graph", "flatten", "query"]], result)], name, request)
}

fn result(request: &Value) -> Result<Value> {
    query::answer(&graph_of(request)?, part(request, "query")?)
}

/// The graph of a request, with Flatten as its `flatten` says.
pub fn graph_of(request: &Value) -> Result<CoordGraph> {
    let graph = graph_from_json(part(request, "graph")?).map_err(|error| error.below("graph"))?;
    match request.get("flatten").filter(|flatten| !flatten.is_null()) {
        Some(flatten) => Ok(graph.with_flatten(profile_of(flatten).map_err(|message| Refusal::malformed(format!("flatten: {message}")))?)),
        None => Ok(graph),
    }
}
