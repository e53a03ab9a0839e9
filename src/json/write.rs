//! Writes graphs as JSON that `graph.rs` reads. Quantities and kinds of edges are written in `quantity.rs` and
//! `transform.rs`.

use super::{quantity, transform};
use crate::algebra::value::Facts;
use crate::graph::{CoordGraph, DimId, DimKind, Dimension, Edge, FlattenMode, Parameter};
use serde_json::{Map, Value, json};

pub(super) fn graph(graph: &CoordGraph) -> Value {
    let mut out = Map::new();
    out.insert("nodes".into(), graph.dimensions().iter().map(node).collect());
    out.insert("edges".into(), graph.edges().iter().map(|e| edge(graph, e)).collect());
    if !graph.parameters().is_empty() {
        out.insert("parameters".into(), graph.parameters().iter().map(parameter).collect());
    }
    let flatten = match graph.flatten_mode() {
        FlattenMode::Declared => return Value::Object(out),
        FlattenMode::Sizes => "sizes",
        FlattenMode::Strides => "strides",
    };
    out.insert("flatten".into(), flatten.into());
    Value::Object(out)
}

fn parameter(parameter: &Parameter) -> Value {
    let mut out = Map::from_iter([("name".into(), json!(parameter.name))]);
    let Facts { lo, hi, div } = parameter.facts;
    for (key, value, unknown) in [("min", lo, Facts::ANY.lo), ("max", hi, Facts::ANY.hi), ("div", div, Facts::ANY.div)] {
        if value != unknown {
            out.insert(key.into(), json!(value));
        }
    }
    Value::Object(out)
}

fn node(dim: &Dimension) -> Value {
    let known = |quantity: &Option<_>| quantity.as_ref().map_or(Value::Null, quantity::write);
    let mut out =
        Map::from_iter([("name".into(), json!(dim.name)), ("size".into(), known(&dim.size)), ("stride".into(), known(&dim.stride))]);
    if dim.offset.is_some() {
        out.insert("offset".into(), known(&dim.offset));
    }
    if dim.kind != DimKind::default() {
        out.insert("kind".into(), dim.kind.name().into());
    }
    Value::Object(out)
}

fn edge(graph: &CoordGraph, edge: &Edge) -> Value {
    let names = |dims: &[DimId]| dims.iter().filter_map(|id| Some(json!(graph.dimension(*id).ok()?.name))).collect::<Value>();
    let mut out = Map::from_iter([
        ("type".into(), json!(edge.kind.name())),
        ("inputs".into(), names(&edge.inputs)),
        ("outputs".into(), names(&edge.outputs)),
    ]);
    if let Some(params) = transform::params(&edge.kind) {
        out.insert("params".into(), params);
    }
    Value::Object(out)
}
