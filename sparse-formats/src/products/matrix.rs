//! SpMV, SpMM and SDDMM: sparse matrices times dense vectors or matrices, and dense products sampled at the elements
//! of a sparse matrix.

use super::row_product::{FactorMatrix, OutputRow, RowProduct};
use super::stream::{Stream, TileOptions};
use super::tile::{LOOKAHEAD, Tile};
use super::{Scalar, SparseOperand, Watched, blocks, diagonals, operand, schedule, streams, whole, zeros};
use crate::kernels::Matrix;
use crate::kernels::vector_width::{Task, run_widest};
use crate::{Composite, LevelKind, OperationError, Part, SparseError, SparseTensor, Values, with_indices};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::parallel;
use layout_core::Layout;

/// The number of columns that are multiplied at a time if the columns of a row are not contiguous.
const COLUMNS: usize = 16;

/// The number of elements of a task of a sampled product.
const PIECE: usize = 1 << 14;

/// The number of lanes of a dot product. Each lane has its own sum; they are added at the end.
const LANES: usize = 8;

/// The order of the elements of a dense matrix in memory.
///
/// ```
/// use sparse_formats::{Builder, Dense, Format, Indices, Major, spmm};
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![1u8, 0].into()];
/// let exchange = Builder::new(Format::csr(), 0).build(&[2, 2], &columns, vec![1, 1])?;
/// // [[1, 2], [3, 4]] becomes [[3, 4], [1, 2]].
/// let b = Dense::packed(&[1, 2, 3, 4], [2, 2], Major::Rows)?;
/// assert_eq!(spmm(&exchange, false, b, Major::Rows)?, [3, 4, 1, 2]);
/// assert_eq!(spmm(&exchange, false, b, Major::Columns)?, [3, 1, 4, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Major {
    /// Row-major: the elements of a row are contiguous.
    Rows,
    /// Column-major: the elements of a column are contiguous.
    Columns,
}

/// A borrowed dense matrix. Element `(i, j)` is number `i * strides[0] + j * strides[1]` of a slice.
///
/// ```
/// use sparse_formats::{Builder, Dense, Format, Indices, Major, spmm};
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![5, 6])?;
/// // The first two columns of a row-major matrix of four columns.
/// let numbers: Vec<i32> = (0..12).collect();
/// let part = Dense::new(&numbers, [3, 2], [4, 1])?;
/// assert_eq!(part.extents(), [3, 2]);
/// assert_eq!(spmm(&a, false, part, Major::Rows)?, [5 * 8, 5 * 9, 6 * 0, 6 * 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a, T> {
    data: &'a [T],
    extents: [usize; 2],
    strides: [usize; 2],
}

impl<'a, T> Dense<'a, T> {
    /// Returns the matrix with these extents and strides.
    ///
    /// ```
    /// use sparse_formats::{Dense, Major};
    /// let numbers = [1, 2, 3, 4, 5, 6];
    /// assert!(Dense::new(&numbers, [2, 3], [3, 1]).is_ok() && Dense::packed(&numbers, [3, 2], Major::Columns).is_ok());
    /// assert_eq!(Dense::new(&numbers, [3, 3], [3, 1]).unwrap_err().to_string(), "matrix: the extents are [6] instead of [3, 3]");
    /// ```
    ///
    /// # Errors
    /// Returns an error if an element lies outside `data`.
    pub fn new(data: &'a [T], extents: [usize; 2], strides: [usize; 2]) -> Result<Self, OperationError> {
        let last = |k: usize| extents[k].checked_sub(1)?.checked_mul(strides[k]);
        let inside = match (last(0), last(1)) {
            _ if extents.contains(&0) => true,
            (Some(a), Some(b)) => a.checked_add(b).is_some_and(|last| last < data.len()),
            _ => false,
        };
        if !inside {
            let expected = extents.map(|extent| extent as u64).to_vec();
            return Err(OperationError::Operand { what: "matrix", found: vec![data.len() as u64], expected });
        }
        Ok(Dense { data, extents, strides })
    }

    /// Returns the matrix with these extents, by rows or by columns as `major` says, without gaps.
    ///
    /// ```
    /// use sparse_formats::{Dense, Major};
    /// let numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// assert_eq!(Dense::packed(&numbers, [2, 3], Major::Columns)?.extents(), [2, 3]);
    /// assert!(Dense::packed(&numbers, [2, 4], Major::Rows).is_err(), "8 elements are needed");
    /// # Ok::<(), sparse_formats::OperationError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if an element lies outside `data`.
    pub fn packed(data: &'a [T], extents: [usize; 2], major: Major) -> Result<Self, OperationError> {
        Dense::new(data, extents, if major == Major::Rows { [extents[1], 1] } else { [1, extents[0]] })
    }

