//! Conversions and products on slices.
//!
//! With the feature `parallel` they run on the threads of the current rayon pool; results do not depend on how many there are.

mod compress;
pub(crate) mod error;
mod finish;
mod linear;
mod merge;
mod partition;
pub(crate) mod path;
mod pointers;
mod product;
mod rows;
pub(crate) mod runs;
pub(crate) mod spread;
pub(crate) mod tasks;

pub(crate) use compress::compress_columns;
pub use compress::{Compressed, compress, transpose};
pub use error::Error;
pub(crate) use error::below;
pub use linear::linear;
pub(crate) use linear::{Linear, linear_fits};
pub use pointers::{expand, pointers_of};
pub use product::Matrix;

/// A type of values: owned and cloned, shared between threads, with a value to fill memory with.
pub trait Value: Clone + Default + Send + Sync + 'static {}

impl<T: Clone + Default + Send + Sync + 'static> Value for T {}
