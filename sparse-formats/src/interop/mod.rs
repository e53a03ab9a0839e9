//! The same arrays under the names of other systems.

#[cfg(feature = "arrow")]
pub mod arrow;
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
pub use error::InteropError;
pub use mlir::{LevelFormat, LevelType, MlirEncoding, MlirStorage};
pub(crate) use parts::Accepted;
pub use parts::InteropParts;
pub use ragged::InterchangeError;
#[cfg(feature = "sprs")]
pub use sprs::{SprsError, SprsIndex};
pub use taco::{TacoFormat, TacoMode, TacoModeKind};
