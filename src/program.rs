//! Index functions as straight-line programs, and kernels as source text.
//!
//! The names of `coordinate_graph::program`. With the feature `ragged`, the names of `crd2idx::ragged::emit`, which print kernels over ragged and paged arrays, stand beside
//! them; with `relayout`, `CopyKernel`, which prints the kernel of copies.

pub use coordinate_graph::program::*;
#[cfg(feature = "ragged")]
pub use ragged_arrays::emit::*;
#[cfg(feature = "relayout")]
pub use relayout::CopyKernel;
