//! Writes tensors to files of any kind. A new kind gets a case in `write_to`.

use super::FileKind;
use super::compression::Compression;
use super::container::Container;
use crate::error::{FileError, Result};
use crate::location::names_of;
use crate::progress::{Counted, Progress};
use crate::value::{AnyTensor, AnyValues, Dedupe};
use crate::{binsparse, matrix_market, npy, tns};
use file_output::Target;
use sparse_formats::{Format, SparseError};
use std::io::{BufWriter, Seek, Write};
use std::path::Path;

/// The options of writing.
///
/// ```
/// # if !cfg!(feature = "hdf5") { return Ok(()) }
/// # let path = std::env::temp_dir().join(format!("sparse-files-options-{}.h5", std::process::id()));
/// use sparse_files::{FileKind, ReadOptions, WriteOptions, tns};
/// let a = tns::read(b"1 2 0.5\n", None)?;
/// // Two tensors in one file, each as a group.
/// for group in ["raw", "layers/counts"] {
///     let options = WriteOptions { group: Some(group.into()), ..WriteOptions::default() };
///     sparse_files::write(&path, &a, FileKind::Hdf5, &options)?;
/// }
/// let counts = ReadOptions { group: Some("layers/counts".into()), ..ReadOptions::default() };
/// assert_eq!(sparse_files::read(&path, &counts)?, (a, FileKind::Hdf5));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Compresses arrays: with deflate in NumPy archives, and with Zstandard in Zarr, Arrow and Parquet.
    pub compressed: bool,
    /// The path of the group to write in HDF5 or Zarr. The default is the root. Other groups of the container are
    /// kept.
    pub group: Option<String>,
    /// Allows the loss of all other contents of the target: of the group or, if no group is named, of the container.
    pub force: bool,
    /// The version of Binsparse to declare.
    pub version: String,
    /// A Binsparse descriptor whose format name, version and array types are kept where possible, as in
    /// [`Encoded::like`](binsparse::Encoded::like).
    pub like: Option<serde_json::Value>,
    /// The callback for progress reports.
    pub progress: Progress,
    /// The SciPy format to write. The default keeps compressed rows and columns, and writes all others as `Scipy::Coo`.
    #[cfg(feature = "npz")]
    pub scipy: Option<crate::npz::Scipy>,
    /// The PyData format to write.
    #[cfg(feature = "npz")]
    pub pydata: crate::npz::Pydata,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            compressed: false,
            group: None,
            force: false,
            version: binsparse::VERSION.into(),
            like: None,
            progress: Progress::default(),
            #[cfg(feature = "npz")]
            scipy: None,
            #[cfg(feature = "npz")]
            pydata: crate::npz::Pydata::Coo,
        }
    }
}

impl WriteOptions {
    /// Returns the descriptor and the arrays of a tensor according to these options. Fails as `binsparse::encode` and
    /// `Encoded::like` do.
    #[cfg(any(feature = "npz", feature = "hdf5"))]
    fn encoded<'a>(&self, tensor: &'a AnyTensor<'_>) -> Result<binsparse::Encoded<'a>> {
        let encoded = binsparse::encode(tensor, &self.version)?;
        match &self.like {
            Some(like) => encoded.like(like),
            None => Ok(encoded),
        }
    }
}

