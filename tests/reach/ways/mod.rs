//! Every way to reach the elements of a tensor. A way is a function of the case and the tensor; it checks the elements that
//! it reads and returns what it wrote.

pub mod elements;
pub mod others;
pub mod parts;

pub use elements::*;
pub use others::*;
pub use parts::*;
