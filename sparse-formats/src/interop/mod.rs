//! Interchange: arrays and descriptors of other systems, and ragged arrays as tensors.

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "json")]
pub mod binsparse;
mod custom;
mod error;
mod mlir;
#[cfg(feature = "ndarray")]
mod ndarray;
mod packed;
mod parts;
mod ragged;
#[cfg(feature = "sprs")]
mod sprs;
mod taco;
mod tuples;

#[cfg(feature = "arrow")]
pub use arrow::Nulls;
pub use custom::{Custom, CustomArrays, CustomLevel};
pub use error::InterchangeError;
pub use mlir::{LevelFormat, LevelType, MlirEncoding, MlirStorage};
pub(crate) use parts::Accepted;
pub use parts::InteropParts;
#[cfg(feature = "sprs")]
pub use sprs::SprsIndex;
pub use taco::{TacoFormat, TacoMode, TacoModeKind};
