//! `crd2idx info`, `convert`, `check` and `reshard`.

#[cfg(feature = "files")]
mod convert;
#[cfg(feature = "files")]
mod info;
#[cfg(all(feature = "files", unix))]
mod names;
#[cfg(all(feature = "files", unix))]
mod reshard;
#[cfg(all(feature = "files", unix))]
mod signals;
#[cfg(not(feature = "files"))]
mod without;
