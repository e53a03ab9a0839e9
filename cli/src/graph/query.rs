//! The request `graph`: `{"op": "graph", "graph": {...}, "flatten": name, "query": {...}}`.

use super::sweep::{self, Sweep, by_name};
use crate::answer::{Refusal, Result};
use crate::request::{Request, read, requests, structs};
use crd2idx::graph::{CoordGraph, Direction, GraphError};
use crd2idx::json::{self, JsonError, NamedFlattenMode, graph_from_json};
use serde_json::Value;
use std::collections::BTreeMap;

requests! {
    /// Answers a question about a coordinate graph.
    "graph" => |(asked, query): (Asked, OfQuery)| answer(&asked.graph()?, &query.query);
}

structs! {
    /// A graph, and the meaning of Flatten.
    Asked { graph: Value, flatten: Option<NamedFlattenMode> }
    OfQuery { query: Value }
    Op { op: String }
    /// Bound dimensions and parameters, and the targets (default: all dimensions that the bound ones determine).
    Evaluated { bind: Option<Bound>, targets: Option<Vec<String>> }
    Grown { by: i64, dim: String }
    Path { bound: Vec<String>, targets: Vec<String>, structural: Option<bool> }
}

impl Asked {
    /// Returns the graph of the request. `flatten` overrides the meaning of Flatten in it. Refuses an invalid graph.
    pub fn graph(&self) -> Result<CoordGraph> {
        let graph = graph_from_json(&self.graph).map_err(|error| error.below("graph"))?;
        Ok(if let Some(NamedFlattenMode(mode)) = self.flatten { graph.with_flatten(mode) } else { graph })
    }
}

impl From<GraphError> for Refusal {
    fn from(error: GraphError) -> Refusal {
        Refusal::new(error.to_string()).with_kind(error.class())
    }
}

/// The keys that a recorded question has besides the question itself.
const RECORDED: &[&str] = &["op", "expect", "error", "note", "count", "sum", "min", "max", "fnv1a64", "distinct", "injective", "values"];

/// A function that answers a question about a graph in a direction.
type Question = fn(&CoordGraph, Direction, &Value) -> Result<Value>;

/// The questions by name. A name that ends in `_` stands before `forward` or `reverse`, the others after it.
const QUESTIONS: &[(&str, Question)] = &[("", values), ("_valid", valid), ("_stride", stride), ("_sweep", sweep), ("has_path_", has_path)];

/// Integers by the names of dimensions and parameters.
pub type Bound = BTreeMap<String, i64>;

/// Bound names and their values, in the form of the arguments of `CoordGraph`.
type Pairs<'q> = Vec<(&'q str, i64)>;

/// Returns bound names and values in the form of the arguments of `CoordGraph`.
pub fn pairs(bound: &Bound) -> Pairs<'_> {
    bound.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

/// Returns names in the form of the arguments of `CoordGraph`.
pub fn names(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

impl Evaluated {
    fn asked<'q>(&'q self, graph: &'q CoordGraph, direction: Direction) -> Result<(Pairs<'q>, Vec<&'q str>)> {
        let bind = self.bind.as_ref().map(pairs).unwrap_or_default();
        let targets = match &self.targets {
            Some(targets) => names(targets),
            None => graph.determined(direction, &bind)?.into_iter().map(|(name, _)| name).collect(),
        };
        Ok((bind, targets))
    }
}

/// Answers a question about this graph. Refuses unknown questions, unreadable fields, and whatever the graph refuses.
fn answer(graph: &CoordGraph, query: &Value) -> Result<Value> {
    let Op { op } = json::read(query).map_err(|error| error.below("query"))?;
    for direction in [Direction::Forward, Direction::Reverse] {
        for (name, question) in QUESTIONS {
            let rest = if name.ends_with('_') { op.strip_suffix(direction.name()) } else { op.strip_prefix(direction.name()) };
            if rest == Some(name) {
                return question(graph, direction, query);
            }
        }
    }
    let names = QUESTIONS.iter().map(|(name, _)| if name.ends_with('_') { format!("{name}forward") } else { format!("forward{name}") });
    let names = names.collect::<Vec<_>>().join(", ");
    Err(Refusal::malformed(format!("query.op: `{op}` is not one of {names}, or one of these with `reverse`")))
}

/// Reads the fields of a question, and ignores the extra keys of a recorded one. Fails for other keys, and for fields that
/// cannot be read.
fn fields<R: Request>(query: &Value) -> std::result::Result<R, JsonError> {
    read(query, RECORDED).map_err(|error| error.below("query"))
}

fn values(graph: &CoordGraph, direction: Direction, query: &Value) -> Result<Value> {
    let (asked,) = fields::<(Evaluated,)>(query)?;
    let (bind, targets) = asked.asked(graph, direction)?;
    Ok(by_name(&targets, graph.evaluate(direction, &bind, &targets)?))
}

fn valid(graph: &CoordGraph, direction: Direction, query: &Value) -> Result<Value> {
    let (asked,) = fields::<(Evaluated,)>(query)?;
    let (bind, targets) = asked.asked(graph, direction)?;
    Ok(graph.is_valid(direction, &bind, &targets)?.into())
}

fn stride(graph: &CoordGraph, direction: Direction, query: &Value) -> Result<Value> {
    let (asked, Grown { by, dim }) = fields::<(Evaluated, Grown)>(query)?;
    let (bind, targets) = asked.asked(graph, direction)?;
    Ok(by_name(&targets, graph.delta(direction, &bind, &dim, by, &targets)?))
}

fn sweep(graph: &CoordGraph, direction: Direction, query: &Value) -> Result<Value> {
    let (sweep,) = fields::<(Sweep,)>(query)?;
    sweep::answer(graph, direction, &sweep)
}

fn has_path(graph: &CoordGraph, direction: Direction, query: &Value) -> Result<Value> {
    let (path,) = fields::<(Path,)>(query)?;
    let (bound, targets) = (names(&path.bound), names(&path.targets));
    let connected = path.structural.unwrap_or(false);
    Ok(if connected { graph.is_connected(direction, &bound, &targets) } else { graph.has_path(direction, &bound, &targets) }?.into())
}
