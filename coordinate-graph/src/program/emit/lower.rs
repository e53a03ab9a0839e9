//! Lowers the nodes of a program to the operations of the languages (`ir.rs`). After this step, only `mlir.rs` reads nodes
//! of programs.

use super::ir::{Id, Instruction, Ir};
use crate::program::{Decoded, Program, Time, apply, facts_of};
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, Node, SymInt, Truth};

/// A program as operations of the languages.
pub(super) struct Lowered {
    pub ir: Ir,
    pub outputs: Vec<Id>,
    /// The truth value that the outputs are meaningful; `None` if they always are.
    pub valid: Option<Id>,
    /// The node of each input; `None` if nothing depends on it.
    pub inputs: Vec<Option<Id>>,
    /// The node of the number that each input is less than; `None` if it has no such bound.
    pub below: Vec<Option<Id>>,
}

/// Lowers `program` to operations. With `fast`, threads divide by numbers that are known per launch with magic numbers.
/// Without thread inputs, every input counts as known in the thread.
pub(super) fn lower(program: &Program, fast: bool) -> Lowered {
    let scope = &program.scope;
    let bounds = program.inputs.iter().filter_map(|input| input.below);
    let live = program.reached(&program.results().into_iter().chain(bounds).collect::<Vec<_>>(), &|_| false);
    let staged = program.inputs.iter().any(|input| input.time == Time::Thread);
    let times = program.inputs.iter().map(|input| if staged { input.time } else { Time::Thread }).collect();
    let mut lowering = Lowering { ir: Ir::new(times), program, ids: vec![0; scope.len], fast };
    let mut inputs = vec![None; program.inputs.len()];
    for k in (0..scope.len).filter(|k| live[*k] && !matches!(program.node(*k), Decoded::Pair)) {
        let id = lowering.node(k);
        lowering.ids[k] = id;
        if let Instruction::Input(input) = lowering.ir.inst(id) {
            inputs[input] = Some(id);
        }
    }
    let outputs = program.outputs.iter().map(|output| lowering.number(output.value)).collect();
    let below = program.inputs.iter().map(|input| input.below.map(|below| lowering.number(below))).collect();
    let conditions: Vec<Id> = program.conditions.iter().map(|condition| lowering.condition(*condition)).collect();
    let valid = conditions.into_iter().reduce(|a, b| lowering.ir.and(a, b));
    Lowered { ir: lowering.ir, outputs, valid, inputs, below }
}

struct Lowering<'a> {
    ir: Ir,
    program: &'a Program,
    ids: Vec<Id>,
    fast: bool,
}

impl Lowering<'_> {
    fn id(&mut self, x: SymInt) -> Id {
        match x.node() {
            Some(k) => self.ids[k],
            None => self.ir.int(x.word()),
        }
    }

    fn number(&mut self, x: SymInt) -> Id {
        let id = self.id(x);
        self.ir.number(id)
    }

    fn condition(&mut self, x: SymInt) -> Id {
        let id = self.id(x);
        self.ir.condition(id)
    }

    /// Lowers node `k`, whose operands are already lowered, and returns its operation.
    fn node(&mut self, k: usize) -> Id {
        let scope = &self.program.scope;
        let facts = scope.facts(SymInt::symbol(k));
        let within = |closer: Facts| Facts { lo: facts.lo.max(closer.lo), hi: facts.hi.min(closer.hi), ..facts };
        let (node, a, b) = match self.program.node(k) {
            Decoded::Input(input) => return self.ir.node(Instruction::Input(input), facts),
            Decoded::Select(c, then, otherwise) => {
                let (c, then, otherwise) = (self.condition(c), self.id(then), self.id(otherwise));
                let facts = within(self.ir.facts(then).union(self.ir.facts(otherwise)));
                return self.ir.select(c, then, otherwise, facts);
            }
            Decoded::Lookup(at, table) => {
                let index = self.id(at);
                return self.ir.lookup(index, table, &self.program.tables[table].entries, facts);
            }
            Decoded::Two(node, a, b) => (node, a, b),
            // Pairs have no value.
            Decoded::Pair => return self.ir.int(0),
        };
        let (x, y) = (self.id(a), self.id(b));
        let facts = within(closer(node, self.ir.facts(x), self.ir.facts(y)));
        if let (Some(x), Some(y)) = (self.ir.constant(x), self.ir.constant(y))
            && let Some(value) = apply(node, x, y)
        {
            return self.ir.int(value);
        }
        // The operands may have more facts now than when the node was made, so the comparison may be decided.
        let truth = match node {
            Node::Less => scope.less(a, b),
            Node::Equal => scope.equal(a, b),
            _ => Truth::Unknown,
        };
        if truth != Truth::Unknown {
            return self.ir.node(Instruction::Truth(truth.is_yes()), Facts::exactly(truth.is_yes() as i64));
        }
        match node {
            Node::Less => return self.ir.less(x, y),
            Node::Equal => return self.ir.equal(x, y),
            Node::Min => return self.ir.min(x, y, facts),
            Node::Max => return self.ir.max(x, y, facts),
            Node::Mul => return self.ir.mul(x, y, facts),
            Node::Xor => return self.ir.xor(x, y, facts),
            Node::Sub if a.is(1) && self.ir.is_truth(y) => return self.ir.not(y),
            _ => {}
        }
        let (a, b) = (self.number(a), self.number(b));
        match node {
            Node::Add => self.ir.add(a, b, facts),
            Node::Sub => self.ir.sub(a, b, facts),
            Node::Div => self.ir.div(a, b, facts, self.fast),
            Node::Rem => self.ir.rem(a, b, facts, self.fast),
            _ => self.ir.abs(a, facts),
        }
    }
}

/// Returns facts of a node from the facts `x` and `y` of its operands. They may be closer than the facts that the node has,
/// and they cover divisors of any sign.
fn closer(node: Node, x: Facts, y: Facts) -> Facts {
    let negated = |bound: i64| bound.checked_neg().map_or(i64::MAX, |bound| if bound == -i64::MAX { i64::MIN } else { bound });
    let known = facts_of(node, x, y);
    match node {
        Node::Div => {
            // The magnitude of a quotient does not exceed the magnitude of its dividend.
            let (mut lo, mut hi) = (x.lo.min(0), x.hi.max(0));
            if y.lo < 0 {
                (lo, hi) = (lo.min(negated(hi)), hi.max(negated(lo)));
            }
            Facts { lo: lo.max(known.lo), hi: hi.min(known.hi), div: 1 }
        }
        Node::Rem => {
            // The remainder is the dividend if the divisor is 0, else its magnitude is less than the divisor's.
            let less = if y.hi == i64::MAX || y.lo == i64::MIN { i64::MAX } else { y.hi.max(negated(y.lo)) - 1 };
            let hi = if x.lo >= 0 { x.hi } else { x.hi.max(less) };
            Facts { lo: x.lo.min(0).max(known.lo), hi: hi.min(known.hi), div: 1 }
        }
        Node::Less | Node::Equal => Facts::ANY,
        _ => known,
    }
}
