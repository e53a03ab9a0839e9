//! NumPy arrays in `.npy` files.

mod header;
mod layout;
mod read;
mod write;

#[cfg(feature = "zarr")]
pub(crate) use header::numbers;
pub use layout::NpyHeader;
#[cfg(feature = "hdf5")]
pub(crate) use layout::type_name;
#[cfg(feature = "npz")]
pub(crate) use read::said;
pub use read::{Content, NpyArray, read};
pub use write::{write, write_text};
