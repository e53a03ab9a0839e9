//! Constant against dynamic, and layout types with run-time leaves against both. Written by scripts/generate_stages.py.

mod blocked_product;
mod coalesce;
mod complement;
mod composition;
mod filter;
mod flat_divide;
mod flatten;
mod left_inverse;
mod logical_divide;
mod logical_product;
mod nullspace;
mod raked_product;
mod right_inverse;
mod tiled_divide;
mod zipped_divide;
