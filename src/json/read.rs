//! Graphs from JSON.

use super::place::{At, Result};
use super::{FLATTEN_NAMES, JsonFault, flatten_from_name, quantity, transform};
use crate::algebra::value::Facts;
use crate::graph::{CoordGraph, DimId, DimKind, Dimension, GraphError};
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn graph(at: At<'_>) -> Result<CoordGraph> {
    let object = at.object(&["nodes", "edges", "parameters", "flatten"])?;
    let mut graph = CoordGraph::new();
    if let Some(flatten) = object.optional("flatten").and_then(At::non_null) {
        graph = graph.with_flatten(flatten.named(flatten_from_name, || FLATTEN_NAMES.into())?);
    }
    if let Some(parameters) = object.optional("parameters").and_then(At::non_null) {
        parameters.each(|at| parameter(&mut graph, at))?;
    }
    object.key("nodes")?.each(|at| node(&mut graph, at))?;
    object.key("edges")?.each(|at| edge(&mut graph, at))?;
    Ok(graph)
}

fn parameter(graph: &mut CoordGraph, at: At<'_>) -> Result<()> {
    let object = at.object(&["name", "min", "max", "div"])?;
    let bound = |key, otherwise| object.optional(key).and_then(At::non_null).map_or(Ok(otherwise), |at| at.integer());
    let Facts { lo, hi, div } = Facts::ANY;
    let facts = Facts { lo: bound("min", lo)?, hi: bound("max", hi)?, div: bound("div", div)? };
    if facts.lo > facts.hi {
        return Err(object.key("max")?.expected(alloc::format!("an upper bound above the lower bound {}", facts.lo)));
    }
    if facts.div < 1 {
        return Err(object.key("div")?.expected("a divisor from 1"));
    }
    refused(&at, graph.parameter(object.key("name")?.text()?, facts))
}

fn node(graph: &mut CoordGraph, at: At<'_>) -> Result<()> {
    let object = at.object(&["name", "size", "stride", "offset", "kind"])?;
    let kind = match object.optional("kind").and_then(At::non_null) {
        Some(kind) => kind.named(DimKind::from_name, kinds)?,
        None => DimKind::default(),
    };
    let dim = Dimension {
        name: object.key("name")?.text()?.into(),
        kind,
        size: quantity::read_optional(object.optional("size"))?,
        stride: quantity::read_optional(object.optional("stride"))?,
        offset: quantity::read_optional(object.optional("offset"))?,
    };
    refused(&at, graph.add(dim)).map(|_| ())
}

fn kinds() -> String {
    DimKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

fn edge(graph: &mut CoordGraph, at: At<'_>) -> Result<()> {
    let object = at.object(&["type", "inputs", "outputs", "params"])?;
    let kind = transform::read(object)?;
    let ends = |key| object.key(key)?.each(|name| refused(&name, graph.find(name.text()?)));
    let (inputs, outputs): (Vec<DimId>, Vec<DimId>) = (ends("inputs")?, ends("outputs")?);
    refused(&at, graph.connect(kind, inputs, outputs))
}

/// Adds the place to an error of the graph.
fn refused<T>(at: &At<'_>, outcome: core::result::Result<T, GraphError>) -> Result<T> {
    outcome.map_err(|error| at.fault(JsonFault::Graph(error)))
}