    /// Returns the matrix of any layout of two modes. Borrows `data` if each mode has a stride that is not negative;
    /// otherwise copies the matrix to `rows` in row-major order.
    ///
    /// ```
    /// use layout_core::make_layout;
    /// use sparse_formats::{Dense, Major};
    /// let (numbers, mut rows) = ([1, 2, 3, 4, 5, 6, 7, 8], Vec::new());
    /// // Two blocks of two rows, each by columns.
    /// let blocks = Dense::of_layout(&numbers, make_layout(((2, 2), 2), ((1, 4), 2)), &mut rows)?;
    /// assert_eq!(blocks.extents(), [4, 2]);
    /// assert_eq!(rows, [1, 3, 2, 4, 5, 7, 6, 8]);
    /// # Ok::<(), sparse_formats::OperationError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the layout does not have two modes, if an index lies outside `data`, or if memory has no
    /// room for the copy.
    pub fn of_layout(data: &'a [T], layout: impl Layout, rows: &'a mut Vec<T>) -> Result<Self, OperationError>
    where
        T: Clone,
    {
        if layout.rank() != 2 {
            return Err(OperationError::KernelRank { found: layout.rank(), expected: 2 });
        }
        let extents = [layout.mode_size::<0>(), layout.mode_size::<1>()];
        let inside = layout.index_range().is_ok_and(|range| range.start >= 0 && range.end as usize <= data.len());
        if !inside {
            let expected = extents.map(|extent| extent as u64).to_vec();
            return Err(OperationError::Operand { what: "matrix", found: vec![data.len() as u64], expected });
        }
        let stride = |mode: usize| layout.mode_stride(mode).and_then(|stride| usize::try_from(stride).ok());
        if let (Some(row), Some(column)) = (stride(0), stride(1)) {
            return Dense::new(data, extents, [row, column]);
        }
        let count = layout.size();
        *rows = array_kernels::memory::room(count).ok_or(super::memory(count))?;
        rows.extend((0..extents[0]).flat_map(|i| (0..extents[1]).map(move |j| data[layout.crd2idx((i, j))].clone())));
        Dense::packed(rows, extents, Major::Rows)
    }

    /// Returns the numbers of rows and columns.
    pub fn extents(&self) -> [usize; 2] {
        self.extents
    }

    /// Returns element `(i, j)`. Panics if it lies outside the data.
    fn at(&self, i: usize, j: usize) -> &T {
        &self.data[i * self.strides[0] + j * self.strides[1]]
    }

    /// Returns the rows, or `None` if the elements of a row are not contiguous.
    fn rows(&self) -> Option<FactorMatrix<'a, T>> {
        (self.strides[1] == 1 || self.extents[1] <= 1).then_some(FactorMatrix { data: self.data, stride: self.strides[0] })
    }

    /// Returns the rows without gaps: borrowed if they are stored so, else copied.
    fn packed_rows(&self) -> alloc::borrow::Cow<'a, [T]>
    where
        T: Clone,
    {
        let [rows, columns] = self.extents;
        match self.strides == [columns, 1] {
            true => self.data[..rows * columns].into(),
            false => (0..rows).flat_map(|i| (0..columns).map(move |j| self.at(i, j).clone())).collect(),
        }
    }
}

/// Returns the axes of the rows and columns of a matrix, and their extents, exchanged with `transpose`. Products sum
/// over the columns. Fails unless `shape` has two extents.
fn sides(shape: &[u64], transpose: bool) -> Result<([usize; 2], [u64; 2]), OperationError> {
    match *shape {
        [rows, columns] if transpose => Ok(([1, 0], [columns, rows])),
        [rows, columns] => Ok(([0, 1], [rows, columns])),
        _ => Err(OperationError::KernelRank { found: shape.len(), expected: 2 }),
    }
}

