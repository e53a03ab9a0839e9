//! Laws of coordinate graphs, on random graphs with random sizes, strides, offsets and parameters.
//!
//! A second implementation computes the definitions without the library: see `random` and `naive`.

mod chains;
mod deltas;
mod inverses;
mod layouts;
pub mod naive;
mod paths;
mod producers;
mod programs;
pub mod random;
mod runs;
mod storage;
mod validity;