/// Writes a tensor to a file of a kind, and replaces the file as a whole.
///
/// Text is compressed if the name ends with `.gz`, `.bz2`, `.zst` or `.xz`. Zarr becomes a folder unless the name
/// ends with `.zip`. With a group, an existing HDF5 file or Zarr container keeps its other groups.
/// [`file_output::write`] says what happens to links, modes, owners, devices, FIFOs and descriptors.
///
/// Fails if the file, or the group to write, contains more than a tensor, unless the options have `force`. Also fails if a file
/// of this kind cannot hold the tensor, if its feature is off, or if the system refuses to write.
///
/// ```
/// # if !cfg!(feature = "hdf5") { return Ok(()) }
/// # let path = std::env::temp_dir().join(format!("sparse-files-write-{}.h5", std::process::id()));
/// use sparse_files::{FileError, FileKind, WriteOptions, tns};
/// let a = tns::read(b"1 2 0.5\n", None)?;
/// let raw = WriteOptions { group: Some("raw".into()), ..WriteOptions::default() };
/// sparse_files::write(&path, &a, FileKind::Hdf5, &raw)?;
/// // A tensor in place of the whole file would destroy the group.
/// let error = sparse_files::write(&path, &a, FileKind::Hdf5, &WriteOptions::default()).unwrap_err();
/// assert_eq!(error, FileError::Occupied { lost: "`raw`".into() });
/// sparse_files::write(&path, &a, FileKind::Hdf5, &WriteOptions { force: true, ..WriteOptions::default() })?;
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(path: &Path, tensor: &AnyTensor<'_>, kind: FileKind, options: &WriteOptions) -> Result<()> {
    let ends = |with: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(with));
    let target = file_output::target(path)?;
    let stream = matches!(target, Target::Stream(_) | Target::Descriptor(_));
    let in_folder = kind == FileKind::Zarr && !ends("zip") && !stream;
    if matches!(target, Target::Folder(_)) && !in_folder {
        return Err(FileError::NoPlace { what: format!("a file of kind {}", kind.name()), kind: "a path that is already a folder" });
    }
    if in_folder && !is_free(&target)? {
        return Err(FileError::NoPlace { what: "a folder of Zarr".into(), kind: "a path that is already a file" });
    }
    if added(path, &target, tensor, kind, options)? {
        return Ok(());
    }
    if in_folder {
        return folder(path, tensor, options);
    }
    file_output::write(path, |file| {
        let file = Counted(file, &options.progress);
        let name = path.to_string_lossy();
        if let Some((compression, _)) = Compression::of_name(&name) {
            return compression.deflate(file, |out| text(out, tensor, kind));
        }
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write_to(&mut out, tensor, kind, options)?;
        Ok(out.flush()?)
    })
}

/// Writes a tensor as a group of the existing container. Returns false, without writing, if the target is to be replaced as a
/// whole. Fails if the write would destroy other contents and the options lack `force`.
fn added(path: &Path, target: &Target, tensor: &AnyTensor<'_>, kind: FileKind, options: &WriteOptions) -> Result<bool> {
    let names = names_of(options.group.as_deref().unwrap_or_default())?;
    let named = options.group.as_deref().filter(|_| !names.is_empty());
    let container = Container::at(target)?;
    let group = named.filter(|_| container.as_ref().is_some_and(|container| container.takes_groups(kind)));
    if !options.force {
        if let Some(container) = &container {
            container.spare(group)?;
        }
        // The caller wants to add a group, not to replace a file that takes none.
        if named.is_some() && group.is_none() && matches!(kind, FileKind::Hdf5 | FileKind::Zarr) && holds(target)? {
            return Err(FileError::Occupied { lost: format!("the existing file, which cannot take a group of {},", kind.name()) });
        }
    }
    let Some(container) = container else { return Ok(false) };
    let Some(group) = group else { return Ok(false) };
    match container {
        Container::Hdf5(place) => to_hdf5(&place, tensor, group, options)?,
        Container::Archive(bytes) => to_archive(path, &bytes, tensor, group, options)?,
        Container::Folder(place) => to_folder(&place, tensor, group, options)?,
    }
    Ok(true)
}

/// Tests whether a target is a file that is not empty. Fails if the system cannot tell.
fn holds(target: &Target) -> Result<bool> {
    match target {
        Target::File(path) => Ok(std::fs::metadata(path)?.len() > 0),
        _ => Ok(false),
    }
}

/// Tests whether a target is unused or a group of Zarr. No option lets a tensor replace any other folder. Fails if the folder
/// cannot be read.
#[cfg(feature = "zarr")]
fn is_free(target: &Target) -> Result<bool> {
    match target {
        Target::Nothing(_) => Ok(true),
        Target::Folder(path) => crate::zarr::GroupReader::is_in(&crate::zarr::FolderStore::new(path)),
        _ => Ok(false),
    }
}

#[cfg(not(feature = "zarr"))]
fn is_free(_: &Target) -> Result<bool> {
    Err(FileKind::Zarr.lacking("zarr"))
}

/// Fails if the replaced folder contains more than a tensor, unless the options have `force`. Other processes may
/// have added files since the first check.
#[cfg(feature = "zarr")]
fn spared(old: &Path, options: &WriteOptions) -> Result<()> {
    if options.force { Ok(()) } else { Container::Folder(old.into()).spare(None) }
}

#[cfg(feature = "zarr")]
fn folder(path: &Path, tensor: &AnyTensor<'_>, options: &WriteOptions) -> Result<()> {
    use crate::zarr::FolderStore;
    file_output::write_folder(
        path,
        None,
        |old| spared(old, options),
        |folder| {
            let mut store = FolderStore::watched(folder, &options.progress)?;
            binsparse::write_zarr(&mut store, &options.encoded(tensor)?, options.group.as_deref(), options.compressed)
        },
    )
}

