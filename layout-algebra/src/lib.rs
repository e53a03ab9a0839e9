#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
#[cfg(feature = "alloc")]
extern crate alloc;
#[macro_use]
mod each;
#[macro_use]
mod named_enum;
#[macro_use]
mod operations;
pub mod algebra;
#[cfg(feature = "alloc")]
pub mod analysis;
mod banks;
pub mod bits;
mod dynamic;
pub mod error;
pub mod expression;
pub mod fast_div;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub mod heap {
    //! The names of `alloc` that are in the prelude of `std`.
    pub use alloc::borrow::ToOwned;
    pub use alloc::boxed::Box;
    pub use alloc::string::{String, ToString};
    pub use alloc::vec::Vec;
    pub use alloc::{format, vec};
}
#[cfg(feature = "alloc")]
pub mod linear;
pub mod memory;
pub mod swizzle;
mod sym_int;
pub mod text;
pub mod value;
pub use algebra::trace;
pub use dynamic::{DynCoord, DynLayout, DynTiler};
pub use error::LayoutError;
pub use fast_div::{FastDiv, FastDiv32, FastDiv64};
pub use swizzle::Swizzle;
