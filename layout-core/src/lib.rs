//! Layout algebra.
#![forbid(unsafe_code)]
#![no_std]
#![cfg_attr(doc, allow(rustdoc::redundant_explicit_links))]
#[cfg(feature = "alloc")]
extern crate alloc;
#[macro_use]
mod operations;
pub mod algebra;
mod dynamic;
pub mod error;
mod fast_div;
#[cfg(feature = "alloc")]
mod heap {
    //! What the prelude of `std` has more than that of `core`.
    pub(crate) use alloc::borrow::ToOwned;
    pub(crate) use alloc::boxed::Box;
    pub(crate) use alloc::string::{String, ToString};
    pub(crate) use alloc::vec::Vec;
    pub(crate) use alloc::{format, vec};
}
#[cfg(feature = "alloc")]
pub mod graph;
pub mod level;
#[cfg(feature = "alloc")]
pub mod program;
pub mod swizzle;
mod sym_int;
pub mod text;
mod types;
pub mod value;
pub use dynamic::{DynCoord, DynLayout, DynTiler};
pub use error::LayoutError;
pub use fast_div::{FastDiv, FastDiv32, FastDiv64};
pub use swizzle::Swizzle;
pub use types::*;
