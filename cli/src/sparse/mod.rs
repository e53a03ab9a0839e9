//! Sparse tensors: `crd2idx sparse`, and the requests `sparse.*` of `batch`.

mod blocked;
mod command;
mod composite;
mod contract;
mod gcs;
mod interop;
mod kernel;
mod levels;
mod long_key;
pub mod report;
mod request;
mod validate;

use crate::request::requests;
pub use command::{Command, From, Stored, run};

requests! {
    /// Builds the arrays of a tensor in a format from coordinates and values.
    "sparse.build" of "levels" => levels::build;
    /// Returns the coordinates and values of a tensor from its arrays.
    "sparse.decode" of "levels" => levels::decode;
    /// Builds the arrays of a tensor under the names of custom binary sparse files.
    "sparse.custom" of "levels" => interop::custom_levels;
    /// Builds the arrays of a tensor under the names of MLIR, and its encoding there.
    "sparse.mlir" of "levels" => interop::mlir;
    /// Converts coordinates of axes into coordinates of groups of axes, or back.
    "sparse.gcs" of "gcs" => gcs::gcs;
    /// Builds the compressed rows of a tensor whose axes form two groups.
    "sparse.gcxs" of "gcxs" => gcs::gcxs;
    /// Checks arrays, and names the first wrong number.
    "sparse.validate" of "levels" => validate::validate;
    /// Builds the arrays of a tensor in a blocked, hybrid or linearised format, under their names in papers.
    "sparse.blocked" of "blocked" => blocked::blocked;
    /// Returns the coordinates and values of a tensor from the arrays of a blocked, hybrid or linearised format.
    "sparse.unblock" of "blocked" => blocked::unblock;
    /// Computes a product or a reduction of a tensor in a format.
    "sparse.kernel" of "kernel" => kernel::kernel;
    /// Contracts sparse tensors and dense arrays by subscripts.
    "sparse.contract" of "contraction" => contract::contract;
}
