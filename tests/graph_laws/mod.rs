//! Laws of coordinate graphs, on random graphs with random sizes, strides, offsets and parameters.
//!
//! What a graph computes by the definitions is worked out beside it, without the library: see `random` and `naive`.

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
