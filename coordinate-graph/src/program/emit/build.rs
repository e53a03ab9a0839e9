//! Builds operations in the most readable form: no negative summands, truth values joined by `&&` and `||`, and shifts
//! instead of divisions. Each method returns a node with the value of its formula, and `facts` are the facts of that value.

use super::ir::{Id, Instruction, Ir, LookupBounds};
use crate::program::Time;
use layout_algebra::value::Facts;

impl Ir {
    pub fn int(&mut self, value: i64) -> Id {
        self.node(Instruction::Int(value), Facts::exactly(value))
    }

    fn truth(&mut self, op: Instruction) -> Id {
        self.node(op, Facts::BOOLEAN)
    }

    fn value(&self, id: Id) -> Option<i64> {
        match self.inst(id) {
            Instruction::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value of a known number, and 0 or 1 for a known truth value; `None` for other nodes.
    pub fn constant(&self, id: Id) -> Option<i64> {
        match self.inst(id) {
            Instruction::Truth(value) => Some(value as i64),
            _ => self.value(id),
        }
    }

    /// Returns `a` as a number; a truth value becomes 0 or 1.
    pub fn number(&mut self, a: Id) -> Id {
        match self.inst(a) {
            Instruction::Truth(value) => self.int(value as i64),
            _ if self.is_truth(a) => self.node(Instruction::Number(a), Facts::BOOLEAN),
            _ => a,
        }
    }

    /// Returns the truth value of `a != 0`.
    pub fn condition(&mut self, a: Id) -> Id {
        if self.is_truth(a) {
            return a;
        }
        match self.value(a) {
            Some(value) => self.truth(Instruction::Truth(value != 0)),
            None => {
                let zero = self.int(0);
                self.truth(Instruction::Unequal(a, zero))
            }
        }
    }

    /// Returns `-a` if `a` is written with a minus sign; otherwise `None`.
    fn negated(&mut self, a: Id) -> Option<Id> {
        match self.inst(a) {
            Instruction::Neg(a) => Some(a),
            Instruction::Int(value) if value < 0 => value.checked_neg().map(|value| self.int(value)),
            Instruction::Mul(b, c) => {
                let factor = self.value(c).filter(|factor| *factor < 0)?.checked_neg()?;
                let facts = self.facts(b).mul(Facts::exactly(factor));
                let factor = self.int(factor);
                Some(self.node(Instruction::Mul(b, factor), facts))
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
        self.node(Instruction::Add(a, b), facts)
    }

    pub fn sub(&mut self, a: Id, b: Id, facts: Facts) -> Id {
        if self.value(b) == Some(0) {
            return a;
        }
        if self.value(a) == Some(0) {
            return match self.negated(b) {
                Some(b) => b,
                None => self.node(Instruction::Neg(b), facts),
            };
        }
        if let Some(b) = self.negated(b) {
            return self.add(a, b, facts);
        }
        self.node(Instruction::Sub(a, b), facts)
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
            _ => self.node(Instruction::Mul(a, b), facts),
        }
    }

    /// Returns `a / b`, rounded down; 0 if `b` is 0. If `fast`, and `a` differs between threads and `b` is known per
    /// launch, the quotient uses magic numbers.
    pub fn div(&mut self, a: Id, b: Id, facts: Facts, fast: bool) -> Id {
        let (x, y) = (self.facts(a), self.facts(b));
        match self.value(b) {
            _ if self.value(a) == Some(0) => return a,
            Some(0) => return self.int(0),
            Some(1) => return a,
            Some(value) if value > 0 && value & (value - 1) == 0 => return self.node(Instruction::Shift(a, value.trailing_zeros()), facts),
            _ => {}
        }
        if x.lo >= 0 && y.lo >= 0 {
            if fast && self.is_fast(a, b) {
                return self.node(Instruction::Quotient(a, b), facts);
            }
            return self.node(if y.lo > 0 { Instruction::Div(a, b) } else { Instruction::GuardedDiv(a, b) }, facts);
        }
        self.node(if y.lo > 0 { Instruction::FloorDiv(a, b) } else { Instruction::TotalDiv(a, b) }, facts)
    }

    /// Returns `a` modulo `b`, in `[0, |b|)`; `a` if `b` is 0. If the quotient uses magic numbers, the remainder is `a - a
    /// / b * b`.
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
            Some(value) if value > 0 && value & (value - 1) == 0 => return self.node(Instruction::Mask(a, value - 1), facts),
            _ => {}
        }
        if x.lo >= 0 && y.lo >= 0 {
            if fast && self.is_fast(a, b) {
                let quotient = self.node(Instruction::Quotient(a, b), x.div(y));
                let multiple = self.node(Instruction::Mul(quotient, b), Facts { lo: 0, hi: x.hi, div: 1 });
                return self.node(Instruction::Sub(a, multiple), facts);
            }
            return self.node(if y.lo > 0 { Instruction::Rem(a, b) } else { Instruction::GuardedRem(a, b) }, facts);
        }
        self.node(if y.lo > 0 { Instruction::FloorRem(a, b) } else { Instruction::TotalRem(a, b) }, facts)
    }

    fn is_fast(&self, a: Id, b: Id) -> bool {
        self.time(a) == Some(Time::Thread) && self.time(b) == Some(Time::Launch)
    }

    pub fn abs(&mut self, a: Id, facts: Facts) -> Id {
        if self.facts(a).lo >= 0 { a } else { self.node(Instruction::Abs(a), facts) }
    }

    pub fn less(&mut self, a: Id, b: Id) -> Id {
        match (self.is_truth(a), self.is_truth(b)) {
            (true, true) => {
                let not = self.not(a);
                return self.and(not, b);
            }
            // `lower` calls this only if facts do not decide the comparison, so no other known number occurs here.
            (true, false) if self.value(b) == Some(1) => return self.not(a),
            (false, true) if self.value(a) == Some(0) => return b,
            _ => {}
        }
        let (a, b) = (self.number(a), self.number(b));
        let (x, y) = (self.facts(a), self.facts(b));
        if x.hi < y.lo || x.lo >= y.hi || a == b {
            return self.truth(Instruction::Truth(x.hi < y.lo));
        }
        if self.value(a) == Some(-1) {
            let zero = self.int(0);
            return self.truth(Instruction::AtLeast(b, zero));
        }
        self.truth(Instruction::Less(a, b))
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
            return self.truth(Instruction::Truth(a == b));
        }
        // Equal comparisons get one order of operands, with a known number last.
        let (a, b) = if self.value(a).is_some() || (a > b && self.value(b).is_none()) { (b, a) } else { (a, b) };
        self.truth(Instruction::Equal(a, b))
    }

