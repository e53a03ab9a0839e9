//! Products of a compressed matrix and a dense vector.

use super::Value;
use super::check::{below, same_length};
use super::pointers::check_pointers;
use super::prefetch::{are_hints_worth_it, prefetch_stream};
use crate::SparseError;
use alloc::vec::Vec;
use array_kernels::{merge_path, parallel};
use core::ops::{Add, Mul, Range};
use layout_levels::Index;

/// The number of entries of a row whose prefetches are issued together: few enough for a cache, and more than most
/// rows have.
const PIECE: usize = 64;

/// The number of entries up to which a row prefetches one line of each array.
const SHORT: usize = 16;

/// The largest number of private results of a product by columns.
const PARTS: usize = 8;

/// A matrix by rows or by columns whose arrays have been checked: pointers begin at 0, never decrease, and end at the number
/// of entries, and indices are below the extent of the axis that is not compressed.
///
/// ```
/// use sparse_formats::kernels::Matrix;
/// // Two rows, [1, 0, 2] and [0, 3, 0].
/// let matrix = Matrix::new(&[0usize, 2, 3], &[0u32, 2, 1], &[1, 2, 3], 3)?;
/// assert_eq!(matrix.rows(), 2);
/// let mut y = [0; 2];
/// matrix.multiply(&[1, 10, 100], &mut y)?;
/// assert_eq!(y, [201, 30]);
/// // The same arrays are the columns of the transposed matrix.
/// let mut z = [0; 3];
/// matrix.multiply_columns(&[1, 10], &mut z)?;
/// assert_eq!(z, [1, 30, 2]);
/// assert_eq!(matrix.multiply(&[1, 10], &mut y).unwrap_err().to_string(), "x has 2 elements instead of 3");
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a, P, I, V> {
    pointers: &'a [P],
    indices: &'a [I],
    values: &'a [V],
    extent: usize,
}

impl<'a, P: Index, I: Index, V: Value> Matrix<'a, P, I, V> {
    /// Checks the arrays and returns the matrix of `pointers.len() - 1` rows (or columns) with indices below
    /// `extent`.
    ///
    /// ```
    /// use sparse_formats::kernels::Matrix;
    /// let matrix = Matrix::new(&[0u32, 2, 3], &[0u32, 2, 1], &[1.0, 2.0, 3.0], 3)?;
    /// let mut y = [0.0; 2];
    /// matrix.multiply(&[1.0, 10.0, 100.0], &mut y)?;
    /// assert_eq!(y, [201.0, 30.0]);
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the pointers do not begin at 0, decrease, or do not end at the number of entries, if the
    /// arrays have different lengths, or if an index is not below `extent`.
    pub fn new(pointers: &'a [P], indices: &'a [I], values: &'a [V], extent: usize) -> Result<Self, SparseError> {
        same_length("values", values.len(), indices.len())?;
        check_pointers(pointers, indices.len())?;
        below("indices", indices, extent as u64)?;
        Ok(Matrix { pointers, indices, values, extent })
    }

    /// Returns the matrix of arrays that a pattern has already checked, unlike [`Matrix::new`], which checks them.
    pub(crate) fn trusted(pointers: &'a [P], indices: &'a [I], values: &'a [V], extent: usize) -> Self {
        Matrix { pointers, indices, values, extent }
    }

    /// Returns the number of rows, or of columns for a matrix by columns: `pointers.len() - 1`.
    pub fn rows(&self) -> usize {
        self.pointers.len() - 1
    }

    /// Computes `y = A x` as [`Matrix::multiply`] does, with the sum `plus` and the product `times`. Fails unless `x` is as
    /// long as the matrix has columns, and `y` as long as it has rows.
    pub(crate) fn multiply_with(
        &self,
        x: &[V],
        y: &mut [V],
        plus: impl Fn(V, V) -> V + Copy + Send + Sync,
        times: impl Fn(V, V) -> V + Copy + Send + Sync,
    ) -> Result<(), SparseError> {
        same_length("x", x.len(), self.extent)?;
        same_length("y", y.len(), self.rows())?;
        let rows = merge_path::Offsets::new(self.pointers);
        let add = move |sum: V, (indices, values): (&[I], &[V])| {
            indices.iter().zip(values).fold(sum, |sum, (index, value)| plus(sum, times(value.clone(), x[index.to_usize()].clone())))
        };
        let dot = move |(indices, values): (&[I], &[V]), len: usize, _| add(V::default(), (&indices[..len], &values[..len]));
        let dot_with_hints = move |(indices, values): (&[I], &[V]), len: usize, _| {
            let (indices, values) = (&indices[..len], &values[..len]);
            // The lines where a short row begins. Loops of prefetches would take as long as the row.
            if len <= SHORT {
                prefetch_stream(&indices[..len.min(1)]);
                prefetch_stream(&values[..len.min(1)]);
                return add(V::default(), (indices, values));
            }
            indices.chunks(PIECE).zip(values.chunks(PIECE)).fold(V::default(), |sum, (indices, values)| {
                prefetch_stream(indices);
                prefetch_stream(values);
                add(sum, (indices, values))
            })
        };
        let (entries, join) = ((self.indices, self.values), |carry, y: &mut V| *y = plus(carry, core::mem::take(y)));
        if are_hints_worth_it() {
            merge_path::fold(&rows, entries, y, dot_with_hints, join, |y| y);
        } else {
            merge_path::fold(&rows, entries, y, dot, join, |y| y);
        }
        Ok(())
    }

