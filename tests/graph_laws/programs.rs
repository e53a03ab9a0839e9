//! Evaluation is the definition, and programs are evaluation.

use super::naive::{Formula, Gap};
use super::random::RandomGraph;
use crate::common::{Outcome, Rng, Verdict, hold};
use crate::ensure;
use crd2idx::graph::{Bound, Dimension, Direction, Domain, Expr, GraphError};
use crd2idx::program::{Program, Time};

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Reverse];

pub fn graphs(seed: u64, count: usize, steps: usize, symbolic: bool) -> Vec<RandomGraph> {
    let mut rng = Rng::new(seed);
    let mut out = Vec::new();
    while out.len() < count {
        let made = RandomGraph::new(&mut rng, DIRECTIONS[out.len() % 2], steps, symbolic);
        if !made.steps.is_empty() {
            out.push(made);
        }
    }
    out
}

/// Returns `count` random coordinates in the domain, each with one number for each source.
pub fn places(made: &RandomGraph, domain: Domain, rng: &mut Rng, count: usize) -> Vec<Vec<i64>> {
    let mut coordinate = |k: &usize| match (domain, made.dims[*k].size) {
        (Domain::Declared, Some(size)) => rng.between(0, size.max(1) - 1),
        (Domain::Any, _) => rng.between(-30, 40),
        _ => rng.between(0, 40),
    };
    (0..count).map(|_| made.sources.iter().map(&mut coordinate).collect()).collect()
}

pub fn shown(made: &RandomGraph, at: &[i64]) -> String {
    let quantity = |quantity: &Option<Expr>| quantity.as_ref().map_or("?".into(), Expr::to_string);
    let dim = |dim: &Dimension| format!("{} {}:{}+{}", dim.name, quantity(&dim.size), quantity(&dim.stride), quantity(&dim.offset));
    let dims: Vec<String> = made.graph.dimensions().iter().map(dim).collect();
    let edges: Vec<String> = made.steps.iter().map(|step| format!("{:?} {:?}->{:?}", step.formula, step.sources, step.products)).collect();
    let parameters = made.graph.parameters();
    format!("{:?} of {}\n{parameters:?}\n{}\nbound {:?}", made.direction, dims.join(", "), edges.join("\n"), made.bind(at))
}

/// Returns the results of `program` for these bindings, and whether they are valid.
pub fn at(program: &Program, bind: &[(&str, i64)]) -> (Result<Vec<i64>, String>, Result<bool, String>) {
    let value = |name: &str| bind.iter().find(|(bound, _)| *bound == name).map_or(0, |(_, value)| *value);
    let inputs: Vec<i64> = program.inputs().iter().map(|input| value(&input.name)).collect();
    (program.run(&inputs).map_err(|e| e.to_string()), program.is_valid(&inputs).map_err(|e| e.to_string()))
}

/// Compares evaluation, programs as they are and simplified, and programs in two stages, at coordinates of the domain.
fn agree(made: &RandomGraph, domain: Domain, rng: &mut Rng) -> Verdict {
    let targets = made.targets(rng);
    let names = made.names(&targets);
    let threads: Vec<Bound<'_>> = made.names(&made.sources).into_iter().map(Bound::Thread).collect();
    let some = made.names(&made.sources).into_iter().map(|name| if rng.one_in(2) { Bound::Launch(name) } else { Bound::Thread(name) });
    let some: Vec<Bound<'_>> = some.collect();
    let whole = |sources: &[Bound<'_>]| made.graph.program(made.direction, sources, &names, domain);
    let refuse = |e| format!("{}\n{names:?}: {e}", shown(made, &[]));
    let simplified = match whole(&threads) {
        // An error that no value can mend is returned at once.
        Err(GraphError::Arithmetic { .. } | GraphError::Entry { .. }) => {
            for place in places(made, domain, rng, 24) {
                let got = made.graph.evaluate(made.direction, &made.bind(&place), &names);
                ensure!(got.is_err(), "{}\n{names:?} are {got:?}, but there is no program", shown(made, &place));
            }
            return Ok(Outcome::Refused);
        }
        program => program.map_err(refuse)?,
    };
    let programs = [
        ("simplified", simplified),
        ("two stages", whole(&some).map_err(refuse)?),
        ("unsimplified", made.graph.unsimplified(made.direction, &threads, &names, domain).map_err(refuse)?),
    ];
    let launched = programs[1].1.inputs().iter().filter(|input| input.time == Time::Launch).count();
    let parameters = made.parameters.len();
    ensure!(launched <= some.len() + parameters, "{launched} inputs of the launch");
    let mut defined = 0;
    for place in places(made, domain, rng, 24) {
        let bind = made.bind(&place);
        let values = made.values(&place);
        let want: Result<Vec<_>, Gap> = targets.iter().map(|k| values[*k]).collect();
        let got = made.graph.evaluate(made.direction, &bind, &names);
        let valid = made.graph.is_valid(made.direction, &bind, &names);
        let Ok(want) = want else {
            // A table or a switch has no such entry: evaluation fails, and a program is not valid.
            ensure!(got.is_err() && valid.is_err(), "{}\n{names:?} are {got:?}, where it is {want:?}", shown(made, &place));
            // The number that replaces the entry may have no bits to exchange.
            if made.steps.iter().any(|step| matches!(step.formula, Formula::Xor(_) | Formula::PairSwap(_))) {
                continue;
            }
            for (how, program) in &programs {
                let (_, valid) = at(program, &bind);
                ensure!(valid == Ok(false), "{}\n{how}: {names:?} are {valid:?} valid without an entry", shown(made, &place));
            }
            continue;
        };
        defined += 1;
        let numbers: Vec<i64> = want.iter().map(|value| value.number).collect();
        let all = want.iter().all(|value| value.valid);
        ensure!(got.as_ref() == Ok(&numbers), "{}\n{names:?} are {got:?} instead of {numbers:?}", shown(made, &place));
        ensure!(valid == Ok(all), "{}\n{names:?} are valid: {valid:?} instead of {all}", shown(made, &place));
        for (how, program) in &programs {
            let (got, valid) = at(program, &bind);
            ensure!(got.as_ref() == Ok(&numbers), "{}\n{how}: {names:?} are {got:?} instead of {numbers:?}", shown(made, &place));
            ensure!(valid == Ok(all), "{}\n{how}: {names:?} are valid: {valid:?} instead of {all}", shown(made, &place));
        }
    }
    Ok(if defined > 0 { Outcome::Answered } else { Outcome::Refused })
}

fn law(seed: u64, count: usize, domain: Domain, symbolic: bool) {
    let graphs = graphs(seed, count, 5, symbolic);
    let cases: Vec<(u64, RandomGraph)> = (0..).zip(graphs).collect();
    hold(&cases, |(k, made)| agree(made, domain, &mut Rng::new(seed + k))).answers_at_least(count * 2 / 3);
}

#[test]
fn programs_are_evaluation_inside_the_sizes() {
    law(1, 150, Domain::Declared, false);
}

#[test]
fn programs_are_evaluation_from_0_on() {
    law(1000, 120, Domain::Natural, false);
}

#[test]
fn programs_are_evaluation_everywhere() {
    law(2000, 120, Domain::Any, false);
}

#[test]
fn programs_of_parameters_are_evaluation() {
    for (seed, domain) in [(3000, Domain::Declared), (4000, Domain::Natural), (5000, Domain::Any)] {
        law(seed, 80, domain, true);
    }
}
