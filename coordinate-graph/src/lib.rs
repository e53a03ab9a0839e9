#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
extern crate alloc;
#[macro_use]
extern crate layout_algebra;
pub mod graph;
mod heap {
    //! The names that the prelude of `std` has and that of `core` lacks.
    pub(crate) use alloc::borrow::ToOwned;
    pub(crate) use alloc::boxed::Box;
    pub(crate) use alloc::string::{String, ToString};
    pub(crate) use alloc::vec::Vec;
    pub(crate) use alloc::{format, vec};
}
pub mod program;
mod sorted;
