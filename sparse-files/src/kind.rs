//! Kinds of files.

/// The kinds, for messages.
pub(crate) const KNOWN: &str = ".mtx, .tns, .npy, .npz, .h5, .zarr, .parquet";
