#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

// `subscripts` reads the text. `estimate`, `path` and `kernel` choose the steps of a `plan`, and `steps` runs them.
mod contraction;
mod error;
mod estimate;
mod factor;
mod kernel;
mod path;
mod plan;
mod semiring;
mod steps;
mod subscripts;
mod value;

pub use contraction::{Contraction, contract, explain};
pub use error::ContractionError;
pub use factor::{Contracted, Factor};
pub use kernel::ContractionKernel;
pub use plan::{ContractionPlan, ContractionStep};
pub use semiring::{Arithmetic, MaxTimes, MinPlus, OrAnd, Semiring};
