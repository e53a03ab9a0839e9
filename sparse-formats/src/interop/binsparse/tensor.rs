//! Makes the tensor of a file from its descriptor and its arrays.

use super::Header;
use crate::kernels::Value;
use crate::{
    ArrayName, Attributes, CustomArrays, Indices, InterchangeError, InteropParts, Rejected, SparseTensor, TensorParts, Values, with_indices,
};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Header {
    /// Returns the tensor of the arrays of a file, with the structure as attributes. With an `index_base` of 1, indices and
    /// pointers are copied; otherwise all arrays are moved.
    ///
    /// Fails if arrays contradict the descriptor or each other, and returns them.
    ///
    /// ```
    /// use sparse_formats::{CustomArrays, binsparse::Header};
    /// let header = Header::parse(r#"{"version": "0.1", "format": "CSR", "shape": [2, 3], "number_of_stored_values": 2, "index_base": 1,
    ///     "data_types": {"pointers_to_1": "uint8", "indices_1": "uint8", "values": "float64"}}"#)?;
    /// // Numbers begin with 1 in this file.
    /// let pointers_to = vec![None, Some(vec![1u8, 2, 3].into())];
    /// let arrays = CustomArrays { pointers_to, indices: vec![None, Some(vec![3u8, 1].into())] };
    /// assert_eq!(header.tensor(arrays.clone(), vec![5.0, 6.0].into(), 0.0)?.at(&[1, 0]), Some(&6.0));
    /// let refused = header.tensor(arrays, vec![5.0].into(), 0.0).unwrap_err();
    /// assert_eq!(refused.to_string(), "values has 1 elements instead of 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tensor<'a, V: Value>(
        &self,
        arrays: CustomArrays<'a>,
        values: Values<'a, V>,
        fill: V,
    ) -> Result<SparseTensor<'a, V>, Rejected<InteropParts<'a, CustomArrays<'a>, V>, InterchangeError>> {
        let lengths = arrays.lengths();
        let parts = InteropParts { arrays, values, fill };
        let (format, less) = match self.shifted(&parts) {
            Ok(found) => found,
            Err(error) => return Err(Rejected::new(parts, error)),
        };
        // The arrays as the caller gave them, if the tensor gets others.
        let mut given = None;
        let parts = parts.with_arrays(|arrays| match less {
            Some(less) => {
                given = Some(arrays);
                less
            }
            None => arrays,
        });
        let refused = |arrays: CustomArrays<'a>, values, fill, error| {
            let arrays = given.unwrap_or(arrays);
            Rejected::new(InteropParts { arrays, values, fill }, error)
        };
        let tensor = match SparseTensor::from_custom_as(&self.shape, format, parts) {
            Ok(tensor) => tensor,
            Err(Rejected { parts, error }) => {
                let InteropParts { arrays, values, fill } = *parts;
                return Err(refused(arrays, values, fill, named(error)));
            }
        };
        self.structured(tensor).map_err(|(tensor, error)| {
            let TensorParts { arrays, values, fill, .. } = tensor.into_parts();
            refused(CustomArrays::of_arrays(arrays, lengths), values, fill, error)
        })
    }

    /// Returns the format. If `index_base` is 1, also returns copies of the arrays whose numbers begin with 0. Fails if the
    /// number of values is wrong, a number is less than `index_base`, or the levels have no format.
    fn shifted<V: Value>(
        &self,
        parts: &InteropParts<CustomArrays, V>,
    ) -> Result<(crate::Format, Option<CustomArrays<'static>>), InterchangeError> {
        if let Some(found) = parts.values.len().filter(|found| *found as u64 != self.stored) {
            return Err(InterchangeError::ArrayLength { array: String::from("values"), found, expected: self.stored });
        }
        let less = if self.index_base == 1 { Some(based(&parts.arrays)?) } else { None };
        let format = self.custom.format()?;
        let mut unsorted = alloc::vec![false; format.levels()];
        let mut first = 0;
        for (level, flag) in self.custom.levels().iter().zip(&self.unsorted) {
            // Dense levels at the end have no level in the format.
            if let Some(unsorted) = unsorted.get_mut(first) {
                *unsorted = *flag;
            }
            first += level.rank();
        }
        let format = format.with_unsorted(&unsorted).map_err(|error| InterchangeError::Tensor(error.into()))?;
        Ok((format, less))
    }

    /// Sets the structure as attributes. Fails if the number of stored values differs from the descriptor's, or if an
    /// element is outside the triangle.
    #[expect(clippy::result_large_err, reason = "the tensor as it was given")]
    fn structured<'a, V: Value>(
        &self,
        tensor: SparseTensor<'a, V>,
    ) -> Result<SparseTensor<'a, V>, (SparseTensor<'a, V>, InterchangeError)> {
        let block = crate::shape::product(tensor.pattern().block_shape()).unwrap_or(usize::MAX);
        let found = (tensor.stored() as u64).saturating_mul(block as u64);
        if found != self.stored {
            return Err((tensor, InterchangeError::StoredValues { found, said: self.stored }));
        }
        match self.structure {
            None => Ok(tensor),
            Some((symmetry, triangle)) => {
                let attributes = Attributes { symmetry: Some(symmetry), triangle: Some(triangle), ..Attributes::default() };
                tensor.with_attributes(attributes).map_err(|Rejected { parts, error }| (*parts, InterchangeError::from(error)))
            }
        }
    }
}

/// Returns the arrays with 1 subtracted from every number. Fails at the first 0.
fn based(arrays: &CustomArrays) -> Result<CustomArrays<'static>, InterchangeError> {
    let less = |name: &str, arrays: &[Option<Indices>]| {
        let each = |(axis, array): (usize, &Option<Indices>)| {
            let Some(array) = array else { return Ok(None) };
            if let Some(at) = array.iter().position(|number| number == 0) {
                return Err(InterchangeError::Base { array: format!("{name}_{axis}"), at });
            }
            Ok(Some(with_indices!(array, array => array.iter().map(|number| number - 1).collect::<Vec<_>>().into())))
        };
        arrays.iter().enumerate().map(each).collect::<Result<Vec<_>, _>>()
    };
    Ok(CustomArrays { pointers_to: less("pointers_to", &arrays.pointers_to)?, indices: less("indices", &arrays.indices)? })
}

/// Converts the error of an array of pointers to one with the name of the array in files.
fn named(error: InterchangeError) -> InterchangeError {
    match error {
        InterchangeError::Tensor(error) => match error.array() {
            Some(ArrayName::Pointers(level)) => InterchangeError::Pointers { to: level + 1, error },
            _ => error.into(),
        },
        error => error,
    }
}
