//! Converts Arrow arrays to ragged arrays, level by level, borrowed.

use super::ListError;
use super::nulls::{Masks, Nulls};
use crate::{DynLevel, OffsetIndex, OptionArray, RaggedArray, RaggedError};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray};
use arrow_buffer::ArrowNativeType;
use layout_levels::{Level, LevelError};

impl<'a, T: ArrowNativeType> RaggedArray<'a, T> {
    /// Creates an array from Arrow's nested lists of primitive values of type `P`, borrowed.
    ///
    /// Fails if a list shows a null, which a ragged array cannot have, or if the leaves have another type than `P`. Nulls that no
    /// list shows are ignored, such as those between the slices of a list view or below a null. Properties of types beyond their
    /// numbers, such as time zones and decimal digits, are dropped.
    ///
    /// ```
    /// use arrow_array::{ListArray, types::Int64Type};
    /// use ragged_arrays::RaggedArray;
    /// let list = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(1)]), None]);
    /// let error = RaggedArray::from_arrow::<Int64Type>(&list).unwrap_err();
    /// assert_eq!(error.to_string(), "axis 0: element 1 is null, but a ragged array has no nulls");
    /// ```
    pub fn from_arrow<P: ArrowPrimitiveType<Native = T>>(array: &'a dyn Array) -> Result<Self, ListError> {
        RaggedArray::from_arrow_with::<P>(array, Nulls::default())
    }

    /// Converts and fails like [`RaggedArray::from_arrow`], with the values of `nulls` in place of nulls.
    ///
    /// A level becomes views if a null list has elements, and the leaves are copied if one of them is null. Everything
    /// else is borrowed.
    ///
    /// ```
    /// use arrow_array::{ListArray, types::Int64Type};
    /// use ragged_arrays::{RaggedArray, arrow::Nulls};
    /// let list = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(1), None]), None]);
    /// let a = RaggedArray::from_arrow_with::<Int64Type>(&list, Nulls { empty_lists: true, leaf: Some(-1) })?;
    /// assert_eq!(a.to_nested::<2, Vec<Vec<i64>>>()?, [vec![1, -1], vec![]]);
    /// # Ok::<(), ragged_arrays::arrow::ListError>(())
    /// ```
    pub fn from_arrow_with<P: ArrowPrimitiveType<Native = T>>(array: &'a dyn Array, nulls: Nulls<T>) -> Result<Self, ListError> {
        let (outer, mut levels, mut masks, mut next) = (array.len(), Vec::new(), Masks::default(), array);
        while let Some((level, below)) = lists(next, levels.len())? {
            // Arrow guarantees this, unless its caller has disabled the checks.
            level.check_within(next.len(), below.len()).map_err(|error| RaggedError::Level(error.at_level(levels.len())))?;
            let level = match masks.of(levels.len(), next, nulls.empty_lists) {
                Some(mask) => emptied(level, next, mask, below.len())?,
                None => level,
            };
            levels.push(level);
            next = below;
        }
        let axis = levels.len();
        let leaves = primitive::<P>(next, axis)?;
        let mut data: Cow<'a, [T]> = Cow::Borrowed(leaves.values());
        if let Some(mask) = masks.of(axis, next, nulls.leaf.is_some())
            && let Some(leaf) = nulls.leaf
        {
            data.to_mut().iter_mut().enumerate().filter(|(k, _)| mask.is_null(*k)).for_each(|(_, null)| *null = leaf);
        }
        let array = RaggedArray::new(outer, levels, data)?;
        masks.check(array.shape())?;
        Ok(array)
    }
}

