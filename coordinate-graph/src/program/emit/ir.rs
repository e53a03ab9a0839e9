//! The operations of an emitted function: those the languages have, with truth values apart from numbers.

use crate::program::Time;
use crate::sorted::SortedMap;
use layout_algebra::heap::*;
use layout_algebra::value::Facts;

/// A node, by its place: operands come before their users.
pub(super) type Id = usize;

/// The operation of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Inst {
    Int(i64),
    Truth(bool),
    Input(usize),
    Neg(Id),
    Add(Id, Id),
    Sub(Id, Id),
    Mul(Id, Id),
    /// Of a number that is not negative by a positive one.
    Div(Id, Id),
    Rem(Id, Id),
    /// Of a number that is not negative by one that may be 0.
    GuardedDiv(Id, Id),
    GuardedRem(Id, Id),
    /// Of any number by a positive one.
    FloorDiv(Id, Id),
    FloorRem(Id, Id),
    /// Of any number by any number.
    TotalDiv(Id, Id),
    TotalRem(Id, Id),
    /// The quotient by a number that is known per launch, by its magic numbers; 0 where that is 0.
    Quotient(Id, Id),
    /// Division by a power of two.
    Shift(Id, u32),
    /// Remainder by a power of two: the mask is one less.
    Mask(Id, i64),
    Xor(Id, Id),
    Min(Id, Id),
    Max(Id, Id),
    Abs(Id),
    /// Entry of a table, with the bounds that are to be checked.
    Lookup(Id, usize, Bounds),
    /// 0 or 1 of a truth value.
    Number(Id),
    Less(Id, Id),
    AtLeast(Id, Id),
    /// Of two numbers or two truth values.
    Equal(Id, Id),
    Unequal(Id, Id),
    Not(Id),
    And(Id, Id),
    Or(Id, Id),
    /// Of two numbers or two truth values.
    Select(Id, Id, Id),
}

/// The bounds of a table that an index is not proven to keep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Bounds {
    pub below: bool,
    pub above: bool,
}

impl Inst {
    /// The operands in the order of the text.
    pub fn operands(self) -> impl Iterator<Item = Id> {
        use Inst::*;
        match self {
            Int(_) | Truth(_) | Input(_) => [None; 3],
            Neg(a) | Shift(a, _) | Mask(a, _) | Abs(a) | Lookup(a, ..) | Number(a) | Not(a) => [Some(a), None, None],
            Add(a, b) | Sub(a, b) | Mul(a, b) | Div(a, b) | Rem(a, b) | GuardedDiv(a, b) | GuardedRem(a, b) => [Some(a), Some(b), None],
            FloorDiv(a, b) | FloorRem(a, b) | TotalDiv(a, b) | TotalRem(a, b) | Quotient(a, b) | Xor(a, b) => [Some(a), Some(b), None],
            Min(a, b) | Max(a, b) | Less(a, b) | AtLeast(a, b) | Equal(a, b) | Unequal(a, b) | And(a, b) | Or(a, b) => {
                [Some(a), Some(b), None]
            }
            Select(c, a, b) => [Some(c), Some(a), Some(b)],
        }
        .into_iter()
        .flatten()
    }

    /// Tests whether the text is one word: no gain in a name for it.
    pub fn is_word(self) -> bool {
        matches!(self, Inst::Int(_) | Inst::Truth(_) | Inst::Input(_))
    }
}

/// The nodes of a function, each once.
pub(super) struct Ir {
    insts: Vec<Inst>,
    facts: Vec<Facts>,
    truths: Vec<bool>,
    /// `None` for what depends on no input.
    times: Vec<Option<Time>>,
    index: SortedMap<Inst, Id>,
    inputs: Vec<Time>,
}

impl Ir {
    /// No nodes; input `k` will be known at `inputs[k]`.
    pub fn new(inputs: Vec<Time>) -> Ir {
        Ir { insts: Vec::new(), facts: Vec::new(), truths: Vec::new(), times: Vec::new(), index: SortedMap::new(), inputs }
    }

    pub fn len(&self) -> usize {
        self.insts.len()
    }

    pub fn inst(&self, id: Id) -> Inst {
        self.insts[id]
    }

    pub fn facts(&self, id: Id) -> Facts {
        self.facts[id]
    }

    pub fn is_truth(&self, id: Id) -> bool {
        self.truths[id]
    }

    pub fn time(&self, id: Id) -> Option<Time> {
        self.times[id]
    }

    /// The node `op`, of which `facts` are known.
    pub fn node(&mut self, op: Inst, facts: Facts) -> Id {
        if let Some(id) = self.index.get(&op) {
            let known = &mut self.facts[*id];
            known.lo = known.lo.max(facts.lo);
            known.hi = known.hi.min(facts.hi);
            return *id;
        }
        let id = self.insts.len();
        let truth = match op {
            Inst::Truth(_)
            | Inst::Less(..)
            | Inst::AtLeast(..)
            | Inst::Equal(..)
            | Inst::Unequal(..)
            | Inst::Not(_)
            | Inst::And(..)
            | Inst::Or(..) => true,
            Inst::Select(_, a, _) => self.truths[a],
            _ => false,
        };
        let time = match op {
            Inst::Input(k) => Some(self.inputs[k]),
            _ => op.operands().filter_map(|operand| self.times[operand]).max(),
        };
        self.insts.push(op);
        self.facts.push(facts);
        self.truths.push(truth);
        self.times.push(time);
        self.index.insert(op, id);
        id
    }

    /// The node `op`, if there is one.
    pub fn find(&self, op: Inst) -> Option<Id> {
        self.index.get(&op).copied()
    }

    /// The nodes that `roots` need; `stop` where the walk ends.
    pub fn reach(&self, roots: impl IntoIterator<Item = Id>, stop: impl Fn(Id) -> bool) -> Vec<bool> {
        let mut live = alloc::vec![false; self.len()];
        for root in roots {
            live[root] = true;
        }
        for id in (0..self.len()).rev() {
            if live[id] && !stop(id) {
                for operand in self.inst(id).operands() {
                    live[operand] = true;
                }
            }
        }
        live
    }
}
