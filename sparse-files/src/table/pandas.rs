//! The metadata of pandas about the columns that store the index of a frame.

/// The key of the metadata that pandas writes.
const KEY: &str = "pandas";

/// Tests whether a column contains row labels that pandas wrote without a name, as it does for a frame that was
/// filtered or sorted.
pub(super) fn is_label(metadata: &[(String, String)], column: &str) -> bool {
    column.starts_with("__index_level_") && index(metadata).iter().any(|known| known == column)
}

/// Returns the names of the columns of the index of a frame. The list is empty if pandas did not write the table.
pub(super) fn index(metadata: &[(String, String)]) -> Vec<String> {
    let text = metadata.iter().find(|(key, _)| key == KEY).map_or("", |(_, text)| text);
    let about: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let columns = about["index_columns"].as_array().map_or(&[][..], Vec::as_slice);
    // An index that only counts rows is an object in the metadata, and has no column.
    columns.iter().filter_map(|column| column.as_str().map(str::to_owned)).collect()
}
