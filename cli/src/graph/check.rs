//! `crd2idx graph check`: a report on the dimensions of a valid graph.

use super::eval::shown;
use crd2idx::graph::{CoordGraph, DimId, Direction, Edge, EdgeKind, FlattenMode};
use std::collections::HashMap;
use std::fmt::Write;

/// The uses of a dimension in one direction.
#[derive(Clone, Default)]
struct Use {
    /// The numbers of the edges that produce the dimension.
    producers: Vec<usize>,
    is_read: bool,
}

/// Returns a report on a valid graph, one finding a line.
pub fn report(graph: &CoordGraph) -> String {
    let mut out = String::new();
    let flatten = match graph.flatten_mode() {
        FlattenMode::Declared => "as declared",
        FlattenMode::Sizes => "by sizes",
        FlattenMode::Strides => "by strides",
    };
    let transforms = graph.edges().iter().filter(|edge| !is_storage(edge)).count();
    let counts = [
        (graph.dimensions().len(), "dimension", "dimensions"),
        (transforms, "transform", "transforms"),
        (graph.edges().len() - transforms, "relation of storage", "relations of storage"),
        (graph.parameters().len(), "parameter", "parameters"),
    ];
    let counts = counts.iter().enumerate().filter(|(k, (n, ..))| *k < 2 || *n > 0);
    let counts = counts.map(|(_, (n, one, many))| format!("{n} {}", if *n == 1 { one } else { many }));
    line(&mut out, "graph", &counts.chain([format!("Flatten {flatten}")]).collect::<Vec<_>>().join(", "));
    for direction in [Direction::Forward, Direction::Reverse] {
        let uses = uses(graph, direction);
        let with = |holds: &dyn Fn(&Use) -> bool| {
            let dims = graph.dimensions().iter().zip(&uses);
            dims.filter(|(_, used)| holds(used)).map(|(dim, _)| shown(&dim.name)).collect::<Vec<_>>().join(", ")
        };
        line(&mut out, &format!("{} from", direction.name()), &with(&|used| used.producers.is_empty() && used.is_read));
        line(&mut out, &format!("{} to", direction.name()), &with(&|used| !used.producers.is_empty() && !used.is_read));
        for (dim, used) in graph.dimensions().iter().zip(&uses).filter(|(_, used)| used.producers.len() > 1) {
            let producers = used.producers.iter().map(|k| format!("{} edges[{k}]", graph.edges()[*k].kind.name()));
            let producers = producers.collect::<Vec<_>>().join(", ");
            line(&mut out, &format!("{} twice", direction.name()), &format!("{} by {producers}", shown(&dim.name)));
        }
    }
    line(&mut out, "disconnected", &disconnected(graph).join(", "));
    for group in storage(graph) {
        line(&mut out, "one storage", &group.join(", "));
    }
    out.truncate(out.trim_end().len());
    out
}

/// Appends the line `what: text`, unless the text is empty.
fn line(out: &mut String, what: &str, text: &str) {
    if !text.is_empty() {
        // Writing to a String never fails.
        let _ = writeln!(out, "{:<15}{text}", format!("{what}:"));
    }
}

fn is_storage(edge: &Edge) -> bool {
    matches!(edge.kind, EdgeKind::Dataflow(_))
}

fn uses(graph: &CoordGraph, direction: Direction) -> Vec<Use> {
    let mut out = vec![Use::default(); graph.dimensions().len()];
    for (k, edge) in graph.edges().iter().enumerate().filter(|(_, edge)| !is_storage(edge)) {
        let (sources, products) = match direction {
            Direction::Forward => (&edge.inputs, &edge.outputs),
            Direction::Reverse => (&edge.outputs, &edge.inputs),
        };
        sources.iter().for_each(|id| out[id.number()].is_read = true);
        products.iter().for_each(|id| out[id.number()].producers.push(k));
    }
    out
}

/// Returns the names of the dimensions that no edge uses.
fn disconnected(graph: &CoordGraph) -> Vec<String> {
    let mut touched = vec![false; graph.dimensions().len()];
    let ends = graph.edges().iter().flat_map(|edge| edge.inputs.iter().chain(&edge.outputs));
    ends.for_each(|id: &DimId| touched[id.number()] = true);
    graph.dimensions().iter().zip(touched).filter(|(_, touched)| !touched).map(|(dim, _)| shown(&dim.name)).collect()
}

/// Returns the groups of names of dimensions that share storage.
fn storage(graph: &CoordGraph) -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut places = HashMap::new();
    for dim in graph.dimensions() {
        let Ok(holder) = graph.storage_of(&dim.name) else { continue };
        let place = *places.entry(holder).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(shown(&dim.name));
    }
    groups.retain(|group| group.len() > 1);
    groups
}
