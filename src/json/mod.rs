//! Reads and writes coordinate graphs as JSON. [`read`] reads any other type that implements serde's traits.
//!
//! ```json
//! {"nodes": [{"name": "row", "size": "m", "stride": null}, {"name": "tile"}, {"name": "i", "size": 16, "kind": "Workitem"}],
//!  "edges": [{"type": "Tile", "inputs": ["row"], "outputs": ["tile", "i"]}],
//!  "parameters": [{"name": "m", "min": 1}],
//!  "flatten": "sizes"}
//! ```
//!
//! * `nodes`: `name`; `size`, `stride` and `offset` are quantities, `kind` is a
//!   [`DimKind`](crate::graph::DimKind). Only the name is required.
//! * `edges`: `type` is the name of a [`Transform`](crate::graph::Transform) or of a
//!   [`Dataflow`](crate::graph::Dataflow). `inputs` and `outputs` are lists of names. `params` are the fields of
//!   the transform by their names, as the table of transforms declares them, or the `number` of a `Segment` or an
//!   `Index`.
//! * `parameters`: `name`, bounds `min` and `max`, and a divisor `div`. A missing number is unknown. The list may
//!   be omitted.
//! * `flatten`: `declared` (the default), `sizes` or `strides`, or another name that [`flatten_from_name`]
//!   accepts.
//!
//! A quantity is an integer of 64 bits, or the name of a parameter as a string or as `{"param": name}`. It may
//! also be `{"arg": k}` in a condition, `{"op": name, "args": [quantity, ...]}` with the name of an
//! [`ExprOp`](crate::graph::ExprOp), and `null` where it is optional.
//!
//! The readers refuse other keys and names, and the error gives the path: `edges[3].params.strides`.

mod de;
mod error;
mod graph;
mod quantity;
mod transform;
mod write;

pub use error::{JsonError, JsonFault};
pub use graph::NamedFlattenMode;

use crate::graph::{CoordGraph, Expr, FlattenMode};
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;
use serde::Deserialize;
use serde_json::Value;

/// Reads a value of any type that serde can read from a JSON value.
///
/// Fails at the first invalid value. The error has its path, its text, and the values that would be valid there.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Tile {
///     extents: Vec<u64>,
/// }
/// let tile: Tile = crd2idx::json::read(&serde_json::json!({"extents": [4, 8]}))?;
/// assert_eq!(tile.extents, [4, 8]);
///
/// let error = crd2idx::json::read::<Tile>(&serde_json::json!({"extents": [4, -8]})).err();
/// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some("extents[1]: -8 is not a whole number of 64 bits"));
/// # Ok::<(), crd2idx::json::JsonError>(())
/// ```
pub fn read<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T, JsonError> {
    de::At::root(value).read(PhantomData)
}

/// Reads a graph from a JSON value.
///
/// Fails if the value does not have the form of a graph, or if the graph is refused. The error gives the path.
///
/// ```
/// use crd2idx::json::graph_from_json;
/// let value = serde_json::json!({
///     "nodes": [{"name": "k"}, {"name": "i", "size": 4, "stride": 10}],
///     "edges": [{"type": "Split", "inputs": ["k"], "outputs": ["i"]}],
/// });
/// assert_eq!(graph_from_json(&value)?.reverse(&[("i", 3)], &["k"])?, [30]);
///
/// let error = graph_from_json(&serde_json::json!({"nodes": [{"name": "k", "size": 1.5}], "edges": []})).unwrap_err();
/// assert_eq!(error.to_string(), "nodes[0].size: 1.5 is not an integer of 64 bits");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn graph_from_json(value: &Value) -> Result<CoordGraph, JsonError> {
    graph::graph(value)
}

/// Reads a quantity from a JSON value.
///
/// ```
/// use crd2idx::json::quantity_from_json;
/// let value = serde_json::json!({"op": "max", "args": ["c0", 3]});
/// assert_eq!(quantity_from_json(&value)?.to_string(), "max(c0, 3)");
/// # Ok::<(), crd2idx::json::JsonError>(())
/// ```
pub fn quantity_from_json(value: &Value) -> Result<Expr, JsonError> {
    read(value).map(|quantity::Quantity(expr)| expr)
}

/// Returns the JSON value of a graph, with sorted keys. [`graph_from_json`] reads the same graph from it if its quantities
/// nest at most 48 operators.
///
/// ```
/// use crd2idx::json::{graph_to_json, parse_graph};
/// let graph = parse_graph(r#"{"nodes": [{"name": "k", "size": {"param": "n"}}], "edges": [], "parameters": [{"name": "n", "min": 1}]}"#)?;
/// let value = graph_to_json(&graph);
/// assert_eq!(value["nodes"][0], serde_json::json!({"name": "k", "size": "n", "stride": null}));
/// # Ok::<(), crd2idx::json::JsonError>(())
/// ```
pub fn graph_to_json(graph: &CoordGraph) -> Value {
    let mut value = write::graph(graph);
    value.sort_all_objects();
    value
}

/// Parses a JSON text. The keys of each object are sorted, whatever features `serde_json` has.
///
/// Fails if the text is not JSON, or if an object has a key twice, because readers differ in which value they take.
///
/// ```
/// let error = crd2idx::json::parse(r#"{"size": 4, "size": 5}"#).unwrap_err();
/// assert!(error.to_string().starts_with("the key `size` occurs twice"));
/// ```
pub fn parse(text: &str) -> Result<Value, JsonError> {
    sparse_formats::binsparse::parse_json(text).map_err(JsonError::syntax)
}

/// Parses a JSON text and reads the graph.
///
/// Fails as [`parse`] and [`graph_from_json`] do.
///
/// ```
/// let error = crd2idx::json::parse_graph(r#"{"nodes": [}"#).unwrap_err();
/// assert_eq!(error.to_string(), "expected value at line 1 column 12");
/// ```
pub fn parse_graph(text: &str) -> Result<CoordGraph, JsonError> {
    graph_from_json(&parse(text)?)
}

/// Returns the mode of Flatten with this name: `declared`, `sizes` or `strides`; `None` for unknown names. Recorded test
/// cases have other names: `any` and `size-driven` mean sizes, and `seed-stride` means strides.
///
/// ```
/// use crd2idx::graph::FlattenMode;
/// assert_eq!(crd2idx::json::flatten_from_name("any"), Some(FlattenMode::Sizes));
/// ```
pub fn flatten_from_name(name: &str) -> Option<FlattenMode> {
    Some(match name {
        "declared" => FlattenMode::Declared,
        "sizes" | "any" | "size-driven" => FlattenMode::Sizes,
        "strides" | "seed-stride" => FlattenMode::Strides,
        _ => return None,
    })
}

/// The names that [`flatten_from_name`] accepts.
///
/// ```
/// use crd2idx::graph::FlattenMode;
/// use crd2idx::json::{FLATTEN_NAMES, flatten_from_name};
/// /// Reads the argument of a command.
/// fn argument(name: &str) -> Result<FlattenMode, String> {
///     flatten_from_name(name).ok_or_else(|| format!("`{name}` is not one of {FLATTEN_NAMES}"))
/// }
/// assert_eq!(argument("strides"), Ok(FlattenMode::Strides));
/// assert!(argument("stride").is_err_and(|error| error.ends_with("declared, sizes, strides, any, size-driven, seed-stride")));
/// ```
pub const FLATTEN_NAMES: &str = "declared, sizes, strides, any, size-driven, seed-stride";

/// Joins names to one text: `a, b, c`.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
