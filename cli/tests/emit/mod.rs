//! Emitted text, compiled and run, gives the results of evaluation: for every recorded graph, and for random layouts.
//!
//! Each language has one file and one compiler run. Without a compiler, a test says so and passes.

mod c;
pub mod cases;
mod command;
mod cuda;
pub mod graphs;
pub mod layouts;
mod opencl;
mod ragged;
mod rust;
pub mod tool;
mod wgsl;
