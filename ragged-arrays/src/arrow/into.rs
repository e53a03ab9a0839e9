//! Converts ragged arrays to Arrow, from the leaves outwards, in the vectors of the levels.

use super::ListError;
use crate::{DynLevel, OffsetIndex, OptionArray, RaggedArray, RaggedError, RaggedShape};
use alloc::sync::Arc;
use alloc::vec::Vec;
use array_kernels::{Indices, Ranges, with_indices};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, FixedSizeListArray, GenericListArray, GenericListViewArray, OffsetSizeTrait, PrimitiveArray,
};
use arrow_buffer::{ArrowNativeType, NullBuffer, OffsetBuffer, ScalarBuffer};
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
        let rows = rows(self.shape());
        let (outer, levels, data) = self.into_parts();
        let leaves = PrimitiveArray::<P>::try_new(ScalarBuffer::from(data.into_owned()), None)?;
        let nulls = levels.iter().map(|_| None).collect();
        nested(outer, levels, &rows, Arc::new(leaves), nulls)
    }
}

impl<T: ArrowNativeType> OptionArray<'_, T> {
    /// Converts to Arrow's nested lists of primitive values of type `P`, as [`RaggedArray::into_arrow`] does. Missing lists and leaves are
    /// null.
    ///
    /// ```
    /// use arrow_array::{Array, cast::AsArray, types::UInt8Type};
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some(1_u8), None]), None])?;
    /// let lists = a.into_arrow::<UInt8Type>()?;
    /// assert_eq!((lists.is_null(1), lists.as_list::<i32>().value(0).is_null(1)), (true, true));
    /// # Ok::<(), ragged_arrays::arrow::ListError>(())
    /// ```
    pub fn into_arrow<P: ArrowPrimitiveType<Native = T>>(self) -> Result<ArrayRef, ListError> {
        let (array, missing) = self.into_parts();
        let rows = rows(array.shape());
        // Lists before the first one in use have values in Arrow, too.
        let valid = |(q, lists): (usize, Vec<bool>)| {
            let unused = core::iter::repeat_n(true, array.shape().span(q).start);
            (!lists.is_empty()).then(|| NullBuffer::from(unused.chain(lists.iter().map(|missing| !missing)).collect::<Vec<_>>()))
        };
        let nulls = missing.into_iter().enumerate().map(valid).collect();
        let (outer, levels, data) = array.into_parts();
        let present = NullBuffer::from(data.iter().map(Option::is_some).collect::<Vec<_>>());
        let values = ScalarBuffer::from(data.iter().map(|leaf| leaf.unwrap_or_default()).collect::<Vec<_>>());
        let leaves = PrimitiveArray::<P>::try_new(values, Some(present).filter(|present| present.null_count() > 0))?;
        nested(outer, levels, &rows, Arc::new(leaves), nulls)
    }
}

/// Returns the number of elements of each axis that an array in Arrow needs. An axis without used elements needs none, even if offsets
/// begin above 0.
fn rows(shape: &RaggedShape<'_>) -> Vec<usize> {
    (0..shape.depth()).map(|axis| if shape.count(axis) == 0 { 0 } else { shape.span(axis).end }).collect()
}

/// Returns `outer` rows of lists of these levels and nulls. Fails if Arrow refuses the arrays.
fn nested(
    outer: usize,
    levels: Vec<DynLevel<'_>>,
    rows: &[usize],
    mut array: ArrayRef,
    nulls: Vec<Option<NullBuffer>>,
) -> Result<ArrayRef, ListError> {
    if levels.is_empty() {
        return Ok(array.slice(0, outer));
    }
    for ((q, level), nulls) in levels.into_iter().enumerate().zip(nulls).rev() {
        array = lists(level, q, (rows[q], rows[q + 1]), array, nulls)?;
    }
    Ok(array)
}

/// Converts the first `rows` lists of level `q`, whose elements in `values` end at `end`. Fails if Arrow refuses them.
fn lists(
    level: DynLevel<'_>,
    q: usize,
    (rows, end): (usize, usize),
    values: ArrayRef,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ListError> {
    let field: FieldRef = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    let narrow = |most: usize| i32::try_from(most).is_ok();
    Ok(match level.into_ranges() {
        Ranges::Uniform(level) => {
            let (axis, size) = (q + 1, level.extent(0));
            let signed = i32::try_from(size).map_err(|_| ListError::Size { axis, size })?;
            let values = values.slice(0, rows * size);
            Arc::new(FixedSizeListArray::try_new_with_length(field, signed, values, nulls, rows)?)
        }
        // Offsets of 64 bits, and offsets that do not fit `i32`, become a `LargeList`.
        Ranges::Pointers(Indices::U64(offsets)) => list::<i64>(field, Indices::U64(offsets), rows, end, values, nulls)?,
        Ranges::Pointers(offsets) if narrow(end) => list::<i32>(field, offsets, rows, end, values, nulls)?,
        Ranges::Pointers(offsets) => list::<i64>(field, offsets, rows, end, values, nulls)?,
        Ranges::Views { starts: starts @ Indices::U64(_), sizes, .. } => view::<i64>(field, starts, sizes, rows, values, nulls)?,
        Ranges::Views { starts, sizes, .. } if narrow(values.len()) => view::<i32>(field, starts, sizes, rows, values, nulls)?,
        Ranges::Views { starts, sizes, .. } => view::<i64>(field, starts, sizes, rows, values, nulls)?,
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
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ListError> {
    // If all lists are empty, offsets may be any number in a level, but must be 0 in Arrow.
    let offsets = buffer::<O>(offsets, rows + 1, |_| end == 0)?;
    Ok(Arc::new(GenericListArray::try_new(field, OffsetBuffer::new(offsets), values, nulls)?))
}

fn view<O: OffsetSizeTrait + OffsetIndex>(
    field: FieldRef,
    starts: Indices<'_>,
    sizes: Indices<'_>,
    rows: usize,
    values: ArrayRef,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ListError> {
    // The starts of empty lists may be any number in a level, but must lie within the values in Arrow.
    let starts = buffer::<O>(starts, rows, |start| start > values.len() as u64)?;
    let sizes = buffer::<O>(sizes, rows, |_| false)?;
    Ok(Arc::new(GenericListViewArray::try_new(field, starts, sizes, values, nulls)?))
}
