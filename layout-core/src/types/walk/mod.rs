//! Loops over coordinates, and the promises of layouts to tensors.
//!
//! `raw_layout` has these promises, and `known_steps` the steps that a type determines. `loops` has extents and steps, `steps` the
//! state that loops advance, and `walk` runs and orders the loops. `coordinate_box` has boxes with nested modes; `positions` has digits.
//!
//! Only `types` names these modules, but most of their types are public in `layouts`: a change here can break users.

pub(in crate::types) mod coordinate_box;
pub(in crate::types) mod known_steps;
pub(in crate::types) mod loops;
pub(in crate::types) mod positions;
pub(in crate::types) mod raw_layout;
pub(in crate::types) mod steps;
#[allow(clippy::module_inception)]
pub(in crate::types) mod walk;
