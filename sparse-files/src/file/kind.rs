//! Kinds of files.

use super::{Bytes, ReadOptions};
use crate::error::{FileError, Result};
use crate::value::AnyTensor;
use crate::{matrix_market, npy, tns};

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// Matrix Market: a matrix or a vector as text.
    MatrixMarket,
    /// FROSTT: coordinates and values as text.
    Tns,
    /// NumPy: all elements of an array.
    Npy,
    /// Binsparse in an archive of NumPy arrays.
    Npz,
    /// `scipy.sparse.save_npz`.
    Scipy,
    /// `sparse.save_npz` of PyData.
    Pydata,
    /// Binsparse in HDF5.
    Hdf5,
}

/// The kinds with their names, the ending of files that are of them, and what they are.
pub const KINDS: &[(Kind, &str, &str, &str)] = &[
    (Kind::MatrixMarket, "mtx", ".mtx", "Matrix Market, text of coordinates or of a whole matrix; .mtx.gz too"),
    (Kind::Tns, "tns", ".tns", "FROSTT, text of coordinates of any rank; .tns.gz too"),
    (Kind::Npy, "npy", ".npy", "NumPy, all elements of an array"),
    (Kind::Npz, "npz", ".npz", "Binsparse in an archive of NumPy arrays"),
    (Kind::Scipy, "scipy", ".npz", "SciPy's save_npz: csr, csc, coo, bsr, dia"),
    (Kind::Pydata, "pydata", ".npz", "save_npz of PyData's sparse: COO, GCXS"),
    (Kind::Hdf5, "hdf5", ".h5", "Binsparse in HDF5; .hdf5 too"),
];

impl Kind {
    /// The name, as the command line has it.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, ..)| name)
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        KINDS.iter().find(|(_, known, ..)| *known == name).map(|(kind, ..)| *kind)
    }

    /// The kind of files that have names with this ending, `.gz` left out.
    ///
    /// ```
    /// use sparse_files::Kind;
    /// assert_eq!(Kind::of_name("a.tns.gz"), Some(Kind::Tns));
    /// assert_eq!(Kind::of_name("a.csv"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Kind> {
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let known = KINDS.iter().find(|(_, _, ending, _)| name.ends_with(ending)).map(|(kind, ..)| *kind);
        known.or_else(|| name.ends_with(".hdf5").then_some(Kind::Hdf5))
    }

    /// The kind of a content, or, where many things look like it, of a name.
    pub fn of(bytes: &[u8], name: &str) -> Result<Kind> {
        let begins = |text: &[u8]| bytes.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        if begins(b"%%MatrixMarket") {
            return Ok(Kind::MatrixMarket);
        }
        if begins(b"\x93NUMPY") {
            return Ok(Kind::Npy);
        }
        if begins(b"PK\x03\x04") || begins(b"PK\x05\x06") {
            return of_archive(bytes);
        }
        if begins(b"\x89HDF\r\n\x1a\n") {
            return Ok(Kind::Hdf5);
        }
        Kind::of_name(name).ok_or_else(|| FileError::Kind { what: format!("`{name}`") })
    }

    /// The tensor of the bytes of a file of this kind.
    pub(super) fn read(self, bytes: Bytes, options: &ReadOptions) -> Result<AnyTensor<'static>> {
        match self {
            Kind::MatrixMarket => matrix_market::read(&bytes),
            Kind::Tns => tns::read(&bytes, options.shape.as_deref()),
            Kind::Npy => npy::read("the array", &bytes)?.tensor("the array").map(AnyTensor::into_owned),
            #[cfg(feature = "npz")]
            Kind::Npz => crate::binsparse::read_npz(&mut crate::npz::Archive::open(&bytes)?),
            #[cfg(feature = "npz")]
            Kind::Scipy => crate::npz::read_scipy(&mut crate::npz::Archive::open(&bytes)?),
            #[cfg(feature = "npz")]
            Kind::Pydata => crate::npz::read_pydata(&mut crate::npz::Archive::open(&bytes)?),
            #[cfg(not(feature = "npz"))]
            Kind::Npz | Kind::Scipy | Kind::Pydata => Err(self.lacking("npz")),
            #[cfg(feature = "hdf5")]
            Kind::Hdf5 => crate::binsparse::read_hdf5(bytes.into_vec(), options.group.as_deref()),
            #[cfg(not(feature = "hdf5"))]
            Kind::Hdf5 => Err(self.lacking("hdf5")),
        }
    }

    /// The error of a kind for which this has been built without a feature.
    #[cfg(not(all(feature = "npz", feature = "hdf5")))]
    pub(super) fn lacking(self, feature: &'static str) -> FileError {
        FileError::Feature { what: self.name(), feature }
    }
}

/// The kind of an archive: by the arrays that it has.
#[cfg(feature = "npz")]
fn of_archive(bytes: &[u8]) -> Result<Kind> {
    let archive = crate::npz::Archive::open(bytes)?;
    match ["binsparse", "format", "fill_value"].map(|name| archive.has(name)) {
        [true, ..] => Ok(Kind::Npz),
        [_, true, true] => Ok(Kind::Pydata),
        [_, true, false] => Ok(Kind::Scipy),
        _ => Err(FileError::Kind { what: "an archive with neither `binsparse` nor `format`".into() }),
    }
}

#[cfg(not(feature = "npz"))]
fn of_archive(_: &[u8]) -> Result<Kind> {
    Err(FileError::Feature { what: "an archive", feature: "npz" })
}
