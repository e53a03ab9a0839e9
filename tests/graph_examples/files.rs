//! Every file, read and checked.

use crd2idx::graph::{Bound, CoordGraph, Direction, Domain};
use crd2idx::json::{graph_from_json, graph_to_json, parse_graph};
use crd2idx::program::Program;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/graphs")
}

pub fn graph(name: &str) -> CoordGraph {
    let path = folder().join(name).with_extension("json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    parse_graph(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the program of `targets` from the coordinates `bound` of a thread, for coordinates inside their sizes.
pub fn program(graph: &CoordGraph, direction: Direction, bound: &[&str], targets: &[&str]) -> Program {
    let sources: Vec<Bound<'_>> = bound.iter().map(|name| Bound::Thread(name)).collect();
    graph.program(direction, &sources, targets, Domain::Declared).unwrap_or_else(|error| panic!("{targets:?}: {error}"))
}

/// Each graph can be read, survives being written, is connected, and is drawn with all of its dimensions.
#[test]
fn every_file_is_a_graph() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the examples are beside the tests")
        .map(|entry| entry.expect("a file").path())
        .inspect(|path| assert_eq!(path.extension().and_then(|x| x.to_str()), Some("json"), "{}", path.display()))
        .map(|path| path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned())
        .collect();
    names.sort();
    let known = ["flatten_column", "flatten_row", "gemm", "im2col", "join", "split", "stream_k", "sunder", "tile", "workgroups"];
    assert_eq!(names, known);
    for name in &names {
        let graph = graph(name);
        let value = graph_to_json(&graph);
        assert_eq!(graph_to_json(&graph_from_json(&value).expect("what was written is read")), value, "{name}");
        let drawing = graph.to_dot().to_string();
        for (k, dim) in graph.dimensions().iter().enumerate() {
            assert!(drawing.contains(&dim.name), "{name}: {} is not drawn", dim.name);
            let touched = |edge: &crd2idx::graph::Edge| edge.inputs.iter().chain(&edge.outputs).any(|id| id.number() == k);
            assert!(graph.edges().iter().any(touched), "{name}: {} is disconnected", dim.name);
        }
    }
}
