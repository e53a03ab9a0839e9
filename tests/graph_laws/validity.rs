//! Conditions say what lies inside, and each of them matters.

use super::naive::{Formula, Step};
use super::programs::{graphs, shown};
use crate::common::Rng;
use crd2idx::graph::{Bound, CoordGraph, Direction, Domain, Expr, GraphError};
use crd2idx::json::{flatten_from_name, graph_from_json, parse_graph};
use crd2idx::program::Program;
use serde_json::Value;

/// The largest number of coordinates at which a predicate is evaluated in full.
const MOST: i64 = 1 << 16;

/// Calls `f` at every coordinate of a product, or at random ones if there are more than [`MOST`].
fn everywhere(sizes: &[i64], rng: &mut Rng, mut f: impl FnMut(&[i64])) {
    if sizes.iter().try_fold(1_i64, |size, n| size.checked_mul(*n).filter(|size| *size <= MOST)).is_none() {
        // Corners and small numbers matter most.
        let mut place = |n: &i64| match rng.below(3) {
            0 => *rng.pick(&[0, n - 1]),
            1 => rng.between(0, (n - 1).min(40)),
            _ => rng.between(0, n - 1),
        };
        for _ in 0..MOST {
            f(&sizes.iter().map(&mut place).collect::<Vec<_>>());
        }
        return;
    }
    let mut at = vec![0; sizes.len()];
    while !sizes.contains(&0) {
        f(&at);
        let Some(k) = (0..sizes.len()).rev().find(|k| at[*k] + 1 < sizes[*k]) else { return };
        at[k] += 1;
        at[k + 1..].fill(0);
    }
}

/// Returns the numbers of the conditions that never decide: they hold whenever the others hold, at coordinates below `sizes`.
fn redundant(program: &Program, sizes: &[i64], rng: &mut Rng) -> Vec<usize> {
    let count = program.conditions(&vec![0; program.inputs().len()]).map_or(0, |all| all.len());
    let mut decides = vec![false; count];
    everywhere(sizes, rng, |place| {
        if decides.iter().all(|decides| *decides) {
            return;
        }
        let Ok(holds) = program.conditions(place) else { return };
        let mut broken = (0..count).filter(|k| !holds[*k]);
        if let (Some(k), None) = (broken.next(), broken.next()) {
            decides[k] = true;
        }
    });
    (0..count).filter(|k| !decides[*k]).collect()
}

/// Returns the size of each of these dimensions, or `1 << 17` for a dimension without a known size.
fn sizes(graph: &CoordGraph, names: &[&str]) -> Vec<i64> {
    let size = |name: &&str| match graph.dimension(graph.find(name).expect("a name")).expect("a dimension").size {
        Some(Expr::Int(size)) => size,
        _ => 1 << 17,
    };
    names.iter().map(size).collect()
}

/// In random graphs of digits, sums and shifts, every condition decides. With exchanged bits or cases, some conditions do not.
#[test]
fn conditions_of_random_graphs_decide() {
    let (mut conditions, mut idle) = (0, 0);
    for (seed, made) in (0..).zip(graphs(81, 600, 4, false)) {
        let mut rng = Rng::new(seed);
        let targets = made.targets(&mut rng);
        let (names, from) = (made.names(&targets), made.names(&made.sources));
        let sources: Vec<Bound<'_>> = from.iter().map(|name| Bound::Thread(name)).collect();
        let Ok(program) = made.graph.program(made.direction, &sources, &names, Domain::Declared) else { continue };
        let sizes = sizes(&made.graph, &from);
        let found = redundant(&program, &sizes, &mut rng);
        let count = program.conditions(&vec![0; sizes.len()]).map_or(0, |all| all.len());
        conditions += count;
        idle += found.len();
        let plain = |step: &Step| match step.formula {
            Formula::Shift { inside, .. } => inside.is_none_or(|(_, length)| length > 0),
            Formula::Digits { .. } | Formula::Horner(_) | Formula::Sum(_) | Formula::Same | Formula::Modulo(_) => true,
            _ => false,
        };
        let all_plain = made.steps.iter().all(plain);
        assert!(found.is_empty() || !all_plain, "{}\n{names:?}: {found:?} of {count}", shown(&made, &[]));
    }
    println!("{idle} of {conditions} conditions are idle");
    assert!(conditions > 250 && idle * 10 < conditions, "{idle} of {conditions} conditions");
}

