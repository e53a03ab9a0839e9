//! Tests on random programs: results stay equal, operations do not increase, and facts hold.

use super::*;
use crate::program::{LookupTable, apply};

/// A xorshift generator.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number in `[lo, hi]`.
    pub fn range(&mut self, lo: i64, hi: i64) -> i64 {
        lo + (self.next() >> 11) as i64 % (hi - lo + 1)
    }
}

/// Returns inputs that satisfy their facts and bounds; `None` if none are found.
pub fn inputs(program: &Program, random: &mut Random) -> Option<Vec<i64>> {
    'again: for _ in 0..20 {
        let mut values: Vec<i64> = Vec::new();
        for k in 0..program.inputs.len() {
            let facts = program.facts_of_input(k);
            let below = match program.inputs[k].below {
                // The bound is computed from earlier inputs.
                Some(n) => program.value_in(n, &program.values(&values)).ok(),
                None => None,
            };
            let lo = facts.lo.max(-60);
            let hi = facts.hi.min(lo.saturating_add(random.range(0, 70))).min(below.unwrap_or(i64::MAX).saturating_sub(1));
            if lo > hi {
                continue 'again;
            }
            let value = random.range(lo, hi);
            let value = value - value.rem_euclid(facts.div);
            if value < lo {
                continue 'again;
            }
            values.push(value);
        }
        return Some(values);
    }
    None
}

const INPUT: Node = Node::Input;

/// An operation of a random program, with the positions of its operands among earlier numbers.
type Step = (Node, usize, usize, usize);

struct Sample {
    program: Program,
    /// The numbers of the program, each with the step that made it unless it is a constant.
    numbers: Vec<(SymInt, Option<Step>)>,
}

fn sample(random: &mut Random, size: usize) -> Sample {
    let mut program = Program::new();
    let mut numbers = Vec::new();
    for k in 0..random.range(1, 3) {
        let lo = random.range(0, 3) - i64::from(random.range(0, 3) == 0) * 3;
        let hi = if random.range(0, 2) == 0 { i64::MAX } else { lo.max(0) + random.range(4, 12) };
        let div = if random.range(0, 4) == 0 { 4 } else { 1 };
        let facts = Facts { lo, hi, div };
        numbers.push((program.input(&format!("n{k}"), Time::Launch, facts, None).unwrap(), Some((INPUT, k as usize, 0, 0))));
    }
    if random.range(0, 2) == 0 {
        let bound = program.scope.mul(numbers[0].0, numbers[numbers.len() - 1].0).unwrap();
        let number = program.inputs.len();
        let flat = program.input("flat", Time::Thread, Facts::NATURAL, Some(bound)).unwrap();
        numbers.push((flat, Some((INPUT, number, 0, 0))));
    }
    for k in 0..random.range(1, 4) {
        let name = format!("i{k}");
        let number = program.inputs.len();
        let bound = numbers[random.range(0, numbers.len() as i64 - 1) as usize].0;
        let x = match random.range(0, 4) {
            0 => program.input(&name, Time::Thread, Facts::ANY, None),
            1 => program.input(&name, Time::Thread, Facts { lo: random.range(-20, -1), hi: random.range(0, 40), div: 1 }, None),
            2 => program.input(&name, Time::Thread, Facts { lo: 0, hi: [3, 7, 15, 5, 11][random.range(0, 4) as usize], div: 1 }, None),
            _ => program.input(&name, Time::Thread, Facts::NATURAL, Some(bound)),
        };
        numbers.push((x.unwrap(), Some((INPUT, number, 0, 0))));
    }
    for _ in 0..random.range(1, 4) {
        let c = [1, 2, 4, 16, 3, 5, 12, -1, -3, 8, 7, 0, -16, 6][random.range(0, 13) as usize];
        numbers.push((known(c), None));
    }
    program.tables.push(LookupTable { name: "t".to_string(), entries: (0..8).map(|_| random.range(-4, 9)).collect() });
    for _ in 0..size {
        let pick = |random: &mut Random| random.range(0, numbers.len() as i64 - 1) as usize;
        let (a, b, c) = (pick(random), pick(random), pick(random));
        // Half of the divisors come from the same few numbers, so that equal divisions occur.
        let b = if random.range(0, 1) == 0 { b % 4 } else { b };
        const KINDS: [Node; 24] = [
            Node::Add,
            Node::Add,
            Node::Add,
            Node::Sub,
            Node::Sub,
            Node::Mul,
            Node::Mul,
            Node::Mul,
            Node::Div,
            Node::Div,
            Node::Div,
            Node::Div,
            Node::Rem,
            Node::Rem,
            Node::Rem,
            Node::Rem,
            Node::Min,
            Node::Max,
            Node::Abs,
            Node::Less,
            Node::Equal,
            Node::Xor,
            Node::Select,
            Node::Lookup,
        ];
        let kind = KINDS[random.range(0, 23) as usize];
        let (x, y, z) = (numbers[a].0, numbers[b].0, numbers[c].0);
        let scope = &mut program.scope;
        let value = match kind {
            Node::Select => scope.select(x, y, z),
            Node::Lookup => scope.lookup(x, 0, Facts::ANY),
            kind => scope.replay(kind, x, y),
        };
        if let Ok(value) = value {
            numbers.push((value, Some((kind, a, b, c))));
        }
    }
    for _ in 0..random.range(1, 3) {
        let last = numbers.len() as i64 - 1;
        output(&mut program, numbers[random.range((last - 4).max(0), last) as usize].0);
    }
    for _ in 0..random.range(0, 2) {
        let pick = |random: &mut Random| numbers[random.range(0, numbers.len() as i64 - 1) as usize].0;
        let (a, b) = (pick(random), pick(random));
        let condition = program.scope.is_less(a, b).unwrap();
        program.conditions.push(condition);
    }
    Sample { program, numbers }
}

