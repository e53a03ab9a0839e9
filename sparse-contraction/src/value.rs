//! A tensor of a contraction that runs: an operand, or the result of a step.

use crate::error::memory;
use crate::estimate::Term;
use crate::subscripts::Letter;
use crate::{ContractionError, Factor};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory::try_repeated;
use sparse_formats::{AxisMap, Format, OperationError, Scalar, SparseOperand, SparseTensor, Watcher, visit_columns};

/// A tensor and the letters of its axes.
pub(crate) struct Lettered<'v, T: Scalar> {
    pub letters: Vec<Letter>,
    pub value: Value<'v, T>,
}

/// A dense array or a sparse tensor.
pub(crate) enum Value<'v, T: Scalar> {
    Dense(Cow<'v, [T]>),
    Sparse(Sparse<'v, T>),
}

/// A sparse tensor: an operand, or the result of a step.
pub(crate) enum Sparse<'v, T: Scalar> {
    Given(&'v dyn SparseOperand<T>),
    Made(SparseTensor<'static, T>),
}

impl<T: Scalar> SparseOperand<T> for Sparse<'_, T> {
    fn shape(&self) -> &[u64] {
        match self {
            Sparse::Given(operand) => operand.shape(),
            Sparse::Made(tensor) => tensor.shape(),
        }
    }

    fn gathered(&self, format: &Format) -> Result<SparseTensor<'static, T>, OperationError> {
        match self {
            Sparse::Given(operand) => operand.gathered(format),
            Sparse::Made(tensor) => tensor.gathered(format),
        }
    }

    fn tensors(&self) -> Vec<(Option<&AxisMap>, &SparseTensor<'_, T>)> {
        match self {
            Sparse::Given(operand) => operand.tensors(),
            Sparse::Made(tensor) => alloc::vec![(None, tensor)],
        }
    }

    fn watcher(&self) -> Option<Watcher<'_>> {
        match self {
            Sparse::Given(operand) => operand.watcher(),
            Sparse::Made(_) => None,
        }
    }
}

impl<T: Scalar> Sparse<'_, T> {
    /// Returns the tensor if the operand is one whose coordinates do not repeat.
    pub fn single(&self) -> Option<&SparseTensor<'_, T>> {
        match self.tensors()[..] {
            [(None, tensor)] if !tensor.format().is_multigraph() => Some(tensor),
            _ => None,
        }
    }

    /// Fails if the operand stores one triangle for both.
    pub fn check_whole(&self) -> Result<(), ContractionError> {
        let one_triangle = self.tensors().iter().any(|(_, tensor)| tensor.attributes().is_one_triangle());
        if one_triangle { Err(sparse_formats::SparseError::OneTriangle.into()) } else { Ok(()) }
    }

    /// Reports all elements to the progress callback, after a step that has none of its own.
    pub fn report(&self) {
        if let Some(watcher) = self.watcher() {
            watcher(self.tensors().iter().map(|(_, tensor)| tensor.stored()).sum());
        }
    }

    /// Calls `each` with `N` offsets and the value of every stored element, in storage order. An offset is the sum of the
    /// coordinates, each times the stride of its axis in `strides[n]`. Fails if the operand stores no values or one triangle
    /// for both.
    pub fn for_each_at<const N: usize>(&self, strides: [&[usize]; N], mut each: impl FnMut([usize; N], T)) -> Result<(), ContractionError> {
        let mut offsets: Vec<[usize; N]> = Vec::new();
        visit_columns(self, |columns, values| {
            offsets.clear();
            offsets.resize(values.len(), [0; N]);
            for (axis, column) in columns.iter().enumerate() {
                let strides = strides.map(|strides| strides[axis]);
                for (offsets, x) in offsets.iter_mut().zip(*column) {
                    offsets.iter_mut().zip(strides).for_each(|(offset, stride)| *offset += *x as usize * stride);
                }
            }
            offsets.iter().zip(values).for_each(|(offsets, value)| each(*offsets, *value));
        })?;
        Ok(())
    }

    /// Returns the columns of the stored elements, for the axes in this order, in storage order. Fails as `for_each_at` does, or
    /// if memory has no room.
    pub fn listed(&self, order: &[usize]) -> Result<Columns<T>, ContractionError> {
        let stored = self.tensors().iter().map(|(_, tensor)| elements(tensor) as usize).sum();
        let mut columns: Vec<Vec<u64>> = order.iter().map(|_| room(stored)).collect::<Result<_, _>>()?;
        let mut values = room(stored)?;
        visit_columns(self, |of, more| {
            columns.iter_mut().zip(order).for_each(|(column, axis)| column.extend_from_slice(of[*axis]));
            values.extend_from_slice(more);
        })?;
        Ok(Columns { columns, values })
    }

    /// Returns the columns of the stored elements, sorted by the axes in this order. Elements with the same coordinate are
    /// added. Fails as `for_each_at` does, or if memory has no room.
    pub fn sorted(&self, order: &[usize]) -> Result<Columns<T>, ContractionError> {
        self.check_whole()?;
        let list = self.gathered(&Format::coo(order.len()).with_axis_order(order).map_err(OperationError::from)?)?;
        let coordinates = list.all_coordinates()?;
        let mut columns = Vec::with_capacity(order.len());
        for axis in order {
            let mut column = room(list.stored())?;
            column.extend(coordinates[*axis].iter());
            columns.push(column);
        }
        let mut values = room(list.stored())?;
        for k in 0..list.stored() {
            values.push(*list.values().get(k).ok_or(OperationError::PatternOnly)?);
        }
        Ok(Columns { columns, values })
    }
}

