//! Reads graphs from JSON. `write.rs` must write what this module reads.

use super::quantity::Quantity;
use super::{FLATTEN_NAMES, JsonError, JsonFault, flatten_from_name, read, transform};
use crate::algebra::value::Facts;
use crate::graph::{CoordGraph, DimId, DimKind, Dimension, FlattenMode, GraphError};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

type Result<T> = core::result::Result<T, JsonError>;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Graph<'j> {
    #[serde(borrow)]
    nodes: Vec<Node<'j>>,
    #[serde(borrow)]
    edges: Vec<Edge<'j>>,
    #[serde(borrow)]
    parameters: Option<Vec<Parameter<'j>>>,
    flatten: Option<NamedFlattenMode>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Node<'j> {
    name: &'j str,
    size: Option<Quantity>,
    stride: Option<Quantity>,
    offset: Option<Quantity>,
    kind: Option<Kind>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Edge<'j> {
    r#type: &'j str,
    inputs: Vec<&'j str>,
    outputs: Vec<&'j str>,
    params: Option<Value>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter<'j> {
    name: &'j str,
    min: Option<i64>,
    max: Option<i64>,
    div: Option<i64>,
}

/// The mode of Flatten, read from a name that [`flatten_from_name`] accepts.
///
/// ```
/// use crd2idx::graph::FlattenMode;
/// use crd2idx::json::{NamedFlattenMode, read};
/// use serde_json::json;
/// /// The options of a request.
/// #[derive(serde::Deserialize)]
/// struct Options {
///     flatten: Option<NamedFlattenMode>,
/// }
/// let options = json!({"flatten": "strides"});
/// assert_eq!(read::<Options>(&options)?.flatten.map(|NamedFlattenMode(mode)| mode), Some(FlattenMode::Strides));
/// let error = read::<Options>(&json!({"flatten": "size"})).err().expect("no name of a mode");
/// assert_eq!(error.to_string(), r#"flatten: "size" is not one of declared, sizes, strides, any, size-driven, seed-stride"#);
/// # Ok::<(), crd2idx::json::JsonError>(())
/// ```
pub struct NamedFlattenMode(pub FlattenMode);

struct Kind(DimKind);

impl<'de> Deserialize<'de> for NamedFlattenMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        named(deserializer, flatten_from_name, || FLATTEN_NAMES.into()).map(NamedFlattenMode)
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        named(deserializer, DimKind::from_name, || super::listed(DimKind::ALL.iter().map(|kind| kind.name()))).map(Kind)
    }
}

/// Reads a string and converts it by `from_name`. Fails if it is no string or `from_name` returns `None`; `names` lists the
/// valid names for the error.
pub(super) fn named<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    from_name: impl Fn(&str) -> Option<T>,
    names: impl Fn() -> String,
) -> core::result::Result<T, D::Error> {
    from_name(&Cow::<str>::deserialize(deserializer)?).ok_or_else(|| D::Error::custom(format!("one of {}", names())))
}

/// Returns the graph of a JSON value. Fails, with the path, at the first parameter, node or edge that has a wrong form or
/// that the graph refuses.
pub(super) fn graph(value: &Value) -> Result<CoordGraph> {
    let Graph { nodes, edges, parameters, flatten } = read(value)?;
    let mut graph = CoordGraph::new();
    if let Some(NamedFlattenMode(mode)) = flatten {
        graph = graph.with_flatten(mode);
    }
    for (k, parameter) in parameters.into_iter().flatten().enumerate() {
        let place = format!("parameters[{k}]");
        let facts = facts(&parameter, &place)?;
        refused(&place, graph.parameter(parameter.name, facts))?;
    }
    for (k, Node { name, size, stride, offset, kind }) in nodes.into_iter().enumerate() {
        let quantity = |quantity: Option<Quantity>| quantity.map(|Quantity(expr)| expr);
        let kind = kind.map_or(DimKind::default(), |Kind(kind)| kind);
        let dim = Dimension { name: name.into(), kind, size: quantity(size), stride: quantity(stride), offset: quantity(offset) };
        refused(&format!("nodes[{k}]"), graph.add(dim))?;
    }
    for (k, edge) in edges.into_iter().enumerate() {
        let place = format!("edges[{k}]");
        let kind = transform::read_kind(edge.r#type, edge.params.as_ref()).map_err(|error| error.below(&place))?;
        let find = |key: &str, names: &[&str]| -> Result<Vec<DimId>> {
            names.iter().enumerate().map(|(end, name)| refused(&format!("{place}.{key}[{end}]"), graph.find(name))).collect()
        };
        let (inputs, outputs) = (find("inputs", &edge.inputs)?, find("outputs", &edge.outputs)?);
        refused(&place, graph.connect(kind, inputs, outputs))?;
    }
    Ok(graph)
}

/// Returns the bounds and the divisor of the parameter at the path `place`. Fails if no number lies within the bounds, or
/// if the divisor is less than 1.
fn facts(parameter: &Parameter<'_>, place: &str) -> Result<Facts> {
    let Facts { lo, hi, div } = Facts::ANY;
    let facts = Facts { lo: parameter.min.unwrap_or(lo), hi: parameter.max.unwrap_or(hi), div: parameter.div.unwrap_or(div) };
    let fault = |key: &str, found: i64, expected: String| {
        Err(JsonError::new(format!("{place}.{key}"), JsonFault::Found { found: format!("{found}"), expected }))
    };
    if facts.lo > facts.hi {
        return fault("max", facts.hi, format!("an upper bound above the lower bound {}", facts.lo));
    }
    if facts.div < 1 {
        return fault("div", facts.div, "a divisor from 1".into());
    }
    Ok(facts)
}

/// Returns `outcome`; an error of the graph gets the path `place`.
fn refused<T>(place: &str, outcome: core::result::Result<T, GraphError>) -> Result<T> {
    outcome.map_err(|error| JsonError::new(place.into(), JsonFault::Graph(error)))
}
