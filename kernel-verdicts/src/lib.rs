#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

// `parse` reads a `Kernel` from its `tokens`. `concurrent` lists the pairs of accesses that no barrier orders. `prove` and `reach` decide
// claims for all sizes, by the linear forms of `linear` over the polynomials of `poly`. `run` runs the kernel at given sizes. `verify`
// joins the answers.
mod concurrent;
mod error;
mod kernel;
mod linear;
mod parse;
mod poly;
mod prove;
mod reach;
mod run;
#[cfg(test)]
mod tests;
mod tokens;
mod verify;

pub use error::KernelError;
pub use kernel::Kernel;
pub use verify::{Claim, Finding, KernelVerdict, Report, Touch, Witness};