/// Computes `y[i] = sum of a[i, j] * x[j]`, or with `transpose` `y[j] = sum of a[i, j] * x[i]`, over the stored elements,
/// whatever the fill value (SpMV).
///
/// Square blocks with edge 2, 3, 4 or 8 and fill value 0 are multiplied whole, unless transposed: values that fill up a
/// block are multiplied by their elements of `x` too. A 0 there adds NaN if that element is infinite or NaN.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, spmv};
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
/// assert_eq!(spmv(&a, false, &[1, 10, 100])?, [200, 403]);
/// assert_eq!(spmv(&a, true, &[1, 10])?, [30, 0, 42]);
/// assert_eq!(spmv(&a, true, &[1]).unwrap_err().to_string(), "vector: the extents are [1] instead of [2]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the tensor is not a matrix, if it stores no values or one triangle for both, if the vector has
/// another length, or if memory has no room for the result.
pub fn spmv<T: Scalar>(a: &impl SparseOperand<T>, transpose: bool, x: &[T]) -> Result<Vec<T>, OperationError> {
    let ([target, inner], [rows, columns]) = sides(a.shape(), transpose)?;
    operand("vector", &[x.len() as u64], x.len(), &[columns])?;
    whole(a)?;
    let mut out = zeros(&[rows], 0)?;
    let found = compressed(a, [target, inner], x, &mut out) || !transpose && blocks::multiply(a, x, &mut out);
    if found || diagonals::multiply(a, transpose, x, &mut out) {
        return Ok(out);
    }
    let product = RowProduct { factors: vec![(inner, FactorMatrix { data: x, stride: 1 })], output: OutputRow::Axis(target), width: 1 };
    schedule::accumulate(&streams(a)?, &product, rows as usize, &mut out);
    Ok(out)
}

/// Computes `y = A x` if the matrix has compressed rows along `axes[0]` or `axes[1]`, and no watcher. Returns false, with `y`
/// unchanged, for all other operands.
fn compressed<T: Scalar>(a: &impl SparseOperand<T>, axes: [usize; 2], x: &[T], y: &mut [T]) -> bool {
    let ([(None, tensor)], None) = (&a.tensors()[..], a.watcher()) else { return false };
    let (format, pattern) = (tensor.format(), tensor.pattern());
    if format.kinds() != [LevelKind::Pointers, LevelKind::Indices] {
        return false;
    }
    let by_rows = format.axis_order() == axes;
    let (Some(pointers), Some(indices), Values::Each(values)) = (pattern.pointers(0), pattern.indices(1), tensor.values()) else {
        return false;
    };
    with_indices!(pointers, pointers => with_indices!(indices, indices => {
        let matrix = |extent| Matrix::trusted(&pointers[..], &indices[..], &values[..], extent);
        match by_rows {
            true => matrix(x.len()).multiply_with(x, y, T::plus, T::times).is_ok(),
            false => matrix(y.len()).multiply_columns_with(x, y, T::plus, T::times).is_ok(),
        }
    }))
}