/// Returns the numbers by the definition of each operation. `None` marks a number that overflows, or that is too
/// large for a program to reorder sums without overflow.
fn expected(sample: &Sample, inputs: &[i64]) -> Vec<Option<i64>> {
    let mut values: Vec<Option<i64>> = Vec::new();
    for (num, step) in &sample.numbers {
        let value = match step {
            None => num.value(),
            Some((INPUT, k, _, _)) => Some(inputs[*k]),
            Some((node, a, b, c)) => match (*node, values[*a], values[*b]) {
                (Node::Select, Some(x), _) => values[if x != 0 { *b } else { *c }],
                (Node::Lookup, Some(x), _) => {
                    let entries = &sample.program.tables[0].entries;
                    Some(usize::try_from(x).ok().and_then(|x| entries.get(x)).copied().unwrap_or(0))
                }
                (Node::Abs, Some(x), _) => Some(x.abs()),
                (node, Some(x), Some(y)) => apply(node, x, y),
                _ => None,
            },
        };
        values.push(value.filter(|x| x.abs() < 1 << 24));
    }
    values
}

fn check(seed: u64, size: usize, rounds: usize) {
    let mut random = Random(seed);
    let (mut smaller, mut compared) = (0, 0);
    for round in 0..rounds {
        let sample = sample(&mut random, size);
        let program = &sample.program;
        let simple = program.simplified().unwrap();
        let (before, after) = (program.operations(), simple.operations());
        assert!(after.total() <= before.total(), "round {round}: {after} from {before}");
        assert_eq!(simple.inputs.len(), program.inputs.len());
        smaller += usize::from(after.total() < before.total());
        for _ in 0..8 {
            let Some(inputs) = inputs(program, &mut random) else { continue };
            let expected = expected(&sample, &inputs);
            for (k, (num, step)) in sample.numbers.iter().enumerate() {
                let Some(value) = expected[k] else { continue };
                let facts = program.scope.facts(*num);
                let of = |(_, a, b, _): Step| [a, b].map(|n| (expected[n], program.scope.facts(sample.numbers[n].0)));
                assert!(
                    facts.lo <= value && value <= facts.hi && value % facts.div == 0,
                    "round {round}: {value} is not in {facts:?}: {step:?} of {:?}",
                    step.map(of)
                );
            }
            for (before, after) in program.outputs.iter().zip(&simple.outputs) {
                let at = sample.numbers.iter().position(|(num, _)| num.same(before.value)).unwrap();
                let Some(value) = expected[at] else { continue };
                let found = simple.value_in(after.value, &simple.values(&inputs));
                assert_eq!(found, Ok(value), "round {round} at {inputs:?}:\n{}\n{}", text(program), text(&simple));
                compared += 1;
                let facts = (program.scope.facts(before.value), simple.scope.facts(after.value));
                assert!(
                    facts.1.lo >= facts.0.lo && facts.1.hi <= facts.0.hi,
                    "round {round}: {facts:?}:\n{}\n{}",
                    text(program),
                    text(&simple)
                );
                assert!(
                    facts.1.lo <= value && value <= facts.1.hi && value % facts.1.div == 0,
                    "round {round}: {value} is not in {facts:?}:\n{}\n{}",
                    text(program),
                    text(&simple)
                );
            }
            if expected.iter().all(Option::is_some) {
                assert_eq!(simple.is_valid(&inputs), program.is_valid(&inputs), "round {round} at {inputs:?}");
            }
        }
    }
    assert!(smaller > rounds / 8 && compared > rounds, "{smaller} smaller, {compared} compared");
}