#[cfg(not(feature = "zarr"))]
fn folder(_: &Path, _: &AnyTensor<'_>, _: &WriteOptions) -> Result<()> {
    Err(FileKind::Zarr.lacking("zarr"))
}

/// Writes a tensor as a group to a copy of an HDF5 file. The copy then replaces the file. Fails as `binsparse::put_hdf5` and
/// `file_output::edit` do.
#[cfg(feature = "hdf5")]
fn to_hdf5(path: &Path, tensor: &AnyTensor<'_>, group: &str, options: &WriteOptions) -> Result<()> {
    let encoded = options.encoded(tensor)?;
    file_output::edit(path, |copy| binsparse::put_hdf5(copy, &encoded, group))
}

#[cfg(not(feature = "hdf5"))]
fn to_hdf5(_: &Path, _: &AnyTensor<'_>, _: &str, _: &WriteOptions) -> Result<()> {
    Err(FileKind::Hdf5.lacking("hdf5"))
}

/// Writes a tensor as a group to a folder of Zarr. Everything around the group stays, except consolidated metadata, which would
/// lack the group. Fails as `Place::find` and `file_output::write_folder` do.
#[cfg(feature = "zarr")]
fn to_folder(path: &Path, tensor: &AnyTensor<'_>, group: &str, options: &WriteOptions) -> Result<()> {
    use crate::zarr::{FolderStore, Place};
    let place = Place::find(&FolderStore::new(path), group)?;
    file_output::write_folder(
        &path.join(&place.prefix),
        Some(path),
        |old| spared(old, options),
        |folder| {
            let mut store = FolderStore::watched(folder, &options.progress)?;
            binsparse::write_zarr(&mut store, &options.encoded(tensor)?, Some(&place.rest), options.compressed)
        },
    )?;
    place.around.iter().try_for_each(|(key, bytes)| file_output::write(&path.join(key), |file| Ok(file.write_all(bytes)?)))
}

#[cfg(not(feature = "zarr"))]
fn to_folder(_: &Path, _: &AnyTensor<'_>, _: &str, _: &WriteOptions) -> Result<()> {
    Err(FileKind::Zarr.lacking("zarr"))
}

/// Writes a tensor as a group to a new zip file of Zarr with copies of all other members. The new file replaces the old one.
/// Fails as `Place::find` and `file_output::write` do.
#[cfg(feature = "zarr")]
fn to_archive(path: &Path, bytes: &[u8], tensor: &AnyTensor<'_>, group: &str, options: &WriteOptions) -> Result<()> {
    use crate::zarr::{Below, Place, StoreWriter, ZipStore, ZipStoreWriter};
    let old = ZipStore::open(bytes)?;
    let Place { prefix, rest, around } = Place::find(&old, group)?;
    file_output::write(path, |file| {
        let mut store = ZipStoreWriter::new(BufWriter::with_capacity(1 << 16, Counted(file, &options.progress)));
        store.copy(&old, |key| key.starts_with(prefix.as_bytes()) || around.iter().any(|(changed, _)| changed.as_bytes() == key))?;
        around.iter().try_for_each(|(key, bytes)| store.put(key, bytes))?;
        let mut below = Below { store: &mut store, prefix: &prefix };
        binsparse::write_zarr(&mut below, &options.encoded(tensor)?, Some(&rest), options.compressed)?;
        Ok(store.finish()?.flush()?)
    })
}

#[cfg(not(feature = "zarr"))]
fn to_archive(_: &Path, _: &[u8], _: &AnyTensor<'_>, _: &str, _: &WriteOptions) -> Result<()> {
    Err(FileKind::Zarr.lacking("zarr"))
}

