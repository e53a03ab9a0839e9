//! The same arrays under the names of other systems.

mod custom;
mod error;
mod mlir;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "sprs")]
mod sprs;
mod taco;
mod tuples;

pub use custom::{Custom, CustomArrays, CustomLevel};
pub use error::InteropError;
pub use mlir::{LevelFormat, LevelType, MlirEncoding, MlirStorage};
#[cfg(feature = "sprs")]
pub use sprs::{SprsError, SprsIndex};
pub use taco::{TacoFormat, TacoMode, TacoModeKind};
