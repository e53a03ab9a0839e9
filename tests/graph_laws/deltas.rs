//! A delta is the difference of two values of a target.

use super::programs::{at, graphs, places, shown};
use super::random::RandomGraph;
use crate::common::{Outcome, Rng, Verdict, hold};
use crate::ensure;
use crd2idx::graph::{Bound, Domain, GraphError};

fn is_a_difference(made: &RandomGraph, domain: Domain, rng: &mut Rng) -> Verdict {
    let targets = made.targets(rng);
    let names = made.names(&targets);
    let (grown, by) = (rng.below(made.sources.len()), rng.between(-3, 5));
    let sources = made.names(&made.sources);
    let dim = sources[grown];
    let threads: Vec<Bound<'_>> = sources.iter().map(|name| Bound::Thread(name)).collect();
    let program = match made.graph.delta_program(made.direction, &threads, dim, by, &names, domain) {
        Err(GraphError::Arithmetic { .. } | GraphError::Entry { .. } | GraphError::SwitchOutOfRange { .. }) => return Ok(Outcome::Refused),
        program => program.map_err(|e| format!("{}\n{names:?} for {dim}: {e}", shown(made, &[])))?,
    };
    let mut compared = 0;
    for place in places(made, domain, rng, 16) {
        let mut after = place.clone();
        after[grown] += by;
        let (before, after) = (made.bind(&place), made.bind(&after));
        let got = made.graph.delta(made.direction, &before, dim, by, &names);
        let (from, to) = (made.values(&place), made.values(&after.iter().skip(made.parameters.len()).map(|b| b.1).collect::<Vec<_>>()));
        let want: Result<Vec<i64>, _> = targets.iter().map(|k| Ok(to[*k]?.number - from[*k]?.number)).collect();
        let Ok(want): Result<_, super::naive::Gap> = want else {
            ensure!(got.is_err(), "{}\n{names:?} move {got:?} by {by} of {dim}", shown(made, &place));
            continue;
        };
        compared += 1;
        ensure!(got.as_ref() == Ok(&want), "{}\n{names:?} move {got:?} by {by} of {dim}, not {want:?}", shown(made, &place));
        let (got, valid) = at(&program, &before);
        ensure!(got.as_ref() == Ok(&want), "{}\nprogram: {names:?} move {got:?} by {by} of {dim}, not {want:?}", shown(made, &place));
        let all = targets.iter().all(|k| [&from, &to].into_iter().all(|values| values[*k].is_ok_and(|value| value.valid)));
        ensure!(valid == Ok(all), "{}\nprogram: {names:?} moved by {by} of {dim} are valid: {valid:?}", shown(made, &place));
    }
    Ok(if compared > 0 { Outcome::Answered } else { Outcome::Refused })
}

#[test]
fn deltas_are_differences() {
    for (seed, domain) in [(21, Domain::Declared), (22, Domain::Any)] {
        let cases: Vec<(u64, RandomGraph)> = (0..).zip(graphs(seed, 120, 4, true)).collect();
        hold(&cases, |(k, made)| is_a_difference(made, domain, &mut Rng::new(*k))).answers_at_least(80);
    }
}
