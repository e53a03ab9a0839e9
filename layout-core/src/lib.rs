//! Layout algebra.
#![no_std]
#[cfg(feature = "alloc")]
extern crate alloc;
pub mod algebra;
pub mod error;
pub mod swizzle;
pub mod text;
pub mod value;
pub use swizzle::Swizzle;
pub use error::LayoutError;
