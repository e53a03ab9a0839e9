//! Stages: which nodes are computed once for each launch, on the host.

use super::ir::{Id, Inst, Ir};
use crate::program::Time;
use crate::sorted::SortedSet;
use layout_algebra::heap::*;

/// The numbers that a launch hands to the threads.
pub(super) struct Stages {
    /// Inputs and values of the host that the threads use, operands first.
    pub values: Vec<Id>,
    /// The divisors of which the threads use the magic numbers.
    pub divisors: Vec<Id>,
}

/// A part of the structure of a launch, by its place among the values or the divisors, and its node.
#[derive(Clone, Copy)]
pub(super) enum LaunchField {
    Value(usize, Id),
    /// Three words: the magic numbers.
    Divisor(usize, Id),
}

impl LaunchField {
    pub fn id(self) -> Id {
        let (LaunchField::Value(_, id) | LaunchField::Divisor(_, id)) = self;
        id
    }
}

impl Stages {
    /// The structure in its order: a divisor and its magic numbers are four words, which are read by pairs, so those come first; numbers that
    /// stand alone come last.
    pub fn fields(&self) -> Vec<LaunchField> {
        let value = |divisor: Id| self.values.iter().position(|id| *id == divisor);
        let divisors = || self.divisors.iter().copied().enumerate();
        let mut out = Vec::new();
        for (k, id) in divisors() {
            if let Some(at) = value(id) {
                out.extend([LaunchField::Value(at, id), LaunchField::Divisor(k, id)]);
            }
        }
        out.extend(divisors().filter(|(_, id)| value(*id).is_none()).map(|(k, id)| LaunchField::Divisor(k, id)));
        let alone = self.values.iter().copied().enumerate().filter(|(_, id)| !self.divisors.contains(id));
        out.extend(alone.map(|(k, id)| LaunchField::Value(k, id)));
        out
    }
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
