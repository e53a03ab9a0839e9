//! Operations on tensors in any format.
//!
//! Stored elements that equal the fill value count as elements. Only pruning removes them.

// `map` is about values, `merge` (with `coiterate`) about two tensors, `map_with` about more, `slice` (with `descend`), `reshape` and
// `contract` about axes. Kernels that add and multiply numbers are in `products`, and conversions in `tensor`.
mod coiterate;
mod contract;
mod descend;
mod map;
mod map_with;
mod merge;
mod reshape;
mod slice;

pub(crate) use descend::AxisSlice;
pub use merge::Merge;
pub use slice::AxisSelection;
pub(crate) use slice::{staying, taken};
