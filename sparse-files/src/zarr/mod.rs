//! The part of Zarr that tensors need: groups of arrays, in a folder or in an archive.
//!
//! Versions 2 and 3 are read, with chunks of any number of axes and with shards. Chunks may be uncompressed, or
//! compressed by gzip, zlib, Zstandard or Blosc. Version 3 is written, with arrays of one axis.

// `store` has files by key, `group` groups, and `array` arrays in chunks, which `codec`, `blosc` and `shard` unpack.
// `place` finds where a new group goes.
mod array;
mod blosc;
mod codec;
mod group;
mod place;
mod shard;
mod store;

pub use group::{GroupReader, GroupWriter};
pub(crate) use place::{Below, Place};
pub use store::{FolderStore, Store, StoreWriter, ZipStore, ZipStoreWriter};
