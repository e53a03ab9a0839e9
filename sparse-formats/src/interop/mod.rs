//! Interchange: arrays and descriptors of other systems, and conversions from and to ragged arrays.

// Each module has one other system; a new system gets a module here, and its errors go into `error`.
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

/// The arrays of another system and the values, as a caller gave them to make a tensor.
///
/// ```
/// use sparse_formats::{Format, MlirEncoding, MlirStorage, SparseTensor};
/// let storage = MlirStorage { positions: vec![None, Some(vec![0u8, 1, 1].into())], coordinates: vec![None, Some(vec![2u8].into())] };
/// let encoding = MlirEncoding::of(&Format::csr())?;
/// let parts = SparseTensor::from_mlir(&[2, 3], &encoding, storage, vec![5, 6], 0).unwrap_err().parts;
/// assert_eq!((&parts.values, parts.fill), (&vec![5, 6].into(), 0));
/// // Two values are too many for one coordinate. Another try moves the same arrays.
/// assert_eq!(SparseTensor::from_mlir(&[2, 3], &encoding, parts.arrays, vec![5], parts.fill)?.at(&[0, 2]), Some(&5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct InteropParts<'a, A, V: Clone> {
    /// The arrays, in the form of that system.
    pub arrays: A,
    /// The values, in storage order.
    pub values: Values<'a, V>,
    /// The fill value, which is the value of elements that are not stored.
    pub fill: V,
}

/// The result of a conversion from another system: a `T`, or an error together with the arrays as the caller gave them.
pub(crate) type Accepted<'a, T, A, V> = Result<T, Rejected<InteropParts<'a, A, V>, InterchangeError>>;

impl<'a, A, V: Clone> InteropParts<'a, A, V> {
    /// Returns the parts with the result of `arrays` instead of the arrays.
    pub(crate) fn with_arrays<B>(self, arrays: impl FnOnce(A) -> B) -> InteropParts<'a, B, V> {
        InteropParts { arrays: arrays(self.arrays), values: self.values, fill: self.fill }
    }
}
