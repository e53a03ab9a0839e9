//! Checksums of tensors, which do not depend on placements.

use crate::block::blocks;
use crate::cast::after;
use crate::checkpoint::{Checkpoint, CheckpointTensor};
use crate::error::{CheckpointError, Result};
use crate::plan::PlanOptions;
use crate::threads::on_threads;
use rayon::prelude::*;
use safetensors::Dtype;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of elements of a block. Checksums depend on it.
const ELEMENTS: i64 = 1 << 19;

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns a checksum of bytes and their order. It finds faults, but resists no attacker.
fn digest(bytes: &[u8]) -> u64 {
    let mut lanes = [1, 2, 3, 4].map(|lane: u64| lane.wrapping_mul(FACTOR));
    let mut add = |bytes: &[u8]| {
        for (lane, word) in lanes.iter_mut().zip(bytes.chunks_exact(8)) {
            let word = word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            *lane = (*lane ^ word).wrapping_mul(FACTOR).rotate_left(29);
        }
    };
    let mut chunks = bytes.chunks_exact(32);
    chunks.by_ref().for_each(&mut add);
    let mut last = [0; 32];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    add(&last);
    lanes.into_iter().fold(bytes.len() as u64, mixed)
}

fn mixed(sum: u64, next: u64) -> u64 {
    let product = (sum ^ next).wrapping_mul(FACTOR);
    (product ^ product >> 32).wrapping_mul(FACTOR).rotate_left(31)
}

impl Checkpoint {
    /// Returns a checksum of the elements of a tensor after a cast. It depends on values and shape, and not on the placement.
    ///
    /// # Errors
    /// Fails if the system refuses to read.
    pub fn checksum(&self, tensor: &CheckpointTensor, cast: Option<Dtype>) -> Result<u64> {
        let blocks = blocks(tensor.placement.shape(), ELEMENTS);
        let digests: Vec<u64> = blocks.par_iter().map(|block| Ok(digest(&self.block(tensor, block, cast)?))).collect::<Result<_>>()?;
        Ok(digests.into_iter().fold(tensor.elements() as u64, mixed))
    }
}

/// Compares all tensors of two checkpoints: names, shapes, types after the cast, and checksums of the elements. Returns the number
/// of tensors. The options have the cast, the memory and the threads; one thread needs up to 20 MiB. `progress` receives the numbers of tensors compared so far and in all, and may stop the comparison.
///
/// # Errors
/// Fails with the name of a tensor that differs, and if the system refuses to read.
pub fn verify(
    source: &Checkpoint,
    target: &Checkpoint,
    options: &PlanOptions,
    progress: &(dyn Fn(u64, u64) -> ControlFlow<()> + Sync),
) -> Result<usize> {
    let names: HashSet<&str> = source.tensors().map(CheckpointTensor::name).collect();
    if let Some(more) = target.tensors().find(|tensor| !names.contains(tensor.name())) {
        return Err(CheckpointError::tensor(more.name(), "the target has it, but the source lacks it"));
    }
    let by_name: HashMap<&str, &CheckpointTensor> = target.tensors().map(|tensor| (tensor.name(), tensor)).collect();
    let (done, count) = (AtomicU64::new(0), source.tensors.len());
    let cast = options.cast;
    let compare = |tensor: &CheckpointTensor| {
        let refuse = |reason: String| CheckpointError::tensor(tensor.name(), reason);
        let other = by_name.get(tensor.name()).ok_or_else(|| refuse("the target lacks it".into()))?;
        if other.shape() != tensor.shape() {
            return Err(refuse(format!("the source has the shape {:?}, but the target {:?}", tensor.shape(), other.shape())));
        }
        let dtype = after(tensor.dtype(), cast);
        if other.dtype() != dtype {
            return Err(refuse(format!("the target has elements of type {}, but {dtype} are expected", other.dtype())));
        }
        let (first, second) = (source.checksum(tensor, cast)?, target.checksum(other, None)?);
        if first != second {
            return Err(refuse(format!(
                "the elements differ: the checksum of the source is {first:016x}, but of the target {second:016x}"
            )));
        }
        let now = done.fetch_add(1, Ordering::Relaxed) + 1;
        if progress(now, count as u64).is_break() { Err(CheckpointError::Stopped) } else { Ok(()) }
    };
    on_threads(options.threads_for(ELEMENTS as u64 * 8), || source.tensors.par_iter().try_for_each(compare))?;
    Ok(count)
}
