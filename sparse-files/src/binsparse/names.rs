//! The names that a tensor has in a container.

/// The name of the descriptor: of an attribute, or of an array of an archive.
pub(crate) const DESCRIPTOR: &str = "binsparse";

/// Tests whether a descriptor can have an array of this name.
pub(crate) fn is_array(name: &str) -> bool {
    let numbered = |before: &str| name.strip_prefix(before).is_some_and(|axis| axis.parse::<u32>().is_ok());
    matches!(name, "values" | "fill_value") || numbered("pointers_to_") || numbered("indices_")
}
