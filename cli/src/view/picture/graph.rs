//! A coordinate graph as nodes and links. Every link joins a dimension with a transform.

use super::{Item, Picture};
use crd2idx::graph::{CoordGraph, Dimension, EdgeKind, visible};

/// The maximum number of nodes of a picture.
const MOST_NODES: usize = 400;

/// A graph to draw: nodes and links.
pub struct Flow {
    /// The dimensions, then the transforms and the relations of storage.
    pub nodes: Vec<Node>,
    /// The links, in the order of the transforms.
    pub links: Vec<Link>,
}

pub struct Node {
    /// The name of the node, then its properties, one a line.
    pub lines: Vec<String>,
    pub kind: NodeKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    Dimension,
    /// A transform of coordinates.
    Transform,
    /// A relation of storage: its dimensions share memory.
    Storage,
}

/// A link from one node to another.
pub struct Link {
    pub from: usize,
    pub to: usize,
    /// The number of this link among the inputs or the outputs of the transform, from 0. `None` if there is only one.
    pub place: Option<usize>,
}

impl Flow {
    /// Returns the links that leave a node.
    pub fn after(&self, node: usize) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(move |link| link.from == node)
    }

    /// Returns the links that enter a node.
    pub fn before(&self, node: usize) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(move |link| link.to == node)
    }
}

fn shown(label: Vec<String>) -> Vec<String> {
    label.iter().map(|line| visible(line)).collect()
}

/// Draws `graph FILE`: the dimensions and transforms of a coordinate graph, linked. `name` becomes the title.
pub fn picture(graph: &CoordGraph, name: &str) -> Result<Picture, String> {
    let dimensions = graph.dimensions().len();
    if dimensions + graph.edges().len() > MOST_NODES {
        return Err(format!("{dimensions} dimensions and {} edges are more than the {MOST_NODES} nodes of a picture", graph.edges().len()));
    }
    let node = |dimension: &Dimension| Node { lines: shown(dimension.label()), kind: NodeKind::Dimension };
    let mut nodes: Vec<Node> = graph.dimensions().iter().map(node).collect();
    let mut links = Vec::new();
    for edge in graph.edges() {
        let at = nodes.len();
        let kind = if matches!(edge.kind, EdgeKind::Dataflow(_)) { NodeKind::Storage } else { NodeKind::Transform };
        nodes.push(Node { lines: shown(edge.label()), kind });
        for (is_input, ids) in [(true, &edge.inputs), (false, &edge.outputs)] {
            links.extend(ids.iter().enumerate().map(|(k, id)| {
                let (from, to) = if is_input { (id.number(), at) } else { (at, id.number()) };
                Link { from, to, place: (ids.len() > 1).then_some(k) }
            }));
        }
    }
    if nodes.is_empty() {
        return Err("the graph has no dimension to draw".into());
    }
    let title = format!("coordinate graph {}", visible(name));
    let edges: Vec<String> = graph.edges().iter().map(|edge| visible(&graph.edge_name(edge).0)).collect();
    let description = format!("{dimensions} dimensions. {}", edges.join("; "));
    Ok(Picture { title, description, lines: vec![vec![Item::Graph(Flow { nodes, links })]], arrows: Vec::new() })
}
