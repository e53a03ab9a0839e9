//! Loops over coordinates, and what a layout promises of them.

pub(in crate::types) mod known_steps;
pub(in crate::types) mod loops;
pub(in crate::types) mod part;
pub(in crate::types) mod positions;
pub(in crate::types) mod raw_layout;
pub(in crate::types) mod steps;
#[allow(clippy::module_inception)]
pub(in crate::types) mod walk;
