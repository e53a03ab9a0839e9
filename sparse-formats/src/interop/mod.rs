//! Interchange: arrays and descriptors of other systems, and ragged arrays as tensors.

#[cfg(feature = "json")]
pub mod binsparse;
mod custom;
mod dia;
mod error;
mod mlir;
#[cfg(feature = "ndarray")]
mod ndarray;
mod ragged;
#[cfg(feature = "sprs")]
mod sprs;
mod taco;

pub use custom::{Custom, CustomArrays, CustomLevel};
pub use dia::DiaArrays;
pub use error::InterchangeError;
pub use mlir::{LevelFormat, LevelType, MlirEncoding, MlirStorage};
#[cfg(feature = "sprs")]
pub use sprs::SprsIndex;
pub use taco::{TacoFormat, TacoMode, TacoModeKind};

use crate::{Rejected, Values};

/// Arrays of another system and the values with them: what a tensor was to be made of.
#[derive(Clone, Debug, PartialEq)]
pub struct InteropParts<'a, A, V: Clone> {
    /// The arrays, as that system has them.
    pub arrays: A,
    /// The values.
    pub values: Values<'a, V>,
    /// The value of elements that are not stored.
    pub fill: V,
}

/// A result, or why arrays of another system are refused, with the arrays.
pub(crate) type Accepted<'a, T, A, V> = Result<T, Rejected<InteropParts<'a, A, V>, InterchangeError>>;

impl<'a, A, V: Clone> InteropParts<'a, A, V> {
    /// The parts with other arrays.
    pub(crate) fn with_arrays<B>(self, arrays: impl FnOnce(A) -> B) -> InteropParts<'a, B, V> {
        InteropParts { arrays: arrays(self.arrays), values: self.values, fill: self.fill }
    }
}
