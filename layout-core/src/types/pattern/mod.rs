//! Operands and layouts as the algebra has them in constants: descriptors of types, and patterns of leaves that are numbers or nodes over run-time leaves.

pub(in crate::types) mod descriptor;
pub(in crate::types) mod operand;
#[allow(clippy::module_inception)]
pub(in crate::types) mod pattern;
