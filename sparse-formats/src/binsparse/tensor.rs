//! The tensor of a descriptor and arrays.

use super::{ArrayError, Header};
use crate::kernels::Value;
use crate::{Attributes, CustomArrays, Indices, InteropError, SparseTensor, Values, with_indices};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Header {
    /// The tensor of the arrays of a file, with its structure as attributes. Arrays whose numbers begin with 1 are copied, others stay where they lie.
    ///
    /// Fails where they are not what the descriptor says, or do not fit together.
    pub fn tensor<'a, V: Value>(
        &self,
        arrays: CustomArrays<'a>,
        values: Values<'a, V>,
        fill: V,
    ) -> Result<SparseTensor<'a, V>, ArrayError> {
        if let Some(found) = values.len().filter(|found| *found as u64 != self.stored) {
            return Err(ArrayError::Length { array: String::from("values"), found, expected: self.stored });
        }
        let arrays = if self.index_base == 1 { based(arrays)? } else { arrays };
        let format = self.custom.format()?;
        let mut unsorted = alloc::vec![false; format.levels()];
        let mut first = 0;
        for (level, flag) in self.custom.levels().iter().zip(&self.unsorted) {
            // Levels that are left out are dense.
            if let Some(unsorted) = unsorted.get_mut(first) {
                *unsorted = *flag;
            }
            first += level.rank();
        }
        let format = format.with_unsorted(&unsorted).map_err(|error| InteropError::Levels(error.into()))?;
        let tensor = SparseTensor::from_custom_as(&self.shape, format, arrays, values, fill).map_err(ArrayError::Levels)?;
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

/// The arrays with all numbers less by 1.
fn based(arrays: CustomArrays) -> Result<CustomArrays<'static>, ArrayError> {
    let less = |name: &str, arrays: Vec<Option<Indices>>| {
        let each = |(axis, array): (usize, Option<Indices>)| {
            let Some(array) = array else { return Ok(None) };
            if let Some(at) = array.iter().position(|number| number == 0) {
                return Err(ArrayError::Base { array: format!("{name}_{axis}"), at });
            }
            Ok(Some(with_indices!(&array, array => array.iter().map(|number| number - 1).collect::<Vec<_>>().into())))
        };
        arrays.into_iter().enumerate().map(each).collect::<Result<Vec<_>, _>>()
    };
    Ok(CustomArrays { pointers_to: less("pointers_to", arrays.pointers_to)?, indices: less("indices", arrays.indices)? })
}

impl From<InteropError> for ArrayError {
    fn from(error: InteropError) -> Self {
        ArrayError::Levels(error)
    }
}
