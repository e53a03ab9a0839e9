//! Kernels on slices: conversions between coordinate lists and compressed rows, their sorting steps, and
//! matrix-vector products.
//!
//! With the feature `parallel`, kernels run on the threads of the current rayon pool. Results do not depend on the
//! number of threads. A kernel here takes plain arrays; kernels on tensors of any format are in `products`.

pub(crate) mod check;
mod compress;
mod duplicates;
#[allow(unsafe_code, reason = "instructions that not every machine has")]
pub(crate) mod extract_bits;
mod in_cache;
mod linear;
mod merge;
mod partition;
mod pointers;
#[allow(unsafe_code, reason = "instructions that not every machine has")]
pub(crate) mod prefetch;
mod product;
pub(crate) mod rows;
mod sort_buckets;
mod sort_row;
#[allow(unsafe_code, reason = "instructions that not every machine has")]
pub(crate) mod vector_width;

pub(crate) use check::below;
pub(crate) use compress::compress_columns;
pub use compress::{CompressedRows, compress, transpose};
pub use duplicates::Duplicates;
pub use linear::linear;
pub(crate) use linear::{Linear, linear_fits};
pub use pointers::{expand, pointers_of};
pub use product::Matrix;

pub use array_kernels::Value;
