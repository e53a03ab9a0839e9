#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_code)]

// `header` reads files, `spec` says what each rank has, `checkpoint` joins both. `block` cuts tensors, `plan` lists the files to
// write, and `run` writes them by the `journal`.
mod block;
mod cast;
mod checkpoint;
mod error;
mod handle;
mod header;
mod journal;
mod plan;
mod run;
mod spec;
mod threads;
mod verify;

pub use cast::dtype_named;
pub use checkpoint::{Checkpoint, CheckpointTensor};
pub use error::{CheckpointError, Result};
pub use plan::{PlanOptions, PlanSummary, ReshardPlan};
pub use safetensors::Dtype;
pub use spec::CheckpointSpec;
pub use verify::verify;
