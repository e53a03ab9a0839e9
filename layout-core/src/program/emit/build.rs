//! Nodes in the form that reads best: no negative summand, truth values joined by `&&` and `||`, no division where a shift does.

use super::graph::{Bounds, Graph, Id, Op};
use crate::program::Time;
use crate::value::Facts;

impl Graph {
    pub fn int(&mut self, value: i64) -> Id {
        self.node(Op::Int(value), Facts::exactly(value))
    }

    fn truth(&mut self, op: Op) -> Id {
        self.node(op, Facts::BOOLEAN)
    }

    fn value(&self, id: Id) -> Option<i64> {
        match self.op(id) {
            Op::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a known number or truth value.
    pub fn constant(&self, id: Id) -> Option<i64> {
        match self.op(id) {
            Op::Truth(value) => Some(value as i64),
            _ => self.value(id),
        }
    }

    /// `a` as a number.
    pub fn number(&mut self, a: Id) -> Id {
        match self.op(a) {
            Op::Truth(value) => self.int(value as i64),
            _ if self.is_truth(a) => self.node(Op::Number(a), Facts::BOOLEAN),
            _ => a,
        }
    }

    /// Whether `a` is not 0.
    pub fn condition(&mut self, a: Id) -> Id {
        if self.is_truth(a) {
            return a;
        }
        match self.value(a) {
            Some(value) => self.truth(Op::Truth(value != 0)),
            None => {
                let zero = self.int(0);
                self.truth(Op::Unequal(a, zero))
            }
        }
    }

    /// `-a` where `a` is written with a minus sign.
    fn negated(&mut self, a: Id) -> Option<Id> {
        match self.op(a) {
            Op::Neg(a) => Some(a),
            Op::Int(value) if value < 0 => value.checked_neg().map(|value| self.int(value)),
            Op::Mul(b, c) => {
                let factor = self.value(c).filter(|factor| *factor < 0)?.checked_neg()?;
                let facts = self.facts(b).mul(Facts::exactly(factor));
                let factor = self.int(factor);
                Some(self.node(Op::Mul(b, factor), facts))
            }
            _ => None,
        }
    }

    pub fn add(&mut self, a: Id, b: Id, facts: Facts) -> Id {
        if self.value(a) == Some(0) {
            return b;
        }
        if self.value(b) == Some(0) {
            return a;
        }
        if let Some(b) = self.negated(b) {
            return self.sub(a, b, facts);
        }
        if let Some(a) = self.negated(a) {
            return self.sub(b, a, facts);
        }
        self.node(Op::Add(a, b), facts)
    }

    pub fn sub(&mut self, a: Id, b: Id, facts: Facts) -> Id {
        if self.value(b) == Some(0) {
            return a;
        }
        if self.value(a) == Some(0) {
            return match self.negated(b) {
                Some(b) => b,
                None => self.node(Op::Neg(b), facts),
            };
        }
        if let Some(b) = self.negated(b) {
            return self.add(a, b, facts);
        }
        self.node(Op::Sub(a, b), facts)
    }

    pub fn mul(&mut self, a: Id, b: Id, facts: Facts) -> Id {
        match (self.is_truth(a), self.is_truth(b)) {
            (true, true) => return self.and(a, b),
            (true, false) => {
                let zero = self.int(0);
                return self.select(a, b, zero, facts);
            }
            (false, true) => return self.mul(b, a, facts),
            _ => {}
        }
        if self.value(a).is_some() && self.value(b).is_none() {
            return self.mul(b, a, facts);
        }
        match self.value(b) {
            Some(0) => b,
            Some(1) => a,
            Some(-1) => {
                let zero = self.int(0);
                self.sub(zero, a, facts)
            }
            _ => self.node(Op::Mul(a, b), facts),
        }
    }

    /// Division rounded down; by its magic numbers where the divisor is known per launch and `fast`.
    pub fn div(&mut self, a: Id, b: Id, facts: Facts, fast: bool) -> Id {
        let (x, y) = (self.facts(a), self.facts(b));
        match self.value(b) {
            _ if self.value(a) == Some(0) => return a,
            Some(0) => return self.int(0),
            Some(1) => return a,
            Some(value) if value > 0 && value & (value - 1) == 0 => return self.node(Op::Shift(a, value.trailing_zeros()), facts),
            _ => {}
        }
        if x.lo >= 0 && y.lo >= 0 {
            if fast && self.is_fast(a, b) {
                return self.node(Op::Quotient(a, b), facts);
            }
            return self.node(if y.lo > 0 { Op::Div(a, b) } else { Op::GuardedDiv(a, b) }, facts);
        }
        self.node(if y.lo > 0 { Op::FloorDiv(a, b) } else { Op::TotalDiv(a, b) }, facts)
    }

    /// The remainder that is not negative; `a - a / b * b` where that quotient is fast.
    pub fn rem(&mut self, a: Id, b: Id, facts: Facts, fast: bool) -> Id {
        let (x, y) = (self.facts(a), self.facts(b));
        match self.value(b) {
            _ if self.value(a) == Some(0) => return a,
            Some(0) => return a,
            Some(value) if value < 0 && value > i64::MIN => {
                let divisor = self.int(-value);
                return self.rem(a, divisor, facts, fast);
            }
            Some(1) => return self.int(0),
            Some(value) if value > 0 && value & (value - 1) == 0 => return self.node(Op::Mask(a, value - 1), facts),
            _ => {}
        }
        if x.lo >= 0 && y.lo >= 0 {
            if fast && self.is_fast(a, b) {
                let quotient = self.node(Op::Quotient(a, b), x.div(y));
                let multiple = self.node(Op::Mul(quotient, b), Facts { lo: 0, hi: x.hi, div: 1 });
                return self.node(Op::Sub(a, multiple), facts);
            }
            return self.node(if y.lo > 0 { Op::Rem(a, b) } else { Op::GuardedRem(a, b) }, facts);
        }
        self.node(if y.lo > 0 { Op::FloorRem(a, b) } else { Op::TotalRem(a, b) }, facts)
    }

    fn is_fast(&self, a: Id, b: Id) -> bool {
        self.time(a) == Some(Time::Thread) && self.time(b) == Some(Time::Launch)
    }

    pub fn abs(&mut self, a: Id, facts: Facts) -> Id {
        if self.facts(a).lo >= 0 { a } else { self.node(Op::Abs(a), facts) }
    }

    pub fn less(&mut self, a: Id, b: Id) -> Id {
        match (self.is_truth(a), self.is_truth(b)) {
            (true, true) => {
                let not = self.not(a);
                return self.and(not, b);
            }
            // The facts have decided every other comparison of a truth value with a known number.
            (true, false) if self.value(b) == Some(1) => return self.not(a),
            (false, true) if self.value(a) == Some(0) => return b,
            _ => {}
        }
        let (a, b) = (self.number(a), self.number(b));
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo || x.lo >= y.hi || a == b {
            return self.truth(Op::Truth(x.hi < y.lo));
        }
        if self.value(a) == Some(-1) {
            let zero = self.int(0);
            return self.truth(Op::AtLeast(b, zero));
        }
        self.truth(Op::Less(a, b))
    }

    pub fn equal(&mut self, a: Id, b: Id) -> Id {
        match (self.is_truth(a), self.value(b)) {
            (true, Some(0)) => return self.not(a),
            (true, Some(1)) => return a,
            _ => {}
        }
        let (a, b) = if self.is_truth(a) && self.is_truth(b) { (a, b) } else { (self.number(a), self.number(b)) };
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo || y.hi < x.lo || a == b {
            return self.truth(Op::Truth(a == b));
        }
        // One order, with a known number last.
        let (a, b) = if self.value(a).is_some() || (a > b && self.value(b).is_none()) { (b, a) } else { (a, b) };
        self.truth(Op::Equal(a, b))
    }

    pub fn not(&mut self, a: Id) -> Id {
        let op = match self.op(a) {
            Op::Truth(value) => Op::Truth(!value),
            Op::Less(x, y) => Op::AtLeast(x, y),
            Op::AtLeast(x, y) => Op::Less(x, y),
            Op::Equal(x, y) => Op::Unequal(x, y),
            Op::Unequal(x, y) => Op::Equal(x, y),
            Op::Not(x) => return x,
            _ => Op::Not(a),
        };
        self.truth(op)
    }

    pub fn and(&mut self, a: Id, b: Id) -> Id {
        match (self.op(a), self.op(b)) {
            (Op::Truth(true), _) | (_, Op::Truth(false)) => b,
            (Op::Truth(false), _) | (_, Op::Truth(true)) => a,
            (Op::And(x, y), _) if x == b || y == b => a,
            _ if a == b => a,
            _ => self.truth(Op::And(a, b)),
        }
    }

    pub fn or(&mut self, a: Id, b: Id) -> Id {
        match (self.op(a), self.op(b)) {
            (Op::Truth(false), _) | (_, Op::Truth(true)) => b,
            (Op::Truth(true), _) | (_, Op::Truth(false)) => a,
            (Op::Or(x, y), _) if x == b || y == b => a,
            _ if a == b => a,
            _ => self.truth(Op::Or(a, b)),
        }
    }

    pub fn min(&mut self, a: Id, b: Id, facts: Facts) -> Id {
        if self.is_truth(a) && self.is_truth(b) {
            return self.and(a, b);
        }
        let (a, b) = (self.number(a), self.number(b));
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi <= y.lo || a == b {
            return a;
        }
        if y.hi <= x.lo {
            return b;
        }
        self.node(Op::Min(a, b), facts)
    }

    pub fn max(&mut self, a: Id, b: Id, facts: Facts) -> Id {
        if self.is_truth(a) && self.is_truth(b) {
            return self.or(a, b);
        }
        let (a, b) = (self.number(a), self.number(b));
        let (x, y) = (self.facts(a), self.facts(b));
        if x.lo >= y.hi || a == b {
            return a;
        }
        if y.lo >= x.hi {
            return b;
        }
        self.node(Op::Max(a, b), facts)
    }

    pub fn xor(&mut self, a: Id, b: Id, facts: Facts) -> Id {
        match (self.is_truth(a), self.is_truth(b), self.value(b)) {
            (true, true, _) if a == b => return self.truth(Op::Truth(false)),
            (true, true, _) => return self.truth(Op::Unequal(a, b)),
            (true, _, Some(1)) => return self.not(a),
            _ => {}
        }
        let (a, b) = (self.number(a), self.number(b));
        self.node(Op::Xor(a, b), facts)
    }

    /// `a` where the truth value `c` holds, else `b`.
    pub fn select(&mut self, c: Id, a: Id, b: Id, facts: Facts) -> Id {
        if let Op::Truth(value) = self.op(c) {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        let bit = |graph: &Graph, id| graph.value(id).filter(|value| matches!(value, 0 | 1)).map(|value| value == 1);
        match (self.is_truth(a), self.is_truth(b), bit(self, a), bit(self, b)) {
            (_, _, Some(true), Some(false)) => c,
            (_, _, Some(false), Some(true)) => self.not(c),
            (true, true, ..) => self.truth(Op::Select(c, a, b)),
            (true, _, _, Some(false)) => self.and(c, a),
            (true, _, _, Some(true)) => {
                let not = self.not(c);
                self.or(not, a)
            }
            (_, true, Some(true), _) => self.or(c, b),
            (_, true, Some(false), _) => {
                let not = self.not(c);
                self.and(not, b)
            }
            _ => {
                let (a, b) = (self.number(a), self.number(b));
                self.node(Op::Select(c, a, b), facts)
            }
        }
    }

    /// Entry `a` of a table; 0 outside it.
    pub fn lookup(&mut self, a: Id, table: usize, entries: &[i64], facts: Facts) -> Id {
        let a = self.number(a);
        if let Some(at) = self.value(a) {
            return self.int(usize::try_from(at).ok().and_then(|at| entries.get(at)).copied().unwrap_or(0));
        }
        if entries.is_empty() {
            return self.int(0);
        }
        let index = self.facts(a);
        let bounds = Bounds { below: index.lo < 0, above: index.hi >= entries.len() as i64 };
        let outside = bounds.below || bounds.above;
        let lo = entries.iter().copied().chain(outside.then_some(0)).min().unwrap_or(0);
        let hi = entries.iter().copied().chain(outside.then_some(0)).max().unwrap_or(0);
        self.node(Op::Lookup(a, table, bounds), Facts { lo: lo.max(facts.lo), hi: hi.min(facts.hi), div: 1 })
    }
}
