//! Index functions as straight-line programs, and kernels as source text.
//!
//! This module re-exports `coordinate_graph::program`. With the feature `ragged`, it adds `crd2idx::ragged::emit`,
//! which prints kernels over ragged and paged arrays. With the feature `relayout`, it adds `CopyKernel`, which
//! prints the kernel of copies.

pub use coordinate_graph::program::*;
#[cfg(feature = "ragged")]
pub use ragged_arrays::emit::*;
#[cfg(feature = "relayout")]
pub use relayout::CopyKernel;
