//! Laws of coordinate graphs, on random graphs with random sizes, strides, offsets and parameters.
//!
//! `random` makes the graphs, and `naive` computes the definitions without the library. A new transform needs a formula in both.

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
