//! Conversions of sparse tensors to ragged arrays.

use crate::error::SparseError;
use crate::interop::InterchangeError;
use crate::kernels::Value;
use crate::{Format, Indices, LevelKind, SparseTensor, TensorParts, Values, with_indices};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory::filled;
use core::ops::Range;
use layout_levels::Index;
use ragged_arrays::{DynLevel, OffsetIndex, RaggedArray, RaggedError};

type Result<T> = core::result::Result<T, InterchangeError>;

impl<'a, T: Value> SparseTensor<'a, T> {
    /// Makes a ragged array of the stored elements of a tensor. The coordinates of each list must be `0..len`.
    ///
    /// It is the inverse of [`SparseTensor::from_ragged`]. Values, and pointers of 32 and 64 bits, are not copied.
    /// Dense axes become lists of one size. Formats other than `C`, then `C` and `DC`, then `S`, with the axes in
    /// order, are converted first. Fails at a missing coordinate, which the error names. Also fails if one triangle stands
    /// for both, if the tensor stores no values, or if memory has no room.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// use sparse_formats::{Arrays, Format, SparseTensor};
    /// let tensor = |columns: [u32; 3]| {
    ///     let arrays = Arrays::new().with_pointers(0, vec![0u32, 2, 2, 3]).with_indices(1, columns.to_vec());
    ///     SparseTensor::from_parts(&[3, 4], Format::csr(), arrays, vec!['a', 'b', 'c'], ' ').map_err(|rejected| rejected.error)
    /// };
    /// let a = tensor([0, 1, 0])?.into_ragged()?;
    /// assert_eq!(a.to_nested::<2, Vec<Vec<char>>>()?, [vec!['a', 'b'], vec![], vec!['c']]);
    /// let error = tensor([0, 3, 0])?.into_ragged().unwrap_err();
    /// assert_eq!(error.to_string(), "axis 1: list 0 stores element 3 but not element 1 before it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_ragged(self) -> Result<RaggedArray<'a, T>> {
        let Lists { array, coordinates } = Lists::of(self)?;
        for (axis, indices) in &coordinates {
            let check = |list, range| match gap(indices, range) {
                Some((expected, found)) => Err(InterchangeError::Gap { axis: *axis, list, expected, found }),
                None => Ok(()),
            };
            match axis {
                0 => check(0, 0..indices.len())?,
                _ => array.shape().try_for_rows(axis - 1, check)?,
            }
        }
        Ok(array)
    }

    /// Makes two ragged arrays with the same lists: the coordinates of the last axis that stores them, and the values.
    ///
    /// Lists may have any coordinates. Coordinates of earlier axes that are not outer rows are dropped. The rows of
    /// CSR become lists of columns and lists of values. Arrays of a [`SparseTensor::view`] are not copied if
    /// coordinates have type `I`. Fails if no axis stores coordinates, if `I` does not hold one, if one triangle stands for
    /// both, if the tensor stores no values, or if memory has no room.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// use sparse_formats::{Arrays, Format, SparseTensor};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u32, 2, 2, 3]).with_indices(1, vec![1u32, 3, 0]);
    /// let csr = SparseTensor::from_parts(&[3, 4], Format::csr(), arrays, vec![1.0, 2.0, 3.0], 0.0)?;
    /// let (columns, values) = csr.view().into_lists::<u32>()?;
    /// assert_eq!((columns.row(0), values.row(0)), (&[1, 3][..], &[1.0, 2.0][..]));
    /// assert!(columns.row(1).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_lists<I: OffsetIndex>(self) -> Result<(RaggedArray<'a, I>, RaggedArray<'a, T>)> {
        let Lists { array, coordinates } = Lists::of(self)?;
        let Some((axis, indices)) = coordinates.into_iter().next_back() else { return Err(InterchangeError::NoCoordinates) };
        let most = indices.iter().max().unwrap_or(0);
        let indices = I::of_indices(indices).ok_or(InterchangeError::Coordinate { most })?;
        let levels = array.shape().levels()[..axis].to_vec();
        Ok((RaggedArray::new(array.len(), levels, indices)?, array))
    }
}

