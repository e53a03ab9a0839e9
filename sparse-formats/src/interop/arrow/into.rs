//! To Arrow: from the leaves out, in the vectors of the levels.

use crate::ragged::{DynLevel, InterchangeError, RaggedArray};
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, FixedSizeListArray, GenericListArray, GenericListViewArray, OffsetSizeTrait, PrimitiveArray,
};
use arrow_buffer::{ArrowNativeType, Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, Field, FieldRef};
use layout_core::level::{Index, Level};

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
    /// use sparse_formats::ragged::RaggedArray;
    /// let lists = RaggedArray::from_lengths(vec![2, 0, 1], vec![1_u8, 2, 3])?.into_arrow::<UInt8Type>()?;
    /// assert_eq!(lists.as_list::<i32>().value_offsets(), [0, 2, 2, 3]);
    /// # Ok::<(), sparse_formats::ragged::InterchangeError>(())
    /// ```
    pub fn into_arrow<P: ArrowPrimitiveType<Native = T>>(self) -> Result<ArrayRef, InterchangeError> {
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
fn lists(level: DynLevel<'_>, q: usize, (rows, end): (usize, usize), values: ArrayRef) -> Result<ArrayRef, InterchangeError> {
    let field: FieldRef = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    Ok(match level {
        DynLevel::Fixed(level) => {
            let (axis, size) = (q + 1, level.extent(0));
            let signed = i32::try_from(size).map_err(|_| InterchangeError::Size { axis, size })?;
            let values = values.slice(0, rows * size);
            Arc::new(FixedSizeListArray::try_new_with_length(field, signed, values, None, rows)?)
        }
        DynLevel::I32(level) => list(field, used(level.into_offsets().into_owned(), rows, end).into(), values)?,
        DynLevel::I64(level) => list(field, used(level.into_offsets().into_owned(), rows, end).into(), values)?,
        DynLevel::U64(level) => list::<i64>(field, signed(used(level.into_offsets().into_owned(), rows, end)), values)?,
        DynLevel::U32(level) if i32::try_from(end).is_ok() => {
            list::<i32>(field, signed(used(level.into_offsets().into_owned(), rows, end)), values)?
        }
        DynLevel::U32(level) => {
            list::<i64>(field, used(level.into_offsets().into_owned(), rows, end).into_iter().map(i64::from).collect(), values)?
        }
        DynLevel::ViewsI32(level) => {
            let (starts, sizes) = inside(level.into_parts(), rows, values.len());
            view::<i32>(field, starts.into(), sizes.into(), values)?
        }
        DynLevel::ViewsI64(level) => {
            let (starts, sizes) = inside(level.into_parts(), rows, values.len());
            view::<i64>(field, starts.into(), sizes.into(), values)?
        }
        DynLevel::Views64(level) => {
            let (starts, sizes) = inside(level.into_parts(), rows, values.len());
            view::<i64>(field, signed(starts), signed(sizes), values)?
        }
        DynLevel::Views32(level) => {
            let (starts, sizes) = inside(level.into_parts(), rows, values.len());
            if i32::try_from(values.len()).is_ok() {
                view::<i32>(field, signed(starts), signed(sizes), values)?
            } else {
                let wide = |words: Vec<u32>| words.into_iter().map(i64::from).collect();
                view::<i64>(field, wide(starts), wide(sizes), values)?
            }
        }
    })
}

/// The first `len` numbers, in the same memory.
fn first<W>(mut words: Vec<W>, len: usize) -> Vec<W> {
    words.truncate(len);
    words
}

/// The offsets of the first `rows` lists, in the same memory; where all are empty, they may be any number here, and are 0 there.
fn used<W: Default>(offsets: Vec<W>, rows: usize, end: usize) -> Vec<W> {
    let mut offsets = first(offsets, rows + 1);
    if end == 0 {
        offsets.fill_with(W::default);
    }
    offsets
}

/// Numbers that are no more than the signed type of their width holds, in the same memory.
fn signed<W: ArrowNativeType, S: ArrowNativeType>(words: Vec<W>) -> ScalarBuffer<S> {
    const { assert!(size_of::<W>() == size_of::<S>()) };
    ScalarBuffer::from(Buffer::from_vec(words))
}

/// Starts and sizes of the first `rows` lists, in the same memory. Starts of empty lists may be any number here; there they lie within the
/// values.
fn inside<I: Index>((starts, sizes): (Cow<'_, [I]>, Cow<'_, [I]>), rows: usize, len: usize) -> (Vec<I>, Vec<I>) {
    let (mut starts, sizes) = (first(starts.into_owned(), rows), first(sizes.into_owned(), rows));
    starts.iter_mut().filter(|start| start.to_usize() > len).for_each(|start| *start = I::default());
    (starts, sizes)
}

fn list<O: OffsetSizeTrait>(field: FieldRef, offsets: ScalarBuffer<O>, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(GenericListArray::try_new(field, OffsetBuffer::new(offsets), values, None)?))
}

fn view<O: OffsetSizeTrait>(
    field: FieldRef,
    starts: ScalarBuffer<O>,
    sizes: ScalarBuffer<O>,
    values: ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(GenericListViewArray::try_new(field, starts, sizes, values, None)?))
}
