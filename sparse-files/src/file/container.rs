//! Containers that are there before a tensor is written.

use super::{Bytes, Kind};
use crate::error::{FileError, Result};
use file_output::Target;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What may have more than a tensor in it. A kind for which a feature is missing cannot be looked into, and is not replaced either.
pub(super) enum Container {
    /// A file of HDF5.
    Hdf5(PathBuf),
    /// A zip file: an archive of arrays, a group of Zarr, or anything else.
    Archive(Bytes),
    /// A folder.
    Folder(PathBuf),
}

impl Container {
    /// Returns the container that a path names, if it names one, by its content.
    pub fn at(target: &Target) -> Result<Option<Container>> {
        let path = match target {
            Target::Folder(path) => return Ok(Some(Container::Folder(path.clone()))),
            Target::File(path) => path,
            _ => return Ok(None),
        };
        let mut start = Vec::new();
        File::open(path)?.take(8).read_to_end(&mut start)?;
        Ok(match &start[..] {
            b"\x89HDF\r\n\x1a\n" => Some(Container::Hdf5(path.clone())),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Container::Archive(Bytes::open(path)?)),
            _ => None,
        })
    }

    /// Tests whether a group is added to it, rather than all of it replaced, by a file of this kind.
    pub fn takes_groups(&self, kind: Kind) -> bool {
        match self {
            Container::Hdf5(_) => kind == Kind::Hdf5,
            Container::Archive(bytes) => kind == Kind::Zarr && matches!(Kind::of(bytes, ""), Ok(Kind::Zarr)),
            Container::Folder(_) => kind == Kind::Zarr,
        }
    }

    /// Fails if a tensor in place of a group, or of all that is there, would be the end of anything but a tensor.
    pub fn spare(&self, group: Option<&str>) -> Result<()> {
        /// The most names in the message.
        const SHOWN: usize = 3;
        let lost = match self.others(group) {
            Ok(names) if names.is_empty() => return Ok(()),
            Ok(names) => {
                let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
            }
            Err(error @ FileError::NoPlace { .. }) => return Err(error),
            Err(error) => format!("what is there and cannot be read ({error})"),
        };
        Err(FileError::Occupied { lost })
    }

    /// Lists the names of all that is in a group, or anywhere, and belongs to no tensor there.
    fn others(&self, group: Option<&str>) -> Result<Vec<String>> {
        match self {
            Container::Hdf5(path) => in_hdf5(path, group),
            Container::Archive(bytes) => in_archive(bytes, group),
            Container::Folder(path) => in_folder(path, group),
        }
    }
}

#[cfg(feature = "hdf5")]
use crate::binsparse::hdf5_others as in_hdf5;

#[cfg(not(feature = "hdf5"))]
fn in_hdf5(_: &Path, _: Option<&str>) -> Result<Vec<String>> {
    Err(Kind::Hdf5.lacking("hdf5"))
}

#[cfg(feature = "npz")]
fn in_archive(bytes: &[u8], group: Option<&str>) -> Result<Vec<String>> {
    use crate::binsparse::{DESCRIPTOR, is_array};
    let known: fn(&str) -> bool = match Kind::of(bytes, "") {
        #[cfg(feature = "zarr")]
        Ok(Kind::Zarr) => return in_zarr(&crate::zarr::ZipStore::open(bytes)?, group),
        Ok(Kind::Npz) => |name| name == DESCRIPTOR || is_array(name),
        Ok(Kind::Scipy | Kind::Pydata) => crate::npz::is_array,
        _ => |_| false,
    };
    let _ = group;
    let names = crate::npz::Archive::open(bytes)?.names();
    Ok(names.into_iter().filter(|name| !name.strip_suffix(".npy").is_some_and(known)).collect())
}

#[cfg(not(feature = "npz"))]
fn in_archive(_: &[u8], _: Option<&str>) -> Result<Vec<String>> {
    Err(Kind::Npz.lacking("npz"))
}

#[cfg(feature = "zarr")]
fn in_folder(path: &Path, group: Option<&str>) -> Result<Vec<String>> {
    in_zarr(&crate::zarr::FolderStore::new(path), group)
}

#[cfg(not(feature = "zarr"))]
fn in_folder(_: &Path, _: Option<&str>) -> Result<Vec<String>> {
    Err(Kind::Zarr.lacking("zarr"))
}

#[cfg(feature = "zarr")]
fn in_zarr(store: &dyn crate::zarr::Store, group: Option<&str>) -> Result<Vec<String>> {
    use crate::binsparse::{DESCRIPTOR, is_array};
    crate::zarr::Place::find(store, group.unwrap_or_default())?.others(store, DESCRIPTOR, is_array)
}
