//! Random programs, with inputs for the tests that run their texts.

use crate::program::{LookupTable, Program, ProgramOutput, Time};
use alloc::{format, vec};
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, Node, SymInt};

/// A pseudo-random number generator.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    /// Returns a number less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Returns a number in `[lo, hi]`.
    pub fn within(&mut self, lo: i64, hi: i64) -> i64 {
        let span = (hi as i128 - lo as i128 + 1) as u128;
        (lo as i128 + (self.next() as u128 % span) as i128) as i64
    }
}

/// A program with its results on some inputs.
pub struct Case {
    pub program: Program,
    pub samples: Vec<Sample>,
}

pub struct Sample {
    pub inputs: Vec<i64>,
    pub outputs: Vec<i64>,
    pub valid: bool,
}

/// The range of the numbers of a random program.
#[derive(Clone, Copy, PartialEq)]
pub enum Size {
    /// Numbers that are not negative and fit 32 bits.
    Natural,
    Signed,
    /// Numbers beyond 32 bits, or without bounds.
    Wide,
}

/// Makes `count` random programs that have results for at least some inputs. `size(k)` gives the range of the numbers of
/// program `k`.
pub fn cases(seed: u64, count: usize, size: impl Fn(usize) -> Size) -> Vec<Case> {
    let mut random = Random(seed);
    let mut cases = Vec::new();
    while cases.len() < count {
        let program = random_program(&mut random, size(cases.len()));
        let samples = samples(&mut random, &program);
        if samples.len() >= 4 {
            cases.push(Case { program, samples });
        }
    }
    cases
}

fn random_facts(random: &mut Random, size: Size) -> Facts {
    let mut bound = |bits: usize| {
        let bits = 1 + random.below(bits);
        random.within(1, 1 << bits)
    };
    match size {
        Size::Natural => Facts { lo: 0, hi: bound(14), div: 1 },
        Size::Signed => Facts { lo: -bound(10), hi: bound(10), div: 1 },
        Size::Wide => Facts { lo: 0, hi: bound(44), div: 1 },
    }
}

fn random_program(random: &mut Random, size: Size) -> Program {
    let mut program = Program::new();
    let count = 1 + random.below(5);
    let staged = random.below(4) > 0;
    let mut pool: Vec<SymInt> = Vec::new();
    for k in 0..count {
        let mut facts = random_facts(random, size);
        match random.below(6) {
            0 => facts.lo = facts.lo.max(1),
            1 => facts = Facts { lo: facts.lo.max(0), ..facts },
            2 => facts = Facts { lo: facts.lo * 4, hi: facts.hi * 4, div: 4 },
            3 if size == Size::Wide => facts.hi = i64::MAX,
            4 if size == Size::Wide => facts = [Facts::ANY, Facts::NATURAL, Facts::POSITIVE][random.below(3)],
            _ => {}
        }
        let time = if staged && random.below(5) < 3 { Time::Launch } else { Time::Thread };
        let name = ["i", "n", "row", "int", "x y"][k];
        let below = if k > 0 && random.below(4) == 0 { pool.first().copied() } else { None };
        pool.push(program.input(name, time, facts, below).unwrap());
    }
    for k in 0..random.below(3) {
        let entries = (0..random.below(9)).map(|_| random.within(if size == Size::Signed { -40 } else { 0 }, 40)).collect();
        program.tables.push(LookupTable { name: format!("table {k}"), entries });
    }
    let mut truths: Vec<SymInt> = Vec::new();
    for _ in 0..6 + random.below(34) {
        if let Some(node) = random_node(random, &mut program, &pool, &truths, size) {
            let facts = program.scope.facts(node);
            let fits = match size {
                Size::Natural => facts.lo >= 0 && facts.hi < 1 << 32,
                Size::Signed => facts.lo >= i32::MIN as i64 && facts.hi <= i32::MAX as i64,
                Size::Wide => true,
            };
            if fits && !node.is_known() && !pool.contains(&node) {
                let is = |kind: Node| node.node().is_some_and(|k| program.scope.node(k) == kind);
                let is_truth = is(Node::Less) || is(Node::Equal);
                if is_truth || (facts.lo >= 0 && facts.hi <= 1) {
                    truths.push(node);
                }
                pool.push(node);
            }
        }
    }
    let outputs = 1 + random.below(3);
    for k in 0..outputs {
        let value = if random.below(9) == 0 { SymInt::known(7).unwrap() } else { pool[pool.len() - 1 - random.below(pool.len().min(4))] };
        program.outputs.push(ProgramOutput { name: ["m", "n", "struct"][k].into(), value });
    }
    for _ in 0..random.below(4) {
        if !truths.is_empty() {
            program.conditions.push(truths[random.below(truths.len())]);
        }
    }
    program
}