/// Writes a tensor to an output that can seek, which archives need. Fails if a file of this kind cannot hold the tensor, if its
/// feature is off, or if the output fails.
///
/// ```
/// use sparse_files::{FileKind, WriteOptions, tns, write_to};
/// use std::io::Cursor;
/// let mut file = Cursor::new(Vec::new());
/// write_to(&mut file, &tns::read(b"2 1 4\n", None)?, FileKind::MatrixMarket, &WriteOptions::default())?;
/// assert_eq!(file.get_ref(), b"%%MatrixMarket matrix coordinate integer general\n2 1 1\n2 1 4\n");
/// // Matrix Market has matrices and vectors only.
/// let error = write_to(Cursor::new(Vec::new()), &tns::read(b"2 1 1 4\n", None)?, FileKind::MatrixMarket, &WriteOptions::default());
/// assert_eq!(error.unwrap_err().to_string(), "Matrix Market cannot hold a tensor of 3 axes");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[cfg_attr(
    not(any(feature = "npz", feature = "hdf5", feature = "arrow", feature = "parquet")),
    expect(unused_variables, reason = "text has no options")
)]
pub fn write_to<W: Write + Seek + Send>(mut out: W, tensor: &AnyTensor<'_>, kind: FileKind, options: &WriteOptions) -> Result<()> {
    match kind {
        FileKind::MatrixMarket | FileKind::Tns | FileKind::Npy => text(&mut out, tensor, kind),
        #[cfg(feature = "npz")]
        FileKind::Npz | FileKind::Scipy | FileKind::Pydata => archive(out, tensor, kind, options),
        #[cfg(not(feature = "npz"))]
        FileKind::Npz | FileKind::Scipy | FileKind::Pydata => Err(kind.lacking("npz")),
        #[cfg(feature = "hdf5")]
        FileKind::Hdf5 => binsparse::write_hdf5(&mut out, &options.encoded(tensor)?, options.group.as_deref()),
        #[cfg(not(feature = "hdf5"))]
        FileKind::Hdf5 => Err(kind.lacking("hdf5")),
        #[cfg(feature = "zarr")]
        FileKind::Zarr => {
            let mut store = crate::zarr::ZipStoreWriter::new(out);
            binsparse::write_zarr(&mut store, &options.encoded(tensor)?, options.group.as_deref(), options.compressed)?;
            store.finish().map(drop)
        }
        #[cfg(not(feature = "zarr"))]
        FileKind::Zarr => Err(kind.lacking("zarr")),
        #[cfg(feature = "arrow")]
        FileKind::Arrow => crate::table::write_arrow(&mut out, tensor, options.compressed),
        #[cfg(not(feature = "arrow"))]
        FileKind::Arrow => Err(kind.lacking("arrow")),
        #[cfg(feature = "parquet")]
        FileKind::Parquet => crate::table::write_parquet(&mut out, tensor, options.compressed),
        #[cfg(not(feature = "parquet"))]
        FileKind::Parquet => Err(kind.lacking("parquet")),
    }
}

#[cfg(feature = "npz")]
fn archive<W: Write + Seek>(out: W, tensor: &AnyTensor<'_>, kind: FileKind, options: &WriteOptions) -> Result<()> {
    use crate::npz::{ArchiveWriter, Scipy, write_pydata, write_scipy};
    let mut archive = ArchiveWriter::new(out, options.compressed);
    match kind {
        FileKind::Pydata => write_pydata(&mut archive, tensor, &options.pydata)?,
        FileKind::Scipy => {
            let alike = |format: &Format| tensor.format().same_levels(format);
            let nearest = if alike(&Format::csr()) {
                Scipy::Csr
            } else if alike(&Format::csc()) {
                Scipy::Csc
            } else {
                Scipy::Coo
            };
            write_scipy(&mut archive, tensor, options.scipy.unwrap_or(nearest))?;
        }
        _ => binsparse::write_npz(&mut archive, &options.encoded(tensor)?)?,
    }
    archive.finish().map(drop)
}

/// Writes a tensor as Matrix Market, `.tns` or `.npy`, which need no seeking. Fails for other kinds.
fn text(out: &mut dyn Write, tensor: &AnyTensor<'_>, kind: FileKind) -> Result<()> {
    match kind {
        FileKind::MatrixMarket => matrix_market::write(out, tensor),
        FileKind::Tns if tensor.attributes().is_one_triangle() => tns::write(out, &tensor.expand()?),
        FileKind::Tns => tns::write(out, tensor),
        FileKind::Npy => dense(out, tensor),
        _ => Err(FileError::NoPlace { what: format!("a file of kind {}", kind.name()), kind: "compressed text" }),
    }
}

/// Writes all elements of a tensor as `.npy`, also those that are not stored. Fails if two stored elements have the same
/// coordinate.
fn dense(out: &mut dyn Write, tensor: &AnyTensor<'_>) -> Result<()> {
    if tensor.attributes().is_one_triangle() {
        return dense(out, &tensor.expand()?);
    }
    let order: Vec<usize> = (0..tensor.shape().len()).collect();
    let format = Format::new(&[], &order).map_err(SparseError::from)?;
    let tensor = if tensor.format() == &format { tensor.view() } else { tensor.convert(&format, Dedupe::Refuse)? };
    match tensor.values() {
        AnyValues::Each(values) => npy::write(out, tensor.shape(), &values),
        _ => npy::write(out, tensor.shape(), &tensor.each_value()),
    }
}
