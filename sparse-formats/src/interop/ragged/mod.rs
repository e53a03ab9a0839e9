//! Conversions between ragged arrays and sparse tensors; the two modules are inverse to each other.

mod from_sparse;
mod to_sparse;
