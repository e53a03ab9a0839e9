//! `crd2idx info`, `convert` and `check`.

#[cfg(feature = "files")]
mod convert;
#[cfg(feature = "files")]
mod info;
#[cfg(not(feature = "files"))]
mod without;
