//! The operations `sparse.*` of `batch`, and `crd2idx sparse`.

mod blocked;
mod command;
mod gcs;
mod interop;
mod kernel;
mod levels;
mod request;
mod validate;
mod wide;

use super::answer::{Answer, success, unknown};
pub use command::{Command, From, run};
use request::Refusal;
use serde_json::Value;

/// The operations, by name.
type Operation = fn(&Value) -> Result<Value, Refusal>;

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
pub fn answer(name: &str, request: &Value) -> Result<Answer, Answer> {
    let (_, operation) = OPERATIONS.iter().find(|(known, _)| *known == name).ok_or_else(|| unknown(name))?;
    Ok(success(operation(request)?))
}
