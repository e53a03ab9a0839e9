//! Reads and writes files of any kind. The content and the name determine the kind.

// `kind` recognises and reads every kind of file, so a new kind begins there. `write` writes them, `bytes` and
// `compression` handle whole files, and `container` finds what a write would destroy.
mod bytes;
mod compression;
mod container;
mod kind;
mod write;

pub use bytes::Bytes;
pub use compression::inner_name;
pub use kind::{FileKind, KINDS};
pub use write::{WriteOptions, write, write_to};

use crate::error::{FileError, Result};
use crate::location::Location;
use crate::progress::Progress;
use crate::value::AnyTensor;
use std::path::Path;

/// The options of reading: information that a file does not contain, and a progress callback.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The kind. The default is the kind that the content or the name shows.
    pub kind: Option<FileKind>,
    /// The path of the tensor in HDF5 or Zarr, a group or an array. The default is the root, the `X` of an AnnData,
    /// or the only group that is a tensor.
    pub group: Option<String>,
    /// The extents, for a file that does not contain them.
    pub shape: Option<Vec<u64>>,
    /// The first coordinate of each axis in FROSTT's text. The default is 1; some texts count from 0.
    pub base: Option<u8>,
    /// The callback for progress reports.
    pub progress: Progress,
}

/// A tensor that was read, with the kind of its file and its location in the file.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The tensor.
    pub tensor: AnyTensor<'static>,
    /// The kind of the file.
    pub kind: FileKind,
    /// The location of the tensor in HDF5 or Zarr. `None` for files of other kinds, which contain only one tensor.
    pub location: Option<Location>,
}

/// Reads a tensor from a file or from a Zarr folder. Also returns the kind.
///
/// Fails if the system cannot read the file, if its kind is not known, if the feature of its kind is off, or if the content is
/// damaged or contains no tensor.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(AnyTensor<'static>, FileKind)> {
    open(path, options).map(|opened| (opened.tensor, opened.kind))
}

/// Reads a file or a Zarr folder like [`read`], and fails as it does. Also returns the location of the tensor in the file.
pub fn open(path: &Path, options: &ReadOptions) -> Result<Opened> {
    if path.is_dir() {
        let (tensor, location) = folder(path, options)?;
        return Ok(Opened { tensor, kind: FileKind::Zarr, location: Some(location) });
    }
    open_bytes(Bytes::open(path)?, &path.to_string_lossy(), options)
}

/// Reads the Binsparse descriptor of a file or of a Zarr folder.
///
/// Fails if the system cannot read the file, or if the tensor in it is not stored as Binsparse.
pub fn descriptor(path: &Path, options: &ReadOptions) -> Result<serde_json::Value> {
    let text = if path.is_dir() { of_folder(path, options)? } else { of_file(path, options)? };
    serde_json::from_str(&text).map_err(|error| FileError::System { message: error.to_string() })
}

fn of_file(path: &Path, options: &ReadOptions) -> Result<String> {
    let name = path.to_string_lossy();
    let (bytes, name) = Bytes::open(path)?.inflated(&name, options)?;
    options.kind.map_or_else(|| FileKind::of(&bytes, name), Ok)?.descriptor(bytes, options)
}

/// Reads a tensor from the bytes of a file of this name. Also returns the kind. Fails as `read` does.
pub fn read_bytes(bytes: Bytes, name: &str, options: &ReadOptions) -> Result<(AnyTensor<'static>, FileKind)> {
    open_bytes(bytes, name, options).map(|opened| (opened.tensor, opened.kind))
}

/// Reads the bytes of a file of this name like [`read_bytes`], and fails as it does. Also returns the location of the tensor in
/// the file.
pub fn open_bytes(bytes: Bytes, name: &str, options: &ReadOptions) -> Result<Opened> {
    let (bytes, name) = bytes.inflated(name, options)?;
    let kind = match options.kind {
        Some(kind) => kind,
        None => FileKind::of(&bytes, name)?,
    };
    let (tensor, location) = kind.read(bytes, options)?;
    Ok(Opened { tensor, kind, location })
}

#[cfg(feature = "zarr")]
fn folder(path: &Path, options: &ReadOptions) -> Result<(AnyTensor<'static>, Location)> {
    crate::hierarchy::read_zarr(&crate::zarr::FolderStore::watched(path, &options.progress)?, options.group.as_deref())
}

#[cfg(feature = "zarr")]
fn of_folder(path: &Path, options: &ReadOptions) -> Result<String> {
    crate::hierarchy::zarr_descriptor(&crate::zarr::FolderStore::new(path), options.group.as_deref())
}

#[cfg(not(feature = "zarr"))]
fn folder(_: &Path, _: &ReadOptions) -> Result<(AnyTensor<'static>, Location)> {
    Err(FileKind::Zarr.lacking("zarr"))
}

#[cfg(not(feature = "zarr"))]
fn of_folder(_: &Path, _: &ReadOptions) -> Result<String> {
    Err(FileKind::Zarr.lacking("zarr"))
}
