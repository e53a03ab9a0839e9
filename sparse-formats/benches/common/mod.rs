//! Code shared by the benches that compare with other libraries.
#![allow(dead_code, reason = "each bench uses some of it")]

pub mod harness;
pub mod probe;
pub mod random;
