//! Formats of files: each has a reader and, if files of it are written, a writer.

use crate::contents::Contents;
use crate::error::{CheckpointError, Result};
use crate::{header, numpy};
use safetensors::Dtype;
use std::collections::BTreeMap;
use std::path::Path;

/// The format of a file, by the ending of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileFormat {
    Safetensors,
    Npy,
    Npz,
    Hdf5,
}

impl FileFormat {
    /// Returns the format of a file of this name. Names without a known ending are those of safetensors files.
    pub fn of(name: &str) -> FileFormat {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("npy") => FileFormat::Npy,
            Some("npz") => FileFormat::Npz,
            Some("h5" | "hdf5") => FileFormat::Hdf5,
            _ => FileFormat::Safetensors,
        }
    }
}

/// Reads the places of all tensors of a file. `name` is the name of the tensor in a file of one array. Fails if the file is missing or damaged.
pub(crate) fn read(path: &Path, name: Option<&str>) -> Result<Contents> {
    match FileFormat::of(&path.to_string_lossy()) {
        FileFormat::Safetensors => header::read(path),
        FileFormat::Npy => numpy::read(path, name.unwrap_or_default()),
        FileFormat::Npz => numpy::read_archive(path),
        FileFormat::Hdf5 => numpy::read_hdf5(path),
    }
}

/// Returns the first bytes of a file of these tensors, the position of each, and the number of bytes of the file. Fails if the format has no
/// such tensors.
pub(crate) fn write(
    name: &str,
    tensors: &[(&str, Dtype, &[i64])],
    metadata: &BTreeMap<String, String>,
) -> Result<(Vec<u8>, Vec<u64>, u64)> {
    match (FileFormat::of(name), tensors) {
        (FileFormat::Safetensors, _) => Ok(header::write(tensors, metadata)),
        (FileFormat::Npy, [(tensor, dtype, shape)]) => numpy::write(tensor, *dtype, shape),
        _ => {
            let reason = "is read, but not written: write `.safetensors` files, or an array for each tensor by \"{tensor}.npy\"";
            Err(CheckpointError::spec(format!("files: `{name}` {reason}")))
        }
    }
}
