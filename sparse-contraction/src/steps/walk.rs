//! A sparse tensor times a dense array: each stored element times the block of the array that its coordinates choose.

use super::{OfDense, OfSparse};
use crate::ContractionError;
use crate::error::memory;
use crate::subscripts::Letter;
use crate::value::{Sparse, Value, room, strides, zeros};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::grow;
use sparse_formats::{Builder, Duplicates, Format, Indices, LevelKind, OperationError, Scalar, SparseTensor};

/// Multiplies a sparse tensor by a dense array, and sums over the letters that the result lacks. Fails if memory has no room.
pub(super) fn run<'v, T: Scalar>(
    extents: &[u64],
    (of_a, a): OfSparse<T>,
    (of_b, b): OfDense<T>,
    out: &[Letter],
    dense: bool,
) -> Result<Value<'v, T>, ContractionError> {
    let block: Vec<Letter> = out.iter().copied().filter(|letter| !of_a.contains(letter)).collect();
    let walk = Walk { of_a, a, b, steps: strides(extents, of_b), block: offsets(extents, &block, &strides(extents, of_b))? };
    if !dense {
        return Ok(Value::Sparse(Sparse::Made(walk.sparse(extents, out, &block)?)));
    }
    let shape: Vec<u64> = out.iter().map(|letter| extents[*letter]).collect();
    let mut data = zeros(&shape)?;
    let steps = strides(extents, out);
    walk.dense(&mut data, &steps, &offsets(extents, &block, &steps)?)?;
    Ok(Value::Dense(data.into()))
}

/// Returns the offset of each coordinate of some letters, in row-major order, in an array with these strides.
fn offsets(extents: &[u64], letters: &[Letter], strides: &[usize]) -> Result<Vec<usize>, ContractionError> {
    let shape: Vec<u64> = letters.iter().map(|letter| extents[*letter]).collect();
    let count = crate::value::product(&shape).ok_or(OperationError::Result { extents: shape })?;
    let mut offsets = room(count)?;
    if count == 0 {
        return Ok(offsets);
    }
    offsets.push(0);
    // Each letter repeats the offsets of the letters before it with its own steps inside.
    for letter in letters {
        let extent = extents[*letter] as usize;
        let before = offsets.len();
        offsets.resize(before * extent, 0);
        for k in (0..before).rev() {
            let offset = offsets[k];
            (0..extent).for_each(|x| offsets[k * extent + x] = offset + x * strides[*letter]);
        }
    }
    Ok(offsets)
}

struct Walk<'w, 'v, T: Scalar> {
    of_a: &'w [Letter],
    a: &'w Sparse<'v, T>,
    b: &'w [T],
    /// The stride of each letter in `b`.
    steps: Vec<usize>,
    /// The offsets of the elements of a block in `b`.
    block: Vec<usize>,
}

impl<T: Scalar> Walk<'_, '_, T> {
    /// Returns the stride of each axis of the sparse operand, if its letters have these strides.
    fn of_axes(&self, steps: &[usize]) -> Vec<usize> {
        self.of_a.iter().map(|letter| steps[*letter]).collect()
    }

    /// Adds the products to a dense result, in which letters have the strides `steps`, and the elements of a block the offsets
    /// `into`.
    fn dense(&self, data: &mut [T], steps: &[usize], into: &[usize]) -> Result<(), ContractionError> {
        let adjacent = |offsets: &[usize]| offsets.iter().enumerate().all(|(k, offset)| k == *offset);
        let (rows, strides) = (adjacent(&self.block) && adjacent(into), [self.of_axes(&self.steps), self.of_axes(steps)]);
        let strides = strides.each_ref().map(Vec::as_slice);
        match into.len() {
            // The block has an axis of extent 0.
            0 => self.a.for_each_at(strides, |_, _| ()),
            1 => self.a.for_each_at(strides, |[from, to], x| data[to] = data[to].plus(x.times(self.b[from]))),
            count if rows => self.a.for_each_at(strides, |[from, to], x| {
                let row = &self.b[from..][..count];
                data[to..][..count].iter_mut().zip(row).for_each(|(out, y)| *out = out.plus(x.times(*y)));
            }),
            _ => self.a.for_each_at(strides, |[from, to], x| {
                for (from_b, into) in self.block.iter().zip(into) {
                    let out = &mut data[to + into];
                    *out = out.plus(x.times(self.b[from + from_b]));
                }
            }),
        }
    }

