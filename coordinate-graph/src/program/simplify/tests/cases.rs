//! Tests of programs that are split by a condition: each case equals the program where the condition has its answer.

use super::random::{Random, digits, inputs};
use super::*;

/// Makes a program that selects between digits.
fn choosing(random: &mut Random) -> Program {
    let mut program = digits(random, 6);
    program.conditions.clear();
    let values: Vec<SymInt> = program.outputs.iter().map(|output| output.value).collect();
    let pick = |random: &mut Random| values[random.range(0, values.len() as i64 - 1) as usize];
    let (x, y) = (pick(random), if random.range(0, 1) == 0 { pick(random) } else { known(random.range(0, 9)) });
    let scope = &mut program.scope;
    let condition = if random.range(0, 3) == 0 { scope.is_equal(x, y) } else { scope.is_less(x, y) }.unwrap();
    for k in 0..program.outputs.len() {
        let (other, by) = (pick(random), known(random.range(1, 7)));
        let difference = program.scope.sub(x, y).unwrap();
        let otherwise = match random.range(0, 3) {
            0 => program.scope.div(difference, by),
            1 => program.scope.rem(difference, by),
            2 => program.scope.div(other, by),
            _ => Ok(other),
        };
        let otherwise = otherwise.unwrap();
        program.outputs[k].value = program.scope.select(condition, program.outputs[k].value, otherwise).unwrap();
    }
    program
}

#[test]
fn each_case_is_the_program() {
    let mut random = Random(0x0ca5_e500_0000_0001);
    let (mut split, mut compared) = (0, [0; 2]);
    for round in 0..1500 {
        let program = choosing(&mut random);
        let Some(cases) = program.cases().unwrap() else { continue };
        split += 1;
        for _ in 0..12 {
            let Some(inputs) = inputs(&program, &mut random) else { continue };
            if program.values(&inputs).iter().flatten().any(|x| x.abs() > 1 << 32) {
                continue;
            }
            let holds = cases.condition.run(&inputs).unwrap()[0] != 0;
            let case = if holds { &cases.then } else { &cases.otherwise };
            let at = || format!("round {round} at {inputs:?}, {holds}:\n{}\n{}", text(&program), text(case));
            assert_eq!(case.run(&inputs), program.run(&inputs), "{}", at());
            for (k, value) in case.values(&inputs).into_iter().enumerate() {
                let (value, facts) = (value.unwrap_or(0), case.scope.facts(SymInt::symbol(k)));
                let counts = case.scope.node(k) != Node::Pair;
                assert!(
                    !counts || (facts.lo <= value && value <= facts.hi && value % facts.div == 0),
                    "{value} is not in {facts:?}: {}",
                    at()
                );
            }
            compared[usize::from(holds)] += 1;
        }
    }
    assert!(split > 300 && compared.iter().all(|n| *n > 1000), "{split} split, {compared:?} compared");
}

#[test]
fn a_case_knows_its_range() {
    let mut p = Program::new();
    let wg = below(&mut p, "wg", known(154));
    let first = p.scope.div(wg, known(140)).unwrap();
    let is_first = p.scope.is_equal(first, known(0)).unwrap();
    let inside = p.scope.rem(wg, known(140)).unwrap();
    let (a, b) = (p.scope.div(wg, known(28)).unwrap(), p.scope.div(inside, known(2)).unwrap());
    let value = p.scope.select(is_first, a, b).unwrap();
    output(&mut p, value);
    let cases = p.cases().unwrap().unwrap();
    assert_eq!(format!("{}", cases.condition.operations()), "1 other");
    assert_eq!(format!("{}", cases.then.operations()), "1 div");
    assert_eq!(format!("{}", cases.otherwise.operations()), "1 add, 1 shift");
    assert!(cases.then.cases().unwrap().is_none());
}

#[test]
fn what_is_less_is_not_negative_where_it_is_not_less() {
    let mut p = Program::new();
    let (n, m) = (extent(&mut p, "n"), extent(&mut p, "m"));
    let x = p.input("x", Time::Thread, Facts::NATURAL, None).unwrap();
    let bound = p.scope.mul(n, m).unwrap();
    let (low, rest) = (p.scope.is_less(x, bound).unwrap(), p.scope.sub(x, bound).unwrap());
    let (a, b) = (p.scope.div(x, known(3)).unwrap(), p.scope.div(rest, n).unwrap());
    let value = p.scope.select(low, a, b).unwrap();
    output(&mut p, value);
    assert!(p.facts_of_output(0).lo < 0);
    let cases = p.cases().unwrap().unwrap();
    assert_eq!([&cases.then, &cases.otherwise].map(|case| case.facts_of_output(0).lo), [0, 0]);
}
