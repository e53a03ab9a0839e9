//! Tests of contractions: drawn at random against loops over all coordinates, and by cases.

mod common;
mod drawn;
mod errors;
mod kernels;
mod results;
mod semirings;
