//! The operations of an emitted function, as a graph of nodes. They are the operations of the languages, where truth values
//! differ from numbers. `build.rs` makes nodes; a new operation needs a text in `print.rs`.

use crate::program::Time;
use crate::sorted::SortedMap;
use layout_algebra::heap::*;
use layout_algebra::value::Facts;

/// The position of a node. Operands come before the nodes that use them.
pub(super) type Id = usize;

/// The operation of a node: one step of an index function. Operands are positions of earlier nodes.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Instruction, Program};
/// let index = Program::parse_layout("(4,8):(8,1)", Coordinates::Modes)?;
/// let code = index.instructions();
/// // i0 * 8 + i1
/// let Instruction::Add(product, column) = code.steps[code.outputs[0]].0 else { panic!("a sum") };
/// let Instruction::Mul(row, stride) = code.steps[product].0 else { panic!("a product") };
/// let steps = [row, stride, column].map(|at| code.steps[at].0);
/// assert_eq!(steps, [Instruction::Input(0), Instruction::Int(8), Instruction::Input(1)]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Instruction {
    /// A known number.
    Int(i64),
    /// A known truth value.
    Truth(bool),
    /// The input with this number.
    Input(usize),
    /// The negative of a number.
    Neg(Id),
    /// A sum.
    Add(Id, Id),
    /// A difference.
    Sub(Id, Id),
    /// A product.
    Mul(Id, Id),
    /// Quotient of a number that is not negative, the first operand, by a positive number.
    Div(Id, Id),
    /// Remainder of [`Div`](Instruction::Div).
    Rem(Id, Id),
    /// Quotient of two numbers that are not negative; 0 if the divisor is 0.
    GuardedDiv(Id, Id),
    /// Remainder of [`GuardedDiv`](Instruction::GuardedDiv); the first operand if the divisor is 0.
    GuardedRem(Id, Id),
    /// Quotient of any number by a positive number, rounded down.
    FloorDiv(Id, Id),
    /// Remainder of [`FloorDiv`](Instruction::FloorDiv).
    FloorRem(Id, Id),
    /// Quotient of any number by any number, rounded down; 0 if the divisor is 0.
    TotalDiv(Id, Id),
    /// Remainder of [`TotalDiv`](Instruction::TotalDiv); the first operand if the divisor is 0.
    TotalRem(Id, Id),
    /// Quotient by a number that is known per launch, by magic numbers; 0 if the divisor is 0.
    /// [`instructions`](crate::program::Program::instructions) makes none.
    Quotient(Id, Id),
    /// Quotient by a power of two. The second field is the exponent of the power.
    Shift(Id, u32),
    /// Remainder by a power of two. The second field is the mask: the power minus 1.
    Mask(Id, i64),
    /// The bits in which two numbers differ.
    Xor(Id, Id),
    /// The lesser number.
    Min(Id, Id),
    /// The greater number.
    Max(Id, Id),
    /// The magnitude of a number.
    Abs(Id),
    /// Entry of a table: the index, the number of the table, and the bounds that the emitted text must check. The entry
    /// is 0 if the index is outside of the table.
    Lookup(Id, usize, LookupBounds),
    /// A truth value as the number 0 or 1.
    Number(Id),
    /// The truth value of `a < b`.
    Less(Id, Id),
    /// The truth value of `a >= b`.
    AtLeast(Id, Id),
    /// Equality of two numbers or two truth values.
    Equal(Id, Id),
    /// Inequality of two numbers or two truth values.
    Unequal(Id, Id),
    /// The opposite of a truth value.
    Not(Id),
    /// True if both truth values are true.
    And(Id, Id),
    /// True if one of two truth values is true.
    Or(Id, Id),
    /// `Select(c, a, b)` is `a` if the truth value `c` is true, otherwise `b`. `a` and `b` are both numbers or both truth
    /// values.
    Select(Id, Id, Id),
}

/// The sides on which an index may be outside its table.
///
/// ```
/// use coordinate_graph::program::LookupBounds;
/// // The index may be too large, so a thread compares it with the length of the table.
/// let bounds = LookupBounds { below: false, above: true };
/// assert!(bounds.above && !bounds.below);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct LookupBounds {
    /// True if the index may be less than 0.
    pub below: bool,
    /// True if the index may be the length of the table or more.
    pub above: bool,
}

