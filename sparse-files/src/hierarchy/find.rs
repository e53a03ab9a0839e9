//! The search for a tensor in a container.

use super::{anndata, tenx};
use crate::binsparse::DESCRIPTOR;
use crate::error::{FileError, Result};
use crate::tree::Tree;
use sparse_formats::Format;

/// The limits of a search: the number of groups that it opens, and their depth.
const MOST_GROUPS: usize = 1000;
const MOST_DEPTH: usize = 8;

/// A tensor that was found in a container, but has not been read.
pub(super) struct Found<T> {
    /// The group that is the tensor or has its array, and the path of the tensor.
    pub group: T,
    pub path: String,
    pub what: What,
}

/// The way in which a group stores a tensor.
pub(super) enum What {
    /// The group has this descriptor, and the arrays that it names.
    Binsparse(String),
    /// The group is a matrix of this format of AnnData. An attribute has the extents.
    AnnData(Format),
    /// The group is a matrix of 10x Genomics, in compressed columns. An array has the extents.
    TenX,
    /// The array of this name in the group stores all elements.
    Array(String),
}

impl What {
    /// Returns the way in which a group stores a tensor, or `None` if the group is no tensor.
    fn of(group: &impl Tree) -> Result<Option<What>> {
        if let Some(descriptor) = group.text(DESCRIPTOR) {
            return Ok(Some(What::Binsparse(descriptor)));
        }
        if let Some(format) = anndata::format(group) {
            return Ok(Some(What::AnnData(format)));
        }
        Ok(tenx::is_matrix(group)?.then_some(What::TenX))
    }
}

/// Finds the tensor at the path of a group or an array. The path of an AnnData stands for its `X`.
///
/// Without a path, finds the tensor of the root. If the root is not a tensor, finds the only group that is one, unless the root
/// is an AnnData or the search was cut. Otherwise, and if the path leads to no tensor, fails with the paths of the tensors that
/// the search found.
pub(super) fn find<T: Tree>(root: T, path: Option<&str>) -> Result<Found<T>> {
    let names: Vec<&str> = path.into_iter().flat_map(|path| path.split('/')).filter(|name| !name.is_empty()).collect();
    let path = names.join("/");
    // The groups on the path to the last one, which may be the root.
    let (mut outer, mut group): (Vec<T>, T) = (Vec::new(), root);
    for (at, name) in names.iter().enumerate() {
        match group.group(name)? {
            Some(inner) => outer.push(std::mem::replace(&mut group, inner)),
            None if at + 1 == names.len() && group.has_array(name)? => {
                return Ok(Found { group, path, what: What::Array((*name).into()) });
            }
            None => {
                let place = format!("at `{path}`, which is neither a group nor an array");
                return Err(FileError::NoTensor { place, tensors: tensors(outer.first().unwrap_or(&group))?.paths });
            }
        }
    }
    if let Some(what) = What::of(&group)? {
        return Ok(Found { group, path, what });
    }
    if anndata::is_root(&group)? {
        let path = if path.is_empty() { anndata::MAIN.into() } else { format!("{path}/{}", anndata::MAIN) };
        if let Some(main) = group.group(anndata::MAIN)?
            && let Some(what) = What::of(&main)?
        {
            return Ok(Found { group: main, path, what });
        }
        if group.has_array(anndata::MAIN)? {
            return Ok(Found { group, path, what: What::Array(anndata::MAIN.into()) });
        }
    }
    let root = outer.first().unwrap_or(&group);
    let tensors = tensors(root)?;
    match &tensors.paths[..] {
        [only] if names.is_empty() && !tensors.cut && !anndata::is_root(root)? => {
            let only = only.clone();
            find(group, Some(&only))
        }
        _ => {
            let place = if names.is_empty() { "in the root".into() } else { format!("in the group `{path}`") };
            Err(FileError::NoTensor { place, tensors: tensors.paths })
        }
    }
}

/// The result of a search for tensors in a container.
#[derive(Default)]
struct Tensors {
    /// The paths of groups that are tensors. Arrays that store all elements are not listed.
    paths: Vec<String>,
    /// The number of groups that have been opened.
    opened: usize,
    /// True if the search stopped before it had opened all groups.
    cut: bool,
}

/// Lists the groups below a root that are tensors, up to the limits of a search. Fails if a group cannot be read.
fn tensors(root: &impl Tree) -> Result<Tensors> {
    let mut found = Tensors::default();
    below(root, "", 0, &mut found)?;
    Ok(found)
}

fn below(group: &impl Tree, path: &str, depth: usize, found: &mut Tensors) -> Result<()> {
    for name in group.groups()? {
        // The groups of a damaged file may contain themselves.
        if found.opened == MOST_GROUPS || depth == MOST_DEPTH {
            found.cut = true;
            return Ok(());
        }
        found.opened += 1;
        let Some(inner) = group.group(&name)? else { continue };
        let path = format!("{path}{name}");
        if What::of(&inner)?.is_some() {
            found.paths.push(path);
        } else if anndata::may_have_matrices(&inner) {
            below(&inner, &format!("{path}/"), depth + 1, found)?;
        }
    }
    Ok(())
}
