//! Counts the operations of programs, and measures the time to make and to run them: `cargo bench --bench operations`.

#[path = "../tests/operations/queries.rs"]
mod queries;

use crd2idx::graph::Bound;
use crd2idx::program::Program;
use queries::{Asked, LAYOUTS, asked};
use std::hint::black_box;
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_millis(200);

/// Returns the mean time of one call, in nanoseconds.
fn time<T>(mut call: impl FnMut() -> T) -> f64 {
    let (start, mut calls) = (Instant::now(), 0_u32);
    while start.elapsed() < TIME {
        for _ in 0..8 {
            black_box(call());
        }
        calls += 8;
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}

fn shown(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} us", ns / 1e3),
        ns => format!("{:.1} ms", ns / 1e6),
    }
}

/// Returns names and values of the parameters and sources of a query, and the values of the inputs of its program. Each is
/// 1 except for constants and the names in `known`, so all lie in their ranges.
fn place(asked: &Asked, program: &Program) -> (Vec<(&'static str, i64)>, Vec<i64>) {
    let known = [("M", 200), ("K", 100), ("lda", 104), ("rows", 7), ("cols", 5), ("group", 3)];
    let value = |name: &str| known.iter().find(|(known, _)| *known == name).map_or(1, |(_, value)| *value);
    let bound = asked.sources.iter().map(|source| match source {
        Bound::Constant(name, value) => (*name, *value),
        Bound::Thread(name) | Bound::Launch(name) => (*name, value(name)),
    });
    let parameters = known.iter().copied().filter(|(name, _)| asked.graph.parameters().iter().any(|parameter| parameter.name == *name));
    (parameters.chain(bound).collect(), program.inputs().iter().map(|input| value(&input.name)).collect())
}

fn main() {
    println!("| | simplified | as the formulas are |\n|---|---|---|");
    let row = |name: &str, simplified: Program, unsimplified: Program| {
        let (few, many) = (simplified.operations(), unsimplified.operations());
        println!("| {name} | {}: {few} | {}: {many} |", few.total(), many.total());
    };
    for asked in asked() {
        row(asked.name, asked.program(), asked.unsimplified());
    }
    for (layout, coordinates) in LAYOUTS {
        let of = |program: Result<Program, crd2idx::LayoutError>| program.expect("a layout");
        let unsimplified = of(Program::parse_layout_unsimplified(layout, coordinates));
        row(&format!("`{layout}`, {coordinates:?}"), of(Program::parse_layout(layout, coordinates)), unsimplified);
    }
    println!("\n| | build and simplify | build | `Program::run` | `Query::run` |\n|---|---|---|---|---|");
    for asked in asked() {
        let program = asked.program();
        let (bind, inputs) = place(&asked, &program);
        let (names, values): (Vec<&str>, Vec<i64>) = bind.into_iter().unzip();
        let query = asked.graph.query(asked.direction, &names, asked.targets).expect("a question");
        assert_eq!(program.run(&inputs), query.run(&values).map_err(|_| unreachable!("a value")), "{}", asked.name);
        let times = [
            time(|| asked.program()),
            time(|| asked.unsimplified()),
            time(|| program.run(black_box(&inputs))),
            time(|| query.run(black_box(&values))),
        ];
        println!("| {} | {} |", asked.name, times.map(shown).join(" | "));
    }
}
