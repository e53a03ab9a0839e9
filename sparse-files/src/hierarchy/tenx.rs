//! Matrices of 10x Genomics: one column per barcode and one row per feature. They lie in the group `matrix` or, in
//! version 2, in one group per genome.

use super::of_matrix;
use crate::error::Result;
use crate::tree::Tree;

/// Tests whether a group has the arrays of a matrix. Names of features and genes are not required, as versions store
/// them differently.
pub fn is_matrix(group: &impl Tree) -> Result<bool> {
    for name in ["barcodes", "data", "indices", "indptr", "shape"] {
        if !group.has_array(name)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads the array `shape`: the numbers of features and of barcodes. Fails if it is missing or has not two numbers.
pub fn shape(group: &impl Tree) -> Result<[u64; 2]> {
    let extents = group.need("shape", None, 2)?.into_indices("shape")?;
    of_matrix("shape", extents.iter().collect())
}
