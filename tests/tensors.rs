//! Tensors, and the use of layouts in kernels: walks, tiles, windows and vectors, as users of the facade write them.

mod common;
mod kernels;
