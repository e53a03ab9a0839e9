//! Ragged arrays from and to sparse tensors.

mod from_sparse;
mod to_sparse;
