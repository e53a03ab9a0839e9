//! There is a path if and only if there are values.

use super::naive::Formula;
use super::programs::{graphs, places, shown};
use super::random::RandomGraph;
use crate::common::{Outcome, Rng, Verdict, hold};
use crate::ensure;
use crd2idx::graph::{Direction, Domain, GraphError};

fn agrees(made: &RandomGraph, rng: &mut Rng) -> Verdict {
    let (graph, all) = (&made.graph, made.names(&(0..made.dims.len()).collect::<Vec<_>>()));
    let bound: Vec<&str> = all.iter().copied().filter(|_| rng.one_in(3)).collect();
    let targets: Vec<&str> = (0..1 + rng.below(2)).map(|_| *rng.pick(&all)).collect();
    let direction = *rng.pick(&[Direction::Forward, Direction::Reverse]);
    let path = graph.has_path(direction, &bound, &targets).map_err(|e| e.to_string())?;
    let connected = graph.is_connected(direction, &bound, &targets).map_err(|e| e.to_string())?;
    ensure!(connected || !path, "{}\n{bound:?} -> {targets:?}: a path without edges", shown(made, &[]));
    let lazy = made.steps.iter().any(|step| matches!(step.formula, Formula::Sunder(_) | Formula::Piecewise { .. }));
    for place in places(made, Domain::Declared, rng, 8) {
        let values = made.values(&place);
        let value = |name: &&str| values[all.iter().position(|other| other == name).unwrap_or(0)].map_or(0, |value| value.number);
        let mut bind = made.bind(&[]);
        bind.extend(bound.iter().map(|name| (*name, value(name))));
        let got = graph.evaluate(direction, &bind, &targets);
        let reached = !matches!(
            got,
            Err(GraphError::Unreachable { .. }
                | GraphError::UndefinedDirection { .. }
                | GraphError::MissingSize { .. }
                | GraphError::MissingStride { .. })
        );
        // Only the branch that is taken needs a value, and a parameter of some value may make strides packed.
        let lucky = lazy || !made.parameters.is_empty();
        let agrees = if path { reached } else { got.is_err() || lucky };
        ensure!(agrees, "{}\n{direction:?} {bind:?} -> {targets:?}: {path}, {got:?}", shown(made, &[]));
    }
    Ok(if path && !targets.iter().all(|target| bound.contains(target)) { Outcome::Answered } else { Outcome::Refused })
}

#[test]
fn a_path_is_where_values_are() {
    let cases: Vec<(u64, RandomGraph)> = (0..).zip(graphs(31, 2500, 5, true).into_iter().chain(graphs(32, 500, 5, false))).collect();
    hold(&cases, |(k, made)| agrees(made, &mut Rng::new(*k))).answers_at_least(200).refuses_at_least(200);
}

/// `determined` has exactly the dimensions that can be computed.
#[test]
fn what_is_determined_can_be_asked_for() {
    for (k, made) in graphs(33, 300, 5, false).iter().enumerate() {
        let mut rng = Rng::new(k as u64);
        for place in places(made, Domain::Declared, &mut rng, 2) {
            let bind = made.bind(&place);
            let Ok(found) = made.graph.determined(made.direction, &bind) else { continue };
            for dim in made.graph.dimensions().iter().filter(|dim| !bind.iter().any(|(name, _)| *name == dim.name)) {
                let value = found.iter().find(|(name, _)| *name == dim.name).map(|(_, value)| vec![*value]);
                assert_eq!(made.graph.evaluate(made.direction, &bind, &[&dim.name]).ok(), value, "{}", shown(made, &place));
            }
        }
    }
}
