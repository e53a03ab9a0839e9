//! The kinds of files, by content and by name.

use super::compression::inner_name;
use super::{Bytes, ReadOptions};
use crate::error::{FileError, Result};
use crate::location::Location;
use crate::signature::user_block;
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
pub const KINDS: &[(Kind, &str, &[&str], &str)] = &[
    (Kind::MatrixMarket, "mtx", &[".mtx"], "Matrix Market: text of coordinates or of all elements, also compressed, as in .mtx.gz"),
    (Kind::Tns, "tns", &[".tns"], "FROSTT: text of coordinates of any rank, also compressed, as in .tns.gz"),
    (Kind::Npy, "npy", &[".npy"], "NumPy: an array with all elements"),
    (Kind::Npz, "npz", &[".npz"], "Binsparse in an archive of NumPy arrays"),
    (Kind::Scipy, "scipy", &[".npz"], "SciPy's save_npz: csr, csc, coo, bsr, dia"),
    (Kind::Pydata, "pydata", &[".npz"], "save_npz of PyData sparse: COO, GCXS"),
    (Kind::Hdf5, "hdf5", &[".h5", ".hdf5"], "HDF5: Binsparse, AnnData, 10x Genomics, arrays"),
    (Kind::Zarr, "zarr", &[".zarr", ".zarr.zip"], "Zarr, as a folder or an archive: Binsparse, AnnData, arrays"),
    (Kind::Arrow, "arrow", &[".arrow", ".feather"], "Arrow: a table of coordinates and values, as a file or a stream"),
    (Kind::Parquet, "parquet", &[".parquet"], "Parquet: a table of coordinates and values"),
];