fn random_node(random: &mut Random, program: &mut Program, pool: &[SymInt], truths: &[SymInt], size: Size) -> Option<SymInt> {
    // Choose one of the last numbers more often.
    let pick = |random: &mut Random| {
        if random.below(7) == 0 {
            let value = match random.below(6) {
                0 => 1 << random.below(9),
                1 if size != Size::Natural => -random.within(1, 9),
                2 if size == Size::Wide => random.within(1 << 31, 1 << 36),
                _ => random.within(0, 20),
            };
            return SymInt::known(value).unwrap();
        }
        let last = if random.below(2) == 0 { pool.len() } else { pool.len().min(4) };
        pool[pool.len() - 1 - random.below(last)]
    };
    let (a, b, c) = (pick(random), pick(random), pick(random));
    let truth = |random: &mut Random| if truths.is_empty() { SymInt::ONE } else { truths[random.below(truths.len())] };
    let (p, q) = (truth(random), truth(random));
    let scope = &mut program.scope;
    let made = match random.below(25) {
        0 | 1 => scope.add(a, b),
        2 => scope.sub(a, b),
        3 => scope.mul(a, b),
        4..=6 => scope.div(a, b),
        7 | 8 => scope.rem(a, b),
        9 => scope.min(a, b),
        10 => scope.max(a, b),
        11 => scope.abs(a),
        12 | 13 => scope.is_less(a, b),
        14 => scope.is_equal(a, b),
        15 if scope.facts(a).lo >= 0 && scope.facts(b).lo >= 0 => scope.xor(a, b),
        16 => scope.select(p, a, b),
        17 => scope.select(c, a, b),
        18 => scope.min(p, q),
        19 => scope.max(p, q),
        20 => scope.mul(p, if random.below(2) == 0 { q } else { a }),
        21 => scope.is_equal(p, SymInt::ZERO),
        22 => match random.below(4) {
            0 => scope.sub(SymInt::ONE, p),
            1 => scope.is_less(p, q),
            2 => scope.select(p, q, if random.below(2) == 0 { SymInt::ZERO } else { SymInt::ONE }),
            _ => scope.select(p, if random.below(2) == 0 { SymInt::ZERO } else { SymInt::ONE }, q),
        },
        23 => match random.below(3) {
            0 => scope.xor(p, q),
            1 => scope.is_equal(p, q),
            _ => scope.select(c, p, q),
        },
        _ if !program.tables.is_empty() => {
            let table = random.below(program.tables.len());
            let entries = &program.tables[table].entries;
            let lo = entries.iter().copied().min().unwrap_or(0).min(0);
            let hi = entries.iter().copied().max().unwrap_or(0).max(0);
            // A table with equal entries is a constant, not a node.
            let facts = Facts { lo, hi: hi.max(lo + 1), div: 1 };
            scope.lookup(a, table, facts)
        }
        _ => return None,
    };
    made.ok()
}

/// Returns inputs that satisfy their facts and on which no number overflows, with the results.
fn samples(random: &mut Random, program: &Program) -> Vec<Sample> {
    let roots = program.outputs.iter().map(|output| output.value).chain(program.conditions.iter().copied());
    let live = program.reached(&roots.collect::<Vec<_>>(), &|_| false);
    let mut samples = Vec::new();
    for _ in 0..24 {
        let inputs: Vec<i64> = (0..program.inputs.len()).map(|k| random_input(random, program.facts_of_input(k))).collect();
        let values = program.values(&inputs);
        let exists = |k: usize| !live[k] || program.scope.node(k) == Node::Pair || values[k].is_some();
        if (0..program.scope.len).all(exists) {
            let outputs = program.run(&inputs).unwrap();
            let valid = program.is_valid(&inputs).unwrap();
            samples.push(Sample { inputs, outputs, valid });
        }
    }
    samples
}

fn random_input(random: &mut Random, facts: Facts) -> i64 {
    // An input with only one possible value has no node.
    let any = facts == Facts::ANY;
    let reach = [1 << 5, 1 << 16, 1 << 40][random.below(3)];
    let lo = if facts.lo == i64::MIN { if any { -reach } else { facts.hi - reach } } else { facts.lo };
    let hi = if facts.hi == i64::MAX { lo.max(0) + reach } else { facts.hi };
    let value = match random.below(8) {
        0 | 1 => lo,
        2 | 3 => hi,
        4 => (lo + 1).min(hi),
        5 => (hi - 1).max(lo),
        _ => random.within(lo, hi),
    };
    if facts.div > 1 && facts.div != i64::MAX { value.div_euclid(facts.div) * facts.div } else { value }
}

/// Makes a program with every kind of node, known per launch and known in the thread.
pub fn all_nodes() -> Program {
    let mut program = Program::new();
    let facts = |lo, hi| Facts { lo, hi, div: 1 };
    let n = program.input("n", Time::Launch, facts(0, 1000), None).unwrap();
    let i = program.input("i", Time::Thread, facts(-500, 500), None).unwrap();
    let j = program.input("j", Time::Thread, facts(0, 500), Some(n)).unwrap();
    program.tables.push(LookupTable { name: "order".into(), entries: vec![3, 1, 2, 0] });
    let s = &mut program.scope;
    let div = s.div(j, n).unwrap();
    let rem = s.rem(j, n).unwrap();
    let floor = s.div(i, SymInt::small(3)).unwrap();
    let total = s.rem(i, n).unwrap();
    let abs = s.abs(i).unwrap();
    let xor = s.xor(abs, j).unwrap();
    let less = s.is_less(i, j).unwrap();
    let equal = s.is_equal(div, rem).unwrap();
    let both = s.min(less, equal).unwrap();
    let entry = s.lookup(i, 0, facts(0, 3)).unwrap();
    let most = s.max(floor, total).unwrap();
    let least = s.min(xor, entry).unwrap();
    let sum = s.add(most, least).unwrap();
    let product = s.mul(sum, entry).unwrap();
    let chosen = s.select(both, product, rem).unwrap();
    program.outputs.push(ProgramOutput { name: "out".into(), value: chosen });
    program
}