#[test]
fn small_programs() {
    check(0x1234_5678_9abc_def1, 6, 3000);
}

#[test]
fn programs() {
    check(0xfeed_beef_0bad_cafe, 14, 2000);
}

#[test]
fn large_programs() {
    check(0x0dd0_ba11_5eed_0001, 40, 200);
}
/// Makes a program of mixed-radix digits: it splits numbers into digits and combines them, with a few extents that
/// are known or not.
pub fn digits(random: &mut Random, steps: usize) -> Program {
    let mut program = Program::new();
    let mut extents: Vec<SymInt> = ["M", "N"].map(|name| extent(&mut program, name)).into();
    let positive = program.input("P", Time::Launch, Facts::POSITIVE, None).unwrap();
    extents.extend([positive, known(16), known(4), known(3), known(6), known(1)]);
    let size = program.scope.mul(extents[0], extents[1]).unwrap();
    let pick = |random: &mut Random, from: &[SymInt]| from[random.range(0, from.len() as i64 - 1) as usize];
    let mut open: Vec<SymInt> = Vec::new();
    for k in 0..random.range(1, 3) {
        let bound = if random.range(0, 4) == 0 { size } else { pick(random, &extents) };
        let name = format!("i{k}");
        // Some coordinates have no extent.
        open.push(if bound.is(1) { any(&mut program, &name) } else { below(&mut program, &name, bound) });
    }
    for _ in 0..steps {
        let at = random.range(0, open.len() as i64 - 1) as usize;
        let (x, y, n) = (open[at], pick(random, &open), pick(random, &extents));
        let scope = &mut program.scope;
        let next = match random.range(0, 8) {
            0..=2 => {
                let rest = scope.rem(x, n).unwrap();
                open.push(rest);
                scope.div(x, n)
            }
            3..=5 => scope.mul(x, n).and_then(|x| scope.add(x, y)),
            6 => scope.add(x, known(random.range(-20, 20))),
            7 => scope.mul(x, known(random.range(-4, 8))),
            _ => scope.sub(x, y),
        };
        open[at] = next.unwrap();
    }
    for x in open {
        let (y, n) = (pick(random, &extents), random.range(-1, 9));
        let flag = program.scope.is_less(x, y).unwrap();
        if n < 2 {
            program.conditions.push(flag);
        }
        let value = if n == 2 { program.scope.min(x, y).unwrap() } else { x };
        output(&mut program, value);
    }
    program
}

