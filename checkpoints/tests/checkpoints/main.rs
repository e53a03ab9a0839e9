//! Checkpoints that the crate `safetensors` writes and reads, moved between ranks.

mod faults;
mod moves;
mod naive;
mod numpy;
mod resume;