    /// Computes `y = A x` for a matrix by columns as [`Matrix::multiply_columns`] does, with the sum `plus` and the product `times`.
    pub(crate) fn multiply_columns_with(
        &self,
        x: &[V],
        y: &mut [V],
        plus: impl Fn(V, V) -> V + Copy + Send + Sync,
        times: impl Fn(V, V) -> V + Copy + Send + Sync,
    ) -> Result<(), SparseError> {
        same_length("x", x.len(), self.rows())?;
        same_length("y", y.len(), self.extent)?;
        let parts = (self.indices.len() / 4).checked_div(self.extent).unwrap_or(0).clamp(1, PARTS);
        let start = |part: usize| self.pointers[..self.rows()].partition_point(|p| p.to_usize() < self.indices.len() / parts * part);
        let mut sums: Vec<Vec<V>> = (1..parts).map(|_| alloc::vec![V::default(); y.len()]).collect();
        y.fill(V::default());
        let ys = core::iter::once(&mut *y).chain(sums.iter_mut().map(|sum| &mut sum[..]));
        let columns = (0..parts).map(|part| start(part)..if part + 1 < parts { start(part + 1) } else { self.rows() });
        parallel::map(columns.zip(ys).collect(), |(columns, y)| self.add_columns(columns, x, y, plus, times));
        for sum in sums {
            y.iter_mut().zip(sum).for_each(|(y, x)| *y = plus(core::mem::take(y), x));
        }
        Ok(())
    }

    /// Adds the products of the columns `columns` with their elements of `x` to `y`.
    fn add_columns(&self, columns: Range<usize>, x: &[V], y: &mut [V], plus: impl Fn(V, V) -> V, times: impl Fn(V, V) -> V) {
        let mut at = self.pointers[columns.start].to_usize();
        for (x, end) in x[columns.clone()].iter().zip(&self.pointers[columns.start + 1..]) {
            let end = end.to_usize();
            for (index, value) in self.indices[at..end].iter().zip(&self.values[at..end]) {
                let y = &mut y[index.to_usize()];
                *y = plus(core::mem::take(y), times(value.clone(), x.clone()));
            }
            at = end;
        }
    }
}

impl<P: Index, I: Index, V: Value + Add<Output = V> + Mul<Output = V>> Matrix<'_, P, I, V> {
    /// Computes `y = A x` for a matrix by rows. `V::default()` must be zero.
    ///
    /// Rows and entries together are divided into blocks of one size (merge path). A row that continues in the next
    /// block is summed in parts. The blocks do not depend on the number of threads, so neither do sums. Neither empty
    /// rows nor one long row leave all the work to a single thread.
    ///
    /// # Errors
    /// Returns an error unless `x` is as long as the matrix has columns, and `y` as long as it has rows.
    pub fn multiply(&self, x: &[V], y: &mut [V]) -> Result<(), SparseError> {
        self.multiply_with(x, y, V::add, V::mul)
    }

    /// Computes `y = A x` for a matrix by columns, whose row indices are below its extent. `V::default()` must be
    /// zero.
    ///
    /// Columns are divided into at most eight parts, each with a private result. Several parts are only made if there
    /// are at least four entries for each element of each result. The parts do not depend on the number of threads.
    ///
    /// # Errors
    /// Returns an error unless `x` is as long as the matrix has columns, and `y` as long as it has rows.
    pub fn multiply_columns(&self, x: &[V], y: &mut [V]) -> Result<(), SparseError> {
        self.multiply_columns_with(x, y, V::add, V::mul)
    }
}
