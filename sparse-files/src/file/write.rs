//! Tensors as files of any kind.

#[cfg(feature = "zarr")]
use super::atomic::replace_folder;
use super::{Kind, replace};
use crate::error::{FileError, Result};
use crate::progress::{Counted, Progress};
use crate::value::{AnyTensor, AnyValues, Dedupe};
use crate::{binsparse, matrix_market, npy, tns};
use sparse_formats::{Format, TensorError};
use std::io::{BufWriter, Seek, Write};
use std::path::Path;

/// How a file is written.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// True where arrays in archives are deflated, and those of Zarr, Arrow and Parquet compressed by Zstandard.
    pub compressed: bool,
    /// The group of HDF5 or of Zarr; the root where none is named.
    pub group: Option<String>,
    /// The version of Binsparse.
    pub version: String,
    /// A descriptor of Binsparse whose way of saying the same is kept, as [`Encoded::like`](binsparse::Encoded::like) does it.
    pub like: Option<serde_json::Value>,
    /// Who is told how far writing is.
    pub progress: Progress,
    /// The format of SciPy; that nearest to the tensor's where none is named.
    #[cfg(feature = "npz")]
    pub scipy: Option<crate::npz::Scipy>,
    /// The format of PyData's.
    #[cfg(feature = "npz")]
    pub pydata: crate::npz::Pydata,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            compressed: false,
            group: None,
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
    /// The descriptor and the arrays of a tensor as these options ask for them.
    #[cfg(any(feature = "npz", feature = "hdf5"))]
    fn encoded<'a>(&self, tensor: &'a AnyTensor<'_>) -> Result<binsparse::Encoded<'a>> {
        let encoded = binsparse::encode(tensor, &self.version)?;
        match &self.like {
            Some(like) => encoded.like(like),
            None => Ok(encoded),
        }
    }
}

/// Writes a tensor to a file of a kind, which is replaced as a whole; text to a name that ends with `.gz` in gzip, and Zarr to a folder unless the name ends with `.zip`.
pub fn write(path: &Path, tensor: &AnyTensor<'_>, kind: Kind, options: &WriteOptions) -> Result<()> {
    let ends = |with: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(with));
    if kind == Kind::Zarr && !ends("zip") {
        return folder(path, tensor, options);
    }
    replace(path, |file| {
        let file = Counted(file, &options.progress);
        if ends("gz") {
            return deflated(file, |out| text(out, tensor, kind));
        }
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write_to(&mut out, tensor, kind, options)?;
        Ok(out.flush()?)
    })
}

#[cfg(feature = "zarr")]
fn folder(path: &Path, tensor: &AnyTensor<'_>, options: &WriteOptions) -> Result<()> {
    use crate::zarr::{FolderStore, Group};
    if path.exists() && !(path.is_dir() && Group::is_in(&FolderStore::new(path))?) {
        return Err(FileError::NoPlace { what: format!("what is no group of Zarr: {}", path.display()), kind: "the name of one" });
    }
    replace_folder(path, |folder| {
        let mut store = FolderStore::watched(folder, &options.progress)?;
        binsparse::write_zarr(&mut store, &options.encoded(tensor)?, options.group.as_deref(), options.compressed)
    })
}

#[cfg(not(feature = "zarr"))]
fn folder(_: &Path, _: &AnyTensor<'_>, _: &WriteOptions) -> Result<()> {
    Err(Kind::Zarr.lacking("zarr"))
}

/// Writes a tensor to what can be moved back in, as archives are written.
#[cfg_attr(
    not(any(feature = "npz", feature = "hdf5", feature = "arrow", feature = "parquet")),
    expect(unused_variables, reason = "text has no options")
)]
pub fn write_to<W: Write + Seek + Send>(mut out: W, tensor: &AnyTensor<'_>, kind: Kind, options: &WriteOptions) -> Result<()> {
    match kind {
        Kind::MatrixMarket | Kind::Tns | Kind::Npy => text(&mut out, tensor, kind),
        #[cfg(feature = "npz")]
        Kind::Npz | Kind::Scipy | Kind::Pydata => archive(out, tensor, kind, options),
        #[cfg(not(feature = "npz"))]
        Kind::Npz | Kind::Scipy | Kind::Pydata => Err(kind.lacking("npz")),
        #[cfg(feature = "hdf5")]
        Kind::Hdf5 => binsparse::write_hdf5(&mut out, &options.encoded(tensor)?, options.group.as_deref()),
        #[cfg(not(feature = "hdf5"))]
        Kind::Hdf5 => Err(kind.lacking("hdf5")),
        #[cfg(feature = "zarr")]
        Kind::Zarr => {
            let mut store = crate::zarr::ZipStoreWriter::new(out);
            binsparse::write_zarr(&mut store, &options.encoded(tensor)?, options.group.as_deref(), options.compressed)?;
            store.finish().map(drop)
        }
        #[cfg(not(feature = "zarr"))]
        Kind::Zarr => Err(kind.lacking("zarr")),
        #[cfg(feature = "arrow")]
        Kind::Arrow => crate::table::write_arrow(&mut out, tensor, options.compressed),
        #[cfg(not(feature = "arrow"))]
        Kind::Arrow => Err(kind.lacking("arrow")),
        #[cfg(feature = "parquet")]
        Kind::Parquet => crate::table::write_parquet(&mut out, tensor, options.compressed),
        #[cfg(not(feature = "parquet"))]
        Kind::Parquet => Err(kind.lacking("parquet")),
    }
}

#[cfg(feature = "npz")]
fn archive<W: Write + Seek>(out: W, tensor: &AnyTensor<'_>, kind: Kind, options: &WriteOptions) -> Result<()> {
    use crate::npz::{ArchiveWriter, Scipy, write_pydata, write_scipy};
    let mut archive = ArchiveWriter::new(out, options.compressed);
    match kind {
        Kind::Pydata => write_pydata(&mut archive, tensor, &options.pydata)?,
        Kind::Scipy => {
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

/// Writes what needs no moving back.
fn text(out: &mut dyn Write, tensor: &AnyTensor<'_>, kind: Kind) -> Result<()> {
    match kind {
        Kind::MatrixMarket => matrix_market::write(out, tensor),
        Kind::Tns if tensor.attributes().is_one_triangle() => tns::write(out, &tensor.expand()?),
        Kind::Tns => tns::write(out, tensor),
        Kind::Npy => dense(out, tensor),
        _ => Err(FileError::NoPlace { what: format!("a file of kind {}", kind.name()), kind: "gzip" }),
    }
}

/// Writes all elements of a tensor.
fn dense(out: &mut dyn Write, tensor: &AnyTensor<'_>) -> Result<()> {
    if tensor.attributes().is_one_triangle() {
        return dense(out, &tensor.expand()?);
    }
    let order: Vec<usize> = (0..tensor.shape().len()).collect();
    let format = Format::new(&[], &order).map_err(TensorError::from)?;
    let tensor = if tensor.format() == &format { tensor.view() } else { tensor.convert(&format, Dedupe::Refuse)? };
    match tensor.values() {
        AnyValues::Each(values) => npy::write(out, tensor.shape(), &values),
        _ => npy::write(out, tensor.shape(), &tensor.each_value()),
    }
}

#[cfg(feature = "gzip")]
fn deflated(file: impl Write, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut out = flate2::write::GzEncoder::new(BufWriter::new(file), flate2::Compression::default());
    write(&mut out)?;
    Ok(out.finish()?.flush()?)
}

#[cfg(not(feature = "gzip"))]
fn deflated(_: impl Write, _: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    Err(FileError::Feature { what: "gzip", feature: "gzip" })
}
