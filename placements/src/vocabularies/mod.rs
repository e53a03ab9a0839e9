//! The vocabularies of frameworks: each reader makes a placement.

mod block_cyclic;
mod dtensor;
mod explicit;
mod hpf;
mod jax;
mod kv_cache;
mod megatron;
mod scanner;

pub use kv_cache::{KvCache, PageOrder};
pub use megatron::ParallelLayer;

use crate::error::{PlacementError, Result};
use alloc::string::String;

/// Returns the error of a number that a vocabulary does not allow.
pub(crate) fn refuse<T>(vocabulary: &'static str, name: &'static str, value: i64, reason: impl Into<String>) -> Result<T> {
    Err(PlacementError::Parameter { vocabulary, name, value, reason: reason.into() })
}
