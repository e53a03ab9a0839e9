//! `crd2idx info`, `convert`, `check`, `reshard` and `rechunk`.

#[cfg(feature = "files")]
mod convert;
#[cfg(feature = "files")]
mod info;
#[cfg(all(feature = "files", unix))]
mod names;
#[cfg(feature = "rechunk")]
mod rechunk;
#[cfg(all(feature = "files", unix))]
mod reshard;
#[cfg(all(feature = "files", unix))]
mod signals;
#[cfg(not(feature = "files"))]
mod without;
