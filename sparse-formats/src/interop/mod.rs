//! The same arrays under the names of other systems.

mod custom;
mod error;
mod mlir;
mod taco;

pub use custom::{Custom, CustomArrays, CustomLevel};
pub use error::InteropError;
pub use mlir::{LevelFormat, LevelType, MlirEncoding, MlirStorage};
pub use taco::{TacoFormat, TacoMode, TacoModeKind};
