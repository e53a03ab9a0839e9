//! Edges of a coordinate graph: transforms of coordinates, and relations of storage. The transforms are in `transform.rs`.
//! A new relation is a row of `Dataflow`, and `storage.rs` follows it.

use super::{DimId, Transform};
use layout_algebra::heap::*;

named_enum! {
    /// A relation of storage between dimensions. The graph checks, queries and draws it; index arithmetic does not use it.
    /// A `Segment` or an `Index` that is made from its name alone has the number 0.
    ///
    /// ```
    /// use coordinate_graph::graph::Dataflow;
    /// let half = Dataflow::Segment(1);
    /// assert_eq!((half.name(), half.number()), ("Segment", Some(1)));
    /// assert_eq!(Dataflow::from_name("Segment"), Some(Dataflow::Segment(0)));
    /// let sharing: Vec<_> = Dataflow::ALL.into_iter().filter(|relation| relation.shares_storage()).map(Dataflow::name).collect();
    /// assert_eq!(sharing, ["Alias", "View", "Segment", "Index"]);
    /// assert!(Dataflow::Duplicate.carries_values() && !Dataflow::Alias.carries_values());
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum Dataflow {
        /// The outputs are computed from the inputs.
        DataFlow = "DataFlow",
        /// The output has the same storage as the input.
        Alias = "Alias",
        /// The output is the buffer descriptor of the input.
        Buffer = "Buffer",
        /// The output is a copy that holds the same values.
        Duplicate = "Duplicate",
        /// The output shows elements of the input's storage.
        View = "View",
        /// The output is segment number `k` of the input's storage.
        Segment(usize = 0) = "Segment",
        /// The output is entry number `k` of the input's storage.
        Index(usize = 0) = "Index",
        /// The output holds the offset of the input, as a number.
        Offset = "Offset",
        /// The output holds the stride of the input, as a number.
        Stride = "Stride",
        /// The output holds the base address of the input.
        BaseAddress = "BaseAddress",
    }
}

impl Dataflow {
    /// Returns the number `k` of a `Segment` or an `Index`; `None` for other relations.
    pub const fn number(self) -> Option<usize> {
        match self {
            Dataflow::Segment(number) | Dataflow::Index(number) => Some(number),
            _ => None,
        }
    }

    /// Tests whether the output lies in the storage of the input.
    pub const fn shares_storage(self) -> bool {
        matches!(self, Dataflow::Alias | Dataflow::View | Dataflow::Segment(_) | Dataflow::Index(_))
    }

    /// Tests whether the values of the output come from the input.
    pub const fn carries_values(self) -> bool {
        matches!(self, Dataflow::DataFlow | Dataflow::Duplicate)
    }
}

/// The kind of an edge: a transform of coordinates or a relation of storage.
///
/// ```
/// use coordinate_graph::graph::{Dataflow, EdgeKind, Transform};
/// let kinds = [EdgeKind::from(Transform::Flatten), EdgeKind::from(Dataflow::Alias)];
/// assert_eq!(kinds.each_ref().map(EdgeKind::name), ["Flatten", "Alias"]);
/// assert_eq!(kinds.iter().filter(|kind| matches!(kind, EdgeKind::Transform(_))).count(), 1);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum EdgeKind {
    /// A transform of coordinates.
    Transform(Transform),
    /// A relation of storage.
    Dataflow(Dataflow),
}

impl EdgeKind {
    /// Returns the name that JSON and drawings use.
    pub const fn name(&self) -> &'static str {
        match self {
            EdgeKind::Transform(transform) => transform.name(),
            EdgeKind::Dataflow(relation) => relation.name(),
        }
    }
}

impl From<Transform> for EdgeKind {
    fn from(transform: Transform) -> Self {
        EdgeKind::Transform(transform)
    }
}

impl From<Dataflow> for EdgeKind {
    fn from(relation: Dataflow) -> Self {
        EdgeKind::Dataflow(relation)
    }
}

/// An edge: its kind, with ordered inputs and outputs.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, Edge, Transform};
/// let mut graph = CoordGraph::new();
/// let [x, t] = [graph.add(Dimension::new("x"))?, graph.add(Dimension::new("t"))?];
/// let i = graph.add(Dimension::new("i").size(4))?;
/// graph.connect(Transform::Tile, [x], [t, i])?;
/// assert_eq!(graph.edges(), [Edge { kind: Transform::Tile.into(), inputs: vec![x], outputs: vec![t, i] }]);
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The kind of the edge.
    pub kind: EdgeKind,
    /// The inputs, in order.
    pub inputs: Vec<DimId>,
    /// The outputs, in order.
    pub outputs: Vec<DimId>,
}
