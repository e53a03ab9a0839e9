//! Binsparse: a descriptor in JSON and arrays by name, in a container of HDF5, NumPy or Zarr.

mod decode;
mod encode;
#[cfg(feature = "hdf5")]
mod hdf5;
mod like;
#[cfg(feature = "npz")]
mod npz;
#[cfg(feature = "zarr")]
mod zarr;

pub use decode::decode;
pub use encode::{Encoded, VERSION, encode};
#[cfg(feature = "hdf5")]
pub use hdf5::{descriptor as hdf5_descriptor, read as read_hdf5, write as write_hdf5};
#[cfg(feature = "npz")]
pub use npz::{descriptor as npz_descriptor, read as read_npz, write as write_npz};
#[cfg(feature = "zarr")]
pub use zarr::{descriptor as zarr_descriptor, read as read_zarr, write as write_zarr};
