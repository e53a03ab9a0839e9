//! Conversions from and to matrices of sprs.

use crate::kernels::Value;
use crate::{
    ArrayName, Arrays, Builder, Format, Indices, InterchangeError, LevelKind, Rejected, SparseError, SparseTensor, TensorParts, Values,
    with_indices,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use bytemuck::{Pod, cast_slice, cast_vec};
use layout_levels::Index;
use sprs::{CompressedStorage, CsMatI, CsMatViewI, SpIndex, TriMatI, TriMatViewI};

const POINTERS: ArrayName = ArrayName::Pointers(0);
const COLUMNS: ArrayName = ArrayName::Indices(1);

/// An index type of matrices of sprs: `u16`, `u32`, `u64`, `usize`, or a signed type of the same width.
///
/// Arrays of these types are shared by their bits: `usize` has the bits of `u64`, and a signed number that is not
/// negative has the bits of the unsigned type.
///
/// ```
/// use sparse_formats::{SparseError, SparseTensor, SprsIndex};
/// use sprs::CsMatI;
/// fn diagonal<I: SprsIndex>(matrix: &CsMatI<f64, I>) -> Result<Vec<f64>, SparseError> {
///     let a = SparseTensor::from_sprs_view(matrix.view())?;
///     Ok((0..matrix.rows().min(matrix.cols()) as u64).filter_map(|i| a.at(&[i, i]).copied()).collect())
/// }
/// let matrix = CsMatI::<f64, u32>::new((2, 2), vec![0, 1, 2], vec![1, 1], vec![5.0, 6.0]);
/// assert_eq!(diagonal(&matrix)?, [0.0, 6.0]);
/// # Ok::<(), SparseError>(())
/// ```
pub trait SprsIndex: Index + SpIndex + Pod {}

impl<T: Index + SpIndex + Pod> SprsIndex for T {}

/// Returns a borrowed array as unsigned indices with the same bits.
fn borrowed<I: SprsIndex>(array: &[I]) -> Indices<'_> {
    match size_of::<I>() {
        1 => cast_slice::<_, u8>(array).into(),
        2 => cast_slice::<_, u16>(array).into(),
        4 => cast_slice::<_, u32>(array).into(),
        _ => cast_slice::<_, u64>(array).into(),
    }
}

/// Returns an owned array as unsigned indices with the same bits, without a copy.
fn owned<I: SprsIndex>(array: Vec<I>) -> Indices<'static> {
    match size_of::<I>() {
        1 => cast_vec::<_, u8>(array).into(),
        2 => cast_vec::<_, u16>(array).into(),
        4 => cast_vec::<_, u32>(array).into(),
        _ => cast_vec::<_, u64>(array).into(),
    }
}

/// Returns `indices` as a slice of `I`. Fails if they are missing, or their width is not the width of `I`. `array` is their
/// name in the error.
fn slice<'i, I: SprsIndex>(indices: Option<&'i Indices>, array: ArrayName) -> Result<&'i [I], InterchangeError> {
    let indices = indices.ok_or(SparseError::Missing { array })?;
    let (found, expected) = (indices.width().bits(), size_of::<I>() as u32 * 8);
    if found != expected {
        return Err(InterchangeError::Width { array, found, expected });
    }
    Ok(match indices {
        Indices::U8(array) => cast_slice(array),
        Indices::U16(array) => cast_slice(array),
        Indices::U32(array) => cast_slice(array),
        Indices::U64(array) => cast_slice(array),
    })
}

/// Returns `indices` as a vector of `I`: moved if owned and of the width of `I`, otherwise copied. The numbers must fit.
fn vec<I: SprsIndex>(indices: Indices) -> Vec<I> {
    match (size_of::<I>(), indices) {
        (1, Indices::U8(array)) => cast_vec(array.into_owned()),
        (2, Indices::U16(array)) => cast_vec(array.into_owned()),
        (4, Indices::U32(array)) => cast_vec(array.into_owned()),
        (8, Indices::U64(array)) => cast_vec(array.into_owned()),
        (_, indices) => indices.iter().map(I::from_low_bits).collect(),
    }
}

/// Returns the greatest number that `I` holds.
const fn most<I: Index>() -> u64 {
    u64::MAX >> (64 - I::BITS)
}

/// Returns the format of a storage order.
fn format(storage: CompressedStorage) -> Format {
    if storage == CompressedStorage::CSC { Format::csc() } else { Format::csr() }
}

