//! Tensors and what kernels do with layouts: walks, tiles, windows, vectors, as users of the facade write them.

mod common;
mod kernels;