    /// Returns the products as a tensor with a block for each coordinate in the letters of the sparse operand that the result
    /// has.
    fn sparse(&self, extents: &[u64], out: &[Letter], block: &[Letter]) -> Result<SparseTensor<'static, T>, ContractionError> {
        let shape: Vec<u64> = out.iter().map(|letter| extents[*letter]).collect();
        // The axes of the sparse operand in the order of the result, and then the summed axes.
        let place = |letter: &Letter| self.of_a.iter().position(|known| known == letter);
        let kept: Vec<usize> = out.iter().filter_map(place).collect();
        let summed: Vec<usize> = (0..self.of_a.len()).filter(|axis| !kept.contains(axis)).collect();
        if let Some(tensor) = self.a.single()
            && block.is_empty()
            && out == self.of_a
            && tensor.format().dense_axes() == 0
        {
            // The result has the pattern of the operand.
            let mut values = room(tensor.stored())?;
            self.a.for_each_at([&self.of_axes(&self.steps)], |[from], x| values.push(x.times(self.b[from])))?;
            let made = SparseTensor::new(tensor.pattern().view(), values, T::ZERO).map_err(|rejected| rejected.error)?;
            return Ok(made.to_format(&Format::coo(out.len()))?.into_owned());
        }
        let (columns, values) = self.blocks(&kept, &summed)?;
        let axes = |letters: &[Letter]| {
            out.iter().enumerate().filter(|(_, letter)| letters.contains(letter)).map(|(axis, _)| axis).collect::<Vec<_>>()
        };
        let order = [axes(self.of_a), axes(block)].concat();
        let format = Format::new(&vec![LevelKind::Indices; kept.len()], &order).map_err(OperationError::from)?;
        let columns: Vec<Indices> = columns.iter().map(|column| Indices::narrowest(column)).collect();
        let plus = |a: &T, b: &T| a.plus(*b);
        let builder = Builder::new(format, T::ZERO).duplicates(Duplicates::Combine(&plus));
        Ok(builder.build_blocks(&shape, &columns, values)?)
    }
    /// Returns the coordinates of the blocks of the result in the axes `kept`, a column for each, and all elements of the blocks.
    /// Elements of the sparse operand that differ only in the axes `summed` have one block.
    fn blocks(&self, kept: &[usize], summed: &[usize]) -> Result<(Vec<Vec<u64>>, Vec<T>), ContractionError> {
        let (count, order) = (self.block.len(), [kept, summed].concat());
        let steps: Vec<usize> = order.iter().map(|axis| self.steps[self.of_a[*axis]]).collect();
        let mut columns: Vec<Vec<u64>> = vec![Vec::new(); kept.len()];
        let mut values: Vec<T> = Vec::new();
        let elements = match summed {
            [] => self.a.listed(&order)?,
            _ => {
                self.a.report();
                self.a.sorted(&order)?
            }
        };
        for (k, x) in elements.values.iter().enumerate() {
            let from: usize = steps.iter().zip(&elements.columns).map(|(step, column)| column[k] as usize * step).sum();
            let products = self.block.iter().map(|offset| x.times(self.b[from + offset]));
            let of_block = elements.columns.iter().take(kept.len());
            if !summed.is_empty() && k > 0 && of_block.clone().all(|column| column[k - 1] == column[k]) {
                let last = values.len() - count;
                values[last..].iter_mut().zip(products).for_each(|(sum, product)| *sum = sum.plus(product));
                continue;
            }
            if grow(&mut values, count).is_none() || columns.iter_mut().any(|column| grow(column, 1).is_none()) {
                return Err(memory(values.len().saturating_add(count)));
            }
            columns.iter_mut().zip(of_block).for_each(|(column, of)| column.push(of[k]));
            values.extend(products);
        }
        Ok((columns, values))
    }
}
