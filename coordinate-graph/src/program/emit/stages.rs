//! Stages: decides which nodes the host computes once for each launch. All other nodes are computed in each thread.

use super::ir::{Id, Instruction, Ir};
use crate::program::Time;
use crate::sorted::SortedSet;
use layout_algebra::heap::*;

/// The numbers that a launch passes to the threads.
pub(super) struct Stages {
    /// The inputs of the launch and the nodes computed on the host that the threads use, operands first.
    pub values: Vec<Id>,
    /// The divisors whose magic numbers the threads use.
    pub divisors: Vec<Id>,
}

/// A field of the structure of a launch: its position among the values or among the divisors, from 0, and its node.
#[derive(Clone, Copy)]
pub(super) enum LaunchField {
    Value(usize, Id),
    /// The magic numbers of a divisor, three words of the structure.
    Divisor(usize, Id),
}

impl LaunchField {
    pub fn id(self) -> Id {
        let (LaunchField::Value(_, id) | LaunchField::Divisor(_, id)) = self;
        id
    }
}

impl Stages {
    /// Returns the fields in the order of the structure. A divisor and its magic numbers are four words and can be
    /// read in pairs, so they come first. Single numbers come last.
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

/// Returns the launch numbers that threads need to compute `roots`; `None` if all of them are inputs, so that nothing is
/// computed on the host.
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
            // A truth value is passed as a number.
            Instruction::Number(a) if ir.time(id) == Some(Time::Launch) => live[a] = true,
            _ if ir.time(id) == Some(Time::Launch) => values.push(id),
            Instruction::Quotient(a, b) => {
                live[a] = true;
                divisors.insert(b);
            }
            op => op.operands().for_each(|operand| live[operand] = true),
        }
    }
    values.reverse();
    let prepared = !divisors.is_empty() || values.iter().any(|id| !matches!(ir.inst(*id), Instruction::Input(_)));
    prepared.then(|| Stages { values, divisors: divisors.into_iter().collect() })
}
