//! Traversal of ragged arrays: emitted text, compiled and run, gives the answers of `RaggedArray`.

mod c;
pub mod cases;
mod command;
mod document;
pub mod harness;
mod opencl;
mod paged;
mod rust;
mod text;
mod wgsl;
