//! Operations on tensors in any format.
//!
//! Stored elements that are equal to the fill value are elements like any other: only pruning removes them.

mod coiterate;
mod contract;
mod descend;
mod map;
mod merge;
mod reshape;
mod slice;

pub(crate) use descend::AxisSlice;
pub use merge::Merge;
pub use slice::Slice;
pub(crate) use slice::{staying, taken};
