//! Zarr, as far as tensors need it: groups of arrays of one axis, in a folder or in an archive.
//!
//! Versions 2 and 3 are read, in chunks that are as they are, or compressed by gzip, zlib, Zstandard or Blosc, one after the other; version 3 is written.

mod array;
mod blosc;
mod codec;
mod group;
mod place;
mod store;

pub use group::{Group, GroupWriter};
pub(crate) use place::{Below, Place};
pub use store::{FolderStore, Store, StoreWriter, ZipStore, ZipStoreWriter};
