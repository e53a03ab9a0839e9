//! Locations of tensors in files that contain several.

use crate::error::{FileError, Result};
use std::fmt::{Display, Formatter};

/// The convention by which a group of HDF5 or of Zarr stores a tensor.
///
/// ```
/// use sparse_files::Convention;
/// assert_eq!(Convention::TenX.to_string(), "10x Genomics");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Convention {
    /// A descriptor, and the arrays that it names.
    Binsparse,
    /// A sparse matrix of AnnData: compressed rows or columns.
    AnnData,
    /// A matrix of features and barcodes of 10x Genomics.
    TenX,
    /// An array that stores all elements.
    Array,
}

impl Display for Convention {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Convention::Binsparse => "Binsparse",
            Convention::AnnData => "AnnData",
            Convention::TenX => "10x Genomics",
            Convention::Array => "array",
        })
    }
}

/// The location of a tensor in a container of groups.
///
/// ```
/// # if !cfg!(feature = "hdf5") { return Ok(()) }
/// use sparse_files::{Convention, FileKind, Location, ReadOptions, WriteOptions, open_bytes, tns, write_to};
/// let mut file = std::io::Cursor::new(Vec::new());
/// let raw = WriteOptions { group: Some("raw".into()), ..WriteOptions::default() };
/// write_to(&mut file, &tns::read(b"1 2 0.5\n", None)?, FileKind::Hdf5, &raw)?;
/// let found = open_bytes(file.into_inner().into(), "a.h5", &ReadOptions::default())?.location;
/// assert_eq!(found, Some(Location { convention: Convention::Binsparse, path: "raw".into() }));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The convention by which the tensor is stored.
    pub convention: Convention,
    /// The path of the group or of the array: names with `/` between them, or an empty text for the root.
    pub path: String,
}

/// The maximum number of names in the path of a new group. Each name is a nested group, and some libraries recurse
/// into groups.
const MOST_NAMES: usize = 64;

/// Returns the names in the path of a group to write. Fails if there are more than `MOST_NAMES`.
pub(crate) fn names_of(path: &str) -> Result<Vec<&str>> {
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    if names.len() > MOST_NAMES {
        let what = format!("a group whose path has {} names; the maximum is {MOST_NAMES}", names.len());
        return Err(FileError::NoPlace { what, kind: "a container" });
    }
    Ok(names)
}
