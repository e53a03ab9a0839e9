#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(doc, allow(rustdoc::redundant_explicit_links))]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

// `block_cyclic` and `blocks` describe tensors as sides, `plan` lists the copies, and `transfer` runs them. Only
// `transfer` has `unsafe`. `descriptors` and `kernel` write a finished plan down for other programs that run it.
#[forbid(unsafe_code)]
mod block_cyclic;
#[forbid(unsafe_code)]
mod blocks;
#[forbid(unsafe_code)]
mod descriptors;
#[forbid(unsafe_code)]
#[cfg(feature = "json")]
pub mod json;
#[forbid(unsafe_code)]
#[cfg(feature = "emit")]
mod kernel;
#[forbid(unsafe_code)]
mod order;
#[forbid(unsafe_code)]
mod plan;
mod transfer;

pub use block_cyclic::BlockCyclic;
pub use blocks::HaloBlocks;
pub use descriptors::{Descriptors, MemoryDescriptor, Pitched, TransferEnd};
#[cfg(feature = "emit")]
pub use kernel::CopyKernel;
pub use plan::*;
pub use transfer::{Between, InPlace, InstructionSet, ReducingTransfer, Transfer, TransferError};
