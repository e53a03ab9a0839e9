//! Stages: which nodes are computed once for each launch, on the host.

use super::ir::{Id, Inst, Ir};
use crate::heap::*;
use crate::program::Time;
use crate::sorted::SortedSet;

/// The numbers that a launch hands to the threads.
pub(super) struct Stages {
    /// Inputs and values of the host that the threads use, operands first.
    pub values: Vec<Id>,
    /// The divisors of which the threads use the magic numbers.
    pub divisors: Vec<Id>,
}

/// The numbers that threads need of the launch to compute `roots`; `None` where these are inputs alone.
pub(super) fn stages(ir: &Ir, roots: impl IntoIterator<Item = Id>) -> Option<Stages> {
    let mut live = vec![false; ir.len()];
    for root in roots {
        live[root] = true;
    }
    let (mut values, mut divisors) = (Vec::new(), SortedSet::new());
    for id in (0..ir.len()).rev() {
        if !live[id] {
            continue;
        }
        match ir.inst(id) {
            // A truth value travels as the number it is.
            Inst::Number(a) if ir.time(id) == Some(Time::Launch) => live[a] = true,
            _ if ir.time(id) == Some(Time::Launch) => values.push(id),
            Inst::Quotient(a, b) => {
                live[a] = true;
                divisors.insert(b);
            }
            op => op.operands().for_each(|operand| live[operand] = true),
        }
    }
    values.reverse();
    let prepared = !divisors.is_empty() || values.iter().any(|id| !matches!(ir.inst(*id), Inst::Input(_)));
    prepared.then(|| Stages { values, divisors: divisors.into_iter().collect() })
}
