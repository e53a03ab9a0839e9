//! Relayout: every element of a tensor from one layout to another, in one memory, between ranks, pages and devices.
//!
//! A [`Side`] says where each element lies: a layout whose basis strides `@1`, `@2` are the place and `@0` the offset in it, with replicas and
//! pieces where there are. A [`Plan`] is the list of copies between two sides, decided by arithmetic on their modes: a tensor of 10^12 elements
//! takes as long as one of a thousand.
//!
//! ```
//! use relayout::{Planner, Side};
//! // A vocabulary of 50257 rows over 4 ranks, to 8: what is beyond the extent does not exist.
//! let plan = Planner::new()
//!     .extent(&[50257, 1024])
//!     .plan(&Side::parse("((12565,4),1024):((1024@0,1@1),1@0)")?, &Side::parse("((6283,8),1024):((1024@0,1@1),1@0)")?)?;
//! assert_eq!(plan.messages().len(), 11);
//! for (from, to, copy) in plan.copies().take(2) {
//!     println!("{from} to {to}: {copy}");
//! }
//! # Ok::<(), relayout::PlanError>(())
//! ```
#![no_std]
#![cfg_attr(doc, allow(rustdoc::redundant_explicit_links))]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

#[forbid(unsafe_code)]
mod block_cyclic;
#[forbid(unsafe_code)]
mod blocks;
#[forbid(unsafe_code)]
mod descriptors;
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
pub use blocks::Blocks;
pub use descriptors::{Descriptor, Descriptors, End, Pitched};
pub use plan::*;
pub use transfer::{Between, InPlace, Level, Reduction, Transfer, TransferError};
