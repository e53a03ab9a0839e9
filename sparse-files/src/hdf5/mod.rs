//! Reads HDF5 files: groups of attributes and of arrays of numbers. What the arrays mean is in `binsparse` and `hierarchy`.

mod dataset;
mod datatype;
mod filter;
mod group;
mod place;
mod walk;

pub use dataset::{StoredChunk, StoredDataset};
pub(crate) use group::Group;
pub use place::array_places;

use crate::error::{FileError, Result};
use crate::isolate::isolated_deep;
use crate::progress::Progress;
use crate::signature::user_block;
use std::path::Path;

/// The name of HDF5 files in messages.
const HDF5: &str = "HDF5";

/// Returns true if a file is HDF5, by its content. Fails if it cannot be read.
pub fn is_hdf5(path: &Path) -> Result<bool> {
    Ok(user_block(&mut std::fs::File::open(path)?)?.is_some())
}

/// Returns the error of a damaged file.
pub(crate) fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::Container { what: HDF5, message: error.to_string() }
}

/// Returns the file if it is whole. Fails if it is shorter than the end address in its superblock.
pub(crate) fn whole(file: hdf5_pure::File) -> Result<hdf5_pure::File> {
    let (length, end) = (file.file_size(), file.superblock().eof_address);
    if length < end {
        return Err(damaged(format_args!("the file is cut off: it has {length} bytes of {end}")));
    }
    Ok(file)
}

/// Calls `read` with the root group of a file, which is read where `read` needs it. Fails as [`opened`] does.
pub(crate) fn opened_in_place<T: Send>(path: &Path, progress: &Progress, read: impl FnOnce(Group<'_>) -> Result<T> + Send) -> Result<T> {
    isolated_deep(HDF5, || {
        let file = whole(hdf5_pure::File::open_streaming(path).map_err(damaged)?)?;
        read(Group::new(file.root(), file.file_size(), progress)?)
    })
}

/// Calls `read` with the root group of the file in these bytes. Fails if the file is damaged or `read` fails. Panics of the
/// library become errors.
pub(crate) fn opened<T: Send>(bytes: Vec<u8>, progress: &Progress, read: impl FnOnce(Group<'_>) -> Result<T> + Send) -> Result<T> {
    isolated_deep(HDF5, || {
        let length = bytes.len() as u64;
        let file = whole(hdf5_pure::File::from_bytes(bytes).map_err(damaged)?)?;
        read(Group::new(file.root(), length, progress)?)
    })
}
