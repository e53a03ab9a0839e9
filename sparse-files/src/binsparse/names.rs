//! The names of the descriptor and of the arrays of a tensor in a container.

use crate::error::Result;
use sparse_formats::binsparse::Header;

/// The name of the descriptor: an attribute of a group, or an array of an archive.
pub(crate) const DESCRIPTOR: &str = "binsparse";

/// Tests whether an array of this name can belong to a tensor.
fn is_array(name: &str) -> bool {
    let numbered = |before: &str| name.strip_prefix(before).is_some_and(|axis| axis.parse::<u32>().is_ok());
    matches!(name, "values" | "fill_value") || numbered("pointers_to_") || numbered("indices_")
}

/// Lists the names of the arrays of a tensor, from its descriptor. Fails if the descriptor is invalid.
pub(crate) fn tensor_arrays(descriptor: &str) -> Result<Vec<String>> {
    Ok(Header::parse(descriptor)?.data_types.into_keys().filter(|name| is_array(name)).collect())
}
