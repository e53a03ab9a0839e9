//! Replaces or adds a group in an existing HDF5 file.

use super::hdf5::{put as put_array, text_of};
use super::{DESCRIPTOR, Encoded, tensor_arrays};
use crate::error::{FileError, Result};
use crate::hdf5::{damaged, whole};
use crate::location::names_of;
use crate::signature::user_block;
use hdf5_pure::{File, Group};
use std::path::Path;

/// Lists the contents that would be lost if a tensor replaced a group, or the root, of a file. Fails if the file is damaged, or
/// if the path names an array.
pub(crate) fn others(path: &Path, group: Option<&str>) -> Result<Vec<String>> {
    let file = whole(File::open_streaming(path).map_err(damaged)?)?;
    let all = group.is_none();
    let Found { group, missing } = find(file.root(), group.unwrap_or_default())?;
    if !missing.is_empty() {
        return Ok(Vec::new());
    }
    let mut attributes = group.attr_datatypes().map_err(damaged)?;
    let mut known = Vec::new();
    if attributes.remove(DESCRIPTOR).is_some() {
        let descriptor = group.attrs().map_err(damaged)?.get(DESCRIPTOR).and_then(|text| text.as_strings()?.first().cloned());
        known = tensor_arrays(&descriptor.unwrap_or_default())?;
    }
    let mut names: Vec<String> = attributes.into_keys().map(|name| format!("attribute {name}")).collect();
    for name in group.datasets().map_err(damaged)? {
        if known.contains(&name) {
            let attributes = group.dataset(&name).and_then(|array| array.attr_datatypes()).map_err(damaged)?;
            names.extend(attributes.into_keys().map(|attribute| format!("attribute {attribute} of {name}")));
        } else {
            names.push(name);
        }
    }
    names.extend(group.groups().map_err(damaged)?);
    names.extend(group.named_datatypes().map_err(damaged)?);
    if all && let Some(bytes) = user_block(&mut std::fs::File::open(path)?)?.filter(|bytes| *bytes > 0) {
        names.push(format!("a user block of {bytes} bytes"));
    }
    names.sort();
    Ok(names)
}

/// Writes a tensor to a group of a file, and replaces the contents of the group. The rest of the file stays as it is.
///
/// Fails if the path names an array, or if the file has contents that the library cannot keep.
pub(crate) fn put(path: &Path, encoded: &Encoded<'_>, group: &str) -> Result<()> {
    let file = whole(File::open_rw(path).map_err(damaged)?)?;
    let Found { missing, .. } = find(file.root(), group)?;
    let names = names_of(group)?;
    let (root, group) = (file.root(), names.join("/"));
    if missing.is_empty() {
        root.delete(&group).map_err(damaged)?;
    }
    // Create the missing enclosing groups one by one.
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

fn find(mut group: Group, path: &str) -> Result<Found> {
    let mut names = names_of(path)?.into_iter();
    while let Some(name) = names.next() {
        let has = |known: Vec<String>| known.iter().any(|known| known == name);
        if has(group.groups().map_err(damaged)?) {
            group = group.group(name).map_err(damaged)?;
        } else if has(group.datasets().map_err(damaged)?) {
            return Err(FileError::NoPlace { what: format!("a group at `{path}`, because `{name}` is an array"), kind: "this container" });
        } else {
            let missing = [name].into_iter().chain(names).map(str::to_owned).collect();
            return Ok(Found { group, missing });
        }
    }
    Ok(Found { group, missing: Vec::new() })
}