/// Converts the numbers of rows and columns to extents.
fn extents((rows, columns): (usize, usize)) -> [u64; 2] {
    [rows as u64, columns as u64]
}

impl<'a, V: Clone + Default> SparseTensor<'a, V> {
    /// Returns the matrix of a view, CSR or CSC as it is, over the same arrays.
    ///
    /// Only the pointers of a view that does not begin with the first row are copied. The fill value is `V::default()`.
    ///
    /// ```
    /// use sparse_formats::{Format, SparseTensor};
    /// let matrix = sprs::CsMat::new((2, 3), vec![0, 1, 3], vec![2, 0, 1], vec![1.0, 2.0, 3.0]);
    /// let a = SparseTensor::from_sprs_view(matrix.view())?;
    /// assert_eq!((a.format(), a.at(&[1, 1]), a.at(&[1, 2])), (&Format::csr(), Some(&3.0), Some(&0.0)));
    /// // And back, where the index types agree.
    /// assert_eq!(a.as_sprs::<usize, usize>()?, matrix.view());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails as [`SparseTensor::from_parts`] does. Columns that repeat, which sprs accepts, are refused.
    pub fn from_sprs_view<I: SprsIndex, P: SprsIndex>(matrix: CsMatViewI<'a, V, I, P>) -> Result<Self, SparseError> {
        let (shape, format) = (extents(matrix.shape()), format(matrix.storage()));
        let (pointers, columns, values) = matrix.into_raw_storage();
        let tensor = of_arrays(&shape, format, rebased(borrowed(pointers)), borrowed(columns), values.into());
        tensor.map_err(|rejected| rejected.error)
    }

