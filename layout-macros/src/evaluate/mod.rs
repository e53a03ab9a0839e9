//! Evaluation at expansion: what is known then is decided then, by the algebra itself.

mod blame;
mod check;
mod closed;
mod notation;

pub use check::{check, check_shape, check_stride, no_xor};
pub use closed::{Known, is_closed, layout};
