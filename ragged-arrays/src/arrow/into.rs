//! Converts ragged arrays to Arrow, from the leaves outwards, in the vectors of the levels.

use super::ListError;
use crate::{DynLevel, OffsetIndex, RaggedArray, RaggedError};
use alloc::sync::Arc;
use alloc::vec::Vec;
use array_kernels::{Indices, Ranges, with_indices};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, FixedSizeListArray, GenericListArray, GenericListViewArray, OffsetSizeTrait, PrimitiveArray,
};
use arrow_buffer::{ArrowNativeType, OffsetBuffer, ScalarBuffer};
use arrow_schema::{Field, FieldRef};
use layout_levels::{Index, Level};

impl<T: ArrowNativeType> RaggedArray<'_, T> {
    /// Converts to Arrow's nested lists of primitive values of type `P`: `List` for offsets of 32 bits, `LargeList`
    /// for offsets of 64 bits, `ListView` and `LargeListView` for views, and `FixedSizeList` for fixed sizes. No
    /// element is null. As in Arrow's own arrays, elements are called `item`, and their type allows nulls.
    ///
    /// Vectors become buffers without a copy. Unsigned offsets are read as signed ones; offsets of `u32` are copied to `i64` if
    /// the last one does not fit `i32`. Fails if a fixed size does not fit `i32`, or if Arrow refuses the arrays.
    ///
    /// ```
    /// use arrow_array::{Array, cast::AsArray, types::UInt8Type};
    /// use ragged_arrays::RaggedArray;
    /// let lists = RaggedArray::from_lengths(vec![2, 0, 1], vec![1_u8, 2, 3])?.into_arrow::<UInt8Type>()?;
    /// assert_eq!(lists.as_list::<i32>().value_offsets(), [0, 2, 2, 3]);
    /// # Ok::<(), ragged_arrays::arrow::ListError>(())
    /// ```
    pub fn into_arrow<P: ArrowPrimitiveType<Native = T>>(self) -> Result<ArrayRef, ListError> {
        // An axis without used elements needs none of its arrays, even if offsets begin above 0.
        let rows = |axis| if self.shape().count(axis) == 0 { 0 } else { self.shape().span(axis).end };
        let rows: Vec<usize> = (0..self.depth()).map(rows).collect();
        let (outer, levels, data) = self.into_parts();
        let mut array: ArrayRef = Arc::new(PrimitiveArray::<P>::try_new(ScalarBuffer::from(data.into_owned()), None)?);
        if levels.is_empty() {
            return Ok(array.slice(0, outer));
        }
        for (q, level) in levels.into_iter().enumerate().rev() {
            array = lists(level, q, (rows[q], rows[q + 1]), array)?;
        }
        Ok(array)
    }
}

/// Converts the first `rows` lists of level `q`, whose elements in `values` end at `end`. Fails if Arrow refuses them.
fn lists(level: DynLevel<'_>, q: usize, (rows, end): (usize, usize), values: ArrayRef) -> Result<ArrayRef, ListError> {
    let field: FieldRef = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    let narrow = |most: usize| i32::try_from(most).is_ok();
    Ok(match level.into_ranges() {
        Ranges::Uniform(level) => {
            let (axis, size) = (q + 1, level.extent(0));
            let signed = i32::try_from(size).map_err(|_| ListError::Size { axis, size })?;
            let values = values.slice(0, rows * size);
            Arc::new(FixedSizeListArray::try_new_with_length(field, signed, values, None, rows)?)
        }
        // Offsets of 64 bits, and offsets that do not fit `i32`, become a `LargeList`.
        Ranges::Pointers(Indices::U64(offsets)) => list::<i64>(field, Indices::U64(offsets), rows, end, values)?,
        Ranges::Pointers(offsets) if narrow(end) => list::<i32>(field, offsets, rows, end, values)?,
        Ranges::Pointers(offsets) => list::<i64>(field, offsets, rows, end, values)?,
        Ranges::Views { starts: starts @ Indices::U64(_), sizes, .. } => view::<i64>(field, starts, sizes, rows, values)?,
        Ranges::Views { starts, sizes, .. } if narrow(values.len()) => view::<i32>(field, starts, sizes, rows, values)?,
        Ranges::Views { starts, sizes, .. } => view::<i64>(field, starts, sizes, rows, values)?,
        // Levels of ragged arrays have only the kinds above.
        Ranges::One(_) | Ranges::Root(_) | Ranges::Diagonals { .. } => return Err(ListError::from(RaggedError::UnknownRows)),
    })
}

/// Returns the first `len` numbers. Numbers of the width of `O` stay in their memory, and others are copied. Numbers for which
/// `beyond` is true become 0. Fails if a number does not fit `O`.
fn buffer<O: OffsetSizeTrait + OffsetIndex>(
    numbers: Indices<'_>,
    len: usize,
    beyond: impl Fn(u64) -> bool,
) -> Result<ScalarBuffer<O>, ListError> {
    let numbers = with_indices!(numbers, array => {
        let mut array = array.into_owned();
        array.truncate(len);
        array.iter_mut().filter(|number| beyond(number.to_u64())).for_each(|number| *number = Index::from_low_bits(0));
        Indices::from(array)
    });
    let numbers = O::of_indices(numbers).ok_or(RaggedError::Overflow)?;
    Ok(ScalarBuffer::from(numbers.into_owned()))
}

fn list<O: OffsetSizeTrait + OffsetIndex>(
    field: FieldRef,
    offsets: Indices<'_>,
    rows: usize,
    end: usize,
    values: ArrayRef,
) -> Result<ArrayRef, ListError> {
    // If all lists are empty, offsets may be any number in a level, but must be 0 in Arrow.
    let offsets = buffer::<O>(offsets, rows + 1, |_| end == 0)?;
    Ok(Arc::new(GenericListArray::try_new(field, OffsetBuffer::new(offsets), values, None)?))
}

fn view<O: OffsetSizeTrait + OffsetIndex>(
    field: FieldRef,
    starts: Indices<'_>,
    sizes: Indices<'_>,
    rows: usize,
    values: ArrayRef,
) -> Result<ArrayRef, ListError> {
    // The starts of empty lists may be any number in a level, but must lie within the values in Arrow.
    let starts = buffer::<O>(starts, rows, |start| start > values.len() as u64)?;
    let sizes = buffer::<O>(sizes, rows, |_| false)?;
    Ok(Arc::new(GenericListViewArray::try_new(field, starts, sizes, values, None)?))
}
