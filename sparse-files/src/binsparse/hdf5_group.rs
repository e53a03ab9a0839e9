//! Groups in files of HDF5 that have others already.

use super::hdf5::{put as put_array, text_of};
use super::{DESCRIPTOR, Encoded, is_array};
use crate::error::{FileError, Result};
use crate::hdf5::{damaged, whole};
use hdf5_pure::{File, Group};
use std::path::Path;

/// Lists what would be lost if a tensor replaced all that is in a group, or in the root, of a file.
pub(crate) fn others(path: &Path, group: Option<&str>) -> Result<Vec<String>> {
    let file = whole(File::open_streaming(path).map_err(damaged)?)?;
    let Found { group, missing } = find(file.root(), group.unwrap_or_default())?;
    if !missing.is_empty() {
        return Ok(Vec::new());
    }
    let attributes = group.attr_datatypes().map_err(damaged)?;
    let tensor = attributes.contains_key(DESCRIPTOR);
    let mut names = group.datasets().map_err(damaged)?;
    names.retain(|name| !(tensor && is_array(name)));
    names.extend(group.groups().map_err(damaged)?);
    names.extend(group.named_datatypes().map_err(damaged)?);
    names.extend(attributes.into_keys().filter(|name| name != DESCRIPTOR).map(|name| format!("attribute {name}")));
    names.sort();
    Ok(names)
}

/// Writes a tensor to a group of a file, in place of all that is in that group. The rest of the file stays as it is.
///
/// Fails where the path names an array, and where the file has what the library cannot keep.
pub(crate) fn put(path: &Path, encoded: &Encoded<'_>, group: &str) -> Result<()> {
    let file = whole(File::open_rw(path).map_err(damaged)?)?;
    let Found { missing, .. } = find(file.root(), group)?;
    let names: Vec<&str> = names(group).collect();
    let (root, group) = (file.root(), names.join("/"));
    if missing.is_empty() {
        root.delete(&group).map_err(damaged)?;
    }
    // Each group on the way is made by itself.
    for end in names.len() - missing.len() + 1..names.len() {
        root.create_group(&names[..end].join("/")).map_err(damaged)?;
    }
    let descriptor = text_of(encoded)?;
    let made = root.create_group_with(&group, |group| {
        group.set_attr(DESCRIPTOR, descriptor);
        for (name, array) in &encoded.arrays {
            group.create_dataset(name, |dataset| put_array(dataset, array));
        }
    });
    made.map_err(damaged)?;
    file.close().map_err(damaged)
}

/// The innermost group of a path that exists, and the names that follow it.
struct Found {
    group: Group,
    missing: Vec<String>,
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

fn find(mut group: Group, path: &str) -> Result<Found> {
    let mut names = names(path);
    while let Some(name) = names.next() {
        let has = |known: Vec<String>| known.iter().any(|known| known == name);
        if has(group.groups().map_err(damaged)?) {
            group = group.group(name).map_err(damaged)?;
        } else if has(group.datasets().map_err(damaged)?) {
            return Err(FileError::NoPlace { what: format!("a group at `{path}`, where `{name}` is an array,"), kind: "this container" });
        } else {
            let missing = [name].into_iter().chain(names).map(str::to_owned).collect();
            return Ok(Found { group, missing });
        }
    }
    Ok(Found { group, missing: Vec::new() })
}
