//! Conversions of ragged arrays to sparse tensors.

use crate::interop::InterchangeError;
use crate::{Arrays, Format, Indices, LevelKind, SparseTensor};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::Ranges;
use ragged_arrays::{DynLevel, RaggedArray, RaggedShape, Result};

impl<'a, T: Clone + 'static> SparseTensor<'a, T> {
    /// Makes a tensor of the leaves of an array, with `fill` beyond the ends of lists. The extent of an axis is the
    /// length of its longest list.
    ///
    /// Each level becomes a level with the same positions. Outer rows and lists of one size become `C`, other lists
    /// `DC`, the last of these `S`, and lists of one size after it dense axes. Rows of numbers become `C-S-R`,
    /// which is CSR. Leaves, and offsets that start at 0, are not copied. Coordinates are new arrays, because lists
    /// do not store them.
    ///
    /// A tensor stores elements, not lists, so lists without elements are lost except on the first axis. Fails if memory
    /// has no room for the new arrays.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// use sparse_formats::SparseTensor;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 3], vec![1, 2, 3, 4, 5])?;
    /// let tensor = SparseTensor::from_ragged(a.view(), 0)?;
    /// assert_eq!((tensor.format().to_string().as_str(), tensor.shape()), ("C-S-R", &[3, 3][..]));
    /// assert_eq!((tensor.at(&[2, 1]), tensor.at(&[0, 2])), (Some(&4), Some(&0)));
    /// assert_eq!(tensor.into_ragged()?, a);
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn from_ragged(array: RaggedArray<'a, T>, fill: T) -> core::result::Result<Self, InterchangeError> {
        let extents = extents(&array);
        SparseTensor::from_ragged_within(array, &extents, fill)
    }

    /// Makes a tensor as [`SparseTensor::from_ragged`] does, but with the given extents. The first must be the number of
    /// outer rows, the extent of lists of one size this size, and any other at least the length of the longest list.
    /// Otherwise fails as `SparseTensor::from_parts` does.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// use sparse_formats::SparseTensor;
    /// let a = RaggedArray::from_lengths(vec![2, 1], vec![1, 2, 3])?;
    /// assert_eq!(SparseTensor::from_ragged(a.view(), 0)?.shape(), [2, 2]);
    /// let wide = SparseTensor::from_ragged_within(a.view(), &[2, 8], 0)?;
    /// assert_eq!((wide.shape(), wide.at(&[0, 1]), wide.at(&[0, 7])), (&[2, 8][..], Some(&2), Some(&0)));
    /// assert!(SparseTensor::from_ragged_within(a, &[2, 1], 0).is_err(), "a list of two does not fit");
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn from_ragged_within(array: RaggedArray<'a, T>, extents: &[u64], fill: T) -> core::result::Result<Self, InterchangeError> {
        let array = if array.shape().is_consecutive() { array } else { array.pack()? };
        let shape = array.shape();
        // Axes from `dense` on are dense. The axis before them is the last one with coordinates.
        let dense = (0..shape.depth()).rfind(|axis| shape.fixed(*axis).is_none()).map_or(0, |axis| axis + 1);
        let kind = |axis: usize| match axis {
            axis if axis + 1 == dense => LevelKind::Indices,
            axis if shape.fixed(axis).is_some() => LevelKind::Pointers,
            _ => LevelKind::IndexedPointers,
        };
        let kinds: Vec<LevelKind> = (0..dense).map(kind).collect();
        let axes: Vec<usize> = (0..shape.depth()).collect();
        let format = Format::new(&kinds, &axes)?;
        let mut arrays = Arrays::new();
        let stored = Stored::of(&shape.truncated(dense), &kinds)?;
        for (axis, coordinates) in stored.coordinates {
            arrays = arrays.with_indices(axis, coordinates);
        }
        let count = dense.saturating_sub(1);
        let packed: Vec<bool> = (0..count).map(|q| stored.shape.is_none() && shape.is_packed(q)).collect();
        let span = shape.leaf_span();
        // Move arrays that the tensor can take unchanged. Build the others from the lists that it stores.
        let others = stored.shape.as_ref().unwrap_or(shape);
        let others: Vec<Option<DynLevel<'static>>> = (0..count)
            .map(|q| if packed[q] || kinds[q + 1] == LevelKind::Pointers { Ok(None) } else { others.packed_level(q).map(Some) })
            .collect::<Result<_>>()?;
        let (_, levels, data) = array.into_parts();
        for (q, (level, other)) in levels.into_iter().zip(others).enumerate() {
            if kinds[q + 1] != LevelKind::Pointers
                && let Ranges::Pointers(pointers) = other.unwrap_or(level).into_ranges()
            {
                arrays = arrays.with_pointers(q, pointers);
            }
        }
        let tensor = SparseTensor::from_parts(extents, format, arrays, cut(data, span), fill);
        tensor.map_err(|rejected| InterchangeError::Tensor(rejected.error))
    }
}

