//! Types as the algebra reads them, in constants.
//!
//! `descriptor` describes a type, and `operand` has the traits of types with a description. A `pattern` is a layout whose
//! leaves are numbers, or nodes over run-time leaves.

pub(in crate::types) mod descriptor;
pub(in crate::types) mod operand;
#[allow(clippy::module_inception)]
pub(in crate::types) mod pattern;
