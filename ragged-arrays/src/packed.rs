//! Packed batches: sequences of different lengths one after the other, as attention kernels and nested tensors take them.

use crate::{RaggedArray, RaggedError, Result, add_up, whole_arrays};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::{DynLevel, OffsetIndex};
use layout_levels::{Flaw, LevelArray, LevelError};

impl<'a, T: Clone + 'static> RaggedArray<'a, T> {
    /// Creates a packed batch of the sequences `cu_seqlens[i] .. cu_seqlens[i + 1]`. Each element is a regular array
    /// with the extents `inner`.
    ///
    /// Fails as [`RaggedArray::from_offsets`] does, and unless the first offset is 0 and the last one is the number of
    /// elements.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// // Three sequences of 2, 0 and 3 tokens, two heads each.
    /// let (cu_seqlens, tokens) = ([0_i32, 2, 2, 5], [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5]);
    /// let batch = RaggedArray::from_cu_seqlens(&cu_seqlens[..], &[2], &tokens[..])?;
    /// assert_eq!(batch.get(&[2, 1, 0])?, &4.0);
    /// assert_eq!(batch.shape().packed_offsets::<i32>(0)?, &cu_seqlens[..]); // the same array, not a copy
    /// assert_eq!(batch.shape().longest(0), 3);
    /// assert_eq!(batch.shape().local_indices(0), [0, 1, 0, 1, 2]); // position ids
    /// assert_eq!(batch.shape().parents(0), [0, 0, 2, 2, 2]); // sequence ids
    /// let error = RaggedArray::from_cu_seqlens(vec![0_i32, 2, 4], &[2], &tokens[..]).unwrap_err();
    /// assert_eq!(error.to_string(), "level 0: offsets[2] = 4 must be 5");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_cu_seqlens<I: OffsetIndex>(
        cu_seqlens: impl Into<Cow<'a, [I]>>,
        inner: &[usize],
        data: impl Into<Cow<'a, [T]>>,
    ) -> Result<Self> {
        let (data, offsets) = (data.into(), cu_seqlens.into());
        let elements = whole_arrays(inner, data.len())?;
        let last = offsets.len().saturating_sub(1);
        for (index, expected) in [(0, 0), (last, elements)] {
            if let Some(value) = offsets.get(index).and_then(|offset| offset.address()).filter(|value| *value != expected) {
                return Err(LevelError::new(LevelArray::Offsets, index, Flaw::Differs { value, expected }).at_level(0).into());
            }
        }
        packed(last, DynLevel::offsets(offsets), inner, data)
    }

    /// Creates a jagged tensor whose elements are regular arrays with the extents `inner`, stored one after the other in
    /// `values`. `offsets` has one number for each row, and one more.
    ///
    /// Without `lengths`, row `i` has the elements `offsets[i] .. offsets[i + 1]`. With `lengths`, it has the `lengths[i]`
    /// elements from `offsets[i]` on, and elements between rows may belong to no row.
    ///
    /// Fails if `offsets` is empty, or if `lengths` does not have one number for each row. Fails also if a row ends beyond
    /// the last element, or if the length of `values` is not a multiple of the size of an element.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let (offsets, values) = ([0_i64, 3, 3, 6], [1, 2, 3, 4, 5, 6]);
    /// let all = RaggedArray::from_jagged(&offsets[..], None, &[], &values[..])?;
    /// let narrowed = RaggedArray::from_jagged(&offsets[..], Some(&[2, 0, 1]), &[], &values[..])?;
    /// assert_eq!((all.row(2), narrowed.row(2)), (&[4, 5, 6][..], &[4][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_jagged<I: OffsetIndex>(
        offsets: &'a [I],
        lengths: Option<&'a [I]>,
        inner: &[usize],
        values: impl Into<Cow<'a, [T]>>,
    ) -> Result<Self> {
        let data = values.into();
        let elements = whole_arrays(inner, data.len())?;
        let Some((_, starts)) = offsets.split_last() else {
            return Err(LevelError::new(LevelArray::Offsets, 0, Flaw::Empty).at_level(0).into());
        };
        let level = match lengths {
            None => DynLevel::offsets(offsets),
            Some(lengths) => DynLevel::views(starts, lengths, elements),
        };
        packed(starts.len(), level, inner, data)
    }

    /// Creates an array from the rows of a regular array of `width` columns, cut to these lengths. No element moves. Fails if a
    /// length exceeds `width`, or if `data` does not have `width` elements for each row.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let padded = ['a', 'b', '-', '-', '-', '-', 'c', '-', '-'];
    /// let a = RaggedArray::from_padded_rows(3, &[2, 0, 1], &padded[..])?;
    /// assert_eq!(a.pack()?.leaves(), ['a', 'b', 'c']);
    /// let error = RaggedArray::from_padded_rows(3, &[2, 4, 1], &padded[..]).unwrap_err();
    /// assert_eq!(error.to_string(), "level 0: sizes[1] = 4 is greater than 3");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_padded_rows(width: usize, lengths: &[usize], data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let data = data.into();
        let size = lengths.len().checked_mul(width).ok_or(RaggedError::Overflow)?;
        add_up(size, data.len())?;
        if let Some(row) = lengths.iter().position(|len| *len > width) {
            let flaw = Flaw::Beyond { value: lengths[row], most: width };
            return Err(LevelError::new(LevelArray::Sizes, row, flaw).at_level(0).into());
        }
        let starts: Vec<u64> = (0..lengths.len()).map(|row| (row * width) as u64).collect();
        let sizes: Vec<u64> = lengths.iter().map(|len| *len as u64).collect();
        RaggedArray::from_views(starts, sizes, data)
    }
}

/// Creates an array of `rows` rows, given by `level`. Its elements are regular arrays with the extents `inner`, stored one
/// after the other in `data`. Fails if `level` is an error, or if the level does not fit `rows` and `data`.
fn packed<'a, T: Clone + 'static>(
    rows: usize,
    level: core::result::Result<DynLevel<'a>, LevelError>,
    inner: &[usize],
    data: Cow<'a, [T]>,
) -> Result<RaggedArray<'a, T>> {
    let level = level.map_err(|error| error.at_level(0))?;
    let levels = core::iter::once(level).chain(inner.iter().map(|n| DynLevel::fixed(*n))).collect();
    RaggedArray::new(rows, levels, data)
}
