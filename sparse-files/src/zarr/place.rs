//! Places of new groups in existing stores: what is written there, and what would be lost.

use super::group::{ARRAY_2, ATTRIBUTES_2, GROUP_2, GroupReader, METADATA, inside, json_of, metadata};
use super::store::{Store, StoreWriter, damaged};
use crate::error::{FileError, Result};
use crate::tree::Tree;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// The key in the metadata of a group under which a copy of all metadata below the group is stored.
const CONSOLIDATED: &str = "consolidated_metadata";
/// The file with this copy in version 2.
const CONSOLIDATED_2: &str = ".zmetadata";

/// The place in a store where a group is written.
pub(crate) struct Place {
    /// The path of the outermost group that is new or replaced. It ends with a slash unless it is the root.
    pub prefix: String,
    /// The path of the group to write, inside `prefix`.
    pub rest: String,
    /// The keys of the metadata of enclosing groups with consolidated metadata, and this metadata without the consolidated one.
    pub around: Vec<(String, Vec<u8>)>,
}

impl Place {
    /// Finds the place where the group of this path is to be written.
    ///
    /// Fails if the path leads through an array or a group of version 2, or if metadata on it is damaged.
    pub fn find(store: &dyn Store, group: &str) -> Result<Place> {
        let path = inside(Some(group))?;
        let mut around = Vec::new();
        for (end, _) in path.match_indices('/') {
            // All groups around `outer` exist: an earlier turn would have returned at the first that is missing.
            let outer = &path[..path[..end].rfind('/').map_or(0, |at| at + 1)];
            let key = format!("{outer}{METADATA}");
            let Some(metadata) = metadata(store, &key)? else {
                if store.get(&format!("{outer}{GROUP_2}"), 0)?.is_some() {
                    let what = format!("the group `{path}` of version 3 inside the group `{outer}` of version 2");
                    return Err(FileError::NoPlace { what, kind: "Zarr" });
                }
                return Ok(Place { prefix: outer.into(), rest: path[outer.len()..].into(), around });
            };
            let mut keys: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(&metadata).map_err(damaged)?;
            if keys.get("node_type").is_some_and(|kind| kind.get() == "\"array\"") {
                let what = format!("a group at `{path}`, because `{outer}` is an array");
                return Err(FileError::NoPlace { what, kind: "this container" });
            }
            GroupReader::open(store, Some(outer))?;
            if keys.remove(CONSOLIDATED).is_some() {
                around.push((key, serde_json::to_vec_pretty(&keys).map_err(damaged)?));
            }
        }
        Ok(Place { prefix: path, rest: String::new(), around })
    }

    /// Lists the contents that would be lost if a tensor replaced this place. `descriptor` is the attribute with the
    /// descriptor of a tensor, and `arrays` lists the names of its arrays.
    ///
    /// An array belongs to the tensor if its metadata only says how to read it, and if its only files are metadata and chunks.
    /// Fails if metadata is damaged, or if `arrays` fails.
    pub fn others(&self, store: &dyn Store, descriptor: &str, arrays: impl Fn(&str) -> Result<Vec<String>>) -> Result<Vec<String>> {
        let keys = store.below(&self.prefix)?;
        let has = |name: &str| keys.iter().any(|key| key == name);
        let metadata: &[&str] = match [METADATA, GROUP_2].map(has) {
            [true, _] => &[METADATA],
            [_, true] => &[GROUP_2, ATTRIBUTES_2, CONSOLIDATED_2],
            _ => &[],
        };
        let (mut others, mut beside) = (BTreeSet::new(), Vec::new());
        let mut tensor = Vec::new();
        let group = if metadata.is_empty() { None } else { Some(GroupReader::open(store, Some(&self.prefix))?) };
        if let Some(group) = &group {
            if let Some(descriptor) = group.text(descriptor) {
                tensor = arrays(&descriptor)?;
            }
            let about = json_of(store, &format!("{}{}", self.prefix, metadata[0]))?.unwrap_or_default();
            beside.extend(
                unknown(&about, &["zarr_format", "node_type", "attributes", CONSOLIDATED]).map(|key| format!("{key} of {}", metadata[0])),
            );
            beside.extend(group.attributes().filter(|name| *name != descriptor).map(|name| format!("attribute {name}")));
        }
        let mut known = Vec::new();
        for name in &tensor {
            let Some((array, about)) = group.as_ref().map(|group| group.known_array(name)).transpose()?.flatten() else { continue };
            let of_array = about_array(store, &format!("{}{name}/", self.prefix), &about)?;
            beside.extend(of_array.into_iter().map(|what| format!("{what} of {name}")));
            known.push((format!("{name}/"), array, if about["zarr_format"] == 2 { &[ARRAY_2, ATTRIBUTES_2][..] } else { &[METADATA] }));
        }
        for key in keys.iter().filter(|key| !metadata.contains(&&key[..])) {
            let name = key.split('/').next().filter(|name| !name.is_empty()).unwrap_or(key);
            let inside = known.iter().find_map(|(path, array, metadata)| Some((key.strip_prefix(&path[..])?, array, metadata)));
            match inside {
                // A folder without files has nothing to lose; archives may list all folders.
                Some((rest, ..)) if rest.is_empty() || rest.ends_with('/') => {}
                Some((rest, array, metadata)) if metadata.contains(&rest) || array.has_chunk(&format!("{}{key}", self.prefix)) => {}
                Some(_) => drop(others.insert(key.clone())),
                None => drop(others.insert(name.to_owned())),
            }
        }
        Ok(others.into_iter().chain(beside).collect())
    }
}

/// Lists the keys in the metadata of an array that do not say how to read it, and its attributes. Fails if metadata is damaged.
fn about_array(store: &dyn Store, path: &str, about: &Value) -> Result<Vec<String>> {
    const KNOWN: [&str; 14] = [
        "attributes",
        "chunk_grid",
        "chunk_key_encoding",
        "chunks",
        "codecs",
        "compressor",
        "data_type",
        "dimension_separator",
        "dtype",
        "fill_value",
        "filters",
        "node_type",
        "order",
        "shape",
    ];
    let attributes =
        if about["zarr_format"] == 2 { json_of(store, &format!("{path}{ATTRIBUTES_2}"))? } else { about.get("attributes").cloned() };
    let attributes = attributes.unwrap_or_default();
    let named = attributes.as_object().into_iter().flat_map(|attributes| attributes.keys()).map(|name| format!("attribute {name}"));
    Ok(unknown(about, &KNOWN).filter(|key| *key != "zarr_format").map(str::to_owned).chain(named).collect())
}

/// Returns the keys of a JSON object that are not `known`, and whose values are neither null nor empty.
fn unknown<'a>(about: &'a Value, known: &[&str]) -> impl Iterator<Item = &'a str> {
    fn says(value: &Value) -> bool {
        match value {
            Value::Null => false,
            Value::Array(values) => values.iter().any(says),
            Value::Object(values) => !values.is_empty(),
            _ => true,
        }
    }
    let entries = about.as_object().into_iter().flatten();
    entries.filter(|(key, value)| !known.contains(&&key[..]) && says(value)).map(|(key, _)| &key[..])
}

/// A writer to the part of a store below a prefix: it puts the prefix before each key.
pub(crate) struct Below<'s> {
    pub store: &'s mut dyn StoreWriter,
    pub prefix: &'s str,
}

impl StoreWriter for Below<'_> {
    fn put(&mut self, key: &str, bytes: &[u8]) -> Result<()> {
        self.store.put(&format!("{}{key}", self.prefix), bytes)
    }
}
