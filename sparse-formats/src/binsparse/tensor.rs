//! The tensor of a descriptor and arrays.

use super::{ArrayError, Header};
use crate::{Attributes, CustomArrays, InteropError, SparseTensor, Values};
use alloc::string::String;

impl Header {
    /// The tensor of the arrays of a file, with its structure as attributes.
    ///
    /// Fails where they are not what the descriptor says, or do not fit together.
    pub fn tensor<'a, V: crate::kernels::Value>(
        &self,
        arrays: CustomArrays<'a>,
        values: Values<'a, V>,
        fill: V,
    ) -> Result<SparseTensor<'a, V>, ArrayError> {
        if let Some(found) = values.len().filter(|found| *found as u64 != self.stored) {
            return Err(ArrayError::Length { array: String::from("values"), found, expected: self.stored });
        }
        let tensor = SparseTensor::from_custom(&self.shape, &self.custom, arrays, values, fill).map_err(ArrayError::Levels)?;
        let block = crate::shape::product(tensor.pattern().block_shape()).unwrap_or(usize::MAX);
        let found = (tensor.stored() as u64).saturating_mul(block as u64);
        if found != self.stored {
            return Err(ArrayError::Stored { found, said: self.stored });
        }
        match self.structure {
            None => Ok(tensor),
            Some((symmetry, triangle)) => {
                let attributes = Attributes { symmetry: Some(symmetry), triangle: Some(triangle), ..Attributes::default() };
                tensor.with_attributes(attributes).map_err(|rejected| ArrayError::Structure(rejected.error))
            }
        }
    }
}

impl From<InteropError> for ArrayError {
    fn from(error: InteropError) -> Self {
        ArrayError::Levels(error)
    }
}
