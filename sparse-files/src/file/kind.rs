//! The kinds of files, by content and by name.

use super::compression::inner_name;
use super::{Bytes, ReadOptions};
use crate::error::{FileError, Result};
use crate::location::Location;
use crate::signature::user_block;
use crate::value::AnyTensor;
use crate::{matrix_market, npy, tns};

/// A kind of file from which tensors are read, and to which they are written.
///
/// ```
/// use sparse_files::FileKind;
/// let kind = FileKind::from_name("scipy").expect("a kind");
/// assert_eq!((kind, kind.name()), (FileKind::Scipy, "scipy"));
/// // Several kinds share the ending `.npz`, which stands for the first of them.
/// assert_eq!(FileKind::of_name("a.npz"), Some(FileKind::Npz));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FileKind {
    /// Matrix Market: a matrix or a vector as text.
    MatrixMarket,
    /// FROSTT: coordinates and values as text.
    Tns,
    /// NumPy: all elements of an array.
    Npy,
    /// Binsparse in an archive of NumPy arrays.
    Npz,
    /// A matrix or an array in the format of `scipy.sparse.save_npz`.
    Scipy,
    /// A tensor in the format of `save_npz` of PyData's package `sparse`.
    Pydata,
    /// HDF5. Reads Binsparse, AnnData, matrices of 10x Genomics, and arrays. Writes Binsparse.
    Hdf5,
    /// Zarr. Reads Binsparse, AnnData, and arrays. Writes Binsparse.
    Zarr,
    /// A table of coordinates and values in Arrow.
    Arrow,
    /// A table of coordinates and values in Parquet.
    Parquet,
}

/// All kinds, each with its name, the endings of its file names, and a description.
///
/// ```
/// use sparse_files::{FileKind, KINDS};
/// let texts = KINDS.iter().filter(|(.., description)| description.contains("text of"));
/// assert_eq!(texts.map(|(kind, name, ..)| (*kind, *name)).collect::<Vec<_>>(), [(FileKind::MatrixMarket, "mtx"), (FileKind::Tns, "tns")]);
/// let parquet = KINDS.iter().find(|(_, _, endings, _)| endings.contains(&".parquet"));
/// assert_eq!(parquet.map(|(kind, ..)| *kind), Some(FileKind::Parquet));
/// ```
pub const KINDS: &[(FileKind, &str, &[&str], &str)] = &[
    (FileKind::MatrixMarket, "mtx", &[".mtx"], "Matrix Market: text of coordinates or of all elements, also compressed, as in .mtx.gz"),
    (FileKind::Tns, "tns", &[".tns"], "FROSTT: text of coordinates of any rank, also compressed, as in .tns.gz"),
    (FileKind::Npy, "npy", &[".npy"], "NumPy: an array with all elements"),
    (FileKind::Npz, "npz", &[".npz"], "Binsparse in an archive of NumPy arrays"),
    (FileKind::Scipy, "scipy", &[".npz"], "SciPy's save_npz: csr, csc, coo, bsr, dia"),
    (FileKind::Pydata, "pydata", &[".npz"], "save_npz of PyData sparse: COO, GCXS"),
    (FileKind::Hdf5, "hdf5", &[".h5", ".hdf5"], "HDF5: Binsparse, AnnData, 10x Genomics, arrays"),
    (FileKind::Zarr, "zarr", &[".zarr", ".zarr.zip"], "Zarr, as a folder or an archive: Binsparse, AnnData, arrays"),
    (FileKind::Arrow, "arrow", &[".arrow", ".feather"], "Arrow: a table of coordinates and values, as a file or a stream"),
    (FileKind::Parquet, "parquet", &[".parquet"], "Parquet: a table of coordinates and values"),
];