    /// Converts a matrix, CSR or CSC as it is, and moves its arrays.
    ///
    /// Fails as [`SparseTensor::from_parts`] does, and returns the arrays.
    ///
    /// ```
    /// use sparse_formats::{Format, SparseTensor};
    /// let matrix = sprs::CsMat::new_csc((3, 2), vec![0, 1, 3], vec![2, 0, 1], vec![1.0, 2.0, 3.0]);
    /// let a = SparseTensor::from_sprs(matrix)?;
    /// assert_eq!((a.format(), a.at(&[2, 0]), a.at(&[1, 1])), (&Format::csc(), Some(&1.0), Some(&3.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_sprs<I: SprsIndex, P: SprsIndex>(
        matrix: CsMatI<V, I, P>,
    ) -> Result<SparseTensor<'static, V>, Rejected<TensorParts<'static, V>, SparseError>>
    where
        V: 'static,
    {
        let (shape, format) = (extents(matrix.shape()), format(matrix.storage()));
        let (pointers, columns, values) = matrix.into_raw_storage();
        of_arrays(&shape, format, rebased(owned(pointers)), owned(columns), values.into())
    }

    /// Returns the matrix of sprs over the same arrays.
    ///
    /// Fails unless the format is CSR or CSC, neither a multigraph nor unsorted, the fill value is `V::default()`, each
    /// element has its own value, and the arrays have the widths of the index types. Also fails if one triangle stands
    /// for both, and if extents or the number of elements do not fit the index types.
    /// [`Widths::all`](crate::Widths::all) builds such arrays, and [`SparseTensor::into_sprs`] converts them.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, Width, Widths};
    /// let columns: [Indices; 2] = [vec![1u8, 0].into(), vec![0u8, 2].into()];
    /// let builder = Builder::new(Format::csc(), 0.0);
    /// let a = builder.clone().widths(Widths::all(Width::U32)).build(&[2, 3], &columns, vec![5.0, 6.0])?;
    /// assert!(a.as_sprs::<u32, u32>()?.is_csc());
    /// let narrow = builder.build(&[2, 3], &columns, vec![5.0, 6.0])?;
    /// assert_eq!(narrow.as_sprs::<i32, i32>().unwrap_err().to_string(), "the numbers of pointers_0 have 8 bits, but the index type has 32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_sprs<I: SprsIndex, P: SprsIndex>(&self) -> Result<CsMatViewI<'_, V, I, P>, InterchangeError>
    where
        V: PartialEq,
    {
        let (storage, shape) = self.storage::<I, P>()?;
        let pattern = self.pattern();
        let (pointers, columns) = (slice(pattern.pointers(0), POINTERS)?, slice(pattern.indices(1), COLUMNS)?);
        let Values::Each(values) = self.values() else { return Err(InterchangeError::NoValues) };
        let made = match storage {
            CompressedStorage::CSR => CsMatViewI::try_new(shape, pointers, columns, &**values),
            CompressedStorage::CSC => CsMatViewI::try_new_csc(shape, pointers, columns, &**values),
        };
        made.map_err(|(.., error)| error.into())
    }

    /// Converts to a matrix of sprs. Moves owned arrays with the widths of the index types, and copies the others.
    ///
    /// Fails as [`SparseTensor::as_sprs`] does, and returns the parts. Other widths are accepted if the index types
    /// hold the numbers. A single value for all elements becomes one for each.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![1u8, 0].into(), vec![0u8, 2].into()];
    /// let a = Builder::new(Format::coo(2), 0.0).build(&[2, 3], &columns, vec![5.0, 6.0])?;
    /// let rows = a.to_format(&Format::csr())?.into_sprs::<usize, usize>()?;
    /// assert_eq!((rows.get(0, 2), rows.get(1, 1)), (Some(&6.0), None));
    /// // A list of coordinates is refused and given back.
    /// let refused = a.into_sprs::<usize, usize>().unwrap_err();
    /// assert_eq!(refused.parts.format, Format::coo(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_sprs<I: SprsIndex, P: SprsIndex>(self) -> Result<CsMatI<V, I, P>, Rejected<TensorParts<'a, V>, InterchangeError>>
    where
        V: PartialEq,
    {
        let valued = !matches!(self.values(), Values::PatternOnly);
        let checked = self.storage::<I, P>().and_then(|found| if valued { Ok(found) } else { Err(InterchangeError::NoValues) });
        let (storage, shape) = match checked {
            Ok(checked) => checked,
            Err(error) => return Err(Rejected::new(self.into_parts(), error)),
        };
        let stored = self.stored();
        let TensorParts { shape: extents, format, arrays, values, fill } = self.into_parts();
        let empty = || Indices::narrowest(&[]);
        let (mut indices, mut pointers) = (arrays.indices.into_iter(), arrays.pointers.into_iter());
        let pointers = vec(pointers.next().flatten().unwrap_or_else(empty));
        let columns = vec(indices.nth(1).flatten().unwrap_or_else(empty));
        let values = match values {
            Values::Each(values) => values.into_owned(),
            Values::Iso(value) => alloc::vec![value; stored],
            Values::PatternOnly => Vec::new(),
        };
        let made = match storage {
            CompressedStorage::CSR => CsMatI::try_new(shape, pointers, columns, values),
            CompressedStorage::CSC => CsMatI::try_new_csc(shape, pointers, columns, values),
        };
        made.map_err(|(pointers, columns, values, error)| {
            let arrays = Arrays::new().with_pointers(0, owned(pointers)).with_indices(1, owned(columns));
            Rejected::new(TensorParts { shape: extents, format, arrays, values: values.into(), fill }, error.into())
        })
    }

    /// Converts a matrix in any format to triplets, in storage order. Elements of a multigraph stay separate; sprs
    /// sums those with equal coordinates.
    ///
    /// Fails unless there are two axes, the fill value is `V::default()`, values are stored, and extents fit `I`. Fails
    /// if one triangle stands for both.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![1u8, 0].into(), vec![0u8, 2].into()];
    /// let a = Builder::new(Format::dcsr(), 0.0).build(&[2, 3], &columns, vec![5.0, 6.0])?;
    /// let triplets = a.to_sprs_triplets::<u32>()?;
    /// assert_eq!((triplets.row_inds(), triplets.col_inds(), triplets.data()), (&[0, 1][..], &[2, 0][..], &[6.0, 5.0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_sprs_triplets<I: SprsIndex>(&self) -> Result<TriMatI<V, I>, InterchangeError>
    where
        V: PartialEq,
    {
        let [rows, columns] = self.shape() else { return Err(InterchangeError::Format { format: Box::new(self.format().clone()) }) };
        self.plain()?;
        let shape = (fits::<I>(0, *rows, 0)?, fits::<I>(1, *columns, 0)?);
        let coordinates = self.all_coordinates()?;
        let length = coordinates.first().map_or(0, Indices::len);
        let values: Option<Vec<V>> = (0..length).map(|k| self.values().get(k).cloned()).collect();
        let values = values.ok_or(InterchangeError::NoValues)?;
        let mut coordinates = coordinates.into_iter().map(vec);
        let (rows, columns) = (coordinates.next().unwrap_or_default(), coordinates.next().unwrap_or_default());
        // Coordinates of a tensor are in range, so this does not panic.
        Ok(TriMatI::from_triplets(shape, rows, columns, values))
    }

    /// Fails unless the fill value is `V::default()`, and no stored element stands for a mirror image too.
    fn plain(&self) -> Result<(), InterchangeError>
    where
        V: PartialEq,
    {
        match *self.fill() == V::default() {
            false => Err(InterchangeError::Fill),
            true if self.attributes().is_one_triangle() => Err(InterchangeError::OneTriangle),
            true => Ok(()),
        }
    }

    /// Returns the storage order, and the numbers of rows and columns. Fails if sprs has no such matrix with these index
    /// types.
    fn storage<I: SprsIndex, P: SprsIndex>(&self) -> Result<(CompressedStorage, (usize, usize)), InterchangeError>
    where
        V: PartialEq,
    {
        let format = self.format();
        let storage = match (format.kinds(), format.axis_order()) {
            ([LevelKind::Pointers, LevelKind::Indices], [0, 1]) => CompressedStorage::CSR,
            ([LevelKind::Pointers, LevelKind::Indices], [1, 0]) => CompressedStorage::CSC,
            _ => return Err(InterchangeError::Format { format: Box::new(format.clone()) }),
        };
        if format.is_multigraph() || format.unsorted().contains(&true) {
            return Err(InterchangeError::Format { format: Box::new(format.clone()) });
        }
        self.plain()?;
        let (outer, inner) = (format.axis_order()[0], format.axis_order()[1]);
        // sprs needs pointers to hold the number of rows plus 1, although they count elements.
        let (rows, columns) = (fits::<P>(outer, self.shape()[outer], 1)?, fits::<I>(inner, self.shape()[inner], 0)?);
        if self.stored() as u64 > most::<P>() {
            return Err(InterchangeError::Stored { stored: self.stored(), bits: <P as Index>::BITS });
        }
        Ok((storage, if outer == 0 { (rows, columns) } else { (columns, rows) }))
    }
}

