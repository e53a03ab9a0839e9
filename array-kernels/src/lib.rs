#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
extern crate alloc;
#[cfg(feature = "parallel")]
extern crate std;
mod indices;
#[allow(unsafe_code, reason = "advice to the system about memory that nobody else borrows")]
pub mod memory;
pub mod merge_path;
pub mod network;
pub mod parallel;
pub mod radix;
pub mod spread;
#[allow(unsafe_code, reason = "stores past the caches have no other name")]
pub mod streaming_writes;
pub use indices::{Indices, Width};

/// A type of values: owned and cloned, shared between threads, with a value to fill memory with.
pub trait Value: Clone + Default + Send + Sync + 'static {}

impl<T: Clone + Default + Send + Sync + 'static> Value for T {}