/// The values of a tensor as lists, and for each axis that stores coordinates its number and these coordinates.
struct Lists<'a, T: Value> {
    array: RaggedArray<'a, T>,
    coordinates: Vec<(usize, Indices<'a>)>,
}

impl<'a, T: Value> Lists<'a, T> {
    fn of(tensor: SparseTensor<'a, T>) -> Result<Self> {
        let attributes = tensor.attributes();
        if attributes.symmetry.is_some() && attributes.triangle.is_some() {
            return Err(SparseError::OneTriangle.into());
        }
        let tensor = if is_tree(tensor.format()) { tensor } else { tensor.to_format(&tree(tensor.format())?)? };
        let stored = tensor.stored();
        let TensorParts { shape, format, arrays, values, .. } = tensor.into_parts();
        let extents = shape
            .iter()
            .map(|extent| usize::try_from(*extent).map_err(|_| RaggedError::Overflow))
            .collect::<core::result::Result<Vec<_>, _>>()?;
        let size = extents[format.levels()..].iter().try_fold(stored, |size, n| size.checked_mul(*n)).ok_or(RaggedError::Overflow)?;
        let data = match values {
            Values::Each(values) => values,
            Values::Iso(value) => Cow::Owned(filled(size, value).ok_or(RaggedError::Overflow)?),
            Values::PatternOnly => return Err(InterchangeError::NoValues),
        };
        let outer = match format.kinds().first() {
            Some(LevelKind::Indices) => stored,
            _ => extents.first().copied().unwrap_or(1),
        };
        let mut levels = Vec::with_capacity(shape.len());
        for (level, pointers) in arrays.pointers.into_iter().take(format.levels().saturating_sub(1)).enumerate() {
            levels.push(match (format.kinds()[level + 1], pointers) {
                (LevelKind::Pointers, _) | (_, None) => DynLevel::fixed(extents[level + 1]),
                (_, Some(pointers)) => with_indices!(pointers, offsets => DynLevel::offsets(offsets))
                    .map_err(|error| RaggedError::Level(error.at_level(level)))?,
            });
        }
        levels.extend(extents.iter().skip(format.levels().max(1)).map(|extent| DynLevel::fixed(*extent)));
        let coordinates = arrays.indices.into_iter().enumerate().filter_map(|(axis, indices)| Some((axis, indices?))).collect();
        Ok(Lists { array: RaggedArray::new(outer, levels, data)?, coordinates })
    }
}

/// Tests whether the levels are those of lists: `C`, then `C` and `DC`, then `S`; or `S` alone; or none.
fn is_tree(format: &Format) -> bool {
    let in_order = format.axis_order().is_sorted();
    in_order
        && match format.kinds() {
            [] | [LevelKind::Indices] => true,
            [LevelKind::Pointers, middle @ .., LevelKind::Indices] => !middle.contains(&LevelKind::Indices),
            _ => false,
        }
}

/// Returns the format of lists to which a tensor of this format is converted: `C`, then `DC`, then `S`, with the axes in
/// order.
///
/// Dense axes stay dense if they are the last axes, in order. Otherwise all axes get levels. Fails as [`Format::new`] does.
fn tree(format: &Format) -> Result<Format> {
    let (rank, levels) = (format.rank(), format.levels());
    let levels = if format.axis_order()[levels..].iter().copied().eq(levels..rank) { levels } else { rank };
    let kind = |level: usize| match level {
        level if level + 1 == levels => LevelKind::Indices,
        0 => LevelKind::Pointers,
        _ => LevelKind::IndexedPointers,
    };
    let (kinds, axes): (Vec<_>, Vec<_>) = ((0..levels).map(kind).collect(), (0..rank).collect());
    Ok(Format::new(&kinds, &axes)?)
}

/// Returns the first `k` for which coordinate `k` of a list is not `k`, and that coordinate. Returns `None` if there is
/// none. The list has the indices at the positions `range`.
fn gap(indices: &Indices<'_>, range: Range<usize>) -> Option<(usize, u64)> {
    with_indices!(indices, array => {
        let list = array.get(range).unwrap_or(&[]);
        let place = list.iter().enumerate().position(|(place, coordinate)| coordinate.to_u64() != place as u64)?;
        Some((place, list[place].to_u64()))
    })
}