/// Computes `c[i][r] = sum of a[i, j] * b[j][r]`, or with `transpose` `c[j][r] = sum of a[i, j] * b[i][r]`, over the stored
/// elements, whatever the fill value (SpMM). `major` is the order of the result.
///
/// Sums have the type of the elements and do not depend on the number of threads.
///
/// ```
/// use sparse_formats::{Builder, Dense, Format, Indices, Major, spmm};
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
/// let b = Dense::packed(&[1, 2, 3, 4, 5, 6], [3, 2], Major::Rows)?;
/// assert_eq!(spmm(&a, false, b, Major::Rows)?, [10, 12, 23, 30]);
/// assert_eq!(spmm(&a, false, b, Major::Columns)?, [10, 23, 12, 30]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the tensor is not a matrix, if it stores no values or one triangle for both, if the dense matrix
/// has another number of rows, or if memory has no room for the result.
pub fn spmm<T: Scalar>(a: &impl SparseOperand<T>, transpose: bool, b: Dense<T>, major: Major) -> Result<Vec<T>, OperationError> {
    let ([target, inner], [rows, columns]) = sides(a.shape(), transpose)?;
    if b.extents[0] as u64 != columns {
        let found = b.extents.map(|extent| extent as u64).to_vec();
        return Err(OperationError::Operand { what: "dense matrix", found, expected: vec![columns, b.extents[1] as u64] });
    }
    let width = b.extents[1];
    let (mut streams, extents, rows) = (streams(a)?, [rows, width as u64], rows as usize);
    fn product<T>(factor: (usize, FactorMatrix<'_, T>), target: usize, width: usize) -> RowProduct<'_, T> {
        RowProduct { factors: vec![factor], output: OutputRow::Axis(target), width }
    }
    if let (Some(matrix), Major::Rows) = (b.rows(), major) {
        return schedule::products(&streams, &product((inner, matrix), target, width), rows, &extents);
    }
    let mut out = zeros(&extents, 0)?;
    // Copy a few columns at a time to contiguous rows.
    let (mut packed, mut sums) = (Vec::new(), Vec::new());
    for first in (0..width).step_by(COLUMNS) {
        let count = COLUMNS.min(width - first);
        streams.iter_mut().for_each(|stream| stream.pass = [first / COLUMNS, width.div_ceil(COLUMNS)]);
        packed.clear();
        packed.resize(b.extents[0] * count, T::ZERO);
        for (i, row) in packed.chunks_mut(count).enumerate() {
            row.iter_mut().enumerate().for_each(|(r, x)| *x = *b.at(i, first + r));
        }
        sums.clear();
        sums.resize(rows * count, T::ZERO);
        let matrix = FactorMatrix { data: &packed, stride: count };
        schedule::accumulate(&streams, &product((inner, matrix), target, count), rows, &mut sums);
        for (i, row) in sums.chunks(count).enumerate() {
            for (r, x) in row.iter().enumerate() {
                out[if major == Major::Rows { i * width + first + r } else { (first + r) * rows + i }] = *x;
            }
        }
    }
    Ok(out)
}

/// Computes `out(i, j) = a(i, j) * dot(left[i], right[j])` for each stored element of a matrix, in the pattern of
/// that matrix (SDDMM). An element that is not stored is 0.
///
/// A dot product has eight partial sums, each over every eighth product, which are added in order. The result is the
/// same on every machine and for any number of threads.
///
/// ```
/// use sparse_formats::{Builder, Dense, Format, Indices, Major, Sddmm};
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3])?;
/// let (left, right) = ([1, 2, 3, 4], [1, 0, 0, 1, 1, 1]);
/// let (left, right) = (Dense::packed(&left, [2, 2], Major::Rows)?, Dense::packed(&right, [3, 2], Major::Rows)?);
/// assert_eq!(a.sddmm(left, right)?.values(), &vec![2 * 3, 3 * 3].into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Sddmm<T: Scalar>: SparseOperand<T> + Sized {
    /// The type of this operand with other values, which owns its arrays.
    type Output;

    /// Returns this operand with other values, one list per tensor that it is made of. An element that is not stored
    /// is 0.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, Sddmm};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3])?;
    /// assert_eq!(a.of_values(vec![vec![7, 8]])?.at(&[1, 0]), Some(&8));
    /// assert!(a.of_values(vec![]).is_err(), "one list for the only tensor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the number of lists is wrong, or the number of values of a list.
    fn of_values(&self, values: Vec<Vec<T>>) -> Result<Self::Output, OperationError>;

    /// Computes `a(i, j) * dot(left[i], right[j])` for each stored element of this matrix `a`.
    ///
    /// # Errors
    /// Returns an error if the tensor is not a matrix, if it stores no values or one triangle for both, if a dense matrix
    /// has another number of rows, if their numbers of columns differ, or if memory has no room for the result.
    fn sddmm(&self, left: Dense<T>, right: Dense<T>) -> Result<Self::Output, OperationError> {
        self.of_values(sampled(self, left, right)?)
    }
}

impl<T: Scalar> Sddmm<T> for SparseTensor<'_, T> {
    type Output = SparseTensor<'static, T>;

    fn of_values(&self, mut values: Vec<Vec<T>>) -> Result<Self::Output, OperationError> {
        one_list_each(values.len(), 1)?;
        Ok(of_pattern(self, values.pop().unwrap_or_default())?)
    }
}

impl<T: Scalar> Sddmm<T> for Composite<'_, T> {
    type Output = Composite<'static, T>;

    fn of_values(&self, values: Vec<Vec<T>>) -> Result<Self::Output, OperationError> {
        one_list_each(values.len(), self.parts().len())?;
        let part = |(part, values): (&Part<T>, Vec<T>)| Ok(Part { map: part.map.clone(), tensor: of_pattern(&part.tensor, values)? });
        let parts = self.parts().iter().zip(values).map(part).collect::<Result<_, SparseError>>()?;
        Ok(self.with_parts(parts, T::ZERO))
    }
}

impl<T: Scalar, A: Sddmm<T>> Sddmm<T> for Watched<'_, A> {
    type Output = A::Output;

    fn of_values(&self, values: Vec<Vec<T>>) -> Result<Self::Output, OperationError> {
        self.operand().of_values(values)
    }
}

