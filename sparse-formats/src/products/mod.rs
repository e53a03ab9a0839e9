//! Products and reductions of tensors in any format.
//!
//! Kernels depend on the properties of levels, not on formats. They decode the elements of any chain of levels one
//! tile at a time, fiber by fiber if the last level has fibers, and through axis maps and blocks if there are any. A
//! new kernel is a module beside `ttv` (`fold.rs`) or `mttkrp.rs` that reads a `Stream`. Storage, conversion and
//! sorting live in other modules.

mod accumulators;
mod blocks;
mod decode;
mod diagonals;
mod elementwise;
mod fold;
mod gather;
mod lookahead;
mod matrix;
mod mttkrp;
mod multiply;
mod operands;
mod private_results;
mod row_product;
mod scalar;
mod schedule;
mod spgemm;
mod stream;
mod tile;
mod tile_filter;
mod ttm;
mod unmap;
mod visit;

pub use elementwise::{Elementwise, elementwise};
pub use fold::{Cells, Reduction, count, reduce, ttv};
pub use matrix::{Dense, Major, Sddmm, spmm, spmv};
pub use mttkrp::mttkrp;
pub use operands::{SparseOperand, Watched, Watcher};
pub use scalar::Scalar;
pub use spgemm::{spgemm, spgemm_unsorted, spgemm_values};
pub use ttm::ttm;
pub use visit::visit_columns;

use crate::{OperationError, SparseError};
use alloc::vec::Vec;
use stream::Stream;

/// Fails for an operand that stores one triangle for both, because a kernel computes with the stored elements alone.
fn whole<V: Scalar>(operand: &impl SparseOperand<V>) -> Result<(), OperationError> {
    if operand.tensors().iter().any(|(_, tensor)| tensor.attributes().is_one_triangle()) {
        return Err(SparseError::OneTriangle.into());
    }
    Ok(())
}

/// Returns a stream for each tensor of an operand. Fails if the operand stores one triangle for both, or no values.
fn streams<'p, V: Scalar>(operand: &'p impl SparseOperand<V>) -> Result<Vec<Stream<'p, V>>, OperationError> {
    whole(operand)?;
    operand.tensors().into_iter().map(|(map, tensor)| Stream::new(map, tensor, operand.watcher())).collect()
}

/// Returns zeros for all elements of a result of these extents, and `more` zeros beyond. Fails if memory has no room
/// for them.
fn zeros<T: Scalar>(extents: &[u64], more: usize) -> Result<Vec<T>, OperationError> {
    let count = crate::shape::product(extents.iter().copied()).and_then(|count| count.checked_add(more));
    count.and_then(|count| array_kernels::memory::try_repeated(T::ZERO, count)).ok_or(OperationError::Result { extents: extents.to_vec() })
}

/// Fails unless the extents `found` equal `expected`, and `len` is their product. `what` names the operand in the error.
fn operand(what: &'static str, found: &[u64], len: usize, expected: &[u64]) -> Result<(), OperationError> {
    let size = crate::shape::product(expected.iter().copied());
    if found != expected || size != Some(len) {
        let found = if found == expected { Vec::from([len as u64]) } else { found.to_vec() };
        return Err(OperationError::Operand { what, found, expected: expected.to_vec() });
    }
    Ok(())
}

/// Returns the error for a result of `elements` elements that memory has no room for.
fn memory(elements: usize) -> OperationError {
    SparseError::Memory { elements }.into()
}
