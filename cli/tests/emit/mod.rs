//! Emitted text, compiled and run, gives what evaluation gives: every recorded graph, and random layouts beside the algebra's own index.
//!
//! One file and one compiler run for each language; a test says so and passes where there is no compiler.

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
