//! From the nodes of a program to the operations of the languages.

use super::ir::{Id, Inst, Ir};
use crate::heap::*;
use crate::program::{NODES, Program, Time, apply};
use crate::value::{ExprGraph, Facts, Node, SymInt, Truth};

/// A program as operations of the languages.
pub(super) struct Lowered {
    pub ir: Ir,
    pub outputs: Vec<Id>,
    /// Where the outputs are meaningful: a truth value; `None` where always.
    pub valid: Option<Id>,
    /// The node of each input that something depends on.
    pub inputs: Vec<Option<Id>>,
    /// The bound of each input.
    pub below: Vec<Option<Id>>,
}

/// The operations of `program`; `fast` where divisors known per launch are divided by through magic numbers.
pub(super) fn lower(program: &Program, fast: bool) -> Lowered {
    let scope = &program.scope;
    let below = || program.inputs.iter().filter_map(|input| input.below);
    let roots = program.outputs.iter().map(|output| output.value).chain(program.conditions.iter().copied());
    let live = live(scope, roots.chain(below()));
    let staged = program.inputs.iter().any(|input| input.time == Time::Thread);
    let times = program.inputs.iter().map(|input| if staged { input.time } else { Time::Thread }).collect();
    let mut lowering = Lowering { ir: Ir::new(times), program, ids: vec![0; scope.len], fast };
    let mut inputs = vec![None; program.inputs.len()];
    for k in (0..scope.len).filter(|k| live[*k] && scope.node[*k] != Node::Pair as u8) {
        let id = lowering.node(k);
        lowering.ids[k] = id;
        if let Inst::Input(input) = lowering.ir.inst(id) {
            inputs[input] = Some(id);
        }
    }
    let outputs = program.outputs.iter().map(|output| lowering.number(output.value)).collect();
    let below = program.inputs.iter().map(|input| input.below.map(|below| lowering.number(below))).collect();
    let conditions: Vec<Id> = program.conditions.iter().map(|condition| lowering.condition(*condition)).collect();
    let valid = conditions.into_iter().reduce(|a, b| lowering.ir.and(a, b));
    Lowered { ir: lowering.ir, outputs, valid, inputs, below }
}

/// The nodes that `roots` need.
pub(super) fn live(scope: &ExprGraph<NODES>, roots: impl Iterator<Item = SymInt>) -> Vec<bool> {
    let mut live = vec![false; scope.len];
    for root in roots.filter_map(SymInt::node) {
        live[root] = true;
    }
    for k in (0..scope.len).rev() {
        if live[k] && scope.node[k] != Node::Input as u8 {
            for operand in [scope.a[k], scope.b[k]].into_iter().filter_map(|word| SymInt::raw(word).node()) {
                live[operand] = true;
            }
        }
    }
    live
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

    /// Node `k`, whose operands are done.
    fn node(&mut self, k: usize) -> Id {
        let scope = &self.program.scope;
        let facts = scope.facts(SymInt::symbol(k));
        let (a, b) = (SymInt::raw(scope.a[k]), SymInt::raw(scope.b[k]));
        let is = |node: Node| scope.node[k] == node as u8;
        if is(Node::Input) {
            return self.ir.node(Inst::Input(scope.a[k] as usize), facts);
        }
        if is(Node::Select) {
            let (then, otherwise) = match b.node() {
                Some(pair) => (SymInt::raw(scope.a[pair]), SymInt::raw(scope.b[pair])),
                None => (b, b),
            };
            let (c, then, otherwise) = (self.condition(a), self.id(then), self.id(otherwise));
            let closer = self.ir.facts(then).union(self.ir.facts(otherwise));
            let facts = Facts { lo: facts.lo.max(closer.lo), hi: facts.hi.min(closer.hi), ..facts };
            return self.ir.select(c, then, otherwise, facts);
        }
        if is(Node::Lookup) {
            let (index, table) = (self.id(a), scope.b[k] as usize);
            return self.ir.lookup(index, table, &self.program.tables[table].entries, facts);
        }
        let (x, y) = (self.id(a), self.id(b));
        let closer = closer(scope.node[k], self.ir.facts(x), self.ir.facts(y));
        let facts = Facts { lo: facts.lo.max(closer.lo), hi: facts.hi.min(closer.hi), ..facts };
        if let (Some(x), Some(y)) = (self.ir.constant(x), self.ir.constant(y))
            && let Some(value) = apply(scope.node[k], x, y)
        {
            return self.ir.int(value);
        }
        if is(Node::Less) || is(Node::Equal) {
            // More may have become known since the node was made.
            let truth = if is(Node::Less) { scope.less(a, b) } else { scope.equal(a, b) };
            if truth != Truth::Unknown {
                return self.ir.node(Inst::Truth(truth.is_yes()), Facts::exactly(truth.is_yes() as i64));
            }
            return if is(Node::Less) { self.ir.less(x, y) } else { self.ir.equal(x, y) };
        }
        if is(Node::Min) || is(Node::Max) || is(Node::Mul) || is(Node::Xor) {
            return if is(Node::Min) {
                self.ir.min(x, y, facts)
            } else if is(Node::Max) {
                self.ir.max(x, y, facts)
            } else if is(Node::Mul) {
                self.ir.mul(x, y, facts)
            } else {
                self.ir.xor(x, y, facts)
            };
        }
        if is(Node::Sub) && a.is(1) && self.ir.is_truth(y) {
            return self.ir.not(y);
        }
        let (a, b) = (self.number(a), self.number(b));
        if is(Node::Add) {
            self.ir.add(a, b, facts)
        } else if is(Node::Sub) {
            self.ir.sub(a, b, facts)
        } else if is(Node::Div) {
            self.ir.div(a, b, facts, self.fast)
        } else if is(Node::Rem) {
            self.ir.rem(a, b, facts, self.fast)
        } else {
            self.ir.abs(a, facts)
        }
    }
}

/// Facts of a node of two numbers by those of its operands now: more than when it was made, and also of divisions by any number.
fn closer(node: u8, x: Facts, y: Facts) -> Facts {
    let is = |kind: Node| node == kind as u8;
    let negated = |bound: i64| bound.checked_neg().map_or(i64::MAX, |bound| if bound == -i64::MAX { i64::MIN } else { bound });
    let may_be_negative = y.lo < 0;
    if is(Node::Add) {
        x.add(y)
    } else if is(Node::Sub) {
        x.sub(y)
    } else if is(Node::Mul) {
        x.mul(y)
    } else if is(Node::Min) {
        x.min(y)
    } else if is(Node::Max) {
        x.max(y)
    } else if is(Node::Xor) {
        x.xor(y)
    } else if is(Node::Abs) {
        x.abs()
    } else if is(Node::Div) {
        // No quotient exceeds its dividend, but for the sign.
        let (mut lo, mut hi) = (x.lo.min(0), x.hi.max(0));
        if may_be_negative {
            (lo, hi) = (lo.min(negated(hi)), hi.max(negated(lo)));
        }
        let known = x.div(y);
        Facts { lo: lo.max(known.lo), hi: hi.min(known.hi), div: 1 }
    } else if is(Node::Rem) {
        // The dividend where the divisor is 0, else less than the divisor.
        let less = if y.hi == i64::MAX || y.lo == i64::MIN { i64::MAX } else { y.hi.max(negated(y.lo)) - 1 };
        let known = x.rem(y);
        let hi = if x.lo >= 0 { x.hi } else { x.hi.max(less) };
        Facts { lo: x.lo.min(0).max(known.lo), hi: hi.min(known.hi), div: 1 }
    } else {
        Facts::ANY
    }
}
