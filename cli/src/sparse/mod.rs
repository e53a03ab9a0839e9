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

use crate::request::requests;
pub use command::{Command, From, Stored, run};

requests! {
    /// The arrays of a tensor in a format, from coordinates and values.
    "sparse.build" of "levels" => levels::build;
    /// The coordinates and values of the arrays of a tensor.
    "sparse.decode" of "levels" => levels::decode;
    /// The arrays of a tensor under the names of custom binary sparse files.
    "sparse.custom" of "levels" => interop::custom_levels;
    /// The arrays of a tensor under the names of MLIR, and its encoding there.
    "sparse.mlir" of "levels" => interop::mlir;
    /// Coordinates of axes as coordinates of groups of axes, or back.
    "sparse.gcs" of "gcs" => gcs::gcs;
    /// The compressed rows of a tensor whose axes are two groups.
    "sparse.gcxs" of "gcxs" => gcs::gcxs;
    /// Whether arrays are a tensor, and if not the first thing that is wrong.
    "sparse.validate" of "levels" => validate::validate;
    /// The arrays of a tensor in a blocked, hybrid or linearised format, under the names that papers give these.
    "sparse.blocked" of "blocked" => blocked::blocked;
    /// The coordinates and values of such arrays.
    "sparse.unblock" of "blocked" => blocked::unblock;
    /// A product or a reduction of a tensor in a format.
    "sparse.kernel" of "kernel" => kernel::kernel;
}
