//! Sparse tensors in files: Matrix Market, FROSTT, NumPy, SciPy, Binsparse, AnnData, 10x Genomics, Arrow, Parquet.
//!
//! [`read`] finds the kind of a file by its content, and gives a tensor whose values are of a type known at run time, an [`AnyTensor`], in the format that the file has it in.
//! [`write()`] replaces a file as a whole, and adds groups to containers. The readers check a file before they rely on it: they take no memory for more than its bytes can hold.
//!
//! ```
//! use sparse_files::{Dedupe, Kind, ReadOptions, WriteOptions};
//! use sparse_formats::Format;
//! # let folder = std::env::temp_dir().join(format!("sparse-files-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let (a, b) = (folder.join("a.mtx"), folder.join("b.tns"));
//! std::fs::write(&a, "%%MatrixMarket matrix coordinate real general\n3 4 2\n3 1 0.5\n1 4 2\n")?;
//! let (tensor, kind) = sparse_files::read(&a, &ReadOptions::default())?;
//! assert_eq!((kind, tensor.shape(), tensor.stored()), (Kind::MatrixMarket, &[3, 4][..], 2));
//! let rows = tensor.convert(&Format::csr(), Dedupe::Sum)?;
//! sparse_files::write(&b, &rows, Kind::Tns, &WriteOptions::default())?;
//! assert_eq!(std::fs::read_to_string(&b)?, "1 4 2.0\n3 1 0.5\n");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs, unsafe_code)]

pub mod binsparse;
mod claim;
#[cfg(any(feature = "npz", feature = "hdf5"))]
mod compressed;
mod element;
mod error;
mod file;
#[cfg(feature = "hdf5")]
mod hdf5;
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub mod hierarchy;
#[cfg_attr(
    not(any(feature = "npz", feature = "gzip", feature = "hdf5", feature = "arrow", feature = "parquet")),
    allow(dead_code, reason = "text is read without other packages")
)]
mod isolate;
mod location;
pub mod matrix_market;
pub mod npy;
#[cfg(feature = "npz")]
pub mod npz;
mod progress;
mod signature;
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub mod table;
mod text;
pub mod tns;
#[cfg(any(feature = "hdf5", feature = "zarr"))]
mod tree;
mod value;
#[cfg(feature = "zarr")]
pub mod zarr;
#[cfg(feature = "npz")]
mod zipped;

pub use element::{ElementType, types};
pub use error::{FileError, Result};
pub use file::{
    Bytes, KINDS, Kind, Opened, ReadOptions, WriteOptions, descriptor, inner_name, open, open_bytes, read, read_bytes, write, write_to,
};
/// Writes a file as a whole, as [`write()`] does.
pub use file_output::write as replace;
pub use location::{Convention, Location};
pub use progress::Progress;
pub use value::{AnyArray, AnyTensor, AnyValues, Dedupe, Element, Word};

/// The examples of the book, as tests.
#[cfg(all(doctest, feature = "full"))]
mod book {
    #[doc = include_str!("../../docs/files.md")]
    mod files {}
    #[doc = include_str!("../../docs/from-scipy.md")]
    mod from_scipy {}
}