/// Returns the number of conditions of a question. Panics if more of them are idle than are known to be; `what` names the question.
fn decides(what: &str, graph: &CoordGraph, direction: Direction, bound: &[&str], constants: &[(&str, i64)], targets: &[&str]) -> usize {
    let threads = bound.iter().map(|name| Bound::Thread(name));
    let sources: Vec<Bound<'_>> = threads.chain(constants.iter().map(|(name, value)| Bound::Constant(name, *value))).collect();
    let program = match graph.program(direction, &sources, targets, Domain::Declared) {
        Ok(program) => program,
        // Some recorded questions bind a switch as a constant, which is missing here.
        Err(GraphError::Unreachable { .. }) => return 0,
        Err(error) => panic!("{what}: {error}"),
    };
    let sizes = sizes(graph, bound);
    let idle = redundant(&program, &sizes, &mut Rng::new(1));
    let count = program.conditions(&vec![0; sizes.len()]).expect("numbers").len();
    // The cases of a piecewise sum bound its results, but intervals alone cannot show this.
    let left =
        [("wgm-", 2), ("xcc-", 1)].iter().find(|(name, _)| what.trim_start_matches('"').starts_with(name)).map_or(0, |(_, left)| *left);
    assert!(idle.len() <= left, "{what}: {idle:?} of {count} conditions are idle");
    count
}

#[test]
fn conditions_of_the_examples_decide() {
    let read = |text| parse_graph(text).expect("a graph");
    let im2col = read(include_str!("../../examples/graphs/im2col.json"));
    assert_eq!(decides("im2col", &im2col, Direction::Reverse, &["m", "k"], &[], &["x"]), 2);
    let stream_k = read(include_str!("../../examples/graphs/stream_k.json"));
    let parts = [("stream_group", "stream_step"), ("parallel_group", "parallel_step")];
    for (part, (group, step)) in (0..).zip(parts) {
        assert_eq!(decides("stream-K", &stream_k, Direction::Reverse, &[group, step], &[("part", part)], &["m", "n", "k"]), 0);
    }
    let all = ["stream_group", "stream_step", "parallel_group", "parallel_step", "part"];
    assert_eq!(decides("stream-K", &stream_k, Direction::Reverse, &all, &[], &["m", "n", "k"]), 0);
    let gemm = read(include_str!("../../examples/graphs/gemm.json"));
    let sizes = [("M", 200), ("K", 100), ("lda", 104)];
    assert_eq!(decides("gemm", &gemm, Direction::Reverse, &["block", "step", "pass", "tid", "v"], &sizes, &["A", "lds"]), 2);
}

fn lent(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

#[test]
fn conditions_of_the_records_decide() {
    let file: Value = serde_json::from_str(include_str!("../data/coordgraph.json")).expect("the records are JSON");
    let (mut programs, mut conditions) = (0, 0);
    for case in file["cases"].as_array().expect("a list") {
        let graph = graph_from_json(&case["graph"]).expect("a graph");
        let graph = graph.with_flatten(flatten_from_name(case["profile"].as_str().expect("a name")).expect("a profile"));
        for query in case["queries"].as_array().expect("a list") {
            let op = query["op"].as_str().expect("a name");
            let direction = if op.starts_with("forward") { Direction::Forward } else { Direction::Reverse };
            let keys = |value: &Value| value.as_object().map_or(vec![], |object| object.keys().cloned().collect::<Vec<_>>());
            let names =
                |value: &Value| value.as_array().expect("a list").iter().map(|name| name.as_str().expect("a name").to_owned()).collect();
            let (bound, targets): (Vec<String>, Vec<String>) = match op.trim_start_matches(direction.name()) {
                _ if query.get("error").is_some() => continue,
                "" => (keys(&query["bind"]), keys(&query["expect"])),
                "_sweep" => {
                    let vary = query["vary"].as_array().expect("a list").iter().map(|range| range[0].as_str().expect("a name").to_owned());
                    (keys(&query["fixed"]).into_iter().chain(vary).collect(), names(&query["targets"]))
                }
                _ => continue,
            };
            conditions += decides(&format!("{} {op}", case["id"]), &graph, direction, &lent(&bound), &[], &lent(&targets));
            programs += 1;
        }
    }
    println!("{conditions} conditions of {programs} programs");
    assert!(programs > 80, "{programs} programs");
}
