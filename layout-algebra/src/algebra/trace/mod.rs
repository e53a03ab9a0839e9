//! How results come about, step by step.
//!
//! A trace is recorded from the very functions that compute the result, so it shows what they decide and where they refuse. It is of known
//! integers; traced at run time, it costs the operations themselves nothing.

mod complement;
mod composition;
mod coords;
mod inverses;
mod modes;

pub use super::complement::Gap;
pub use super::compose::Run;
pub use complement::{Complement, complement};
pub use composition::{Boundary, Composition, Crossing, Sum, composition};
pub use coords::{Digit, Step, digits_of, preimage};
pub use inverses::{Place, chained, places};
pub use modes::{Merged, by_mode, merged_modes};

use crate::error::{Result, refuse_if};
use crate::value::{ExprGraph, LayoutValue};

/// Requires known numbers and integer strides.
fn require_integers<const N: usize>(l: &LayoutValue<N>, cx: &ExprGraph<0>) -> Result<()> {
    refuse_if!(cx, !l.is_known(), Undecided);
    l.require_integers(cx)
}
