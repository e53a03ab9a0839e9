//! Errors that return the rejected parts.

use crate::{OperationError, SparseError};
use alloc::boxed::Box;
use core::fmt::{Debug, Display, Formatter, Result};

/// An error together with the parts that were rejected.
///
/// The operator `?` drops the parts in a function that returns a [`SparseError`], an [`OperationError`] or an
/// [`InterchangeError`](crate::InterchangeError).
///
/// ```
/// use sparse_formats::{Arrays, Format, Rejected, SparseError, SparseTensor};
/// let arrays = Arrays::new().with_pointers(0, vec![0u8, 1, 2]).with_indices(1, vec![2u8, 0]);
/// let Rejected { parts, error } = SparseTensor::from_parts(&[2, 3], Format::csr(), arrays, vec![5], 0).unwrap_err();
/// assert_eq!(error.to_string(), "values has 1 elements instead of 2");
/// // The arrays come back, for another try.
/// let a = SparseTensor::from_parts(&parts.shape, parts.format, parts.arrays, vec![5, 6], parts.fill)?;
/// assert_eq!(a.at(&[1, 0]), Some(&6));
/// # Ok::<(), SparseError>(())
/// ```
#[derive(Clone)]
pub struct Rejected<P, E> {
    /// The parts as they were given.
    pub parts: Box<P>,
    /// The reason for the rejection.
    pub error: E,
}

impl<P, E> Rejected<P, E> {
    pub(crate) fn new(parts: P, error: E) -> Self {
        Rejected { parts: Box::new(parts), error }
    }
}

impl<P, E: Debug> Debug for Rejected<P, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.error.fmt(f)
    }
}

impl<P, E: Display> Display for Rejected<P, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.error.fmt(f)
    }
}

impl<P, E: core::error::Error> core::error::Error for Rejected<P, E> {}

/// Drops the parts.
impl<P, E: Into<SparseError>> From<Rejected<P, E>> for SparseError {
    fn from(rejected: Rejected<P, E>) -> Self {
        rejected.error.into()
    }
}

/// Drops the parts.
impl<P, E: Into<OperationError>> From<Rejected<P, E>> for OperationError {
    fn from(rejected: Rejected<P, E>) -> Self {
        rejected.error.into()
    }
}
