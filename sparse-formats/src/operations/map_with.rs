//! Applies a function to the elements of any number of tensors, repeated along axes as NumPy repeats them.

use crate::attributes::Change;
use crate::kernels::Value;
use crate::{Builder, Format, Indices, Merge, OperationError, SparseError, SparseTensor, Values};
use alloc::vec::Vec;
use array_kernels::memory::room;

impl<V: Value> SparseTensor<'_, V> {
    /// Repeats the tensor along axes, and stores the result in `format`. The axes of the tensor are the last axes of `shape`. Along
    /// an axis of extent 1, and along an axis that the tensor lacks, all elements are the same.
    ///
    /// The result stores each repeated element. Fails if another extent differs, if one triangle stands for both, if the rank of
    /// `format` differs, or if memory has no room.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let row = Builder::new(Format::vector(), 0).build(&[3], &[Indices::from(vec![2u8])], vec![5])?;
    /// let rows = row.broadcast(&[2, 3], &Format::csr())?;
    /// assert_eq!((rows.stored(), rows.at(&[1, 2]), rows.at(&[1, 0])), (2, Some(&5), Some(&0)));
    /// assert!(row.broadcast(&[2, 4], &Format::csr()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn broadcast(&self, shape: &[u64], format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        let attributes = self.attributes().after(Change::Shape)?;
        let differ = || OperationError::Shapes { left: self.shape().to_vec(), right: shape.to_vec() };
        let new = shape.len().checked_sub(self.shape().len()).ok_or_else(differ)?;
        let same = |axis: usize| axis.checked_sub(new).is_some_and(|own| self.shape()[own] == shape[axis]);
        if (new..shape.len()).any(|axis| !same(axis) && self.shape()[axis - new] != 1) {
            return Err(differ());
        }
        let columns = self.all_coordinates()?;
        let stored = columns.first().map_or(self.stored(), Indices::len);
        let memory = || OperationError::from(SparseError::Memory { elements: stored });
        let repeats = (0..shape.len()).filter(|axis| !same(*axis)).try_fold(1u64, |all, axis| all.checked_mul(shape[axis]));
        let repeats = repeats.and_then(|repeats| usize::try_from(repeats).ok()).ok_or_else(memory)?;
        let count = stored.checked_mul(repeats).ok_or_else(memory)?;
        // Element `k` of the result is copy `k % repeats` of element `k / repeats`.
        let mut inner = repeats as u64;
        let mut made: Vec<Indices> = Vec::with_capacity(shape.len());
        for (axis, extent) in shape.iter().enumerate() {
            let mut column: Vec<u64> = room(count).ok_or_else(memory)?;
            if same(axis) {
                column.extend(columns[axis - new].iter().flat_map(|coordinate| core::iter::repeat_n(coordinate, repeats)));
            } else if count > 0 {
                inner /= extent;
                column.extend((0..count).map(|k| (k % repeats) as u64 / inner % extent));
            }
            made.push(Indices::narrowest(&column));
        }
        let values = self.values().gather((0..count).map(|k| k / repeats..k / repeats + 1), count, 1)?;
        let format = if self.format().is_multigraph() { format.clone().with_multigraph(true)? } else { format.clone() };
        Ok(Builder::new(format, self.fill().clone()).build(shape, &made, values)?.with_believed(attributes))
    }

    /// Applies `f` to the elements of this tensor and of others at each coordinate, and stores the results in `format`. `f` receives
    /// one element of each tensor, in order. The fill value is `f` of the fill values.
    ///
    /// The tensors are repeated along axes as [`SparseTensor::broadcast`] does, to the shape in which each axis has the extent other
    /// than 1 that a tensor has there. With [`Merge::Union`] the result stores what at least one of them stores, and with
    /// [`Merge::Intersection`] what all of them store. Fails as [`SparseTensor::merge`] and `broadcast` do.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, Merge};
    /// let build = |at: Vec<u8>, values: Vec<i32>| Builder::new(Format::vector(), 0).build(&[9], &[Indices::from(at)], values);
    /// let (a, b, c) = (build(vec![1, 4], vec![2, 3])?, build(vec![4, 7], vec![10, 20])?, build(vec![4], vec![100])?);
    /// let sum = |all: &[i32]| all.iter().sum::<i32>();
    /// assert_eq!(a.map_with(&[&b, &c], Merge::Union, &Format::vector(), sum)?, build(vec![1, 4, 7], vec![2, 113, 20])?);
    /// assert_eq!(a.map_with(&[&b, &c], Merge::Intersection, &Format::vector(), sum)?, build(vec![4], vec![113])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map_with<U: Value>(
        &self,
        others: &[&SparseTensor<'_, V>],
        merge: Merge,
        format: &Format,
        mut f: impl FnMut(&[V]) -> U,
    ) -> Result<SparseTensor<'static, U>, OperationError> {
        let mut shape = self.shape().to_vec();
        for other in others {
            shape = joint(&shape, other.shape())?;
        }
        let direct = !format.is_multigraph() && format.dense_axes() == 0 && format.rank() == shape.len();
        let list = if direct { format.clone() } else { Format::coo(shape.len()) };
        let in_shape = |tensor: &SparseTensor<'_, V>| match *tensor.shape() == shape[..] {
            true => Ok(None),
            false => tensor.broadcast(&shape, &list).map(Some),
        };
        let made = in_shape(self)?;
        let first = made.as_ref().map_or_else(|| self.view(), SparseTensor::view);
        let elements = elements_of(&first)?;
        // The table has a row for each element so far, with the elements of the tensors there, and one with the fill values.
        let (values, unit) = first.values().strided()?;
        let mut table: Vec<V> = room_for(elements, 1)?;
        table.extend((0..elements).map(|k| values[k * unit].clone()));
        table.push(first.fill().clone());
        let rows = first.map(|_| 0)?.with_values(|_| Values::Each((0..elements).collect()), elements)?;
        let (mut rows, mut width) = (rows.into_owned(), 1);
        for other in others {
            let made = in_shape(other)?;
            let other = made.as_ref().unwrap_or(other);
            let mut wider: Vec<V> = room_for((table.len() / width).saturating_add(elements_of(other)?), width + 1)?;
            rows = rows.merge_in_order(other, merge, &list, None, |row, value| {
                wider.extend_from_slice(&table[row * width..][..width]);
                wider.push(value.clone());
                wider.len() / (width + 1) - 1
            })?;
            (table, width) = (wider, width + 1);
        }
        let mapped = rows.map(|row| f(&table[row * width..][..width]))?;
        if mapped.format() == format { Ok(mapped) } else { Ok(mapped.to_format(format)?) }
    }
}

/// Returns the number of stored elements. Each element of a block counts.
fn elements_of<V: Value>(tensor: &SparseTensor<'_, V>) -> Result<usize, SparseError> {
    let elements = tensor.stored().checked_mul(tensor.pattern().block());
    elements.ok_or(SparseError::Memory { elements: tensor.stored() })
}

/// Returns an empty table with room for `rows` rows and one more. Fails if memory has no room.
fn room_for<V>(rows: usize, width: usize) -> Result<Vec<V>, SparseError> {
    let room = rows.checked_add(1).and_then(|rows| rows.checked_mul(width)).and_then(room);
    room.ok_or(SparseError::Memory { elements: rows })
}

/// Returns the shape to which two shapes are repeated. Fails if two extents differ and neither is 1.
fn joint(left: &[u64], right: &[u64]) -> Result<Vec<u64>, OperationError> {
    let rank = left.len().max(right.len());
    let at = |shape: &[u64], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |own| shape[own]);
    let extents = (0..rank).map(|axis| match (at(left, axis), at(right, axis)) {
        (a, b) if a == b || b == 1 => Ok(a),
        (1, b) => Ok(b),
        _ => Err(OperationError::Shapes { left: left.to_vec(), right: right.to_vec() }),
    });
    extents.collect()
}
