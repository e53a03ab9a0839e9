//! Every way to reach elements: a function of the case and the tensor that checks what it reads and returns what it wrote.

pub mod elements;
pub mod others;
pub mod subtensors;

pub use elements::*;
pub use others::*;
pub use subtensors::*;
