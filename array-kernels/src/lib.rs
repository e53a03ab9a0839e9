#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
extern crate alloc;
#[cfg(feature = "parallel")]
extern crate std;
mod indices;
mod level;
#[allow(unsafe_code, reason = "advice to the system about memory that nobody else borrows")]
pub mod memory;
pub mod merge_path;
pub mod network;
pub mod parallel;
pub mod radix;
#[allow(unsafe_code, reason = "integers are read as other integers of the same size")]
mod same_bits;
pub mod spread;
#[allow(unsafe_code, reason = "stores past the caches need intrinsics")]
pub mod streaming_writes;
pub use indices::{Indices, OffsetIndex, Width};
/// The typed levels, for macros.
#[doc(hidden)]
pub use layout_levels as levels;
#[doc(hidden)]
pub use level::numbers;
pub use level::{ChainError, DynLevel, FromLevel, FromLevels, LevelView, Ranges, RowLengths, StoredCoordinates, chain};

/// The bounds of a value type: owned, `Clone`, sendable between threads, with a default value to fill memory with.
///
/// ```
/// use array_kernels::Value;
/// /// Returns a dense row of these entries; other elements have the default value.
/// fn dense<V: Value>(entries: &[(usize, V)], extent: usize) -> Vec<V> {
///     let mut row = vec![V::default(); extent];
///     entries.iter().for_each(|(column, value)| row[*column] = value.clone());
///     row
/// }
/// assert_eq!(dense(&[(2, 1.5)], 4), [0.0, 0.0, 1.5, 0.0]);
/// assert_eq!(dense(&[(1, "b".to_string())], 2), ["", "b"]);
/// ```
pub trait Value: Clone + Default + Send + Sync + 'static {}

impl<T: Clone + Default + Send + Sync + 'static> Value for T {}
