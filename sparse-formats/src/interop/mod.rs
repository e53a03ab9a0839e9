//! The same arrays under the names of other systems.

mod custom;
mod error;
mod mlir;
#[cfg(feature = "ndarray")]
mod ndarray;
mod parts;
#[cfg(feature = "sprs")]
mod sprs;
mod taco;
mod tuples;

pub use custom::{Custom, CustomArrays, CustomLevel};
pub use error::InteropError;
pub use mlir::{LevelFormat, LevelType, MlirEncoding, MlirStorage};
pub(crate) use parts::Accepted;
pub use parts::InteropParts;
#[cfg(feature = "sprs")]
pub use sprs::{SprsError, SprsIndex};
pub use taco::{TacoFormat, TacoMode, TacoModeKind};