/// Fails unless there are as many lists of values as tensors.
fn one_list_each(lists: usize, tensors: usize) -> Result<(), OperationError> {
    operand("lists of values", &[lists as u64], lists, &[tensors as u64])
}

/// Returns a tensor with the pattern of `tensor`, these values and fill value 0. Fails if the number of values is wrong.
fn of_pattern<T: Scalar>(tensor: &SparseTensor<T>, values: Vec<T>) -> Result<SparseTensor<'static, T>, SparseError> {
    SparseTensor::new(tensor.pattern().clone().into_owned(), values, T::ZERO).map_err(|rejected| rejected.error)
}

/// Returns the values of the sampled product for each tensor of the operand. Fails as `Sddmm::sddmm` does.
fn sampled<T: Scalar>(a: &impl SparseOperand<T>, left: Dense<T>, right: Dense<T>) -> Result<Vec<Vec<T>>, OperationError> {
    let (_, [rows, columns]) = sides(a.shape(), false)?;
    let extents = |matrix: &Dense<T>| matrix.extents.map(|extent| extent as u64).to_vec();
    for (what, matrix, expected) in [("left", &left, rows), ("right", &right, columns)] {
        if matrix.extents[0] as u64 != expected || matrix.extents[1] != left.extents[1] {
            return Err(OperationError::Operand { what, found: extents(matrix), expected: vec![expected, left.extents[1] as u64] });
        }
    }
    let inner = left.extents[1];
    let (left, right) = (left.packed_rows(), right.packed_rows());
    let (left, right) = (FactorMatrix { data: &left, stride: inner }, FactorMatrix { data: &right, stride: inner });
    let values = |stream: Stream<T>| {
        let block = stream.positions();
        let mut out = array_kernels::memory::try_repeated(T::ZERO, stream.elements * block).ok_or(super::memory(stream.elements))?;
        let (mut rest, mut tasks, mut start) = (&mut out[..], Vec::new(), 0);
        for range in parallel::ranges(stream.elements, stream.elements.div_ceil(PIECE).min(4 * parallel::threads(stream.elements)).max(1)) {
            tasks.push((range.clone(), start, parallel::carve(&mut rest, range.len() * block)));
            start += range.len() * block;
        }
        parallel::map(tasks, |(range, start, out)| {
            let (mut tile, mut tiles) = (Tile::new(), stream.tiles(range, TileOptions { has_lookahead: true, ..TileOptions::ELEMENTS }));
            while tiles.decode_next(&mut tile) {
                run_widest(Sample { tile: &tile, left, right, start, out: &mut *out });
            }
        });
        Ok(out)
    };
    streams(a)?.into_iter().map(values).collect()
}

/// The task that computes the sampled product at the elements of a tile.
struct Sample<'s, T> {
    tile: &'s Tile<'s, T>,
    left: FactorMatrix<'s, T>,
    right: FactorMatrix<'s, T>,
    /// The position of the first element of `out` among all values.
    start: usize,
    out: &'s mut [T],
}

impl<T: Scalar> Task for Sample<'_, T> {
    #[inline(always)]
    fn run(self) {
        let Sample { tile, left, right, start, out } = self;
        let (rows, columns) = (&tile.coordinates[0][..tile.len + LOOKAHEAD], &tile.coordinates[1][..tile.len + LOOKAHEAD]);
        let (mut positions, mut begin, mut lookahead) = (tile.positions(), 0, tile.element_lookahead());
        while begin < tile.len {
            let batch = begin..lookahead.batch(begin, tile.len);
            begin = batch.end;
            for ((e, value), position) in batch.clone().zip(&tile.values()[batch]).zip(&mut positions) {
                right.prefetch_row(columns[e + LOOKAHEAD]);
                left.prefetch_row(rows[e + LOOKAHEAD]);
                out[position - start] = value.times(dot(left.row(rows[e]), right.row(columns[e])));
            }
        }
    }
}

/// Returns the dot product of two rows, as the sum of `LANES` partial sums.
#[inline(always)]
fn dot<T: Scalar>(a: &[T], b: &[T]) -> T {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [T::ZERO; LANES];
    for (a, b) in a.iter().zip(b) {
        for k in 0..LANES {
            sums[k] = sums[k].plus(a[k].times(b[k]));
        }
    }
    for (k, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[k] = sums[k].plus(a.times(*b));
    }
    sums.into_iter().fold(T::ZERO, Scalar::plus)
}
