#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod assignment;
mod check;
mod choose;
mod component;
mod convert;
mod cost;
mod cuda;
mod distribution;
mod error;
mod fixed;
mod interface;
mod parse;
mod plan;
mod program;
mod report;
mod search;
mod shared;
mod shuffle;
mod target;

pub use cost::TileCost;
pub use error::ChoiceError;
pub use program::{TileMemory, TileProgram, TileTensor};
pub use report::{TileChoice, TileMove, TileStatement};
