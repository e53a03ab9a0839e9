#![doc = include_str!("../README.md")]
//!
//! The main items are [`read`], [`write()`], [`AnyTensor`], [`FileKind`] and [`FileError`]. The modules have functions on bytes and
//! streams. For tensors without files, the package `sparse-formats` is enough.
#![deny(missing_docs, unsafe_code)]

pub mod binsparse;
#[cfg(any(feature = "npz", feature = "hdf5"))]
mod compressed;
mod element;
mod error;
mod file;
#[cfg(feature = "hdf5")]
pub mod hdf5;
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
mod row_slice;
#[cfg(any(feature = "hdf5", feature = "zarr"))]
mod shuffle;
mod signature;
mod size_limits;
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
    Bytes, FileKind, KINDS, Opened, ReadOptions, WriteOptions, descriptor, inner_name, open, open_bytes, read, read_bytes, write, write_to,
};
/// Replaces a file as a whole, like [`write()`], with any content.
pub use file_output::write as replace;
pub use location::{Convention, Location};
pub use progress::Progress;
pub use row_slice::RowSlice;
pub use value::{AnyArray, AnyTensor, AnyValues, Dedupe, Element};

/// The examples of the book, as tests.
#[cfg(all(doctest, feature = "full"))]
mod book {
    #[doc = include_str!("../../docs/do/files.md")]
    mod files {}
    #[doc = include_str!("../../docs/do/scipy.md")]
    mod scipy {}
    #[doc = include_str!("../../docs/look-up/file-kinds.md")]
    mod file_kinds {}
}
