//! Layout types, and the constant tables that compute their indices.

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
