//! What kernels read, and who is told how far they are.

use super::Scalar;
use crate::{AxisMap, Builder, Composite, Duplicates, Format, OperationError, SparseTensor};
use alloc::vec;
use alloc::vec::Vec;

/// The number of elements processed between two progress reports.
pub(super) const REPORT_INTERVAL: usize = 1 << 14;

/// What kernels read: a tensor, or a union of parts.
pub trait Operand<V: Scalar> {
    /// The extents, in the order of the axes.
    fn shape(&self) -> &[u64];

    /// The tensor in a format; elements of one coordinate are added.
    ///
    /// # Errors
    /// Another rank, or arrays that memory has no room for.
    fn gathered(&self, format: &Format) -> Result<SparseTensor<'static, V>, OperationError>;

    /// The tensors that it is made of, and where coordinates go before they store them.
    fn tensors(&self) -> Vec<(Option<&AxisMap>, &SparseTensor<'_, V>)>;

    /// Who is told of elements that have been gone through.
    fn watcher(&self) -> Option<Watcher<'_>> {
        None
    }
}

/// What is called with how many elements more have been gone through, by any thread.
pub type Watcher<'w> = &'w (dyn Fn(usize) + Sync);

/// An operand of a kernel that takes long, and who is told how far that is.
///
/// There is one rule for all kernels: each stored element, and of blocks each block, is told of once, in parts of some thousands, in the end
/// [`Watched::elements`] of them. Work that goes over all elements several times, for threads or for columns, tells of a part of them each time. Progress of are the
/// elements that a kernel goes through: those of a tensor that it converts first are those of the converted one, and the conversion itself is silent. Two
/// operands that are watched tell each of its own; a product of two sparse matrices goes by the elements of the first.
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
    /// Calls `watcher` with the number of elements whenever a kernel has gone through some thousands more.
    pub fn new(operand: &'w A, watcher: Watcher<'w>) -> Self {
        Watched { operand, watcher: Some(watcher) }
    }

    /// An operand watched by those who watch another.
    pub(super) fn like<V: Scalar>(operand: &'w A, other: &'w impl Operand<V>) -> Self {
        Watched { operand, watcher: other.watcher() }
    }

    /// What is watched.
    pub fn operand(&self) -> &'w A {
        self.operand
    }

    /// How many elements there are to be told of.
    pub fn elements<V: Scalar>(&self) -> usize
    where
        A: Operand<V>,
    {
        self.operand.tensors().iter().map(|(_, tensor)| tensor.stored()).sum()
    }
}

impl<V: Scalar, A: Operand<V>> Operand<V> for Watched<'_, A> {
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

impl<V: Scalar> Operand<V> for SparseTensor<'_, V> {
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

impl<V: Scalar> Operand<V> for Composite<'_, V> {
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

fn summing<V: Scalar>(format: &Format) -> Builder<'static, V> {
    fn plus<V: Scalar>(a: &V, b: &V) -> V {
        a.plus(*b)
    }
    Builder::new(format.clone(), V::ZERO).duplicates(Duplicates::Combine(&plus::<V>))
}

/// How many of the elements of an operand have been told of.
pub(super) struct Progress<'w> {
    watcher: Option<Watcher<'w>>,
    reported: usize,
}

impl<'w> Progress<'w> {
    pub fn new(watcher: Option<Watcher<'w>>) -> Self {
        Progress { watcher, reported: 0 }
    }

    /// Tells that so many elements are gone, if these are many more.
    pub fn gone(&mut self, elements: usize) {
        if elements >= self.reported + REPORT_INTERVAL {
            self.all(elements);
        }
    }

    /// Tells that so many are gone, however many more.
    pub fn all(&mut self, elements: usize) {
        if let Some(watcher) = self.watcher.filter(|_| elements > self.reported) {
            watcher(elements - self.reported);
            self.reported = elements;
        }
    }
}
