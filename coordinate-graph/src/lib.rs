#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
extern crate alloc;
#[macro_use]
extern crate layout_algebra;
pub mod graph;
pub mod program;
mod sorted;
