//! Traces: the steps from the operands of an operation to its result.
//!
//! The functions that compute a result also record its trace, so a trace shows their decisions and where they refuse. Traces
//! exist for known integers. Only a caller that requests a trace pays for it.

mod complement;
mod composition;
mod coords;
mod inverses;
mod modes;

pub use super::complement::Gap;
pub use super::compose::LinearRun;
pub use complement::{ComplementTrace, complement};
pub use composition::{CompositionTrace, Crossing, ModeBoundary, RunSum, composition};
pub use coords::{CoordinateStep, Digit, digits_of, preimage};
pub use inverses::{InverseMode, chained, places};
pub use modes::{Merged, by_mode, merged_modes};

use crate::error::{Result, refuse_if};
use crate::value::{ExprGraph, LayoutValue};

/// Fails unless all numbers of `l` are known and its strides are integers.
fn require_integers<const N: usize>(l: &LayoutValue<N>, cx: &ExprGraph<0>) -> Result<()> {
    refuse_if!(cx, !l.is_known(), Undecided);
    l.require_integers(cx)
}
