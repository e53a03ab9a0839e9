//! Reads tensors from containers of groups, HDF5 and Zarr: Binsparse, AnnData, matrices of 10x Genomics, and arrays
//! by name.
//!
//! A path names a group or an array. If no path is given, the readers take the tensor of the root, the `X` of an
//! AnnData, or the only group that is a tensor.

// `find` searches a container for a tensor; `anndata` and `tenx` recognise their groups. A new convention begins in
// `What` of `find`.
mod anndata;
mod find;
mod tenx;

use crate::compressed;
use crate::error::{FileError, Result};
use crate::location::{Convention, Location};
use crate::row_slice::RowSlice;
use crate::size_limits::coordinates;
use crate::tree::{Rows, Tree};
use crate::value::AnyTensor;
#[cfg(feature = "zarr")]
use crate::zarr;
#[cfg(feature = "hdf5")]
use crate::{hdf5, progress::Progress};
use find::{Found, What, find};
use sparse_formats::Format;
#[cfg(feature = "hdf5")]
use std::path::Path;

/// Reads a tensor from the bytes of an HDF5 file. Also returns the location of the tensor in the file.
///
/// Fails for damaged data and for a path that names no tensor. Without a path, fails if there is no tensor, or no single one.
///
/// ```
/// use sparse_files::{Convention, FileKind, Progress, WriteOptions, hierarchy, tns, write_to};
/// let a = tns::read(b"1 2 0.5\n", None)?;
/// let mut file = std::io::Cursor::new(Vec::new());
/// write_to(&mut file, &a, FileKind::Hdf5, &WriteOptions { group: Some("raw".into()), ..WriteOptions::default() })?;
/// let file = file.into_inner();
/// // The only tensor needs no path.
/// let (tensor, location) = hierarchy::read_hdf5(file.clone(), None, &Progress::default())?;
/// assert_eq!((tensor, location.convention, &location.path[..]), (a, Convention::Binsparse, "raw"));
/// let error = hierarchy::read_hdf5(file, Some("row"), &Progress::default()).unwrap_err();
/// let place = "there is no tensor at `row`, which is neither a group nor an array";
/// assert_eq!(error.to_string(), format!("{place}; there is one in the group raw"));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[cfg(feature = "hdf5")]
pub fn read_hdf5(bytes: Vec<u8>, path: Option<&str>, progress: &Progress) -> Result<(AnyTensor<'static>, Location)> {
    hdf5::opened(bytes, progress, |root| find(root, path)?.read(None))
}

/// Reads the rows of a tensor in an HDF5 file, and fails as [`read_hdf5`] does. If the tensor is a matrix with compressed
/// rows or an array, reads only these rows from the file.
///
/// ```
/// # let file = std::env::temp_dir().join(format!("sparse-files-rows-{}.h5", std::process::id()));
/// use sparse_files::{Dedupe, FileKind, Progress, WriteOptions, hierarchy, tns};
/// use sparse_formats::Format;
/// let a = tns::read(b"1 2 0.5\n2 1 4\n4 3 7\n", None)?.convert(&Format::csr(), Dedupe::Refuse)?;
/// sparse_files::write(&file, &a, FileKind::Hdf5, &WriteOptions::default())?;
/// let (rows, _) = hierarchy::read_hdf5_rows(&file, None, (1..4).into(), &Progress::default())?;
/// assert_eq!(rows, a.rows((1..4).into())?);
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "hdf5")]
pub fn read_hdf5_rows(file: &Path, path: Option<&str>, rows: RowSlice, progress: &Progress) -> Result<(AnyTensor<'static>, Location)> {
    hdf5::opened_in_place(file, progress, |root| find(root, path)?.read(Some(rows)))
}

/// Reads the descriptor of the tensor that [`read_hdf5`] reads.
///
/// Fails if the tensor is not stored as Binsparse.
///
/// ```
/// use sparse_files::{FileKind, WriteOptions, hierarchy, tns, write_to};
/// let mut file = std::io::Cursor::new(Vec::new());
/// write_to(&mut file, &tns::read(b"1 2 0.5\n", None)?, FileKind::Hdf5, &WriteOptions::default())?;
/// let descriptor = hierarchy::hdf5_descriptor(file.into_inner(), None)?;
/// assert!(descriptor.contains(r#""format": "COOR""#), "{descriptor}");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[cfg(feature = "hdf5")]
pub fn hdf5_descriptor(bytes: Vec<u8>, path: Option<&str>) -> Result<String> {
    hdf5::opened(bytes, &Progress::default(), |root| find(root, path)?.descriptor())
}

/// Reads a tensor from a Zarr store. Also returns the location of the tensor in the store.
///
/// Fails for damaged data and for a path that names no tensor. Without a path, fails if there is no tensor, or no single one.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("sparse-files-read-{}.zarr", std::process::id()));
/// use sparse_files::zarr::FolderStore;
/// use sparse_files::{FileKind, WriteOptions, hierarchy, tns};
/// let a = tns::read(b"1 2 0.5\n", None)?;
/// sparse_files::write(&folder, &a, FileKind::Zarr, &WriteOptions { group: Some("raw".into()), ..WriteOptions::default() })?;
/// let (tensor, location) = hierarchy::read_zarr(&FolderStore::new(&folder), Some("raw"))?;
/// assert_eq!((tensor, location.convention.to_string()), (a, "Binsparse".into()));
/// // The path of an array leads to a tensor that stores all elements.
/// let (values, location) = hierarchy::read_zarr(&FolderStore::new(&folder), Some("raw/values"))?;
/// assert_eq!((values.shape(), location.convention.to_string()), (&[1][..], "array".into()));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "zarr")]
pub fn read_zarr(store: &dyn zarr::Store, path: Option<&str>) -> Result<(AnyTensor<'static>, Location)> {
    find(zarr::GroupReader::open(store, None)?, path)?.read(None)
}

