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

use crate::error::Result;
use crate::location::Location;
use crate::progress::Progress;
use crate::row_slice::RowSlice;
#[cfg(feature = "hdf5")]
use crate::signature::user_block;
use crate::value::AnyTensor;
use std::path::Path;

/// The options of reading: information that a file does not contain, and a progress callback.
///
/// ```
/// use sparse_files::{FileKind, ReadOptions, read_bytes};
/// let text = b"0 2 0.5\n1 0 4\n";
/// // A text that counts from 0, without a header and without a name.
/// let options = ReadOptions { kind: Some(FileKind::Tns), base: Some(0), shape: Some(vec![5, 5]), ..ReadOptions::default() };
/// let (tensor, _) = read_bytes(text.to_vec().into(), "standard input", &options)?;
/// assert_eq!((tensor.shape(), tensor.typed::<f64>().expect("float64")?.at(&[0, 2])), (&[5, 5][..], Some(&0.5)));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
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
    /// The rows to read, a slice of the first axis. The default is all. HDF5 and Zarr read only the needed parts of a matrix with
    /// compressed rows and of an array. Parquet skips row groups, and Arrow batches, in which a tensor of this crate has none of the rows.
    /// Other files are read as a whole, and then sliced.
    pub rows: Option<RowSlice>,
    /// The callback for progress reports.
    pub progress: Progress,
}

/// A tensor that was read, with the kind of its file and its location in the file.
///
/// ```
/// use sparse_files::{FileKind, Opened, ReadOptions, open_bytes};
/// let Opened { tensor, kind, location } = open_bytes(b"1 2 0.5\n".to_vec().into(), "a.tns", &ReadOptions::default())?;
/// assert_eq!((tensor.stored(), kind, location), (1, FileKind::Tns, None));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
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
///
/// ```
/// # let path = std::env::temp_dir().join(format!("sparse-files-read-{}.tns", std::process::id()));
/// # std::fs::write(&path, "%%MatrixMarket matrix coordinate integer general\n3 4 1\n3 1 7\n")?;
/// use sparse_files::{FileKind, ReadOptions};
/// // `path` ends with `.tns`, but the file has the first line of Matrix Market.
/// let (tensor, kind) = sparse_files::read(&path, &ReadOptions::default())?;
/// assert_eq!((tensor.shape(), kind), (&[3, 4][..], FileKind::MatrixMarket));
/// # std::fs::remove_file(&path)?;
/// let error = sparse_files::read(&path.with_extension("none"), &ReadOptions::default()).unwrap_err();
/// assert_eq!(error.class(), "file/system");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: &Path, options: &ReadOptions) -> Result<(AnyTensor<'static>, FileKind)> {
    open(path, options).map(|opened| (opened.tensor, opened.kind))
}

/// Reads a file or a Zarr folder like [`read`], and fails as it does. Also returns the location of the tensor in the file.
///
/// ```
/// # if !cfg!(feature = "hdf5") { return Ok(()) }
/// # let path = std::env::temp_dir().join(format!("sparse-files-open-{}.h5", std::process::id()));
/// use sparse_files::{Convention, FileKind, ReadOptions, WriteOptions, tns};
/// let a = tns::read(b"1 2 0.5\n", None)?;
/// sparse_files::write(&path, &a, FileKind::Hdf5, &WriteOptions { group: Some("raw".into()), ..WriteOptions::default() })?;
/// let location = sparse_files::open(&path, &ReadOptions::default())?.location.expect("a group");
/// assert_eq!((location.convention, &location.path[..]), (Convention::Binsparse, "raw"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open(path: &Path, options: &ReadOptions) -> Result<Opened> {
    if path.is_dir() {
        let (tensor, location) = folder(path, options)?;
        return Ok(Opened { tensor, kind: FileKind::Zarr, location: Some(location) });
    }
    #[cfg(feature = "hdf5")]
    if let Some(rows) = options.rows
        && options.kind.is_none_or(|kind| kind == FileKind::Hdf5)
        && user_block(&mut std::fs::File::open(path)?)?.is_some()
    {
        let (tensor, location) = crate::hierarchy::read_hdf5_rows(path, options.group.as_deref(), rows, &options.progress)?;
        return Ok(Opened { tensor, kind: FileKind::Hdf5, location: Some(location) });
    }
    open_bytes(Bytes::open(path)?, &path.to_string_lossy(), options)
}

