//! What is known at expansion is decided at expansion, by the algebra itself.

mod blame;
mod check;
mod closed;
mod notation;

pub use check::{check, check_shape, check_stride};
pub use closed::{Known, is_closed, layout};
