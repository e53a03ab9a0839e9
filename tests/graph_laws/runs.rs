//! Runs are programs along a coordinate.

use super::programs::{at, graphs, places, shown};
use super::random::RandomGraph;
use crate::common::{Outcome, Rng, Verdict, hold};
use crate::ensure;
use crd2idx::graph::{Bound, CoordGraph, Dimension, Direction, Domain, Expr, ExprOp, GraphError, Transform};

/// Checks every coordinate of 16 runs. Counts as refused if no run is longer than one coordinate.
fn grow_evenly(made: &RandomGraph, domain: Domain, rng: &mut Rng) -> Verdict {
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
        // A program holds for values of its domain only.
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
        let cases: Vec<(u64, RandomGraph)> = (0..).zip(graphs(seed, 160, 4, true)).collect();
        hold(&cases, |(k, made)| grow_evenly(made, domain, &mut Rng::new(*k))).answers_at_least(100);
    }
}

/// Returns the program for `x` if the condition holds, and 1000 otherwise.
fn choice(condition: Expr, domain: Domain) -> crd2idx::program::Program {
    let mut graph = CoordGraph::new();
    let [x, at] = ["x", "at"].map(|name| graph.add(Dimension::new(name)).expect("a new name"));
    let strides = [[0].map(Expr::Int).into(), [1].map(Expr::Int).into()];
    let join = Transform::PiecewiseAffineJoin { condition, strides, initial: [1000, 0].map(Expr::Int) };
    graph.connect(join, [x], [at]).expect("a join");
    graph.run_program(Direction::Forward, &["x".into()], "x", &["at"], domain).expect("a program")
}

/// It is known which of two numbers is smaller as long as both grow evenly.
#[test]
fn of_smaller_numbers() {
    let op = |op, a: Expr, b: i64| Expr::Op(op, Box::new([a, Expr::Int(b)]));
    let least = op(ExprOp::Min, op(ExprOp::Rem, Expr::Arg(0), 8), 5);
    let greatest = op(ExprOp::Max, op(ExprOp::Rem, Expr::Arg(0), 8), 2);
    for (condition, holds) in [(op(ExprOp::Less, least, 5), 0..5), (op(ExprOp::Less, greatest, 3), 0..3)] {
        let runs = choice(condition, Domain::Natural);
        for x in 0..64 {
            let run = runs.run(&[x]).expect("no overflow");
            let &[at, step, count, 1] = &run[..] else { panic!("{run:?}") };
            for t in 0..count.min(20) {
                let want = if holds.contains(&((x + t) % 8)) { 1000 } else { x + t };
                assert_eq!(at + t * step, want, "{run:?} from {x} after {t}");
            }
        }
    }
}

/// The operands of a comparison may exceed 64 bits; a run counts at most 31.
#[test]
fn of_large_numbers() {
    let quotient = Expr::Op(ExprOp::Div, Box::new([Expr::Arg(0), Expr::Int(1024)]));
    let runs = choice(Expr::Op(ExprOp::Less, Box::new([quotient, Expr::Int(1 << 55)])), Domain::Any);
    assert_eq!(runs.run(&[5]).map(|run| run[0]), Ok(1000));
    let mut graph = CoordGraph::new();
    let x = graph.add(Dimension::new("x").size((1 << 40) + 5)).expect("a new name");
    let [tile, i] = [Dimension::new("tile"), Dimension::new("i").size(1 << 40)].map(|dim| graph.add(dim).expect("a new name"));
    graph.connect(Transform::Tile, [x], [tile, i]).expect("a tile");
    let runs = graph.run_program(Direction::Forward, &["x".into()], "x", &["tile"], Domain::Natural).expect("a program");
    assert_eq!(runs.run(&[0]), Ok(vec![0, 0, i32::MAX as i64, 1]));
}
