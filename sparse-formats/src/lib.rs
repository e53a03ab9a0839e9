//! Sparse and ragged arrays as chains of levels over the layouts of `layout-core`.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

mod indices;

pub use indices::{Indices, Width};
