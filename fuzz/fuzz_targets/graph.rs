//! Any text is a graph or an error. A graph comes back from its JSON, is drawn, and answers all queries.
//! `cargo +nightly fuzz run graph -- -max_total_time=60`
#![no_main]

use crd2idx::graph::{CoordGraph, Direction, FlattenMode};
use crd2idx::json::{graph_from_json, graph_to_json, parse_graph};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(graph) = parse_graph(text) else { return };
    let again = graph_from_json(&graph_to_json(&graph)).expect("what is written is read");
    assert_eq!((graph.dimensions(), graph.edges()), (again.dimensions(), again.edges()));
    assert_eq!((graph.parameters(), graph.flatten_mode()), (again.parameters(), again.flatten_mode()));
    assert!(!graph.to_dot().to_string().is_empty() && !graph.to_mermaid().to_string().is_empty());
    for flatten in [graph.flatten_mode(), FlattenMode::Sizes, FlattenMode::Strides] {
        ask(&graph.clone().with_flatten(flatten));
    }
});

/// Runs every query, from every second dimension and all parameters.
fn ask(graph: &CoordGraph) {
    let names: Vec<&str> = graph.dimensions().iter().map(|dim| dim.name.as_str()).collect();
    let parameters = graph.parameters().iter().map(|parameter| (parameter.name.as_str(), 5));
    for direction in [Direction::Forward, Direction::Reverse] {
        for (offset, value) in [(0, 0), (1, 3), (0, i64::MAX), (1, -7)] {
            let bound: Vec<&str> = names.iter().copied().skip(offset).step_by(2).collect();
            let bind: Vec<(&str, i64)> = bound.iter().map(|name| (*name, value)).chain(parameters.clone()).collect();
            for (name, value) in graph.determined(direction, &bind).into_iter().flatten() {
                assert_eq!(graph.evaluate(direction, &bind, &[name]), Ok(vec![value]));
            }
            let _ = graph.is_valid(direction, &bind, &names);
            for name in &names {
                let _ = graph.delta(direction, &bind, bound.first().unwrap_or(name), 2, &[name]);
                graph.has_path(direction, &bound, &[name]).expect("the names exist");
                graph.is_connected(direction, &bound, &[name]).expect("the names exist");
                graph.storage_of(name).and_then(|_| graph.used_by(name)).expect("the name exists");
            }
        }
    }
}
