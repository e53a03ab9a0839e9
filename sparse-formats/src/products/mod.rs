//! Products and reductions of tensors in any format.
//!
//! Kernels ask for properties of levels, not for formats: they go through the elements of any chain a tile at a time, by fibers where an element has one
//! coordinate of its own, through maps and blocks where there are any.

mod accumulators;
mod blocks;
mod contract;
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

pub use contract::{Contracted, Factor, contract};
pub use elementwise::{Elementwise, elementwise};
pub use fold::{Cells, Reduction, count, reduce, ttv};
pub use matrix::{Dense, Major, Sddmm, spmm, spmv};
pub use mttkrp::mttkrp;
pub use operands::{Operand, Watched, Watcher};
pub use scalar::Scalar;
pub use spgemm::{spgemm, spgemm_unsorted, spgemm_values};
pub use ttm::ttm;

use crate::{OperationError, SparseError};
use alloc::vec::Vec;
use stream::Stream;

/// The streams of all tensors that an operand is made of.
fn streams<'p, V: Scalar>(operand: &'p impl Operand<V>) -> Result<Vec<Stream<'p, V>>, OperationError> {
    operand.tensors().into_iter().map(|(map, tensor)| Stream::new(map, tensor, operand.watcher())).collect()
}

/// So many zeros for a result of these extents, and some more.
fn zeros<T: Scalar>(extents: &[u64], more: usize) -> Result<Vec<T>, OperationError> {
    let count = crate::shape::product(extents.iter().copied()).and_then(|count| count.checked_add(more));
    count.and_then(|count| array_kernels::memory::try_repeated(T::ZERO, count)).ok_or(OperationError::Result { extents: extents.to_vec() })
}

/// Tests that an operand has these extents and as many numbers.
fn operand(what: &'static str, found: &[u64], len: usize, expected: &[u64]) -> Result<(), OperationError> {
    let size = crate::shape::product(expected.iter().copied());
    if found != expected || size != Some(len) {
        let found = if found == expected { Vec::from([len as u64]) } else { found.to_vec() };
        return Err(OperationError::Operand { what, found, expected: expected.to_vec() });
    }
    Ok(())
}

/// An error of a tensor that a kernel makes.
fn memory(elements: usize) -> OperationError {
    SparseError::Memory { elements }.into()
}
