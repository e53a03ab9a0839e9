//! Conversions between ragged arrays and sparse tensors.

mod from_sparse;
mod to_sparse;
