//! The operands of kernels, and progress reports: what a kernel may ask of an operand, for tensors and composite tensors.

use super::Scalar;
use crate::{AxisMap, Builder, Composite, Duplicates, Format, OperationError, SparseTensor};
use alloc::vec;
use alloc::vec::Vec;

/// The number of elements processed between two progress reports.
pub(super) const REPORT_INTERVAL: usize = 1 << 14;

/// An operand of a kernel: a tensor, or a [`Composite`], which is a union of tensors.
///
/// Kernels compute with the stored elements. They refuse a tensor without values, and a tensor that stores one triangle for
/// both ([`SparseError::OneTriangle`](crate::SparseError::OneTriangle)); [`SparseTensor::expand`] stores the second one.
pub trait SparseOperand<V: Scalar> {
    /// Returns the extents, in the order of the axes.
    fn shape(&self) -> &[u64];

    /// Converts the operand to a single tensor in a format. Elements with the same coordinate are added.
    ///
    /// # Errors
    /// Returns an error if the format has another rank, or if memory has no room for the arrays.
    fn gathered(&self, format: &Format) -> Result<SparseTensor<'static, V>, OperationError>;

    /// Returns the tensors of the operand. The map of a tensor takes coordinates of the operand to stored
    /// coordinates; `None` is the identity.
    fn tensors(&self) -> Vec<(Option<&AxisMap>, &SparseTensor<'_, V>)>;

    /// Returns the callback for progress reports, or `None` if the operand has none.
    fn watcher(&self) -> Option<Watcher<'_>> {
        None
    }
}

/// A progress callback. It receives the number of elements processed since the last call, and any thread may call it.
pub type Watcher<'w> = &'w (dyn Fn(usize) + Sync);

/// An operand with a callback that reports the progress of a kernel.
///
/// All kernels follow one rule: they report every stored element (every block, for blocked formats) exactly once. Most
/// kernels report some thousands at a time, a few all at the end. The reports add up to [`Watched::elements`]. A kernel
/// that makes several passes over the elements, for threads or for columns, reports a fraction of them in each pass.
///
/// A kernel that first converts an operand reports the elements of the converted tensor; the conversion itself is
/// silent. With two watched operands, each callback receives the elements of its own operand. A product of two sparse
/// matrices reports the elements of the first one only.
///
/// ```
/// use core::sync::atomic::{AtomicUsize, Ordering};
/// use sparse_formats::{Builder, Format, Indices, Watched, spmv};
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
/// let done = AtomicUsize::new(0);
/// let tell = |elements| {
///     done.fetch_add(elements, Ordering::Relaxed);
/// };
/// assert_eq!(spmv(&Watched::new(&a, &tell), false, &[1, 10, 100])?, [200, 403]);
/// assert_eq!(done.into_inner(), a.stored());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Watched<'w, A> {
    operand: &'w A,
    watcher: Option<Watcher<'w>>,
}

impl<'w, A> Watched<'w, A> {
    /// Wraps an operand. A kernel calls `watcher` with the number of elements processed since the last call.
    pub fn new(operand: &'w A, watcher: Watcher<'w>) -> Self {
        Watched { operand, watcher: Some(watcher) }
    }

    /// Wraps `operand` with the callback of `other`, or with none if `other` has none.
    pub fn like<V: Scalar>(operand: &'w A, other: &'w impl SparseOperand<V>) -> Self {
        Watched { operand, watcher: other.watcher() }
    }

    /// Returns the operand without the callback.
    pub fn operand(&self) -> &'w A {
        self.operand
    }

    /// Returns the number of stored elements, which is the total that a kernel reports unless it converts the operand
    /// first.
    pub fn elements<V: Scalar>(&self) -> usize
    where
        A: SparseOperand<V>,
    {
        self.operand.tensors().iter().map(|(_, tensor)| tensor.stored()).sum()
    }
}

impl<V: Scalar, A: SparseOperand<V>> SparseOperand<V> for Watched<'_, A> {
    fn shape(&self) -> &[u64] {
        self.operand.shape()
    }

    fn gathered(&self, format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        self.operand.gathered(format)
    }

    fn tensors(&self) -> Vec<(Option<&AxisMap>, &SparseTensor<'_, V>)> {
        self.operand.tensors()
    }

    fn watcher(&self) -> Option<Watcher<'_>> {
        self.watcher
    }
}

impl<V: Scalar> SparseOperand<V> for SparseTensor<'_, V> {
    fn shape(&self) -> &[u64] {
        self.shape()
    }

    fn gathered(&self, format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        Ok(self.convert(&summing(format))?)
    }

    fn tensors(&self) -> Vec<(Option<&AxisMap>, &SparseTensor<'_, V>)> {
        vec![(None, self)]
    }
}

impl<V: Scalar> SparseOperand<V> for Composite<'_, V> {
    fn shape(&self) -> &[u64] {
        self.shape()
    }

    fn gathered(&self, format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        self.convert(&summing(format))
    }

    fn tensors(&self) -> Vec<(Option<&AxisMap>, &SparseTensor<'_, V>)> {
        self.parts().iter().map(|part| (Some(&part.map).filter(|map| !map.is_identity()), &part.tensor)).collect()
    }
}

/// Returns a builder that adds elements with the same coordinate, for fill value 0.
fn summing<V: Scalar>(format: &Format) -> Builder<'static, V> {
    fn plus<V: Scalar>(a: &V, b: &V) -> V {
        a.plus(*b)
    }
    Builder::new(format.clone(), V::ZERO).duplicates(Duplicates::Combine(&plus::<V>))
}

/// The progress of a kernel through one operand: the number of elements reported so far.
pub(super) struct Progress<'w> {
    watcher: Option<Watcher<'w>>,
    reported: usize,
}

impl<'w> Progress<'w> {
    pub fn new(watcher: Option<Watcher<'w>>) -> Self {
        Progress { watcher, reported: 0 }
    }

    /// Reports all unreported elements, if at least [`REPORT_INTERVAL`] of the `elements` processed so far are unreported.
    pub fn gone(&mut self, elements: usize) {
        if elements >= self.reported + REPORT_INTERVAL {
            self.all(elements);
        }
    }

    /// Reports all unreported elements of the `elements` processed so far.
    pub fn all(&mut self, elements: usize) {
        if let Some(watcher) = self.watcher.filter(|_| elements > self.reported) {
            watcher(elements - self.reported);
            self.reported = elements;
        }
    }
}
