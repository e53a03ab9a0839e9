//! Runs are programs along a coordinate.

use super::programs::{at, graphs, places, shown};
use super::random::Made;
use crate::common::{Outcome, Rng, Verdict, hold};
use crate::ensure;
use crd2idx::graph::{Bound, Domain, GraphError};

/// Every place of a run, and how many runs are longer than one place.
fn grow_evenly(made: &Made, domain: Domain, rng: &mut Rng) -> Verdict {
    let targets = made.targets(rng);
    let names = made.names(&targets);
    let sources = made.names(&made.sources);
    let along = rng.below(sources.len());
    let threads: Vec<Bound<'_>> = sources.iter().map(|name| Bound::Thread(name)).collect();
    let program = match made.graph.program(made.direction, &threads, &names, domain) {
        Err(GraphError::Arithmetic { .. } | GraphError::Entry { .. } | GraphError::SwitchOutOfRange { .. }) => return Ok(Outcome::Refused),
        program => program.map_err(|e| format!("{}\n{names:?}: {e}", shown(made, &[])))?,
    };
    let runs = made.graph.run_program(made.direction, &threads, sources[along], &names, domain);
    let runs = runs.map_err(|e| format!("{}\n{names:?} along {}: {e}", shown(made, &[]), sources[along]))?;
    let size = made.dims[made.sources[along]].size;
    let mut long = 0;
    for place in places(made, domain, rng, 16) {
        let context = || format!("{}\n{names:?} along {}", shown(made, &place), sources[along]);
        let (Ok(run), _) = at(&runs, &made.bind(&place)) else { continue };
        let (indices, rest) = run.split_at(targets.len());
        let (steps, rest) = rest.split_at(targets.len());
        let &[count, valid] = rest else { return Err(format!("{}: outputs {run:?}", context())) };
        ensure!((1..=i32::MAX as i64).contains(&count) && (0..=1).contains(&valid), "{}: {run:?}", context());
        // A program is for the values of its domain.
        let end = match (domain, size) {
            (Domain::Declared, Some(size)) => count.min(size - place[along]),
            _ => count,
        };
        for t in 0..end.min(60) {
            let mut there = place.clone();
            there[along] += t;
            let (got, is_valid) = at(&program, &made.bind(&there));
            ensure!(is_valid == Ok(valid == 1), "{}: {run:?}, but {is_valid:?} after {t}", context());
            let want: Vec<i64> = indices.iter().zip(steps).map(|(index, step)| index + t * step).collect();
            ensure!(got.as_ref() == Ok(&want), "{}: {run:?}, but {got:?} after {t}", context());
        }
        long += usize::from(count > 1);
    }
    Ok(if long > 0 { Outcome::Answered } else { Outcome::Refused })
}

#[test]
fn runs_grow_evenly() {
    for (seed, domain) in [(31, Domain::Declared), (32, Domain::Any), (33, Domain::Natural)] {
        let cases: Vec<(u64, Made)> = (0..).zip(graphs(seed, 160, 4, true)).collect();
        hold(&cases, |(k, made)| grow_evenly(made, domain, &mut Rng::new(*k))).answers_at_least(100);
    }
}
