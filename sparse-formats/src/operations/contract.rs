//! Products of a tensor and one vector, for any values with `+` and `*`. Products of numbers with other operands are in
//! `products`.

use super::AxisSlice;
use super::descend::{SlicedPattern, part};
use crate::attributes::Change;
use crate::kernels::{Matrix, Value};
use crate::shape::pick;
use crate::{Builder, Duplicates, Format, Indices, LevelKind, OperationError, SparseError, SparseTensor, Values, with_indices};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Add, Mul};
use layout_levels::Index;

impl<V: Value + Add<Output = V> + Mul<Output = V>> SparseTensor<'_, V> {
    /// Multiplies the matrix by a vector: `y[i] = sum of a[i, j] * x[j]`.
    ///
    /// The sums are over stored elements only, whatever the fill value, and start from `V::default()` as zero.
    /// Compressed rows and columns use [`Matrix`] on the threads of the current pool; other formats run level by
    /// level on one thread. The sums do not depend on the number of threads.
    ///
    /// Fails unless the tensor has two axes and stores values, and `x` is as long as it has columns. Also fails if one
    /// triangle stands for both, or memory has no room for `y`.
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
        let [rows, columns] = self.shape() else { return Err(OperationError::KernelRank { found: self.shape().len(), expected: 2 }) };
        if x.len() as u64 != *columns {
            return Err(OperationError::Shapes { left: self.shape().to_vec(), right: vec![x.len() as u64] });
        }
        let length = usize::try_from(*rows).ok().and_then(|rows| array_kernels::memory::filled(rows, V::default()));
        let mut y = length.ok_or(SparseError::Entries { level: 0, parents: 1, extents: vec![*rows] })?;
        let (format, pattern) = (self.format(), self.pattern());
        let compressed = format.kinds() == [LevelKind::Pointers, LevelKind::Indices];
        if let (true, Some(pointers), Some(indices), Values::Each(values)) =
            (compressed, pattern.pointers(0), pattern.indices(1), self.values())
        {
            let regular = format.axis_order() == [0, 1];
            let extent = if regular { x.len() } else { y.len() };
            let done = with_indices!(pointers, pointers => with_indices!(indices, indices => {
                let matrix = Matrix::trusted(&pointers[..], &indices[..], values, extent);
                if regular { matrix.multiply(x, &mut y) } else { matrix.multiply_columns(x, &mut y) }
            }));
            // The lengths have been compared, so this cannot fail.
            return done.map(|()| y).map_err(|_| OperationError::Shapes { left: self.shape().to_vec(), right: vec![x.len() as u64] });
        }
        if let Values::PatternOnly = self.values() {
            return Err(OperationError::PatternOnly);
        }
        self.for_each(|coordinate, value| {
            if let (Some(value), [i, j]) = (value, coordinate) {
                let sum = &mut y[*i as usize];
                *sum = core::mem::take(sum) + value.clone() * x[*j as usize].clone();
            }
        });
        Ok(y)
    }

    /// Contracts the tensor with a vector along an axis: `y[.., ..] = sum of a[.., j, ..] * x[j]`.
    ///
    /// The sums are over stored elements only, whatever the fill value. The levels of the other axes keep their
    /// kinds, but the last becomes `S`. Fails unless the tensor has this axis and stores values, and `x` is as long as the
    /// axis. Also fails if one triangle stands for both, or memory has no room for the result.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 3] = [vec![0u8, 0, 1].into(), vec![0u8, 1, 1].into(), vec![2u8, 2, 0].into()];
    /// let a = Builder::new(Format::csf(3), 0).build(&[2, 2, 3], &columns, vec![2, 3, 4])?;
    /// let y = a.contract(1, &[10, 100])?;
    /// assert_eq!((y.shape(), y.format().to_string().as_str()), (&[2, 3][..], "DC-S-R"));
    /// assert_eq!((y.at(&[0, 2]), y.at(&[1, 0])), (Some(&320), Some(&400)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contract(&self, axis: usize, x: &[V]) -> Result<SparseTensor<'static, V>, OperationError> {
        let attributes = self.attributes().after(Change::Shape)?;
        let rank = self.shape().len();
        let extent = *self.shape().get(axis).ok_or(OperationError::Axis { axis, rank })?;
        if x.len() as u64 != extent {
            return Err(OperationError::Shapes { left: self.shape().to_vec(), right: vec![x.len() as u64] });
        }
        let axes: Vec<usize> = (0..rank).filter(|other| *other != axis).collect();
        let format = self.format().of_axes(&axes, false)?;
        if self.format().axis_order().last() == Some(&axis) && self.format().dense_axes() == 0 && rank > 1 && self.pattern().is_sorted() {
            return Ok(self.reduced(x, &pick(self.shape(), &axes), &format)?.with_believed(attributes));
        }
        let columns = self.all_coordinates()?;
        let product = |(k, j): (usize, u64)| Some(self.values().get(k)?.clone() * x[j as usize].clone());
        let values: Option<Vec<V>> = columns[axis].iter().enumerate().map(product).collect();
        let columns: Vec<Indices> = axes.iter().map(|axis| columns[*axis].view()).collect();
        let builder = Builder::new(format, V::default()).duplicates(Duplicates::sum());
        let values = values.ok_or(OperationError::PatternOnly)?;
        if axes.is_empty() {
            // Without axes there is no column from which the builder gets the number of elements, so add them here.
            let sum = values.into_iter().reduce(|a, b| a + b).unwrap_or_default();
            return Ok(builder.build(&[], &[], vec![sum])?);
        }
        Ok(builder.build(&pick(self.shape(), &axes), &columns, values)?.with_believed(attributes))
    }

    /// Contracts with `x` along the last level: the products below one parent become one element. The levels must be sorted,
    /// and `shape` and `format` are those of the result. Fails if the tensor stores no values, or memory has no room.
    fn reduced(&self, x: &[V], shape: &[u64], format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        let levels: Vec<AxisSlice> = self.pattern().level_extents().iter().map(|count| AxisSlice::all(*count)).collect();
        let SlicedPattern { pattern, elements } = part(self.pattern(), &levels, true, shape, format)?;
        let (values, unit) = self.values().strided()?;
        let mut sums = array_kernels::memory::room(elements.len()).ok_or(SparseError::Memory { elements: elements.len() })?;
        if let Some(column) = self.pattern().indices(levels.len() - 1) {
            with_indices!(column, column => sums.extend(elements.into_iter().map(|run| {
                let products = run.map(|k| values[k * unit].clone() * x[column[k].to_usize()].clone());
                products.reduce(|a, b| a + b).unwrap_or_default()
            })));
        }
        Ok(SparseTensor::new(pattern, sums, V::default()).map_err(|rejected| rejected.error)?)
    }
}
