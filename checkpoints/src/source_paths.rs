//! The files of a source, and which of them has a tensor of a rank.

use crate::contents::Contents;
use crate::error::{CheckpointError, Result};
use crate::journal::is_inside;
use crate::spec::CheckpointSpec;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The file of all whole tensors.
pub(crate) const SINGLE: &str = "model.safetensors";
/// The file that tells which file has which whole tensor.
pub(crate) const INDEX: &str = "model.safetensors.index.json";

/// The files of a checkpoint.
pub(crate) struct SourcePaths {
    /// Each path, with the name of the tensor if the name of the file has it.
    pub paths: Vec<(PathBuf, Option<String>)>,
    /// The number of each file. `None` stands for the files of Hugging Face, whose contents say which tensors they have.
    pub numbers: Option<Numbers>,
}

impl SourcePaths {
    /// Lists the files of a checkpoint. Fails if the file of a rank is missing, or if no file has the name of a tensor.
    pub fn find(folder: &Path, spec: &CheckpointSpec) -> Result<SourcePaths> {
        let (mut paths, mut numbers): (Vec<(PathBuf, Option<String>)>, _) = (vec![], HashMap::new());
        let mut add = |name: String, tensor: Option<String>| {
            let number = *numbers.entry(name).or_insert_with_key(|name| {
                paths.push((folder.join(name), tensor.clone()));
                paths.len() - 1
            });
            let (path, other) = &paths[number];
            match (&tensor, other) {
                (Some(one), Some(other)) if one != other => {
                    let reason = format!("its name is that of tensor `{other}` and of tensor `{one}`: `files` needs more text");
                    Err(CheckpointError::file(path, reason))
                }
                _ => Ok(()),
            }
        };
        let names = if spec.has_file_for_each_tensor() { names_within(folder)? } else { vec![] };
        for rank in 0..spec.ranks() {
            match spec.around(rank)? {
                None => {
                    let whole = hugging_face(folder)?.into_iter().map(|path| (path, None)).collect();
                    return Ok(SourcePaths { paths: whole, numbers: None });
                }
                Some((name, None)) => {
                    let path = folder.join(&name);
                    if !path.exists() {
                        return Err(CheckpointError::file(&path, format!("the file of rank {rank} of {} is missing", spec.ranks())));
                    }
                    add(name, None)?;
                }
                Some((before, Some(after))) => {
                    let tensor = |name: &String| Some(name.strip_prefix(&before)?.strip_suffix(&after)?.to_owned());
                    for (name, tensor) in names.iter().filter_map(|name| Some((name, tensor(name)?))) {
                        add(name.clone(), Some(tensor))?;
                    }
                }
            }
        }
        if paths.is_empty() {
            return Err(CheckpointError::file(folder, "no file in it has a name of the pattern `files`"));
        }
        Ok(SourcePaths { paths, numbers: Some(Numbers::OfFiles(numbers)) })
    }
}

/// Returns the names of all files in a folder and its folders, sorted, with `/` between the parts. Leaves out names that begin with a dot. Follows
/// links, and fails if they lead in a circle.
fn names_within(folder: &Path) -> Result<Vec<String>> {
    let (mut names, mut folders) = (vec![], vec![(folder.to_path_buf(), String::new())]);
    while let Some((folder, before)) = folders.pop() {
        let io = CheckpointError::io(&folder);
        let real = folder.canonicalize().map_err(&io)?;
        if folder.ancestors().skip(1).any(|outer| outer.canonicalize().is_ok_and(|outer| outer == real)) {
            return Err(CheckpointError::file(&folder, "links lead from this folder back to it"));
        }
        for entry in std::fs::read_dir(&folder).map_err(&io)? {
            let entry = entry.map_err(&io)?;
            // A name that is no text becomes one that no file has, and reading it fails.
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            match entry.path().is_dir() {
                true => folders.push((entry.path(), format!("{before}{name}/"))),
                false => names.push(format!("{before}{name}")),
            }
        }
    }
    names.sort();
    Ok(names)
}

/// Returns the files of whole tensors in a folder: `model.safetensors`, the files of an index, or all that end in `.safetensors`.
fn hugging_face(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.join(SINGLE).exists() {
        return Ok(vec![folder.join(SINGLE)]);
    }
    if folder.join(INDEX).exists() {
        let names: BTreeSet<String> = weight_map(folder)?.into_values().collect();
        return Ok(names.into_iter().map(|name| folder.join(name)).collect());
    }
    let entries = std::fs::read_dir(folder).map_err(CheckpointError::io(folder))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>().map_err(CheckpointError::io(folder))?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "safetensors"));
    paths.sort();
    if paths.is_empty() {
        return Err(CheckpointError::file(folder, "the folder has no file that ends in .safetensors"));
    }
    Ok(paths)
}

/// Reads the index: the name of the file of each tensor. Fails for names outside of the folder.
fn weight_map(folder: &Path) -> Result<BTreeMap<String, String>> {
    #[derive(serde::Deserialize)]
    struct Index {
        weight_map: BTreeMap<String, String>,
    }
    let path = folder.join(INDEX);
    let text = std::fs::read_to_string(&path).map_err(CheckpointError::io(&path))?;
    let Index { weight_map } = serde_json::from_str(&text).map_err(|error| CheckpointError::file(&path, error.to_string()))?;
    match weight_map.iter().find(|(_, file)| !is_inside(file)) {
        Some((tensor, file)) => Err(CheckpointError::file(&path, format!("tensor `{tensor}` is in `{file}`, which is not in the folder"))),
        None => Ok(weight_map),
    }
}

/// The numbers of files.
pub(crate) enum Numbers {
    /// The keys are names of files.
    OfFiles(HashMap<String, usize>),
    /// The keys are names of tensors. The only rank has all files.
    OfTensors(HashMap<String, usize>),
}

impl Numbers {
    /// Returns the number of the file of each whole tensor. Fails if two files have one, and if a file lacks a tensor that the index says it has.
    pub fn of_tensors(folder: &Path, paths: &[PathBuf], contents: &[Contents]) -> Result<Numbers> {
        let mut numbers = HashMap::new();
        for (number, name) in contents.iter().enumerate().flat_map(|(number, one)| one.tensors.keys().map(move |name| (number, name))) {
            if let Some(other) = numbers.insert(name.clone(), number) {
                let reason = format!("{} and {} both have it", paths[other].display(), paths[number].display());
                return Err(CheckpointError::tensor(name, reason));
            }
        }
        if !folder.join(SINGLE).exists() && folder.join(INDEX).exists() {
            for (tensor, file) in weight_map(folder)? {
                let path = folder.join(file);
                if numbers.get(&tensor).is_none_or(|number| paths[*number] != path) {
                    return Err(CheckpointError::tensor(
                        &tensor,
                        format!("{} lacks it, but {INDEX} says that it is there", path.display()),
                    ));
                }
            }
        }
        Ok(Numbers::OfTensors(numbers))
    }
}