impl FileKind {
    /// Returns the name of the kind on the command line, such as `mtx`.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, ..)| name)
    }

    /// Returns the kind that the command line calls by this name, or `None` for other names.
    pub fn from_name(name: &str) -> Option<FileKind> {
        KINDS.iter().find(|(_, known, ..)| *known == name).map(|(kind, ..)| *kind)
    }

    /// Returns the kind of a file by the ending of its name, or `None` if no kind has it. Ignores a final `.gz`, `.bz2`, `.zst`
    /// or `.xz`.
    ///
    /// ```
    /// use sparse_files::FileKind;
    /// assert_eq!(FileKind::of_name("a.tns.gz"), Some(FileKind::Tns));
    /// assert_eq!(FileKind::of_name("a.mtx.zst"), Some(FileKind::MatrixMarket));
    /// assert_eq!(FileKind::of_name("a.csv"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<FileKind> {
        let name = name.to_ascii_lowercase();
        let name = inner_name(&name);
        KINDS.iter().find(|(_, _, endings, _)| endings.iter().any(|ending| name.ends_with(ending))).map(|(kind, ..)| *kind)
    }

    /// Returns the kind of a file by its content, or by its name if the content does not decide. Fails if neither is of a known
    /// kind, or if a zip file is damaged or without the arrays of a tensor.
    ///
    /// ```
    /// use sparse_files::FileKind;
    /// assert_eq!(FileKind::of(b"%%MatrixMarket matrix coordinate real general\n", "a.tns")?, FileKind::MatrixMarket);
    /// assert_eq!(FileKind::of(b"1 1 0.5\n", "a.tns")?, FileKind::Tns);
    /// assert_eq!(FileKind::of(b"1,1,0.5\n", "a.csv").map_err(|error| error.class()), Err("file/kind"));
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn of(bytes: &[u8], name: &str) -> Result<FileKind> {
        let begins = |text: &[u8]| bytes.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        if matrix_market::is_first_line(bytes) {
            return Ok(FileKind::MatrixMarket);
        }
        if begins(b"\x93NUMPY") {
            return Ok(FileKind::Npy);
        }
        if begins(b"PK\x03\x04") || begins(b"PK\x05\x06") {
            return of_archive(bytes);
        }
        if user_block(&mut std::io::Cursor::new(bytes))?.is_some() {
            return Ok(FileKind::Hdf5);
        }
        // A stream of Arrow begins with the marker of a message, four bytes 0xff.
        if begins(b"ARROW1") || begins(&[0xff; 4]) {
            return Ok(FileKind::Arrow);
        }
        if begins(b"PAR1") {
            return Ok(FileKind::Parquet);
        }
        FileKind::of_name(name).ok_or_else(|| FileError::Kind { what: format!("`{name}`") })
    }

    /// Reads the tensor from the bytes of a file of this kind. Also returns the location of the tensor, for kinds that are
    /// containers of groups. Fails if the bytes are damaged or contain no tensor, or if a feature is off.
    pub(super) fn read(self, bytes: Bytes, options: &ReadOptions) -> Result<(AnyTensor<'static>, Option<Location>)> {
        let tensor = match self {
            FileKind::MatrixMarket => matrix_market::read_with(&bytes, &options.progress),
            FileKind::Tns => tns::read_with(&bytes, options.shape.as_deref(), options.base.unwrap_or(1), &options.progress),
            FileKind::Npy => npy::read("the array", &bytes)?.tensor("the array").map(AnyTensor::into_owned),
            #[cfg(feature = "npz")]
            FileKind::Npz => crate::binsparse::read_npz(&mut archive(&bytes, options)?),
            #[cfg(feature = "npz")]
            FileKind::Scipy => crate::npz::read_scipy(&mut archive(&bytes, options)?),
            #[cfg(feature = "npz")]
            FileKind::Pydata => crate::npz::read_pydata(&mut archive(&bytes, options)?),
            #[cfg(not(feature = "npz"))]
            FileKind::Npz | FileKind::Scipy | FileKind::Pydata => Err(self.lacking("npz")),
            #[cfg(feature = "hdf5")]
            FileKind::Hdf5 => {
                let (tensor, location) = crate::hierarchy::read_hdf5(bytes.into_vec(), options.group.as_deref(), &options.progress)?;
                return Ok((tensor, Some(location)));
            }
            #[cfg(not(feature = "hdf5"))]
            FileKind::Hdf5 => Err(self.lacking("hdf5")),
            #[cfg(feature = "zarr")]
            FileKind::Zarr => {
                let (tensor, location) = crate::hierarchy::read_zarr(&crate::zarr::ZipStore::open(&bytes)?, options.group.as_deref())?;
                return Ok((tensor, Some(location)));
            }
            #[cfg(not(feature = "zarr"))]
            FileKind::Zarr => Err(self.lacking("zarr")),
            #[cfg(feature = "arrow")]
            FileKind::Arrow => crate::table::read_batches(&bytes, options.shape.as_deref(), options.rows).map(AnyTensor::into_owned),
            #[cfg(not(feature = "arrow"))]
            FileKind::Arrow => Err(self.lacking("arrow")),
            #[cfg(feature = "parquet")]
            FileKind::Parquet => crate::table::read_groups(bytes, options.shape.as_deref(), options.rows),
            #[cfg(not(feature = "parquet"))]
            FileKind::Parquet => Err(self.lacking("parquet")),
        };
        Ok((tensor?, None))
    }

    /// Reads the Binsparse descriptor from the bytes of a file of this kind. Fails if there is none.
    #[cfg_attr(not(any(feature = "npz", feature = "hdf5")), expect(unused_variables, reason = "text has no descriptor"))]
    pub(super) fn descriptor(self, bytes: Bytes, options: &ReadOptions) -> Result<String> {
        match self {
            #[cfg(feature = "npz")]
            FileKind::Npz => crate::binsparse::npz_descriptor(&mut archive(&bytes, options)?),
            #[cfg(feature = "hdf5")]
            FileKind::Hdf5 => crate::hierarchy::hdf5_descriptor(bytes.into_vec(), options.group.as_deref()),
            #[cfg(feature = "zarr")]
            FileKind::Zarr => crate::hierarchy::zarr_descriptor(&crate::zarr::ZipStore::open(&bytes)?, options.group.as_deref()),
            _ => Err(FileError::Missing { array: "the descriptor".into() }),
        }
    }

    /// Returns the error of a kind whose feature is off.
    #[cfg(not(all(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet")))]
    pub(super) fn lacking(self, feature: &'static str) -> FileError {
        FileError::Feature { what: self.name(), feature }
    }
}

