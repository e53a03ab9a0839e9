//! Makes tensors from the elements in the order of a file: a list of coordinates, or all elements.

use super::{AnyArray, AnyTensor, AnyValues};
use crate::ElementType;
use crate::error::{FileError, Result};
use layout_levels::Index;
use sparse_formats::{Arrays, Format, Indices, SparseError, SparsityPattern, with_indices};

impl AnyTensor<'_> {
    /// Returns the tensor of these elements, in their order. The format is `S-...-S` if they are sorted by the axes, or by the
    /// axes reversed, without repetition. Otherwise it is a multigraph with the same levels whose elements may be unsorted.
    ///
    /// Fails if the columns and the values have different lengths, if a coordinate is out of range, or if the values are not of
    /// type `element`.
    ///
    /// ```
    /// use sparse_files::{AnyArray, AnyTensor, AnyValues, ElementType};
    /// let list = |rows: Vec<u8>, columns: Vec<u8>| {
    ///     let values = AnyValues::Each(AnyArray::from_values(vec![1.5; rows.len()]));
    ///     AnyTensor::list(&[3, 3], vec![rows.into(), columns.into()], values, ElementType::F64).map(|list| list.format().to_string())
    /// };
    /// assert_eq!(list(vec![0, 0, 2], vec![1, 2, 0])?, "S-S-R");
    /// assert_eq!(list(vec![2, 0, 0], vec![0, 1, 2])?, "S-S-C");
    /// assert_eq!(list(vec![0, 2, 0], vec![1, 0, 1])?, "S-S-R+multigraph+unsorted(0)");
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn list<'a>(shape: &[u64], columns: Vec<Indices<'a>>, values: AnyValues<'a>, element: ElementType) -> Result<AnyTensor<'a>> {
        let axes: Vec<usize> = (0..shape.len()).collect();
        let reversed: Vec<usize> = axes.iter().rev().copied().collect();
        let coo = Format::coo(shape.len());
        let format = if shape.is_empty() || ascending(&columns, &axes) {
            coo
        } else if ascending(&columns, &reversed) {
            coo.with_axis_order(&reversed).map_err(SparseError::from)?
        } else {
            let unsorted: Vec<bool> = axes.iter().map(|axis| *axis == 0).collect();
            coo.with_multigraph(true).and_then(|coo| coo.with_unsorted(&unsorted)).map_err(SparseError::from)?
        };
        let mut columns: Vec<Option<Indices>> = columns.into_iter().map(Some).collect();
        let mut arrays = Arrays::new();
        for (level, axis) in format.axis_order().iter().enumerate() {
            if let Some(column) = columns.get_mut(*axis).and_then(Option::take) {
                arrays = arrays.with_indices(level, column);
            }
        }
        let pattern = SparsityPattern::from_parts(shape, format, arrays).map_err(|rejected| rejected.error)?;
        AnyTensor::of_pattern(pattern, values, None, element)
    }

    /// Returns the tensor of [`AnyTensor::list`], with this shape. Without a shape, each extent is the greatest coordinate plus
    /// one.
    ///
    /// Fails as `list` does, if there is not one column per extent, or if an extent does not fit 64 bits.
    ///
    /// ```
    /// use sparse_files::{AnyArray, AnyTensor, AnyValues, ElementType};
    /// let list = |shape: Option<&[u64]>| {
    ///     let values = AnyValues::Each(AnyArray::from_values(vec![0.5, 4.0]));
    ///     AnyTensor::list_within(shape, vec![vec![0u8, 2].into(), vec![6u8, 1].into()], values, ElementType::F64)
    /// };
    /// assert_eq!((list(None)?.shape(), list(Some(&[9, 9]))?.shape()), (&[3, 7][..], &[9, 9][..]));
    /// assert!(list(Some(&[9])).is_err() && list(Some(&[3, 6])).is_err());
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn list_within<'a>(
        shape: Option<&[u64]>,
        columns: Vec<Indices<'a>>,
        values: AnyValues<'a>,
        element: ElementType,
    ) -> Result<AnyTensor<'a>> {
        if let Some(shape) = shape {
            if shape.len() != columns.len() {
                return Err(SparseError::Columns { found: columns.len(), expected: shape.len() }.into());
            }
            return AnyTensor::list(shape, columns, values, element);
        }
        let beyond = |axis| FileError::NoPlace { what: format!("the greatest coordinate of axis {axis}"), kind: "an extent of 64 bits" };
        let extent = |(axis, column): (usize, &Indices)| {
            let most = with_indices!(column, column => column.iter().max().map(|most| most.to_u64()));
            most.map_or(Some(0), |most| most.checked_add(1)).ok_or_else(|| beyond(axis))
        };
        let shape = columns.iter().enumerate().map(extent).collect::<Result<Vec<u64>>>()?;
        AnyTensor::list(&shape, columns, values, element)
    }

    /// Returns the tensor of these arrays in a format. If their indices are unsorted or repeat, the format becomes
    /// one with the same levels that permits this.
    ///
    /// Fails if the arrays form no tensor of this shape for any other reason, or if the values are not of type `element`.
    ///
    /// ```
    /// use sparse_files::{AnyArray, AnyTensor, AnyValues, ElementType};
    /// use sparse_formats::{Arrays, Format};
    /// let csr = |indices: Vec<u8>| {
    ///     let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2]).with_indices(1, indices);
    ///     let values = AnyValues::Each(AnyArray::from_values(vec![0.5, 4.0]));
    ///     AnyTensor::of_arrays(&[2, 3], Format::csr(), arrays, values, ElementType::F64).map(|csr| csr.format().to_string())
    /// };
    /// assert_eq!(csr(vec![0, 2])?, "C-S-R");
    /// assert_eq!(csr(vec![2, 0])?, "C-S-R+unsorted(1)");
    /// assert_eq!(csr(vec![0, 3]).map_err(|error| error.class()), Err("levels/range"));
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn of_arrays<'a>(
        shape: &[u64],
        format: Format,
        arrays: Arrays<'a>,
        values: AnyValues<'a>,
        element: ElementType,
    ) -> Result<AnyTensor<'a>> {
        let unsorted: Vec<bool> = (0..format.levels()).map(|level| format.stores_indices(level)).collect();
        let looser = |format: &Format, multigraph| {
            let format = format.clone().with_unsorted(&unsorted)?;
            if multigraph { format.with_multigraph(true) } else { Ok(format) }
        };
        let formats = [looser(&format, false), looser(&format, true)];
        let mut tried = SparsityPattern::from_parts(shape, format, arrays);
        for format in formats {
            match tried {
                Err(rejected) if matches!(rejected.error, SparseError::Unsorted { .. } | SparseError::Duplicate { .. }) => {
                    tried = SparsityPattern::from_parts(shape, format.map_err(SparseError::from)?, rejected.parts.arrays);
                }
                tried => return AnyTensor::of_pattern(tried.map_err(|rejected| rejected.error)?, values, None, element),
            }
        }
        AnyTensor::of_pattern(tried.map_err(|rejected| rejected.error)?, values, None, element)
    }

    /// Returns the dense tensor of these values, which are in the order of `axis_order`, the last of these axes fastest. Fails
    /// if `axis_order` is no permutation of the axes, or if there is not one value per coordinate.
    ///
    /// ```
    /// use sparse_files::{AnyArray, AnyTensor};
    /// let dense = |order| AnyTensor::dense(&[2, 3], order, AnyArray::from_values(vec![1, 2, 3, 4, 5, 6]));
    /// let (rows, columns) = (dense(&[0, 1])?, dense(&[1, 0])?);
    /// assert_eq!(rows.typed::<i32>().expect("int32")?.at(&[0, 1]), Some(&2));
    /// assert_eq!(columns.typed::<i32>().expect("int32")?.at(&[0, 1]), Some(&3));
    /// assert!(dense(&[0, 0]).is_err());
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn dense<'a>(shape: &[u64], axis_order: &[usize], values: AnyArray<'a>) -> Result<AnyTensor<'a>> {
        let element = values.element();
        let format = Format::new(&[], axis_order).map_err(SparseError::from)?;
        let pattern = SparsityPattern::from_parts(shape, format, Arrays::new()).map_err(|rejected| rejected.error)?;
        AnyTensor::of_pattern(pattern, AnyValues::Each(values), None, element)
    }
}

/// Tests whether the coordinates strictly ascend in the lexicographic order of `axes`.
fn ascending(columns: &[Indices], axes: &[usize]) -> bool {
    let length = columns.first().map_or(0, Indices::len);
    // The indices of the entries that agree with the entry before them in all axes so far; `None` before the first axis, when
    // all do.
    let mut open: Option<Vec<usize>> = None;
    for axis in axes {
        let Some(column) = columns.get(*axis) else { return false };
        let mut ties = Vec::new();
        let ordered = with_indices!(column, column => {
            let mut check = |k: usize| {
                if column[k - 1] == column[k] {
                    ties.push(k);
                }
                column[k - 1] <= column[k]
            };
            match &open {
                None => (1..length).all(&mut check),
                Some(open) => open.iter().copied().all(&mut check),
            }
        });
        if !ordered {
            return false;
        }
        if ties.is_empty() {
            return true;
        }
        open = Some(ties);
    }
    false
}
