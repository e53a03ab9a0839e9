//! Sums of products by their coordinates in the result: in a dense array, or in lists that are sorted and summed whenever they
//! have doubled. And conversions between both storages.

use crate::ContractionError;
use crate::error::memory;
use crate::subscripts::Letter;
use crate::value::{Sparse, Value, room, strides, zeros};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::grow;
use sparse_formats::{Builder, Duplicates, Format, Indices, OperationError, Scalar, SparseOperand, SparseTensor};

/// The number of products after which lists are summed for the first time.
const FIRST: usize = 1 << 16;

/// Letters of a result whose coordinates form one number, the last one fastest.
#[derive(Clone)]
pub(super) struct Group {
    extents: Vec<u64>,
    /// The product of the extents.
    size: u64,
}

/// Sums by coordinates.
pub(super) enum Sums<T> {
    Dense { shape: Vec<u64>, data: Vec<T> },
    Sparse { shape: Vec<u64>, groups: Vec<Group>, keys: Vec<Vec<u64>>, values: Vec<T>, limit: usize },
}

impl<T: Scalar> Sums<T> {
    /// Returns sums in a sparse result with these letters.
    pub fn sparse(extents: &[u64], out: &[Letter]) -> Self {
        let shape: Vec<u64> = out.iter().map(|letter| extents[*letter]).collect();
        let mut groups: Vec<Group> = vec![Group { extents: Vec::new(), size: 1 }];
        for extent in &shape {
            match groups.last_mut() {
                Some(group) if group.size.checked_mul(*extent).is_some() => {
                    group.size *= extent;
                    group.extents.push(*extent);
                }
                _ => groups.push(Group { extents: vec![*extent], size: *extent }),
            }
        }
        let keys = vec![Vec::new(); groups.len()];
        Sums::Sparse { shape, groups, keys, values: Vec::new(), limit: FIRST }
    }

    /// Returns sums in a result with these letters. Fails if memory has no room for a dense one.
    pub fn new(extents: &[u64], out: &[Letter], dense: bool) -> Result<Self, ContractionError> {
        if !dense {
            return Ok(Sums::sparse(extents, out));
        }
        let shape: Vec<u64> = out.iter().map(|letter| extents[*letter]).collect();
        Ok(Sums::Dense { data: zeros(&shape)?, shape })
    }

    /// Returns the number of keys of a coordinate.
    pub fn groups(&self) -> usize {
        match self {
            Sums::Dense { .. } => 1,
            Sums::Sparse { groups, .. } => groups.len(),
        }
    }

    /// Returns the keys of a coordinate, group by group. Two coordinates that share no axis have keys that add up
    /// to the key of their sum.
    pub fn keys(&self, coordinate: impl IntoIterator<Item = u64>, mut each: impl FnMut(usize, u64)) {
        let mut coordinate = coordinate.into_iter();
        let mut key = |extents: &[u64]| extents.iter().zip(&mut coordinate).fold(0, |key, (extent, c)| key * extent + c);
        match self {
            Sums::Dense { shape, .. } => each(0, key(shape)),
            Sums::Sparse { groups, .. } => groups.iter().enumerate().for_each(|(g, group)| each(g, key(&group.extents))),
        }
    }

    /// Adds a value at a coordinate. Fails if memory has no room.
    pub fn push(&mut self, coordinate: impl IntoIterator<Item = u64>, value: T) -> Result<(), ContractionError> {
        match self {
            Sums::Dense { shape, data } => {
                let at = shape.iter().zip(coordinate).fold(0, |at, (extent, c)| at * *extent as usize + c as usize);
                data[at] = data[at].plus(value);
                Ok(())
            }
            Sums::Sparse { groups, keys, .. } => {
                let mut coordinate = coordinate.into_iter();
                for (group, keys) in groups.iter().zip(keys) {
                    grow(keys, 1).ok_or_else(|| memory(keys.len()))?;
                    keys.push(group.extents.iter().zip(&mut coordinate).fold(0, |key, (extent, c)| key * extent + c));
                }
                self.pushed([value])
            }
        }
    }

    /// Adds the products of `x` and each element `values[k]`, at the sum of the keys `base` and `keys[g][k]`. Fails if memory has
    /// no room.
    pub fn add_row(&mut self, base: &[u64], x: T, keys: &[&[u64]], values: &[T]) -> Result<(), ContractionError> {
        match self {
            Sums::Dense { data, .. } => {
                for (key, y) in keys[0].iter().zip(values) {
                    let out = &mut data[(base[0] + key) as usize];
                    *out = out.plus(x.times(*y));
                }
                Ok(())
            }
            Sums::Sparse { keys: of, .. } => {
                for ((of, base), keys) in of.iter_mut().zip(base).zip(keys) {
                    grow(of, keys.len()).ok_or_else(|| memory(of.len() + keys.len()))?;
                    of.extend(keys.iter().map(|key| base + key));
                }
                self.pushed(values.iter().map(|y| x.times(*y)))
            }
        }
    }