impl<'a, T: ArrowNativeType> OptionArray<'a, T> {
    /// Creates an array from Arrow's nested lists of primitive values of type `P`. Null lists and leaves are missing.
    ///
    /// Levels without nulls are borrowed, and leaves are copied. Fails if the leaves have another type than `P`.
    ///
    /// ```
    /// use arrow_array::{ListArray, types::Int64Type};
    /// use ragged_arrays::OptionArray;
    /// let list = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(1), None]), None, Some(vec![])]);
    /// let a = OptionArray::from_arrow::<Int64Type>(&list)?;
    /// assert_eq!((a.missing(0), a.leaves()), (&[false, true, false][..], &[Some(1), None][..]));
    /// assert_eq!(*a.into_arrow::<Int64Type>()?, list);
    /// # Ok::<(), ragged_arrays::arrow::ListError>(())
    /// ```
    pub fn from_arrow<P: ArrowPrimitiveType<Native = T>>(array: &'a dyn Array) -> Result<Self, ListError> {
        let (outer, mut levels, mut nulls, mut next) = (array.len(), Vec::new(), Vec::new(), array);
        while let Some((level, below)) = lists(next, levels.len())? {
            // Arrow guarantees this, unless its caller has disabled the checks.
            level.check_within(next.len(), below.len()).map_err(|error| RaggedError::Level(error.at_level(levels.len())))?;
            nulls.push(next.nulls());
            levels.push(level);
            next = below;
        }
        let leaves: Vec<Option<T>> = primitive::<P>(next, levels.len())?.iter().collect();
        let array = RaggedArray::new(outer, levels, leaves)?;
        let missing = |(q, nulls): (usize, Option<&arrow_buffer::NullBuffer>)| match nulls {
            Some(nulls) => array.shape().span(q).map(|list| nulls.is_null(list)).collect(),
            None => Vec::new(),
        };
        let missing = nulls.into_iter().enumerate().map(missing).collect();
        Ok(OptionArray::new(array, missing)?)
    }
}

/// Returns the leaves of type `P`. Fails if they have another type.
fn primitive<P: ArrowPrimitiveType>(array: &dyn Array, axis: usize) -> Result<&PrimitiveArray<P>, ListError> {
    array.as_primitive_opt::<P>().ok_or_else(|| ListError::Leaf {
        axis,
        found: alloc::format!("{}", array.data_type()),
        expected: alloc::format!("{}", P::DATA_TYPE),
    })
}

/// A level, and the Arrow array of the elements of its lists.
type Below<'a> = (DynLevel<'a>, &'a dyn Array);

/// Returns level `q`, of an array of lists, and the array of their elements; `None` without lists. Fails if offsets are wrong.
fn lists(array: &dyn Array, q: usize) -> Result<Option<Below<'_>>, RaggedError> {
    let at = |error: LevelError| RaggedError::Level(error.at_level(q));
    if let Some(list) = array.as_list_opt::<i32>() {
        return Ok(Some((DynLevel::offsets(list.value_offsets()).map_err(at)?, list.values())));
    }
    if let Some(list) = array.as_list_opt::<i64>() {
        return Ok(Some((DynLevel::offsets(list.value_offsets()).map_err(at)?, list.values())));
    }
    if let Some(list) = array.as_fixed_size_list_opt() {
        let size = usize::try_from(list.value_length()).map_err(|_| RaggedError::Overflow)?;
        return Ok(Some((DynLevel::fixed(size), list.values())));
    }
    if let Some(list) = array.as_list_view_opt::<i32>() {
        return views(list.value_offsets(), list.value_sizes(), list.values()).map_err(at);
    }
    if let Some(list) = array.as_list_view_opt::<i64>() {
        return views(list.value_offsets(), list.value_sizes(), list.values()).map_err(at);
    }
    Ok(None)
}

fn views<'a, I: OffsetIndex>(starts: &'a [I], sizes: &'a [I], values: &'a dyn Array) -> Result<Option<Below<'a>>, LevelError> {
    Ok(Some((DynLevel::views(starts, sizes, values.len())?, values)))
}

/// Returns the level with null lists empty. If any is not, the level becomes views of `positions` positions.
fn emptied<'a>(
    level: DynLevel<'a>,
    array: &dyn Array,
    mask: &arrow_buffer::NullBuffer,
    positions: usize,
) -> Result<DynLevel<'a>, RaggedError> {
    if (0..array.len()).all(|row| mask.is_valid(row) || level.range(row).is_empty()) {
        return Ok(level);
    }
    let range = |row: usize| if mask.is_null(row) { 0..0 } else { level.range(row) };
    let starts: Vec<u64> = (0..array.len()).map(|row| range(row).start as u64).collect();
    let sizes: Vec<u64> = (0..array.len()).map(|row| range(row).len() as u64).collect();
    Ok(DynLevel::views(starts, sizes, positions)?)
}
