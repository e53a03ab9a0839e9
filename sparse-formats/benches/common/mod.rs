//! What the benches beside other libraries share.
#![allow(dead_code, reason = "each bench uses some of it")]

pub mod harness;
pub mod probe;
pub mod random;
