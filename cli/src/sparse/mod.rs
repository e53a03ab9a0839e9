//! The operations `sparse.*` of `batch`, and `crd2idx sparse`.

mod blocked;
mod command;
mod gcs;
mod interop;
mod kernel;
mod levels;
mod parts;
mod real;
pub mod report;
mod request;
mod validate;
mod wide;

use super::answer::{Answer, Result, Row, one_of};
pub use command::{Command, From, Stored, run};
use serde_json::Value;

/// The keys of a format and of extents.
const FORMAT: &[&str] = &["shape", "axis_order", "structure", "multigraph", "unsorted", "max_children", "balanced_level"];

/// The keys of elements by their coordinates.
const ELEMENTS: &[&str] = &["coords", "values", "duplicates", "fill"];

/// The keys of the arrays of levels, and the keys that are printed with them.
const STORED: &[&str] = &["indices", "pointers", "values", "iso", "fill", "name", "stored"];

/// The operations, by name.
const OPERATIONS: &[Row] = &[
    ("sparse.build", &[FORMAT, ELEMENTS], levels::build),
    ("sparse.decode", &[FORMAT, STORED], levels::decode),
    ("sparse.custom", &[FORMAT, ELEMENTS, &["levels"]], interop::custom_levels),
    ("sparse.mlir", &[FORMAT, ELEMENTS, &["levels"]], interop::mlir),
    ("sparse.gcs", &[&["shape", "axis_order", "split", "dense", "gcs"]], gcs::gcs),
    ("sparse.gcxs", &[&["shape", "compressed_axes"], ELEMENTS], gcs::gcxs),
    ("sparse.validate", &[&["kind", "input"], validate::FILE], validate::validate),
    ("sparse.blocked", &[&["format", "shape", "partitions"], blocked::PARAMETERS, ELEMENTS], blocked::blocked),
    ("sparse.unblock", &[&["format", "shape", "partitions", "arrays"], blocked::PARAMETERS], blocked::unblock),
    ("sparse.kernel", &[&["kernel", "format", "parameters", "shape"], ELEMENTS, kernel::KEYS], kernel::kernel),
];

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer> {
    one_of(OPERATIONS, name, request)
}
