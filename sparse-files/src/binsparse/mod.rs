//! Binsparse: a descriptor in JSON and arrays by name, in a container of HDF5, NumPy or Zarr. [`decode()`] and
//! [`encode()`] convert between these and tensors. The module `hierarchy` reads HDF5 and Zarr.

// `decode` and `encode` convert tensors. `hdf5`, `npz` and `zarr` write them to containers, and `hdf5_group` to an existing
// file. `like` follows another descriptor, and `names` has the names of arrays. A new container gets a module that writes it;
// `hierarchy` reads containers of groups.
mod decode;
mod encode;
#[cfg(feature = "hdf5")]
mod hdf5;
#[cfg(feature = "hdf5")]
mod hdf5_group;
mod like;
#[cfg(any(feature = "npz", feature = "hdf5"))]
mod names;
#[cfg(feature = "npz")]
mod npz;
#[cfg(feature = "zarr")]
mod zarr;

pub use decode::decode;
#[cfg(any(feature = "hdf5", feature = "zarr"))]
pub(crate) use decode::decode_rows;
#[cfg(any(feature = "npz", feature = "hdf5"))]
pub(crate) use decode::decode_within;
pub use encode::{Encoded, VERSION, encode};
#[cfg(feature = "hdf5")]
pub use hdf5::write as write_hdf5;
#[cfg(feature = "hdf5")]
pub(crate) use hdf5_group::{others as hdf5_others, put as put_hdf5};
#[cfg(any(feature = "npz", feature = "hdf5"))]
pub(crate) use names::{DESCRIPTOR, tensor_arrays};
#[cfg(feature = "npz")]
pub use npz::{descriptor as npz_descriptor, read as read_npz, write as write_npz};
#[cfg(feature = "zarr")]
pub use zarr::write as write_zarr;
