//! Layouts as types, and tensors over them. No `std`, and no heap without the feature `alloc`.
//!
//! A layout is a function from coordinates to indices, given by a shape and a stride. It is a type ([`Layout`], [`LayoutAlgebra`]) whose
//! static leaves cost nothing, or a value ([`DynLayout`]) known when the program runs; both run the algebra of `layout-algebra`.
//!
//! ```
//! use layout_core::{DynLayout, Int, Layout, LayoutAlgebra, make_layout};
//! let a = make_layout((Int::<8>, Int::<6>), (Int::<1>, Int::<8>));
//! let tiles = a.zipped_divide((Int::<4>, Int::<3>));
//! assert_eq!(tiles.crd2idx(((3, 2), (1, 1))), a.crd2idx((7, 5)));
//!
//! let same = DynLayout::<16>::parse("(8,6):(1,8)")?.zipped_divide(&"(4,3)".parse()?)?;
//! assert_eq!(same.to_string(), "((4,3),(2,2)):((1,8),(4,24))");
//! # Ok::<(), layout_core::LayoutError>(())
//! ```
//!
//! * The root has the layout types with their operands, tensors and their storage, and groups of axes.
//! * [`atoms`] has the thread and value layouts of matrix instructions.
//! * [`runs`] has stretches of coordinates along which indices grow evenly.
//! * From `layout-algebra` come [`DynLayout`], [`Swizzle`], [`FastDiv`], [`LayoutError`] and the modules [`bits`], [`error`], [`expression`], [`memory`], [`swizzle`], [`trace`] and [`value`].
//!
//! `crd2idx` re-exports all of this crate: an example that imports from `layout_core` runs with `crd2idx` in its place.
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(doc, allow(rustdoc::redundant_explicit_links))]
#[cfg(feature = "alloc")]
extern crate alloc;
#[macro_use]
extern crate layout_algebra;
pub mod atoms;
mod axis_groups;
pub mod runs;
#[allow(unsafe_code)]
mod tensor;
#[allow(unsafe_code)] // what `unsafe trait` promises of layouts, and nothing else
mod types;
pub use axis_groups::FixedGcs;
#[cfg(feature = "alloc")]
pub use layout_algebra::linear;
pub use layout_algebra::{DynCoord, DynLayout, DynTiler, FastDiv, FastDiv32, FastDiv64, LayoutError, Swizzle};
pub use layout_algebra::{bits, error, expression, memory, swizzle, trace, value};
#[doc(hidden)]
pub use layout_algebra::{displayed_error, errors};
pub use tensor::*;
pub use types::*;
