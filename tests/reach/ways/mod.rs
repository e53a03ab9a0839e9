//! Every way to reach the elements of a tensor, as a function of the case and the tensor that checks what it reads and says what it wrote.

pub mod elements;
pub mod others;
pub mod parts;

pub use elements::*;
pub use others::*;
pub use parts::*;