    pub fn not(&mut self, a: Id) -> Id {
        let op = match self.inst(a) {
            Instruction::Truth(value) => Instruction::Truth(!value),
            Instruction::Less(x, y) => Instruction::AtLeast(x, y),
            Instruction::AtLeast(x, y) => Instruction::Less(x, y),
            Instruction::Equal(x, y) => Instruction::Unequal(x, y),
            Instruction::Unequal(x, y) => Instruction::Equal(x, y),
            Instruction::Not(x) => return x,
            _ => Instruction::Not(a),
        };
        self.truth(op)
    }

    pub fn and(&mut self, a: Id, b: Id) -> Id {
        match (self.inst(a), self.inst(b)) {
            (Instruction::Truth(true), _) | (_, Instruction::Truth(false)) => b,
            (Instruction::Truth(false), _) | (_, Instruction::Truth(true)) => a,
            (Instruction::And(x, y), _) if x == b || y == b => a,
            _ if a == b => a,
            _ => self.truth(Instruction::And(a, b)),
        }
    }

    pub fn or(&mut self, a: Id, b: Id) -> Id {
        match (self.inst(a), self.inst(b)) {
            (Instruction::Truth(false), _) | (_, Instruction::Truth(true)) => b,
            (Instruction::Truth(true), _) | (_, Instruction::Truth(false)) => a,
            (Instruction::Or(x, y), _) if x == b || y == b => a,
            _ if a == b => a,
            _ => self.truth(Instruction::Or(a, b)),
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
        self.node(Instruction::Min(a, b), facts)
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
        self.node(Instruction::Max(a, b), facts)
    }

    pub fn xor(&mut self, a: Id, b: Id, facts: Facts) -> Id {
        match (self.is_truth(a), self.is_truth(b), self.value(b)) {
            (true, true, _) if a == b => return self.truth(Instruction::Truth(false)),
            (true, true, _) => return self.truth(Instruction::Unequal(a, b)),
            (true, _, Some(1)) => return self.not(a),
            _ => {}
        }
        let (a, b) = (self.number(a), self.number(b));
        self.node(Instruction::Xor(a, b), facts)
    }

    /// Returns `a` if the truth value `c` holds, else `b`.
    pub fn select(&mut self, c: Id, a: Id, b: Id, facts: Facts) -> Id {
        if let Instruction::Truth(value) = self.inst(c) {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        let bit = |ir: &Ir, id| ir.value(id).filter(|value| matches!(value, 0 | 1)).map(|value| value == 1);
        match (self.is_truth(a), self.is_truth(b), bit(self, a), bit(self, b)) {
            (_, _, Some(true), Some(false)) => c,
            (_, _, Some(false), Some(true)) => self.not(c),
            (true, true, ..) => self.truth(Instruction::Select(c, a, b)),
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
                self.node(Instruction::Select(c, a, b), facts)
            }
        }
    }

    /// Returns entry `a` of table number `table`, which has these `entries`; 0 if `a` is outside it.
    pub fn lookup(&mut self, a: Id, table: usize, entries: &[i64], facts: Facts) -> Id {
        let a = self.number(a);
        if let Some(at) = self.value(a) {
            return self.int(usize::try_from(at).ok().and_then(|at| entries.get(at)).copied().unwrap_or(0));
        }
        if entries.is_empty() {
            return self.int(0);
        }
        let index = self.facts(a);
        let bounds = LookupBounds { below: index.lo < 0, above: index.hi >= entries.len() as i64 };
        let outside = bounds.below || bounds.above;
        let lo = entries.iter().copied().chain(outside.then_some(0)).min().unwrap_or(0);
        let hi = entries.iter().copied().chain(outside.then_some(0)).max().unwrap_or(0);
        self.node(Instruction::Lookup(a, table, bounds), Facts { lo: lo.max(facts.lo), hi: hi.min(facts.hi), div: 1 })
    }
}