/// Reads the rows of a tensor in a Zarr store, and fails as [`read_zarr`] does. If the tensor is a matrix with compressed rows or an
/// array, reads only the chunks with these rows.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("sparse-files-rows-{}.zarr", std::process::id()));
/// use sparse_files::zarr::FolderStore;
/// use sparse_files::{Dedupe, FileKind, WriteOptions, hierarchy, tns};
/// use sparse_formats::Format;
/// let a = tns::read(b"1 2 0.5\n2 1 4\n4 3 7\n", None)?.convert(&Format::csr(), Dedupe::Refuse)?;
/// sparse_files::write(&folder, &a, FileKind::Zarr, &WriteOptions::default())?;
/// let (rows, _) = hierarchy::read_zarr_rows(&FolderStore::new(&folder), None, (1..4).into())?;
/// assert_eq!(rows, a.rows((1..4).into())?);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "zarr")]
pub fn read_zarr_rows(store: &dyn zarr::Store, path: Option<&str>, rows: RowSlice) -> Result<(AnyTensor<'static>, Location)> {
    find(zarr::GroupReader::open(store, None)?, path)?.read(Some(rows))
}

/// Reads the descriptor of the tensor that [`read_zarr`] reads.
///
/// Fails if the tensor is not stored as Binsparse.
///
/// ```
/// use sparse_files::zarr::ZipStore;
/// use sparse_files::{FileKind, WriteOptions, hierarchy, tns, write_to};
/// let mut file = std::io::Cursor::new(Vec::new());
/// write_to(&mut file, &tns::read(b"1 2 0.5\n", None)?, FileKind::Zarr, &WriteOptions::default())?;
/// let store = ZipStore::open(file.get_ref())?;
/// assert!(hierarchy::zarr_descriptor(&store, None)?.contains(r#""format":"COOR""#));
/// // An array has no descriptor.
/// assert_eq!(hierarchy::zarr_descriptor(&store, Some("values")).map_err(|error| error.class()), Err("array/missing"));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[cfg(feature = "zarr")]
pub fn zarr_descriptor(store: &dyn zarr::Store, path: Option<&str>) -> Result<String> {
    find(zarr::GroupReader::open(store, None)?, path)?.descriptor()
}

impl<T: Tree> Found<T> {
    fn read(self, rows: Option<RowSlice>) -> Result<(AnyTensor<'static>, Location)> {
        let (group, path) = (&self.group, self.path);
        let mut list = |name: &str, most: u64| group.need(name, None, most);
        let sliced = |tensor: Result<AnyTensor<'static>>| match rows {
            Some(rows) => tensor?.rows(rows),
            None => tensor,
        };
        let (tensor, convention) = match (self.what, rows) {
            (What::Binsparse(descriptor), Some(rows)) => {
                let tensor = crate::binsparse::decode_rows(&descriptor, rows, &mut |name, range, most| group.list(name, range, most));
                (tensor, Convention::Binsparse)
            }
            (What::Binsparse(descriptor), None) => {
                (crate::binsparse::decode_within(&descriptor, &mut |name, most| group.list(name, None, most)), Convention::Binsparse)
            }
            (What::AnnData(format), Some(rows)) if format == Format::csr() => {
                let shape = anndata::shape(group)?;
                let mut list = |name: &str, range, most| group.need(name, range, most);
                (compressed::rows(&mut list, shape, rows.of(shape[0])), Convention::AnnData)
            }
            (What::AnnData(format), _) => (sliced(compressed::matrix(&mut list, &anndata::shape(group)?, format)), Convention::AnnData),
            (What::TenX, _) => (sliced(compressed::matrix(&mut list, &tenx::shape(group)?, Format::csc())), Convention::TenX),
            (What::Array(name), rows) => (all_elements(group, &name, rows), Convention::Array),
        };
        Ok((tensor?, Location { convention, path }))
    }

    fn descriptor(self) -> Result<String> {
        match self.what {
            What::Binsparse(descriptor) => Ok(descriptor),
            _ => Err(FileError::Missing { array: "the descriptor".into() }),
        }
    }
}

/// Reads an array of a group, or the rows of it, as a tensor that stores all elements. Fails if there is no array of this name.
fn all_elements(group: &impl Tree, name: &str, rows: Option<RowSlice>) -> Result<AnyTensor<'static>> {
    let range = rows.map(|rows| move |extent| rows.of(extent));
    let found = group.array(name, range.as_ref().map(|range| range as Rows<'_>), &|shape| Ok(coordinates(shape)))?;
    let (shape, values) = found.ok_or_else(|| FileError::Missing { array: name.into() })?;
    let order: Vec<usize> = (0..shape.len()).collect();
    AnyTensor::dense(&shape, &order, values)
}

/// Returns the two extents of a matrix, or an error if there are not two.
fn of_matrix(array: &str, extents: Vec<u64>) -> Result<[u64; 2]> {
    <[u64; 2]>::try_from(extents).map_err(|found| FileError::ArrayHeader {
        array: array.into(),
        what: format!("it has {} extents, but a matrix has two", found.len()),
    })
}
