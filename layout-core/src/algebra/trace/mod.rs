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

use crate::error::{Cause, Result};
use crate::value::{ExprGraph, LayoutValue, SymInt};

/// Requires known numbers and integer strides.
fn require_integers<const N: usize>(l: &LayoutValue<N>, cx: &ExprGraph<0>) -> Result<()> {
    if !l.is_known() {
        return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0)));
    }
    if !l.is_integer() {
        return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0)));
    }
    Ok(())
}