impl Kind {
    /// Returns the name that the command line uses.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, ..)| name)
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        KINDS.iter().find(|(_, known, ..)| *known == name).map(|(kind, ..)| *kind)
    }

    /// Returns the kind of a file name by its ending. Ignores a final `.gz`, `.bz2`, `.zst` or `.xz`.
    ///
    /// ```
    /// use sparse_files::Kind;
    /// assert_eq!(Kind::of_name("a.tns.gz"), Some(Kind::Tns));
    /// assert_eq!(Kind::of_name("a.mtx.zst"), Some(Kind::MatrixMarket));
    /// assert_eq!(Kind::of_name("a.csv"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Kind> {
        let name = name.to_ascii_lowercase();
        let name = inner_name(&name);
        KINDS.iter().find(|(_, _, endings, _)| endings.iter().any(|ending| name.ends_with(ending))).map(|(kind, ..)| *kind)
    }

    /// Returns the kind of a file by its content, or by its name if the content does not decide.
    pub fn of(bytes: &[u8], name: &str) -> Result<Kind> {
        let begins = |text: &[u8]| bytes.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        if matrix_market::is_first_line(bytes) {
            return Ok(Kind::MatrixMarket);
        }
        if begins(b"\x93NUMPY") {
            return Ok(Kind::Npy);
        }
        if begins(b"PK\x03\x04") || begins(b"PK\x05\x06") {
            return of_archive(bytes);
        }
        if user_block(&mut std::io::Cursor::new(bytes))?.is_some() {
            return Ok(Kind::Hdf5);
        }
        // A stream begins with the marker of a message.
        if begins(b"ARROW1") || begins(&[0xff; 4]) {
            return Ok(Kind::Arrow);
        }
        if begins(b"PAR1") {
            return Ok(Kind::Parquet);
        }
        Kind::of_name(name).ok_or_else(|| FileError::Kind { what: format!("`{name}`") })
    }

    /// Reads the tensor from the bytes of a file of this kind. Also returns its location in a container of groups.
    pub(super) fn read(self, bytes: Bytes, options: &ReadOptions) -> Result<(AnyTensor<'static>, Option<Location>)> {
        let tensor = match self {
            Kind::MatrixMarket => matrix_market::read_with(&bytes, &options.progress),
            Kind::Tns => tns::read_with(&bytes, options.shape.as_deref(), options.base.unwrap_or(1), &options.progress),
            Kind::Npy => npy::read("the array", &bytes)?.tensor("the array").map(AnyTensor::into_owned),
            #[cfg(feature = "npz")]
            Kind::Npz => crate::binsparse::read_npz(&mut archive(&bytes, options)?),
            #[cfg(feature = "npz")]
            Kind::Scipy => crate::npz::read_scipy(&mut archive(&bytes, options)?),
            #[cfg(feature = "npz")]
            Kind::Pydata => crate::npz::read_pydata(&mut archive(&bytes, options)?),
            #[cfg(not(feature = "npz"))]
            Kind::Npz | Kind::Scipy | Kind::Pydata => Err(self.lacking("npz")),
            #[cfg(feature = "hdf5")]
            Kind::Hdf5 => {
                let (tensor, location) = crate::hierarchy::read_hdf5(bytes.into_vec(), options.group.as_deref(), &options.progress)?;
                return Ok((tensor, Some(location)));
            }
            #[cfg(not(feature = "hdf5"))]
            Kind::Hdf5 => Err(self.lacking("hdf5")),
            #[cfg(feature = "zarr")]
            Kind::Zarr => {
                let (tensor, location) = crate::hierarchy::read_zarr(&crate::zarr::ZipStore::open(&bytes)?, options.group.as_deref())?;
                return Ok((tensor, Some(location)));
            }
            #[cfg(not(feature = "zarr"))]
            Kind::Zarr => Err(self.lacking("zarr")),
            #[cfg(feature = "arrow")]
            Kind::Arrow => crate::table::read_arrow(&bytes, options.shape.as_deref()).map(AnyTensor::into_owned),
            #[cfg(not(feature = "arrow"))]
            Kind::Arrow => Err(self.lacking("arrow")),
            #[cfg(feature = "parquet")]
            Kind::Parquet => crate::table::read_parquet(bytes, options.shape.as_deref()),
            #[cfg(not(feature = "parquet"))]
            Kind::Parquet => Err(self.lacking("parquet")),
        };
        Ok((tensor?, None))
    }

    /// Reads the Binsparse descriptor from the bytes of a file of this kind.
    #[cfg_attr(not(any(feature = "npz", feature = "hdf5")), expect(unused_variables, reason = "text has no descriptor"))]
    pub(super) fn descriptor(self, bytes: Bytes, options: &ReadOptions) -> Result<String> {
        match self {
            #[cfg(feature = "npz")]
            Kind::Npz => crate::binsparse::npz_descriptor(&mut archive(&bytes, options)?),
            #[cfg(feature = "hdf5")]
            Kind::Hdf5 => crate::hierarchy::hdf5_descriptor(bytes.into_vec(), options.group.as_deref()),
            #[cfg(feature = "zarr")]
            Kind::Zarr => crate::hierarchy::zarr_descriptor(&crate::zarr::ZipStore::open(&bytes)?, options.group.as_deref()),
            _ => Err(FileError::Missing { array: "the descriptor".into() }),
        }
    }

    /// Returns the error of a kind whose feature is off.
    #[cfg(not(all(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet")))]
    pub(super) fn lacking(self, feature: &'static str) -> FileError {
        FileError::Feature { what: self.name(), feature }
    }
}

/// Opens the archive in the bytes of a file.
#[cfg(feature = "npz")]
fn archive<'a>(bytes: &'a [u8], options: &ReadOptions) -> Result<crate::npz::Archive<'a>> {
    Ok(crate::npz::Archive::open(bytes)?.watched(&options.progress))
}

/// Returns the kind of an archive by the arrays that it has.
#[cfg(feature = "npz")]
fn of_archive(bytes: &[u8]) -> Result<Kind> {
    #[cfg(feature = "zarr")]
    if crate::zarr::Group::is_in(&crate::zarr::ZipStore::open(bytes)?)? {
        return Ok(Kind::Zarr);
    }
    let archive = crate::npz::Archive::open(bytes)?;
    match ["binsparse", "format", "fill_value"].map(|name| archive.has(name)) {
        [true, ..] => Ok(Kind::Npz),
        [_, true, true] => Ok(Kind::Pydata),
        [_, true, false] => Ok(Kind::Scipy),
        _ if crate::npz::is_untagged(&archive) => Ok(Kind::Pydata),
        _ => Err(FileError::Kind {
            what: "an archive without the arrays of Binsparse (`binsparse`), SciPy (`format`) or PyData sparse".into(),
        }),
    }
}

#[cfg(not(feature = "npz"))]
fn of_archive(_: &[u8]) -> Result<Kind> {
    Err(FileError::Feature { what: "an archive", feature: "npz" })
}
