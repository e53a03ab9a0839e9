//! Containers that are there before a tensor is written.

use super::{Bytes, Kind};
use crate::binsparse::{DESCRIPTOR, is_array};
use crate::error::{FileError, Result};
use file_output::Target;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// What may have more than a tensor in it.
pub(super) enum Container {
    /// A file of HDF5.
    #[cfg(feature = "hdf5")]
    Hdf5(PathBuf),
    /// A zip file: an archive of arrays, a group of Zarr, or anything else.
    #[cfg(feature = "npz")]
    Archive(Bytes),
    /// A folder.
    #[cfg(feature = "zarr")]
    Folder(PathBuf),
}

impl Container {
    /// Returns the container that a path names, if it names one, by its content.
    pub fn at(target: &Target) -> Result<Option<Container>> {
        let path = match target {
            #[cfg(feature = "zarr")]
            Target::Folder(path) => return Ok(Some(Container::Folder(path.clone()))),
            Target::File(path) => path,
            _ => return Ok(None),
        };
        let mut start = Vec::new();
        File::open(path)?.take(8).read_to_end(&mut start)?;
        Ok(match &start[..] {
            #[cfg(feature = "hdf5")]
            b"\x89HDF\r\n\x1a\n" => Some(Container::Hdf5(path.clone())),
            #[cfg(feature = "npz")]
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Container::Archive(Bytes::open(path)?)),
            _ => None,
        })
    }

    /// Tests whether a group is added to it, rather than all of it replaced, by a file of this kind.
    pub fn takes_groups(&self, kind: Kind) -> Result<bool> {
        match self {
            #[cfg(feature = "hdf5")]
            Container::Hdf5(_) => Ok(kind == Kind::Hdf5),
            #[cfg(feature = "zarr")]
            Container::Archive(bytes) if kind == Kind::Zarr => crate::zarr::Group::is_in(&crate::zarr::ZipStore::open(bytes)?),
            #[cfg(feature = "npz")]
            Container::Archive(_) => Ok(false),
            #[cfg(feature = "zarr")]
            Container::Folder(path) => Ok(kind == Kind::Zarr && crate::zarr::Group::is_in(&crate::zarr::FolderStore::new(path))?),
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
            #[cfg(feature = "hdf5")]
            Container::Hdf5(path) => crate::binsparse::hdf5_others(path, group),
            #[cfg(feature = "zarr")]
            Container::Folder(path) => in_zarr(&crate::zarr::FolderStore::new(path), group),
            #[cfg(feature = "npz")]
            Container::Archive(bytes) => {
                #[cfg(feature = "zarr")]
                if crate::zarr::Group::is_in(&crate::zarr::ZipStore::open(bytes)?)? {
                    return in_zarr(&crate::zarr::ZipStore::open(bytes)?, group);
                }
                let known: fn(&str) -> bool = match Kind::of(bytes, "") {
                    Ok(Kind::Npz) => |name| name == DESCRIPTOR || is_array(name),
                    Ok(Kind::Scipy | Kind::Pydata) => crate::npz::is_array,
                    _ => |_| false,
                };
                let names = crate::npz::Archive::open(bytes)?.names();
                Ok(names.into_iter().filter(|name| !name.strip_suffix(".npy").is_some_and(known)).collect())
            }
        }
    }
}

#[cfg(feature = "zarr")]
fn in_zarr(store: &dyn crate::zarr::Store, group: Option<&str>) -> Result<Vec<String>> {
    crate::zarr::Place::find(store, group.unwrap_or_default())?.others(store, DESCRIPTOR, is_array)
}