/// Opens the archive in the bytes of a file, and reports its reading to the callback of the options. Fails if it is damaged.
#[cfg(feature = "npz")]
fn archive<'a>(bytes: &'a [u8], options: &ReadOptions) -> Result<crate::npz::Archive<'a>> {
    Ok(crate::npz::Archive::open(bytes)?.watched(&options.progress))
}

/// Returns the kind of a zip file by the arrays in it. Fails if it is damaged, or if it has the arrays of no known kind.
#[cfg(feature = "npz")]
fn of_archive(bytes: &[u8]) -> Result<FileKind> {
    #[cfg(feature = "zarr")]
    if crate::zarr::GroupReader::is_in(&crate::zarr::ZipStore::open(bytes)?)? {
        return Ok(FileKind::Zarr);
    }
    let archive = crate::npz::Archive::open(bytes)?;
    match ["binsparse", "format", "fill_value"].map(|name| archive.has(name)) {
        [true, ..] => Ok(FileKind::Npz),
        [_, true, true] => Ok(FileKind::Pydata),
        [_, true, false] => Ok(FileKind::Scipy),
        _ if crate::npz::is_untagged(&archive) => Ok(FileKind::Pydata),
        _ => Err(FileError::Kind {
            what: "an archive without the arrays of Binsparse (`binsparse`), SciPy (`format`) or PyData sparse".into(),
        }),
    }
}

#[cfg(not(feature = "npz"))]
fn of_archive(_: &[u8]) -> Result<FileKind> {
    Err(FileError::Feature { what: "an archive", feature: "npz" })
}
