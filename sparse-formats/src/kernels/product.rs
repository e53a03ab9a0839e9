//! Matrix-vector products.

use super::Value;
use super::check::{below, same_length};
use super::pointers::check_pointers;
use super::prefetch::{are_hints_worth_it, prefetch_stream};
use crate::SparseError;
use alloc::vec::Vec;
use array_kernels::{merge_path, parallel};
use core::ops::{Add, Mul, Range};
use layout_levels::Index;

/// Entries of a row whose successors are fetched together: few enough for a cache, and more than most rows have.
const PIECE: usize = 64;

/// The most parts of a product by columns.
const PARTS: usize = 8;

/// A compressed matrix whose arrays have been checked: pointers rise to the number of entries, and indices are below the extent.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a, P, I, V> {
    pointers: &'a [P],
    indices: &'a [I],
    values: &'a [V],
    extent: usize,
}

impl<'a, P: Index, I: Index, V: Value> Matrix<'a, P, I, V> {
    /// A matrix of `pointers.len() - 1` rows (or columns) with indices below `extent`.
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
    /// Pointers that do not rise from 0 to the number of entries, arrays of different lengths, an index that is not below `extent`.
    pub fn new(pointers: &'a [P], indices: &'a [I], values: &'a [V], extent: usize) -> Result<Self, SparseError> {
        same_length("values", values.len(), indices.len())?;
        check_pointers(pointers, indices.len())?;
        below("indices", indices, extent as u64)?;
        Ok(Matrix { pointers, indices, values, extent })
    }

    /// [`Matrix::new`] of arrays that a pattern has checked: without another look at them.
    pub(crate) fn trusted(pointers: &'a [P], indices: &'a [I], values: &'a [V], extent: usize) -> Self {
        Matrix { pointers, indices, values, extent }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.pointers.len() - 1
    }

    /// [`Matrix::multiply`] with a sum and a product of one's own.
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
            indices[..len].chunks(PIECE).zip(values[..len].chunks(PIECE)).fold(V::default(), |sum, (indices, values)| {
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
}

impl<P: Index, I: Index, V: Value + Add<Output = V> + Mul<Output = V>> Matrix<'_, P, I, V> {
    /// `y = A x` of a matrix by rows; the default of `V` is its zero.
    ///
    /// Rows and entries together are cut into blocks of one size (merge path), whatever the threads: a row that goes on in the next block is summed in
    /// parts, which are the same for any number of threads. Neither empty rows nor one long row leave a thread alone with the work.
    ///
    /// # Errors
    /// Vectors of other lengths than the matrix has columns and rows.
    pub fn multiply(&self, x: &[V], y: &mut [V]) -> Result<(), SparseError> {
        self.multiply_with(x, y, V::add, V::mul)
    }

    /// `y = A x` of a matrix by columns, whose rows are below its extent; the default of `V` is its zero.
    ///
    /// Columns are cut into up to eight parts, whatever the threads, each with a sum of its own and four entries or more for each of its elements.
    ///
    /// # Errors
    /// Vectors of other lengths than the matrix has columns and rows.
    pub fn multiply_columns(&self, x: &[V], y: &mut [V]) -> Result<(), SparseError> {
        same_length("x", x.len(), self.rows())?;
        same_length("y", y.len(), self.extent)?;
        let parts = (self.indices.len() / 4).checked_div(self.extent).unwrap_or(0).clamp(1, PARTS);
        let start = |part: usize| self.pointers[..self.rows()].partition_point(|p| p.to_usize() < self.indices.len() / parts * part);
        let mut sums: Vec<Vec<V>> = (1..parts).map(|_| alloc::vec![V::default(); y.len()]).collect();
        y.fill(V::default());
        let ys = core::iter::once(&mut *y).chain(sums.iter_mut().map(|sum| &mut sum[..]));
        let columns = (0..parts).map(|part| start(part)..if part + 1 < parts { start(part + 1) } else { self.rows() });
        parallel::map(columns.zip(ys).collect(), |(columns, y)| self.add_columns(columns, x, y));
        for sum in sums {
            y.iter_mut().zip(sum).for_each(|(y, x)| *y = core::mem::take(y) + x);
        }
        Ok(())
    }

    /// Adds the products of some columns to `y`.
    fn add_columns(&self, columns: Range<usize>, x: &[V], y: &mut [V]) {
        let mut at = self.pointers[columns.start].to_usize();
        for (x, end) in x[columns.clone()].iter().zip(&self.pointers[columns.start + 1..]) {
            let end = end.to_usize();
            for (index, value) in self.indices[at..end].iter().zip(&self.values[at..end]) {
                let y = &mut y[index.to_usize()];
                *y = core::mem::take(y) + value.clone() * x.clone();
            }
            at = end;
        }
    }
}
