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

use super::answer::{Answer, Operation, Result, one_of};
pub use command::{Command, From, Stored, run};
use serde_json::Value;

/// The operations, by name.
const OPERATIONS: &[(&str, Operation)] = &[
    ("sparse.build", levels::build),
    ("sparse.decode", levels::decode),
    ("sparse.custom", interop::custom_levels),
    ("sparse.mlir", interop::mlir),
    ("sparse.gcs", gcs::gcs),
    ("sparse.gcxs", gcs::gcxs),
    ("sparse.validate", validate::validate),
    ("sparse.blocked", blocked::blocked),
    ("sparse.unblock", blocked::unblock),
    ("sparse.kernel", kernel::kernel),
];

/// The answer to a request.
pub fn answer(name: &str, request: &Value) -> Result<Answer> {
    one_of(OPERATIONS, name, request)
}
