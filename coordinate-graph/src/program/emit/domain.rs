//! The domains of inputs in words.

use layout_algebra::heap::*;
use layout_algebra::value::Facts;

/// Returns `name in [lo, hi)` for an input with the `known` facts and the upper bound `below`, followed by `note`. A bound
/// that is not known is left out.
pub(super) fn of(name: &str, known: Facts, below: Option<String>, note: &str) -> String {
    let lo = (known.lo != i64::MIN).then_some(known.lo);
    let hi = (known.hi != i64::MAX).then(|| (known.hi as i128 + 1).to_string());
    let upper = below.clone().or(hi);
    let mut text = match (lo, upper) {
        (Some(lo), Some(upper)) => format!("{name} in [{lo}, {upper})"),
        (Some(lo), None) => format!("{name} >= {lo}"),
        (None, Some(upper)) => format!("{name} < {upper}"),
        (None, None) => format!("{name} is any integer"),
    };
    if below.is_some() && known.hi != i64::MAX {
        text += &format!(", at most {}", known.hi);
    }
    if known.div > 1 && known.div != i64::MAX {
        text += &format!(", a multiple of {}", known.div);
    }
    text + note
}