    /// Appends the values of keys that have been appended, and sums the lists if they have doubled.
    fn pushed(&mut self, new: impl IntoIterator<Item = T>) -> Result<(), ContractionError> {
        let Sums::Sparse { groups, keys, values, limit, .. } = self else { return Ok(()) };
        let count = keys[0].len();
        grow(values, count - values.len()).ok_or_else(|| memory(count))?;
        values.extend(new);
        if count >= *limit {
            let (columns, sums) = summed(groups, keys, values)?;
            for (keys, column) in keys.iter_mut().zip(&columns) {
                keys.clear();
                keys.extend(column.iter());
            }
            values.clear();
            values.extend((0..columns[0].len()).filter_map(|k| sums.get(k)));
            *limit = FIRST.max(2 * values.len());
        }
        Ok(())
    }

    /// Returns the result. A sparse one lists its coordinates in order.
    pub fn finish<'v>(self) -> Result<Value<'v, T>, ContractionError> {
        let (shape, groups, keys, values) = match self {
            Sums::Dense { data, .. } => return Ok(Value::Dense(data.into())),
            Sums::Sparse { shape, groups, keys, values, .. } => (shape, groups, keys, values),
        };
        let (keys, values) = summed(&groups, &keys, &values)?;
        let mut columns: Vec<Indices> = Vec::with_capacity(shape.len());
        for (group, keys) in groups.iter().zip(&keys) {
            if let [_] = group.extents[..] {
                columns.push(keys.view());
                continue;
            }
            let mut step = group.size;
            for extent in &group.extents {
                step = step.checked_div(*extent).unwrap_or(1).max(1);
                let mut column = room(keys.len())?;
                column.extend(keys.iter().map(|key| key / step % extent));
                columns.push(Indices::narrowest(&column));
            }
        }
        let tensor = Builder::new(Format::coo(shape.len()), T::ZERO).build(&shape, &columns, values)?;
        Ok(Value::Sparse(Sparse::Made(tensor)))
    }
}

/// Returns the distinct keys in order, and the sums of their values. Fails if memory has no room.
fn summed<T: Scalar>(groups: &[Group], keys: &[Vec<u64>], values: &[T]) -> Result<(Vec<Indices<'static>>, Vec<T>), ContractionError> {
    let plus = |a: &T, b: &T| a.plus(*b);
    let shape: Vec<u64> = groups.iter().map(|group| group.size).collect();
    let columns: Vec<Indices> = keys.iter().map(|keys| Indices::from(&keys[..])).collect();
    let list = Builder::new(Format::coo(groups.len()), T::ZERO).duplicates(Duplicates::Combine(&plus)).build(&shape, &columns, values)?;
    let columns = list.all_coordinates()?;
    let mut sums = room(list.stored())?;
    sums.extend((0..list.stored()).filter_map(|k| list.values().get(k).copied()));
    Ok((columns, sums))
}

/// Returns all elements of a sparse tensor, row-major. Fails if memory has no room for them.
pub(crate) fn to_dense<T: Scalar>(a: &Sparse<T>) -> Result<Vec<T>, ContractionError> {
    let shape = a.shape();
    let mut data: Vec<T> = zeros(shape)?;
    a.for_each_at([&strides(shape, &(0..shape.len()).collect::<Vec<Letter>>())], |[at], value| data[at] = data[at].plus(value))?;
    Ok(data)
}

/// Returns the elements of a dense array that are not the zero of the arithmetic as a tensor in a format. Fails if memory has
/// no room for it.
pub(crate) fn of_dense<T: Scalar>(shape: &[u64], data: &[T], format: &Format) -> Result<SparseTensor<'static, T>, ContractionError> {
    let stored = data.iter().filter(|value| **value != T::ZERO).count();
    let mut columns: Vec<Vec<u64>> = shape.iter().map(|_| room(stored)).collect::<Result<_, _>>()?;
    let mut values = room(stored)?;
    let mut steps = vec![1usize; shape.len()];
    for axis in (0..shape.len().saturating_sub(1)).rev() {
        steps[axis] = steps[axis + 1].saturating_mul(shape[axis + 1] as usize);
    }
    for (k, value) in data.iter().enumerate().filter(|(_, value)| **value != T::ZERO) {
        for ((column, step), extent) in columns.iter_mut().zip(&steps).zip(shape) {
            column.push((k / step) as u64 % extent);
        }
        values.push(*value);
    }
    let columns: Vec<Indices> = columns.iter().map(|column| Indices::narrowest(column)).collect();
    let direct = !(format.is_multigraph() && format.dense_axes() > 0);
    if !direct {
        return Err(OperationError::MultigraphBlocks { format: alloc::string::ToString::to_string(format) }.into());
    }
    Ok(Builder::new(format.clone(), T::ZERO).build(shape, &columns, values)?)
}