impl Instruction {
    /// Iterates over the operands in the order of the text.
    ///
    /// ```
    /// use coordinate_graph::program::Instruction;
    /// assert!(Instruction::Select(4, 1, 2).operands().eq([4, 1, 2]));
    /// assert!(Instruction::Shift(3, 5).operands().eq([3]));
    /// ```
    pub fn operands(self) -> impl Iterator<Item = Id> {
        use Instruction::*;
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

    /// Returns this operation with `f` applied to each operand.
    pub(super) fn map(self, f: impl Fn(Id) -> Id) -> Instruction {
        use Instruction::*;
        match self {
            Int(_) | Truth(_) | Input(_) => self,
            Neg(a) => Neg(f(a)),
            Shift(a, exponent) => Shift(f(a), exponent),
            Mask(a, mask) => Mask(f(a), mask),
            Abs(a) => Abs(f(a)),
            Lookup(a, table, bounds) => Lookup(f(a), table, bounds),
            Number(a) => Number(f(a)),
            Not(a) => Not(f(a)),
            Add(a, b) => Add(f(a), f(b)),
            Sub(a, b) => Sub(f(a), f(b)),
            Mul(a, b) => Mul(f(a), f(b)),
            Div(a, b) => Div(f(a), f(b)),
            Rem(a, b) => Rem(f(a), f(b)),
            GuardedDiv(a, b) => GuardedDiv(f(a), f(b)),
            GuardedRem(a, b) => GuardedRem(f(a), f(b)),
            FloorDiv(a, b) => FloorDiv(f(a), f(b)),
            FloorRem(a, b) => FloorRem(f(a), f(b)),
            TotalDiv(a, b) => TotalDiv(f(a), f(b)),
            TotalRem(a, b) => TotalRem(f(a), f(b)),
            Quotient(a, b) => Quotient(f(a), f(b)),
            Xor(a, b) => Xor(f(a), f(b)),
            Min(a, b) => Min(f(a), f(b)),
            Max(a, b) => Max(f(a), f(b)),
            Less(a, b) => Less(f(a), f(b)),
            AtLeast(a, b) => AtLeast(f(a), f(b)),
            Equal(a, b) => Equal(f(a), f(b)),
            Unequal(a, b) => Unequal(f(a), f(b)),
            And(a, b) => And(f(a), f(b)),
            Or(a, b) => Or(f(a), f(b)),
            Select(c, a, b) => Select(f(c), f(a), f(b)),
        }
    }

    /// Returns true if the text is a single word, which needs no name.
    pub(super) fn is_word(self) -> bool {
        matches!(self, Instruction::Int(_) | Instruction::Truth(_) | Instruction::Input(_))
    }
}

/// The nodes of a function. Equal nodes are stored once.
pub(super) struct Ir {
    insts: Vec<Instruction>,
    facts: Vec<Facts>,
    truths: Vec<bool>,
    /// For each node, the time at which it is known; `None` if it depends on no input.
    times: Vec<Option<Time>>,
    index: SortedMap<Instruction, Id>,
    inputs: Vec<Time>,
}

impl Ir {
    /// Creates a function without nodes. Input `k` is known at the time `inputs[k]`.
    pub fn new(inputs: Vec<Time>) -> Ir {
        Ir { insts: Vec::new(), facts: Vec::new(), truths: Vec::new(), times: Vec::new(), index: SortedMap::new(), inputs }
    }

    pub fn len(&self) -> usize {
        self.insts.len()
    }

    pub fn inst(&self, id: Id) -> Instruction {
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

    /// Returns the node `op` and records its `facts`. Adds the node if it is new.
    pub fn node(&mut self, op: Instruction, facts: Facts) -> Id {
        if let Some(id) = self.index.get(&op) {
            let known = &mut self.facts[*id];
            known.lo = known.lo.max(facts.lo);
            known.hi = known.hi.min(facts.hi);
            return *id;
        }
        let id = self.insts.len();
        let truth = match op {
            Instruction::Truth(_)
            | Instruction::Less(..)
            | Instruction::AtLeast(..)
            | Instruction::Equal(..)
            | Instruction::Unequal(..)
            | Instruction::Not(_)
            | Instruction::And(..)
            | Instruction::Or(..) => true,
            Instruction::Select(_, a, _) => self.truths[a],
            _ => false,
        };
        let time = match op {
            Instruction::Input(k) => Some(self.inputs[k]),
            _ => op.operands().filter_map(|operand| self.times[operand]).max(),
        };
        self.insts.push(op);
        self.facts.push(facts);
        self.truths.push(truth);
        self.times.push(time);
        self.index.insert(op, id);
        id
    }

    /// Returns the node `op`; `None` if it was not made yet.
    pub fn find(&self, op: Instruction) -> Option<Id> {
        self.index.get(&op).copied()
    }

    /// Returns for each node whether `roots` need it. Operands of nodes for which `stop` is true are not followed.
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
