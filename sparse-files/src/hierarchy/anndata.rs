//! AnnData: matrices of observations and variables, in the groups of the current version and of versions before 0.7.
//!
//! The page `fileformat-prose` in the documentation of the Python package specifies the groups and their attributes.

use super::of_matrix;
use crate::error::{FileError, Result};
use crate::tree::Tree;
use sparse_formats::Format;

/// The attribute with the type of a group, and its counterpart in versions before 0.7.
const TYPE: &str = "encoding-type";
const OLD_TYPE: &str = "h5sparse_format";
/// The attribute with the extents of a matrix, and its counterpart in versions before 0.7.
const SHAPE: &str = "shape";
const OLD_SHAPE: &str = "h5sparse_shape";
/// The types of groups that contain matrices. A MuData contains them inside AnnData.
const WITH_MATRICES: [&str; 4] = ["anndata", "dict", "raw", "MuData"];

/// The name of the main matrix of an AnnData.
pub const MAIN: &str = "X";

/// Returns the format of a group that is a sparse matrix: compressed rows or columns. Returns `None` for other groups.
pub fn format(group: &impl Tree) -> Option<Format> {
    match group.text(TYPE).or_else(|| group.text(OLD_TYPE))?.as_str() {
        "csr_matrix" | "csr" => Some(Format::csr()),
        "csc_matrix" | "csc" => Some(Format::csc()),
        _ => None,
    }
}

/// Returns the extents of a sparse matrix, from the attribute `shape` of its group. Versions before 0.7 call the
/// attribute `h5sparse_shape`.
///
/// Fails if the group has neither attribute, or if the attribute does not have two numbers.
pub fn shape(group: &impl Tree) -> Result<[u64; 2]> {
    let extents = group.numbers(SHAPE).or_else(|| group.numbers(OLD_SHAPE));
    of_matrix("the attribute `shape`", extents.ok_or_else(|| FileError::Missing { array: "the attribute `shape`".into() })?)
}

/// Tests whether a group is an AnnData. Versions before 0.8 have no attribute for this, but always have the members `X`, `obs`
/// and `var`.
pub fn is_root(group: &impl Tree) -> Result<bool> {
    match group.text(TYPE) {
        Some(of) => Ok(of == "anndata"),
        None => {
            for name in [MAIN, "obs", "var"] {
                if !group.has_array(name)? && group.group(name)?.is_none() {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// Tests whether a group may contain matrices, in it or in its inner groups. Tables and their columns contain none.
pub fn may_have_matrices(group: &impl Tree) -> bool {
    group.text(TYPE).is_none_or(|of| WITH_MATRICES.contains(&&of[..]))
}
