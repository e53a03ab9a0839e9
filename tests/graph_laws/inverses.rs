//! Both directions undo each other, if both exist and coordinates lie inside.

use super::naive::{Formula, Step};
use super::programs::{graphs, places, shown};
use super::random::RandomGraph;
use crate::common::{Outcome, Rng, Verdict, hold};
use crate::ensure;
use crd2idx::graph::{Direction, Domain, GraphError};

/// Compares `sources -> ends -> sources` and `ends -> sources -> ends`. Counts as refused if the ends do not determine the sources.
fn both_ways(made: &RandomGraph, rng: &mut Rng) -> Verdict {
    let (graph, there) = (&made.graph, made.direction);
    let back = if there == Direction::Forward { Direction::Reverse } else { Direction::Forward };
    // Sources without products are ends as well.
    let one_to_one = |step: &Step| step.sources.len() == 1 && matches!(step.formula, Formula::Piecewise { .. });
    if made.steps.iter().any(one_to_one) {
        // Either side may be the one with many dimensions: both directions are the same sum.
        return Ok(Outcome::Refused);
    }
    let used = |k: &usize| made.steps.iter().any(|step| step.sources.contains(k));
    let sources: Vec<usize> = made.sources.iter().copied().filter(used).collect();
    let (ends, parameters) = (made.ends(), made.bind(&[]));
    let (from, to) = (made.names(&sources), made.names(&ends));
    if sources.is_empty() || !graph.has_path(back, &to, &from).map_err(|e| e.to_string())? {
        return Ok(Outcome::Refused);
    }
    let with = |names: &[&str], numbers: &[i64]| {
        let mut bind: Vec<(String, i64)> = parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        bind.extend(names.iter().map(|name| name.to_string()).zip(numbers.iter().copied()));
        bind
    };
    let mut compared = 0;
    for place in places(made, Domain::Declared, rng, 30) {
        let at: Vec<i64> = made.sources.iter().zip(&place).filter(|(k, _)| sources.contains(k)).map(|(_, at)| *at).collect();
        let bind = with(&from, &at);
        let bind: Vec<(&str, i64)> = bind.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let Ok(true) = graph.is_valid(there, &bind, &to) else { continue };
        let ends = graph.evaluate(there, &bind, &to).map_err(|e| e.to_string())?;
        let bind = with(&to, &ends);
        let bind: Vec<(&str, i64)> = bind.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let got = graph.evaluate(back, &bind, &from);
        ensure!(got.as_ref() == Ok(&at), "{}\n{from:?} of {to:?} = {ends:?} are {got:?}", shown(made, &place));
        compared += 1;
    }
    // A constant keeps its value, whatever its product is.
    let undone =
        |step: &Step| !step.sources.is_empty() && graph.has_path(back, &made.names(&step.products), &made.names(&step.sources)) == Ok(true);
    let random_ends = if made.steps.iter().all(undone) { 30 } else { 0 };
    for _ in 0..random_ends {
        let at: Vec<i64> = ends.iter().map(|k| rng.between(0, made.dims[*k].size.unwrap_or(30).max(1) - 1)).collect();
        let bind = with(&to, &at);
        let bind: Vec<(&str, i64)> = bind.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let sources = match graph.evaluate(back, &bind, &from) {
            Ok(sources) if graph.is_valid(back, &bind, &from) == Ok(true) => sources,
            // Ends that belong together contradict each other at random.
            Ok(_) | Err(GraphError::Conflict { .. } | GraphError::Entry { .. } | GraphError::Arithmetic { .. }) => continue,
            Err(error) => return Err(format!("{}\n{from:?} of {bind:?}: {error}", shown(made, &[]))),
        };
        let bind = with(&from, &sources);
        let bind: Vec<(&str, i64)> = bind.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let got = graph.evaluate(there, &bind, &to);
        ensure!(got.as_ref() == Ok(&at), "{}\n{to:?} of {from:?} = {sources:?} are {got:?} instead of {at:?}", shown(made, &[]));
        compared += 1;
    }
    Ok(if compared > 0 { Outcome::Answered } else { Outcome::Refused })
}

#[test]
fn directions_undo_each_other() {
    let cases: Vec<(u64, RandomGraph)> = (0..).zip(graphs(11, 1500, 4, true)).collect();
    hold(&cases, |(k, made)| both_ways(made, &mut Rng::new(*k))).answers_at_least(300);
}
