//! Tests that compare simplified programs with the original programs. Each file tests the rules of one topic; helpers for
//! all are here.

extern crate std;

mod cases;
mod conditions;
mod identities;
mod random;
mod rules;
mod sums;

use crate::program::{Program, ProgramOutput, Time};
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, Node, SymInt};

/// Adds a coordinate that is at least 0 and less than `n`.
fn below(program: &mut Program, name: &str, n: SymInt) -> SymInt {
    let facts = match n.value() {
        Some(n) => Facts { lo: 0, hi: n - 1, div: 1 },
        None => Facts::NATURAL,
    };
    program.input(name, Time::Thread, facts, Some(n).filter(|n| !n.is_known())).unwrap()
}

/// Adds an extent that is at least 0.
fn extent(program: &mut Program, name: &str) -> SymInt {
    program.input(name, Time::Launch, Facts::NATURAL, None).unwrap()
}

/// Adds an input that may be any number.
fn any(program: &mut Program, name: &str) -> SymInt {
    program.input(name, Time::Thread, Facts::ANY, None).unwrap()
}

fn output(program: &mut Program, value: SymInt) {
    let name = format!("y{}", program.outputs.len());
    program.outputs.push(ProgramOutput { name, value });
}

fn known(value: i64) -> SymInt {
    SymInt::known(value).unwrap()
}

/// Returns the simplified program, after checking on a few inputs that both programs give equal results.
fn simplified(program: &Program) -> Program {
    let out = program.simplified().unwrap();
    assert!(out.operations().total() <= program.operations().total(), "{} from {}", out.operations(), program.operations());
    let mut seed = random::Random(1);
    for _ in 0..50 {
        if let Some(inputs) = random::inputs(program, &mut seed) {
            assert_eq!(out.run(&inputs), program.run(&inputs), "at {inputs:?}");
        }
    }
    out
}

/// Returns a text of the nodes of a program, one on a line.
fn text(program: &Program) -> String {
    let mut out = String::new();
    let scope = &program.scope;
    for k in 0..scope.len {
        let (node, facts) = (scope.node(k), scope.facts(SymInt::symbol(k)));
        out += &format!("?{k} = {node:?} {:?} {:?} in {facts:?}\n", SymInt::raw(scope.a[k]), SymInt::raw(scope.b[k]));
    }
    let of = |numbers: &[ProgramOutput]| numbers.iter().map(|output| output.value).collect::<Vec<SymInt>>();
    let bounds = program.inputs.iter().map(|input| input.below).collect::<Vec<_>>();
    out + &format!("{:?} where {:?}, below {bounds:?}\n", of(&program.outputs), program.conditions)
}

type Maker<'a> = &'a dyn Fn(&mut Program) -> SymInt;

/// Returns the simplified program whose one output `make` builds, with its operations in words.
fn one(make: Maker<'_>) -> (Program, String) {
    let mut program = Program::new();
    let value = make(&mut program);
    output(&mut program, value);
    let out = simplified(&program);
    let words = out.operations().to_string();
    (out, words)
}

/// Returns, in words, the operations of the simplified program whose one output `make` builds.
fn left(make: Maker<'_>) -> String {
    one(make).1
}

/// Returns the number with these digits, the last one fastest. There is one more digit than there are radices.
fn flatten(p: &mut Program, digits: &[SymInt], radices: &[SymInt]) -> SymInt {
    let mut out = digits[0];
    for (x, n) in digits[1..].iter().zip(radices) {
        out = p.scope.mul(out, *n).unwrap();
        out = p.scope.add(out, *x).unwrap();
    }
    out
}

/// Returns `[M, N, i < M, j < N, i * N + j]`.
fn plane(p: &mut Program) -> [SymInt; 5] {
    let (m, n) = (extent(p, "M"), extent(p, "N"));
    let (i, j) = (below(p, "i", m), below(p, "j", n));
    let flat = flatten(p, &[i, j], &[n]);
    [m, n, i, j, flat]
}
