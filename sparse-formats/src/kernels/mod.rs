//! Conversions and products on slices.
//!
//! With the feature `parallel` they run on the threads of the current rayon pool; results do not depend on how many there are.

pub(crate) mod check;
mod compress;
mod duplicates;
mod linear;
mod merge;
pub(crate) mod merge_path;
pub(crate) mod network;
pub(crate) mod parallel;
mod partition;
mod pointers;
mod product;
pub(crate) mod radix;
mod rows;
mod sort_buckets;
pub(crate) mod spread;
#[allow(unsafe_code, reason = "stores past the caches have no other name")]
mod streaming_writes;
#[allow(unsafe_code, reason = "instructions that not every machine has")]
pub(crate) mod wide;

pub(crate) use check::below;
pub(crate) use compress::compress_columns;
pub use compress::{CompressedRows, compress, transpose};
pub use duplicates::Duplicates;
pub use linear::linear;
pub(crate) use linear::{Linear, linear_fits};
pub use pointers::{expand, pointers_of};
pub use product::Matrix;

/// A type of values: owned and cloned, shared between threads, with a value to fill memory with.
pub trait Value: Clone + Default + Send + Sync + 'static {}

impl<T: Clone + Default + Send + Sync + 'static> Value for T {}