impl<V: Value> Builder<'_, V> {
    /// Builds the tensor of triplets, with the builder's treatment of duplicates, which sprs would sum. Fails as
    /// `Builder::build` does.
    ///
    /// ```
    /// use sparse_formats::{Builder, Duplicates, Format};
    /// let mut triplets = sprs::TriMatI::<f64, u32>::new((2, 3));
    /// triplets.add_triplet(1, 2, 1.0);
    /// triplets.add_triplet(0, 0, 2.0);
    /// triplets.add_triplet(1, 2, 4.0);
    /// let a = Builder::new(Format::coo(2), 0.0).duplicates(Duplicates::sum()).build_sprs_triplets(triplets.view())?;
    /// assert_eq!((a.stored(), a.at(&[1, 2])), (2, Some(&5.0)));
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    pub fn build_sprs_triplets<I: SprsIndex>(&self, matrix: TriMatViewI<'_, V, I>) -> Result<SparseTensor<'static, V>, SparseError> {
        let columns = [borrowed(matrix.row_inds()), borrowed(matrix.col_inds())];
        self.build(&extents(matrix.shape()), &columns, matrix.data())
    }
}

/// Returns the extent of `axis` as a `usize`. Fails if the index type does not hold `extent + more`.
fn fits<I: SprsIndex>(axis: usize, extent: u64, more: u64) -> Result<usize, InterchangeError> {
    let bits = <I as Index>::BITS.min(usize::BITS);
    let fit = extent.checked_add(more).is_some_and(|last| last <= most::<I>());
    usize::try_from(extent).ok().filter(|_| fit).ok_or(InterchangeError::Extent { axis, extent, bits })
}

/// Returns the matrix of these arrays. Fails as `SparseTensor::from_parts` does.
fn of_arrays<'a, V: Clone + Default>(
    shape: &[u64],
    format: Format,
    pointers: Indices<'a>,
    columns: Indices<'a>,
    values: Values<'a, V>,
) -> Result<SparseTensor<'a, V>, Rejected<TensorParts<'a, V>, SparseError>> {
    let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, columns);
    SparseTensor::from_parts(shape, format, arrays, values, V::default())
}

/// Returns pointers that begin with 0. The pointers of a view on some rows may begin with another number.
fn rebased(pointers: Indices) -> Indices {
    match pointers.get(0) {
        None | Some(0) => pointers,
        Some(_) => {
            with_indices!(pointers, pointers => pointers.iter().map(|pointer| pointer.wrapping_sub(pointers[0])).collect::<Vec<_>>().into())
        }
    }
}
