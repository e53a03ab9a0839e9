//! Files of any kind, by their content and their names.

mod bytes;
mod compression;
mod container;
mod kind;
mod write;

pub use bytes::Bytes;
pub use compression::inner_name;
pub use kind::{KINDS, Kind};
pub use write::{WriteOptions, write, write_to};

use crate::error::{FileError, Result};
use crate::location::Location;
use crate::progress::Progress;
use crate::value::AnyTensor;
use std::path::Path;

/// What a file does not say of itself.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The kind, where it is not that of the content or the name.
    pub kind: Option<Kind>,
    /// The path of the tensor in HDF5 or Zarr, a group or an array. The default is the root, the `X` of an AnnData, or the only group that is a tensor.
    pub group: Option<String>,
    /// The extents, of a file that does not say them.
    pub shape: Option<Vec<u64>>,
    /// The first coordinate of each axis in FROSTT's text. The default is 1; some texts count from 0.
    pub base: Option<u8>,
    /// Who is told how far reading is.
    pub progress: Progress,
}

/// The tensor of a file, the kind of the file, and the place of the tensor in it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The tensor.
    pub tensor: AnyTensor<'static>,
    /// The kind of the file.
    pub kind: Kind,
    /// The place of the tensor in HDF5 or Zarr. Files of other kinds are one tensor.
    pub location: Option<Location>,
}

/// The tensor of a file, or of a folder of Zarr, and its kind.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(AnyTensor<'static>, Kind)> {
    open(path, options).map(|opened| (opened.tensor, opened.kind))
}

/// Reads a file, or a folder of Zarr, as [`read`] does. Also returns the place of the tensor in it.
pub fn open(path: &Path, options: &ReadOptions) -> Result<Opened> {
    if path.is_dir() {
        let (tensor, location) = folder(path, options)?;
        return Ok(Opened { tensor, kind: Kind::Zarr, location: Some(location) });
    }
    open_bytes(Bytes::open(path)?, &path.to_string_lossy(), options)
}

/// The descriptor of a file, or of a folder of Zarr, that is of Binsparse.
///
/// Fails for files of other kinds.
pub fn descriptor(path: &Path, options: &ReadOptions) -> Result<serde_json::Value> {
    let text = if path.is_dir() { of_folder(path, options)? } else { of_file(path, options)? };
    serde_json::from_str(&text).map_err(|error| FileError::System { message: error.to_string() })
}

fn of_file(path: &Path, options: &ReadOptions) -> Result<String> {
    let name = path.to_string_lossy();
    let (bytes, name) = Bytes::open(path)?.inflated(&name, options)?;
    options.kind.map_or_else(|| Kind::of(&bytes, name), Ok)?.descriptor(bytes, options)
}

/// The tensor of the bytes of a file of this name, and its kind.
pub fn read_bytes(bytes: Bytes, name: &str, options: &ReadOptions) -> Result<(AnyTensor<'static>, Kind)> {
    open_bytes(bytes, name, options).map(|opened| (opened.tensor, opened.kind))
}

/// Reads the bytes of a file of this name as [`read_bytes`] does. Also returns the place of the tensor in it.
pub fn open_bytes(bytes: Bytes, name: &str, options: &ReadOptions) -> Result<Opened> {
    let (bytes, name) = bytes.inflated(name, options)?;
    let kind = match options.kind {
        Some(kind) => kind,
        None => Kind::of(&bytes, name)?,
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
    Err(Kind::Zarr.lacking("zarr"))
}

#[cfg(not(feature = "zarr"))]
fn of_folder(_: &Path, _: &ReadOptions) -> Result<String> {
    Err(Kind::Zarr.lacking("zarr"))
}
