//! The graphs of `examples/graphs`, compared with loops written by hand. A new graph gets a file here and its name in `files`.

mod figures;
pub mod files;
mod gemm;
mod im2col;
mod stream_k;
mod workgroups;