/// Returns the number of outer rows, and the length of the longest list of every other axis.
fn extents<T: Clone>(array: &RaggedArray<'_, T>) -> Vec<u64> {
    let shape = array.shape();
    (0..shape.depth()).map(|axis| shape.fixed(axis).unwrap_or_else(|| shape.longest(axis - 1)) as u64).collect()
}

/// The coordinates and the lists of a ragged array that a tensor stores.
struct Stored {
    /// For each axis that stores coordinates, its number and these coordinates.
    coordinates: Vec<(usize, Indices<'static>)>,
    /// The lists, without lists that have no element. `None` if all lists have an element.
    shape: Option<RaggedShape<'static>>,
}

impl Stored {
    /// Collects the coordinates and lists of the axes of `kinds`, whose last one stores coordinates.
    fn of(shape: &RaggedShape<'_>, kinds: &[LevelKind]) -> Result<Stored> {
        let mut coordinates = Vec::new();
        let mut kept: Option<RaggedArray<'static, ()>> = None;
        // From the last axis up: dropping lists of an axis does not change the lists above.
        for axis in (1..kinds.len()).rev() {
            match kinds[axis] {
                LevelKind::Indices => coordinates.push((axis, local(shape, axis, |_| true)?)),
                LevelKind::IndexedPointers => {
                    let ends = shape.leaf_offsets(axis);
                    let has_elements = |k: usize| ends[k] < ends[k + 1];
                    coordinates.push((axis, local(shape, axis, has_elements)?));
                    if (0..shape.count(axis)).all(has_elements) {
                        continue;
                    }
                    let all = match kept {
                        Some(kept) => kept,
                        None => RaggedArray::new(
                            shape.count(0),
                            shape.packed_levels(kinds.len() - 1)?,
                            alloc::vec![(); shape.leaf_span().len()],
                        )?,
                    };
                    let mask: Vec<bool> = (0..shape.count(axis)).map(has_elements).collect();
                    kept = Some(all.filter(&RaggedArray::new(shape.count(0), shape.packed_levels(axis)?, mask)?)?);
                }
                LevelKind::Pointers => {}
            }
        }
        Ok(Stored { coordinates, shape: kept.map(|kept| kept.shape().view().into_owned()) })
    }
}

/// Returns, for each element of `axis` for which `is_kept` is true, its position in its list.
fn local(shape: &RaggedShape<'_>, axis: usize, is_kept: impl Fn(usize) -> bool) -> Result<Indices<'static>> {
    fn places<I>(shape: &RaggedShape<'_>, axis: usize, is_kept: impl Fn(usize) -> bool, cast: impl Fn(usize) -> I) -> Result<Vec<I>> {
        let mut out = array_kernels::memory::room(shape.count(axis)).ok_or(ragged_arrays::RaggedError::Overflow)?;
        shape.for_rows(axis - 1, |_, range| {
            let begin = range.start;
            out.extend(range.filter(|k| is_kept(*k)).map(|k| cast(k - begin)));
        });
        Ok(out)
    }
    match u32::try_from(shape.longest(axis - 1)) {
        Ok(_) => Ok(places(shape, axis, is_kept, |place| place as u32)?.into()),
        Err(_) => Ok(places(shape, axis, is_kept, |place| place as u64)?.into()),
    }
}

/// Returns the leaves `span` of `data`, moved or borrowed.
fn cut<T: Clone>(data: Cow<'_, [T]>, span: core::ops::Range<usize>) -> crate::Values<'_, T> {
    crate::Values::Each(match data {
        Cow::Borrowed(data) => Cow::Borrowed(data.get(span).unwrap_or(&[])),
        Cow::Owned(mut data) => {
            data.truncate(span.end);
            data.drain(..span.start.min(data.len()));
            Cow::Owned(data)
        }
    })
}
