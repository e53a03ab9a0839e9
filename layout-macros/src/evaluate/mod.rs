//! Evaluation during expansion: the algebra decides here everything that the literals determine. `closed`
//! evaluates, `check` tests layouts whose leaves are not all known, and `blame` finds the tokens of an error.

mod blame;
mod check;
mod closed;
mod notation;

pub use check::{check, check_shape, check_stride, no_xor};
pub use closed::{KnownLayout, is_closed, layout};
