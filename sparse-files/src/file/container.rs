//! Existing containers at the target of a write: whether they take a new group, and what the write would destroy.

use super::{Bytes, FileKind};
use crate::error::{FileError, Result};
use crate::signature::{at, user_block};
use file_output::Target;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The number of bytes of the end record of an archive, and the largest number with a comment. Source: section 4.3.16
/// of PKWARE's APPNOTE.
const END: usize = 22;
const MOST_END: u64 = END as u64 + u16::MAX as u64;

/// A target that may contain more than a tensor. If the feature of its kind is off, it cannot be inspected and is not
/// replaced either.
pub(super) enum Container {
    /// A file of HDF5.
    Hdf5(PathBuf),
    /// A zip file: an archive of arrays, a group of Zarr, or anything else.
    Archive(Bytes),
    /// A folder.
    Folder(PathBuf),
}

impl Container {
    /// Opens the container at a target: a folder, a zip file or an HDF5 file. The bytes of a file decide, not its name. Returns
    /// `None` for any other target. Fails if the system cannot read the file.
    pub fn at(target: &Target) -> Result<Option<Container>> {
        let path = match target {
            Target::Folder(path) => return Ok(Some(Container::Folder(path.clone()))),
            Target::File(path) => path,
            _ => return Ok(None),
        };
        let mut file = File::open(path)?;
        let start = at(&mut file, 0, 4)?;
        if start == *b"PK\x03\x04" || start == *b"PK\x05\x06" {
            return Ok(Some(Container::Archive(Bytes::open(path)?)));
        }
        if user_block(&mut file)?.is_some() {
            return Ok(Some(Container::Hdf5(path.clone())));
        }
        // Other bytes may precede an archive: its end identifies it.
        let length = file.metadata()?.len();
        let end = at(&mut file, length.saturating_sub(MOST_END), MOST_END)?;
        let archive = memchr::memmem::rfind(&end, b"PK\x05\x06").is_some_and(|found| end.len() - found >= END);
        Ok(if archive { Some(Container::Archive(Bytes::open(path)?)) } else { None })
    }

    /// Tests whether writing a file of this kind can add a group to the container. Otherwise a new file replaces the whole
    /// container.
    pub fn takes_groups(&self, kind: FileKind) -> bool {
        match self {
            Container::Hdf5(_) => kind == FileKind::Hdf5,
            Container::Archive(bytes) => kind == FileKind::Zarr && matches!(FileKind::of(bytes, ""), Ok(FileKind::Zarr)) && begins(bytes),
            Container::Folder(_) => kind == FileKind::Zarr,
        }
    }

    /// Fails if a new tensor in place of a group, or of the whole container, would destroy anything but a tensor. Also fails if
    /// the container cannot be read.
    pub fn spare(&self, group: Option<&str>) -> Result<()> {
        /// The maximum number of names in the message.
        const SHOWN: usize = 3;
        let lost = match self.others(group) {
            Ok(names) if names.is_empty() => return Ok(()),
            Ok(names) => {
                let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
            }
            Err(error @ FileError::NoPlace { .. }) => return Err(error),
            Err(error) => format!("the existing content, which cannot be read ({error}),"),
        };
        Err(FileError::Occupied { lost })
    }

    /// Lists the names of all contents of a group, or of the whole container, that belong to no tensor. Fails if the container
    /// cannot be read.
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
    Err(FileKind::Hdf5.lacking("hdf5"))
}

#[cfg(feature = "npz")]
fn in_archive(bytes: &[u8], group: Option<&str>) -> Result<Vec<String>> {
    use crate::binsparse::{DESCRIPTOR, npz_descriptor, tensor_arrays};
    use crate::npz::{Archive, pydata_arrays, scipy_arrays};
    let mut archive = Archive::open(bytes)?;
    let mut others = archive.outside()?;
    let known: Vec<String> = match FileKind::of(bytes, "") {
        // A new group loses nothing outside of the files: the comment is kept, and `takes_groups` refuses archives with bytes
        // before the first file.
        #[cfg(feature = "zarr")]
        Ok(FileKind::Zarr) => {
            let inside = in_zarr(&crate::zarr::ZipStore::open(bytes)?, group)?;
            return Ok(if group.is_some() { inside } else { [others, inside].concat() });
        }
        Ok(FileKind::Npz) => [tensor_arrays(&npz_descriptor(&mut archive)?)?, vec![DESCRIPTOR.into()]].concat(),
        Ok(FileKind::Scipy) => scipy_arrays(&mut archive)?,
        Ok(FileKind::Pydata) => pydata_arrays(&mut archive)?,
        _ => Vec::new(),
    };
    let _ = group;
    let is_known = |name: &String| name.strip_suffix(".npy").is_some_and(|name| known.iter().any(|known| known == name));
    others.extend(archive.names().into_iter().filter(|name| !is_known(name)));
    Ok(others)
}

#[cfg(feature = "npz")]
fn begins(bytes: &[u8]) -> bool {
    crate::zipped::archive(bytes).and_then(|mut zip| crate::zipped::start(&mut zip)).is_ok_and(|start| start == 0)
}

#[cfg(not(feature = "npz"))]
fn begins(_: &[u8]) -> bool {
    false
}

#[cfg(not(feature = "npz"))]
fn in_archive(_: &[u8], _: Option<&str>) -> Result<Vec<String>> {
    Err(FileKind::Npz.lacking("npz"))
}

#[cfg(feature = "zarr")]
fn in_folder(path: &Path, group: Option<&str>) -> Result<Vec<String>> {
    in_zarr(&crate::zarr::FolderStore::new(path), group)
}

#[cfg(not(feature = "zarr"))]
fn in_folder(_: &Path, _: Option<&str>) -> Result<Vec<String>> {
    Err(FileKind::Zarr.lacking("zarr"))
}

#[cfg(feature = "zarr")]
fn in_zarr(store: &dyn crate::zarr::Store, group: Option<&str>) -> Result<Vec<String>> {
    use crate::binsparse::{DESCRIPTOR, tensor_arrays};
    crate::zarr::Place::find(store, group.unwrap_or_default())?.others(store, DESCRIPTOR, tensor_arrays)
}
