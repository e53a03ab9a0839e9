#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

// `partition` divides one tensor axis, `overlay` compares two divisions, `placement` joins the axes, `reshard` moves, and `text` reads data.
mod error;
mod mesh;
mod overlay;
mod partition;
mod placement;
mod reshard;
mod rule;
mod side;
#[cfg(feature = "serde")]
mod text;
mod vocabularies;

pub use error::{LimitedItem, PlacementError, Result};
pub use mesh::{MAX_AXES, MAX_DEVICES, Mesh};
pub use overlay::IndexRun;
pub use partition::MAX_RANGES;
pub use placement::Placement;
pub use reshard::{DeviceTransfer, Link, LinkModel, MAX_TRANSFERS, Reshard, RoundMessage};
pub use rule::{AxisSplit, ReduceOp, Rule};
#[cfg(feature = "serde")]
pub use text::{PlacementText, RuleText, SpecEntry, SplitText};
pub use vocabularies::{KvCache, PageOrder, ParallelLayer};