/// Reads the Binsparse descriptor of a file or of a Zarr folder. The keys of each object are sorted.
///
/// Fails if the system cannot read the file, or if the tensor in it is not stored as Binsparse.
///
/// ```
/// # if !cfg!(feature = "npz") { return Ok(()) }
/// # let path = std::env::temp_dir().join(format!("sparse-files-descriptor-{}.npz", std::process::id()));
/// use sparse_files::{FileKind, ReadOptions, WriteOptions, tns};
/// sparse_files::write(&path, &tns::read(b"1 2 0.5\n", None)?, FileKind::Npz, &WriteOptions::default())?;
/// let descriptor = sparse_files::descriptor(&path, &ReadOptions::default())?;
/// assert_eq!(descriptor["binsparse"]["shape"], serde_json::json!([1, 2]));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn descriptor(path: &Path, options: &ReadOptions) -> Result<serde_json::Value> {
    let text = if path.is_dir() { of_folder(path, options)? } else { of_file(path, options)? };
    Ok(sparse_formats::binsparse::parse_json(&text)?)
}

fn of_file(path: &Path, options: &ReadOptions) -> Result<String> {
    let name = path.to_string_lossy();
    let (bytes, name) = Bytes::open(path)?.inflated(&name, options)?;
    options.kind.map_or_else(|| FileKind::of(&bytes, name), Ok)?.descriptor(bytes, options)
}

/// Reads a tensor from the bytes of a file of this name. Also returns the kind. Fails as `read` does.
///
/// ```
/// use sparse_files::{FileKind, ReadOptions, read_bytes};
/// let text = b"1 2 0.5\n".to_vec();
/// let (tensor, kind) = read_bytes(text.clone().into(), "a.tns", &ReadOptions::default())?;
/// assert_eq!((tensor.shape(), kind), (&[1, 2][..], FileKind::Tns));
/// // FROSTT has no signature. Without an ending of its names, the kind is unknown.
/// let error = read_bytes(text.into(), "standard input", &ReadOptions::default()).unwrap_err();
/// assert_eq!(error.class(), "file/kind");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read_bytes(bytes: Bytes, name: &str, options: &ReadOptions) -> Result<(AnyTensor<'static>, FileKind)> {
    open_bytes(bytes, name, options).map(|opened| (opened.tensor, opened.kind))
}

/// Reads the bytes of a file of this name like [`read_bytes`], and fails as it does. Also returns the location of the tensor in
/// the file.
///
/// ```
/// # if !cfg!(feature = "hdf5") { return Ok(()) }
/// use sparse_files::{FileKind, Opened, ReadOptions, WriteOptions, open_bytes, tns, write_to};
/// let mut file = std::io::Cursor::new(Vec::new());
/// write_to(&mut file, &tns::read(b"1 2 0.5\n", None)?, FileKind::Hdf5, &WriteOptions::default())?;
/// let Opened { kind, location, .. } = open_bytes(file.into_inner().into(), "download", &ReadOptions::default())?;
/// assert_eq!((kind, location.map(|location| location.path)), (FileKind::Hdf5, Some(String::new())));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn open_bytes(bytes: Bytes, name: &str, options: &ReadOptions) -> Result<Opened> {
    let (bytes, name) = bytes.inflated(name, options)?;
    let kind = match options.kind {
        Some(kind) => kind,
        None => FileKind::of(&bytes, name)?,
    };
    let (tensor, location) = kind.read(bytes, options)?;
    let tensor = match options.rows {
        Some(rows) => tensor.rows(rows)?,
        None => tensor,
    };
    Ok(Opened { tensor, kind, location })
}

#[cfg(feature = "zarr")]
fn folder(path: &Path, options: &ReadOptions) -> Result<(AnyTensor<'static>, Location)> {
    let store = crate::zarr::FolderStore::watched(path, &options.progress)?;
    match options.rows {
        Some(rows) => crate::hierarchy::read_zarr_rows(&store, options.group.as_deref(), rows),
        None => crate::hierarchy::read_zarr(&store, options.group.as_deref()),
    }
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
