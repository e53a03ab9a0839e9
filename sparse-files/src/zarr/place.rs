//! Places of groups in stores that have others already.

use super::group::{ATTRIBUTES_2, GROUP_2, Group, METADATA, inside, metadata};
use super::store::{Store, StoreWriter, damaged};
use crate::error::{FileError, Result};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The key, in the metadata of a group, of a copy of all metadata below it.
const CONSOLIDATED: &str = "consolidated_metadata";
/// The file of the same in version 2.
const CONSOLIDATED_2: &str = ".zmetadata";

/// Where a group is written in a store.
pub(crate) struct Place {
    /// The path of the outermost group that is new or replaced, with a slash behind it unless it is the root.
    pub prefix: String,
    /// The path of the group inside that one.
    pub rest: String,
    /// The metadata of the groups around it that say what is below them, without what they say.
    pub around: Vec<(String, Vec<u8>)>,
}

impl Place {
    /// Finds the place of the group of this path.
    ///
    /// Fails where an array is on the way, and where the groups on the way are of version 2.
    pub fn find(store: &dyn Store, group: &str) -> Result<Place> {
        let path = inside(Some(group))?;
        let mut around = Vec::new();
        for (end, _) in path.match_indices('/') {
            // All groups around the next name exist.
            let outer = &path[..path[..end].rfind('/').map_or(0, |at| at + 1)];
            let key = format!("{outer}{METADATA}");
            let Some(metadata) = metadata(store, &key)? else {
                if store.get(&format!("{outer}{GROUP_2}"), 0)?.is_some() {
                    let what = format!("a group of version 3, `{path}`, inside one of version 2, `{outer}`,");
                    return Err(FileError::NoPlace { what, kind: "Zarr" });
                }
                return Ok(Place { prefix: outer.into(), rest: path[outer.len()..].into(), around });
            };
            let mut keys: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(&metadata).map_err(damaged)?;
            if keys.get("node_type").is_some_and(|kind| kind.get() == "\"array\"") {
                let what = format!("a group at `{path}`, where `{outer}` is an array,");
                return Err(FileError::NoPlace { what, kind: "this container" });
            }
            Group::open(store, Some(outer))?;
            if keys.remove(CONSOLIDATED).is_some() {
                around.push((key, serde_json::to_vec_pretty(&keys).map_err(damaged)?));
            }
        }
        Ok(Place { prefix: path, rest: String::new(), around })
    }

    /// Lists what would be lost if a tensor, whose arrays have names that `is_array` knows and whose descriptor is the attribute of this name, replaced all that is in this place.
    pub fn others(&self, store: &dyn Store, descriptor: &str, is_array: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        let names = store.names(&self.prefix)?;
        if !names.iter().any(|name| name == METADATA || name == GROUP_2) {
            return Ok(names);
        }
        let group = Group::open(store, Some(&self.prefix))?;
        let tensor = group.attribute(descriptor).is_some();
        let known = |name: &str| [METADATA, GROUP_2, ATTRIBUTES_2, CONSOLIDATED_2].contains(&name) || tensor && is_array(name);
        let attributes = group.attributes().filter(|name| *name != descriptor).map(|name| format!("attribute {name}"));
        Ok(names.into_iter().filter(|name| !known(name)).chain(attributes).collect())
    }
}

/// The files of a store whose keys begin with a prefix, which is left out of them.
pub(crate) struct Below<'s> {
    pub store: &'s mut dyn StoreWriter,
    pub prefix: &'s str,
}

impl StoreWriter for Below<'_> {
    fn put(&mut self, key: &str, bytes: &[u8]) -> Result<()> {
        self.store.put(&format!("{}{key}", self.prefix), bytes)
    }
}
