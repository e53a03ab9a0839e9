//! Ragged arrays to Arrow, from the leaves out, in the vectors of the levels.

use super::ListError;
use crate::{DynLevel, RaggedArray};
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, FixedSizeListArray, GenericListArray, GenericListViewArray, OffsetSizeTrait, PrimitiveArray,
};
use arrow_buffer::{ArrowNativeType, Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, Field, FieldRef};
use layout_levels::{Index, Level, Ragged, Views};

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
    Ok(match level {
        DynLevel::Fixed(level) => {
            let (axis, size) = (q + 1, level.extent(0));
            let signed = i32::try_from(size).map_err(|_| ListError::Size { axis, size })?;
            let values = values.slice(0, rows * size);
            Arc::new(FixedSizeListArray::try_new_with_length(field, signed, values, None, rows)?)
        }
        DynLevel::I32(level) => list::<_, i32>(field, level, rows, end, values, signed)?,
        DynLevel::I64(level) => list::<_, i64>(field, level, rows, end, values, signed)?,
        DynLevel::U64(level) => list::<_, i64>(field, level, rows, end, values, signed)?,
        DynLevel::U32(level) if i32::try_from(end).is_ok() => list::<_, i32>(field, level, rows, end, values, signed)?,
        DynLevel::U32(level) => list::<_, i64>(field, level, rows, end, values, wide)?,
        DynLevel::ViewsI32(level) => view::<_, i32>(field, level, rows, values, signed)?,
        DynLevel::ViewsI64(level) => view::<_, i64>(field, level, rows, values, signed)?,
        DynLevel::Views64(level) => view::<_, i64>(field, level, rows, values, signed)?,
        DynLevel::Views32(level) if i32::try_from(values.len()).is_ok() => view::<_, i32>(field, level, rows, values, signed)?,
        DynLevel::Views32(level) => view::<_, i64>(field, level, rows, values, wide)?,
    })
}

/// Numbers that are no more than the signed type of their width holds, in the same memory.
fn signed<I: ArrowNativeType, O: ArrowNativeType>(numbers: Vec<I>) -> ScalarBuffer<O> {
    const { assert!(size_of::<I>() == size_of::<O>()) };
    ScalarBuffer::from(Buffer::from_vec(numbers))
}

/// Numbers in twice the bits.
fn wide(numbers: Vec<u32>) -> ScalarBuffer<i64> {
    numbers.into_iter().map(i64::from).collect()
}

/// The first `len` numbers, in the same memory.
fn first<I: Index>(numbers: Cow<'_, [I]>, len: usize) -> Vec<I> {
    let mut numbers = numbers.into_owned();
    numbers.truncate(len);
    numbers
}

fn list<I: Index, O: OffsetSizeTrait>(
    field: FieldRef,
    level: Ragged<Cow<'_, [I]>>,
    rows: usize,
    end: usize,
    values: ArrayRef,
    buffer: impl Fn(Vec<I>) -> ScalarBuffer<O>,
) -> Result<ArrayRef, ArrowError> {
    let mut offsets = first(level.into_offsets(), rows + 1);
    // Where all lists are empty, offsets may be any number here, and are 0 there.
    if end == 0 {
        offsets.fill_with(I::default);
    }
    Ok(Arc::new(GenericListArray::try_new(field, OffsetBuffer::new(buffer(offsets)), values, None)?))
}

fn view<I: Index, O: OffsetSizeTrait>(
    field: FieldRef,
    level: Views<Cow<'_, [I]>, Cow<'_, [I]>>,
    rows: usize,
    values: ArrayRef,
    buffer: impl Fn(Vec<I>) -> ScalarBuffer<O>,
) -> Result<ArrayRef, ArrowError> {
    let (starts, sizes) = level.into_parts();
    let (mut starts, sizes) = (first(starts, rows), first(sizes, rows));
    // Starts of empty lists may be any number here; there they lie within the values.
    starts.iter_mut().filter(|start| start.to_usize() > values.len()).for_each(|start| *start = I::default());
    Ok(Arc::new(GenericListViewArray::try_new(field, buffer(starts), buffer(sizes), values, None)?))
}