fn check_digits(seed: u64, steps: usize, rounds: usize) {
    let mut random = Random(seed);
    let (mut smaller, mut compared) = (0, 0);
    for round in 0..rounds {
        let program = digits(&mut random, steps);
        let simple = program.simplified().unwrap();
        let (before, after) = (program.operations(), simple.operations());
        assert!(after.total() <= before.total(), "round {round}: {after} from {before}");
        smaller += usize::from(after.total() < before.total());
        for _ in 0..8 {
            let Some(inputs) = inputs(&program, &mut random) else { continue };
            let (old, new) = (program.values(&inputs), simple.values(&inputs));
            if old.iter().flatten().any(|x| x.abs() > 1 << 32) {
                continue;
            }
            assert_eq!(simple.run(&inputs), program.run(&inputs), "round {round} at {inputs:?}:\n{}\n{}", text(&program), text(&simple));
            assert_eq!(
                simple.is_valid(&inputs),
                program.is_valid(&inputs),
                "round {round} at {inputs:?}:\n{}\n{}",
                text(&program),
                text(&simple)
            );
            for (k, value) in new.iter().enumerate() {
                let (value, facts) = (value.unwrap(), simple.scope.facts(SymInt::symbol(k)));
                assert!(facts.lo <= value && value <= facts.hi && value % facts.div == 0, "round {round}: {value} is not in {facts:?}");
            }
            compared += 1;
        }
    }
    assert!(smaller > rounds / 3 && compared > rounds, "{smaller} smaller, {compared} compared");
}

#[test]
fn mixed_radix_digits() {
    check_digits(0x00c0_ffee_0000_0001, 6, 1500);
    check_digits(0x00c0_ffee_0000_0002, 14, 500);
}

/// Checks that dropped conditions follow from the kept ones on every input. A kept condition must matter on some
/// input, or have no proof.
fn check_conditions(seed: u64, rounds: usize) {
    let mut random = Random(seed);
    let mut dropped = 0;
    for round in 0..rounds {
        let mut program = digits(&mut random, 5);
        let values: Vec<SymInt> = program.outputs.iter().map(|output| output.value).collect();
        for x in values {
            let n = SymInt::symbol(random.range(0, 3) as usize);
            let low = program.scope.is_less(known(random.range(-3, 1)), x).unwrap();
            let high = program.scope.is_less(x, if random.range(0, 1) == 0 { n } else { known(random.range(1, 20)) }).unwrap();
            let both = program.scope.min(low, high).unwrap();
            program.conditions.push(both);
            let same = program.scope.is_equal(x, known(random.range(0, 3))).unwrap();
            if random.range(0, 5) == 0 {
                program.conditions.push(same);
            }
        }
        let mut pruned = program.clone();
        pruned.prune_conditions().unwrap();
        dropped += (2 * program.outputs.len()).saturating_sub(pruned.conditions.len());
        for _ in 0..20 {
            let Some(inputs) = inputs(&program, &mut random) else { continue };
            if program.values(&inputs).iter().flatten().any(|x| x.abs() > 1 << 32) {
                continue;
            }
            assert_eq!(
                pruned.is_valid(&inputs),
                program.is_valid(&inputs),
                "round {round} at {inputs:?}:\n{}{:?}",
                text(&program),
                pruned.conditions
            );
        }
        let again = pruned.conditions.clone();
        pruned.prune_conditions().unwrap();
        assert_eq!(pruned.conditions, again);
    }
    assert!(dropped > rounds / 10, "{dropped} dropped");
}

#[test]
fn pruned_conditions_say_the_same() {
    check_conditions(0x0dec_1ded_0000_0001, 800);
}
