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
use crate::progress::Progress;
use crate::value::AnyTensor;
use std::path::Path;

/// What a file does not say of itself.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The kind, where it is not that of the content or the name.
    pub kind: Option<Kind>,
    /// The group of HDF5 or of Zarr that has the tensor; the root where none is named.
    pub group: Option<String>,
    /// The extents, of a file that does not say them.
    pub shape: Option<Vec<u64>>,
    /// The first coordinate of each axis in FROSTT's text, which may be 0; 1 where it is not said.
    pub base: Option<u8>,
    /// Who is told how far reading is.
    pub progress: Progress,
}

/// The tensor of a file, or of a folder of Zarr, and its kind.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(AnyTensor<'static>, Kind)> {
    if path.is_dir() {
        return Ok((folder(path, options)?, Kind::Zarr));
    }
    read_bytes(Bytes::open(path)?, &path.to_string_lossy(), options)
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
    let (bytes, name) = bytes.inflated(name, options)?;
    let kind = match options.kind {
        Some(kind) => kind,
        None => Kind::of(&bytes, name)?,
    };
    Ok((kind.read(bytes, options)?, kind))
}

#[cfg(feature = "zarr")]
fn folder(path: &Path, options: &ReadOptions) -> Result<AnyTensor<'static>> {
    crate::binsparse::read_zarr(&crate::zarr::FolderStore::watched(path, &options.progress)?, options.group.as_deref())
}

#[cfg(feature = "zarr")]
fn of_folder(path: &Path, options: &ReadOptions) -> Result<String> {
    crate::binsparse::zarr_descriptor(&crate::zarr::FolderStore::new(path), options.group.as_deref())
}

#[cfg(not(feature = "zarr"))]
fn folder(_: &Path, _: &ReadOptions) -> Result<AnyTensor<'static>> {
    Err(Kind::Zarr.lacking("zarr"))
}

#[cfg(not(feature = "zarr"))]
fn of_folder(_: &Path, _: &ReadOptions) -> Result<String> {
    Err(Kind::Zarr.lacking("zarr"))
}
