//! Tensors of other crates' arrays and back, and tiles on several threads.

#[path = "../common/mod.rs"]
mod common;

mod ndarray;
mod parallel;
mod raw;
