//! Products with vectors.

use super::OperationError;
use crate::attributes::Change;
use crate::shape::pick;
use crate::tensor::result_format;
use crate::{Builder, Duplicates, Indices, SparseTensor};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Add, Mul};

impl<V: crate::kernels::Value + Add<Output = V> + Mul<Output = V>> SparseTensor<'_, V> {
    /// The matrix times a vector: `y[i] = sum of a[i, j] * x[j]`, stored elements only, whatever the fill value.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 0, 1].into(), vec![1u8, 2, 0].into()];
    /// let a = Builder::new(Format::dcsc(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
    /// assert_eq!(a.times_vector(&[10, 100, 1000])?, [3200, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn times_vector(&self, x: &[V]) -> Result<Vec<V>, OperationError> {
        self.attributes().after(Change::Shape)?;
        let [rows, columns] = self.shape() else { return Err(OperationError::Rank { found: 2, expected: self.shape().len() }) };
        if x.len() as u64 != *columns {
            return Err(OperationError::Shapes { left: self.shape().to_vec(), right: vec![x.len() as u64] });
        }
        let length = usize::try_from(*rows).ok().and_then(|rows| crate::memory::filled(rows, V::default()));
        let mut y = length.ok_or(crate::BuildError::Entries { level: 0, parents: 1, extents: vec![*rows] })?;
        let mut missing = false;
        self.for_each(|coordinate, value| match value {
            Some(value) => {
                let sum = &mut y[coordinate[0] as usize];
                *sum = core::mem::take(sum) + value.clone() * x[coordinate[1] as usize].clone();
            }
            None => missing = true,
        });
        if missing { Err(OperationError::PatternOnly) } else { Ok(y) }
    }

    /// The tensor contracted with a vector along an axis: `y[.., ..] = sum of a[.., j, ..] * x[j]`, stored elements only, whatever the fill value. The
    /// levels of the other axes keep their kinds, the last becomes sparse.
    pub fn contract(&self, axis: usize, x: &[V]) -> Result<SparseTensor<'static, V>, OperationError> {
        let attributes = self.attributes().after(Change::Shape)?;
        let rank = self.shape().len();
        let extent = *self.shape().get(axis).ok_or(OperationError::Axis { axis, rank })?;
        if x.len() as u64 != extent {
            return Err(OperationError::Shapes { left: self.shape().to_vec(), right: vec![x.len() as u64] });
        }
        let columns = self.all_coordinates()?;
        let product = |(k, j): (usize, u64)| Some(self.values().get(k)?.clone() * x[j as usize].clone());
        let values: Option<Vec<V>> = columns[axis].iter().enumerate().map(product).collect();
        let axes: Vec<usize> = (0..rank).filter(|other| *other != axis).collect();
        let columns: Vec<Indices> = axes.iter().map(|axis| columns[*axis].view()).collect();
        let format = result_format(self.format(), &axes, false)?;
        let builder = Builder::new(format, V::default()).duplicates(Duplicates::sum());
        let values = values.ok_or(OperationError::PatternOnly)?;
        if axes.is_empty() {
            // A scalar has no column that says how many elements it is the sum of.
            let sum = values.into_iter().reduce(|a, b| a + b).unwrap_or_default();
            return Ok(builder.build(&[], &[], vec![sum])?);
        }
        Ok(builder.build(&pick(self.shape(), &axes), &columns, values)?.with_believed(attributes))
    }
}
