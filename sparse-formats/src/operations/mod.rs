//! Operations on tensors in any format.
//!
//! Stored elements that equal the fill value count as elements. Only pruning removes them.

// `map` is about values, `merge` (with `coiterate` and `merge_rows`) about two tensors, `map_with` about more, `slice` (with `descend` and `slice_rows`), `reshape` and
// `contract` about axes. Kernels that add and multiply numbers are in `products`, and conversions in `tensor`.
mod coiterate;
mod contract;
mod descend;
mod map;
mod map_with;
mod merge;
mod merge_rows;
mod reshape;
mod slice;
mod slice_rows;

pub(crate) use descend::AxisSlice;
pub use merge::Merge;
pub use slice::AxisSelection;
pub(crate) use slice::{staying, taken};
