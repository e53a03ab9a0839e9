//! The graphs of `examples/graphs`, compared with loops written by hand.

mod figures;
pub mod files;
mod gemm;
mod im2col;
mod stream_k;
mod workgroups;
