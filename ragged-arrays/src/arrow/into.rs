//! Ragged arrays to Arrow, from the leaves out, in the vectors of the levels.

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
    /// Arrow's lists of lists of ... of primitive values of type `P`: `List` for offsets of 32 bits, `LargeList` for those of 64,
    /// `ListView` and `LargeListView` for views, `FixedSizeList` for one size. Nothing is null; elements are called `item` and may be
    /// null by their type, as Arrow's own arrays have it.
    ///
    /// Vectors become buffers as they are; unsigned offsets are read as signed ones, and copied to `i64` where `i32` does not hold the
    /// last one of `u32`.
    ///
    /// ```
    /// use arrow_array::{Array, cast::AsArray, types::UInt8Type};
    /// use ragged_arrays::RaggedArray;
    /// let lists = RaggedArray::from_lengths(vec![2, 0, 1], vec![1_u8, 2, 3])?.into_arrow::<UInt8Type>()?;
    /// assert_eq!(lists.as_list::<i32>().value_offsets(), [0, 2, 2, 3]);
    /// # Ok::<(), ragged_arrays::arrow::ListError>(())
    /// ```
    pub fn into_arrow<P: ArrowPrimitiveType<Native = T>>(self) -> Result<ArrayRef, ListError> {
        // Where no element of an axis is in use, none is needed, wherever offsets say that none begins.
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

/// The first `rows` lists of a level, which end at `end`.
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
        // Offsets that `i32` does not hold are those of `LargeList`.
        Ranges::Pointers(Indices::U64(offsets)) => list::<i64>(field, Indices::U64(offsets), rows, end, values)?,
        Ranges::Pointers(offsets) if narrow(end) => list::<i32>(field, offsets, rows, end, values)?,
        Ranges::Pointers(offsets) => list::<i64>(field, offsets, rows, end, values)?,
        Ranges::Views { starts: starts @ Indices::U64(_), sizes, .. } => view::<i64>(field, starts, sizes, rows, values)?,
        Ranges::Views { starts, sizes, .. } if narrow(values.len()) => view::<i32>(field, starts, sizes, rows, values)?,
        Ranges::Views { starts, sizes, .. } => view::<i64>(field, starts, sizes, rows, values)?,
        // Levels of ragged arrays are one of the above.
        Ranges::One(_) | Ranges::Root(_) | Ranges::Diagonals { .. } => return Err(ListError::from(RaggedError::UnknownRows)),
    })
}

/// The first `len` numbers; those of the width of `O` stay in their memory, others are copied. Numbers that are `beyond` what is there are 0.
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
    // Where all lists are empty, offsets may be any number here, and are 0 there.
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
    // Starts of empty lists may be any number here; there they lie within the values.
    let starts = buffer::<O>(starts, rows, |start| start > values.len() as u64)?;
    let sizes = buffer::<O>(sizes, rows, |_| false)?;
    Ok(Arc::new(GenericListViewArray::try_new(field, starts, sizes, values, None)?))
}