/// The coordinates of elements, a column for each axis, and their values.
pub(crate) struct Columns<T> {
    pub columns: Vec<Vec<u64>>,
    pub values: Vec<T>,
}

impl<'v, T: Scalar> Lettered<'v, T> {
    /// Returns an operand with its letters.
    pub fn new(letters: &[Letter], factor: &Factor<'v, T>) -> Self {
        let value = match *factor {
            Factor::Dense { data, .. } => Value::Dense(Cow::Borrowed(data)),
            Factor::Sparse(tensor) => Value::Sparse(Sparse::Given(tensor)),
        };
        Lettered { letters: letters.to_vec(), value }
    }

    /// Returns the facts of a plan.
    pub fn term(&self) -> Term {
        let (stored, dense) = match &self.value {
            Value::Dense(data) => (data.len() as f64, true),
            Value::Sparse(sparse) => (sparse.tensors().iter().map(|(_, tensor)| elements(tensor)).sum(), false),
        };
        Term { letters: self.letters.clone(), stored, dense }
    }
}

/// Returns the number of stored elements of a tensor. Each element of a block counts.
fn elements<T: Scalar>(tensor: &SparseTensor<T>) -> f64 {
    let format = tensor.format();
    let dense = &format.axis_order()[format.levels()..];
    dense.iter().fold(tensor.stored() as f64, |elements, axis| elements * tensor.shape()[*axis] as f64)
}

/// Returns the product of extents, or `None` if it exceeds `usize`.
pub(crate) fn product(extents: &[u64]) -> Option<usize> {
    if extents.contains(&0) {
        return Some(0);
    }
    extents.iter().try_fold(1usize, |size, extent| size.checked_mul(usize::try_from(*extent).ok()?))
}

/// Returns zeros for all elements of a dense array. Fails, with the extents, if memory has no room for them.
pub(crate) fn zeros<T: Scalar>(extents: &[u64]) -> Result<Vec<T>, ContractionError> {
    let zeros = product(extents).and_then(|count| try_repeated(T::ZERO, count));
    zeros.ok_or_else(|| OperationError::Result { extents: extents.to_vec() }.into())
}

/// Returns an empty vector with room for `count` elements. Fails if memory has no room.
pub(crate) fn room<T>(count: usize) -> Result<Vec<T>, ContractionError> {
    array_kernels::memory::room(count).ok_or_else(|| memory(count))
}

/// Returns the stride of each letter of a row-major array: the sum of the strides of the axes that have it. The other
/// letters have the stride 0. The array must fit memory.
pub(crate) fn strides(extents: &[u64], letters: &[Letter]) -> Vec<usize> {
    let mut strides = alloc::vec![0usize; extents.len()];
    let mut stride = 1usize;
    for letter in letters.iter().rev() {
        strides[*letter] = strides[*letter].wrapping_add(stride);
        stride = stride.wrapping_mul(extents[*letter] as usize);
    }
    strides
}
