//! The operands of a contraction, and its result.

use alloc::vec::Vec;
use core::fmt;
use sparse_formats::{Scalar, SparseOperand, SparseTensor};

/// An operand of a contraction. A scalar is a dense array of no axes and one element.
#[derive(Clone, Copy)]
pub enum Factor<'f, T: Scalar> {
    /// A dense array, row-major.
    Dense {
        /// The extents.
        shape: &'f [u64],
        /// The elements.
        data: &'f [T],
    },
    /// A sparse tensor, a composite tensor, or one of these with a progress callback.
    Sparse(&'f dyn SparseOperand<T>),
}

impl<'f, T: Scalar> Factor<'f, T> {
    /// Returns the factor of a number.
    ///
    /// ```
    /// use sparse_contraction::{Factor, contract};
    /// let row = Factor::Dense { shape: &[3], data: &[1, 2, 3] };
    /// assert_eq!(contract("i,->i", &[row, Factor::scalar(&10)])?.dense(), Some(&[10, 20, 30][..]));
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    pub fn scalar(number: &'f T) -> Self {
        Factor::Dense { shape: &[], data: core::slice::from_ref(number) }
    }

    /// Returns the extents.
    ///
    /// ```
    /// use sparse_contraction::Factor;
    /// assert_eq!(Factor::Dense { shape: &[2, 1], data: &[5, 6] }.shape(), [2, 1]);
    /// ```
    pub fn shape(&self) -> &'f [u64] {
        match self {
            Factor::Dense { shape, .. } => shape,
            Factor::Sparse(tensor) => tensor.shape(),
        }
    }
}

impl<T: Scalar> fmt::Debug for Factor<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Factor::Dense { shape, data } => f.debug_struct("Dense").field("shape", shape).field("data", data).finish(),
            Factor::Sparse(tensor) => f.debug_struct("Sparse").field("shape", &tensor.shape()).finish_non_exhaustive(),
        }
    }
}

/// The result of a contraction.
#[derive(Clone, PartialEq, Debug)]
pub enum Contracted<T: Scalar> {
    /// A dense array, row-major. Every result without axes is one.
    Dense {
        /// The extents.
        shape: Vec<u64>,
        /// The elements.
        data: Vec<T>,
    },
    /// A sparse tensor.
    Sparse(SparseTensor<'static, T>),
}

impl<T: Scalar> Contracted<T> {
    /// Returns the extents.
    ///
    /// ```
    /// use sparse_contraction::Contracted;
    /// assert_eq!(Contracted::Dense { shape: vec![2], data: vec![5, 6] }.shape(), [2]);
    /// ```
    pub fn shape(&self) -> &[u64] {
        match self {
            Contracted::Dense { shape, .. } => shape,
            Contracted::Sparse(tensor) => tensor.shape(),
        }
    }

    /// Returns the elements of a dense result, row-major, or `None` for a sparse one.
    ///
    /// ```
    /// use sparse_contraction::Contracted;
    /// assert_eq!(Contracted::Dense { shape: vec![2], data: vec![5, 6] }.dense(), Some(&[5, 6][..]));
    /// ```
    pub fn dense(&self) -> Option<&[T]> {
        match self {
            Contracted::Dense { data, .. } => Some(data),
            Contracted::Sparse(_) => None,
        }
    }

    /// Returns a sparse result, or `None` for a dense one.
    ///
    /// ```
    /// use sparse_contraction::Contracted;
    /// assert!(Contracted::Dense { shape: vec![2], data: vec![5, 6] }.sparse().is_none());
    /// ```
    pub fn sparse(&self) -> Option<&SparseTensor<'static, T>> {
        match self {
            Contracted::Dense { .. } => None,
            Contracted::Sparse(tensor) => Some(tensor),
        }
    }
}
