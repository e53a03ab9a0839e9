#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_code)]

// `format` reads files, by `header` or `numpy`, `spec` says what each rank has, `source_paths` which file, and `checkpoint` joins them. `block` cuts tensors,
// `plan` lists the files to write, and `run` writes them by the `journal`.
mod block;
mod cast;
mod checkpoint;
mod contents;
mod error;
mod format;
mod handle;
mod header;
mod journal;
mod numpy;
mod plan;
mod run;
mod source_paths;
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
