#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(doc, allow(rustdoc::redundant_explicit_links))]
#[cfg(feature = "alloc")]
extern crate alloc;
#[macro_use]
extern crate layout_algebra;
pub mod atoms;
mod axis_map;
pub mod runs;
#[allow(unsafe_code)]
mod tensor;
#[allow(unsafe_code)] // what `unsafe trait` promises of layouts, and nothing else
mod types;
pub use axis_map::FixedAxisMap;
#[cfg(feature = "alloc")]
pub use layout_algebra::linear;
pub use layout_algebra::{DynCoord, DynLayout, DynTiler, FastDiv, FastDiv32, FastDiv64, LayoutError, Swizzle};
pub use layout_algebra::{bits, error, expression, memory, swizzle, trace, value};
#[doc(hidden)]
pub use layout_algebra::{displayed_error, errors, named};
pub use tensor::*;
pub use types::*;
