//! Layout types, and the constant tables that compute their indices.
//!
//! `typed_layout` has the trait, and `hoist` and `constant` two ways to evaluate it early. `index_table` makes the tables,
//! and `common_factors` saves multiplications in them. `unrolled`, `residual` and `products` run them, and `evaluate`
//! chooses. `crd2crd` computes coordinates instead of indices. A faster way to compute an index belongs here.

pub(in crate::types) mod common_factors;
pub(in crate::types) mod constant;
pub(in crate::types) mod crd2crd;
pub(in crate::types) mod evaluate;
pub(in crate::types) mod hoist;
pub(in crate::types) mod index_table;
#[cfg(unoptimized)]
pub(in crate::types) mod products;
pub(in crate::types) mod residual;
pub(in crate::types) mod typed_layout;
pub(in crate::types) mod unrolled;
