#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_code)]

mod array;
mod copy;
#[cfg(feature = "zarr")]
mod durable;
mod error;
mod flat;
mod grid;
#[cfg(feature = "hdf5")]
mod hdf5;
mod options;
mod plan;
mod stage;
#[cfg(feature = "zarr")]
mod zarr;

pub use array::{SourceArray, plan, rechunk};
pub use error::RechunkError;
pub use grid::{Axis, Grid};
pub use options::{ArrayCodec, Chunks, RechunkOptions, RechunkReport};
pub use plan::{RechunkPlan, RechunkPlanOptions, Stage};
