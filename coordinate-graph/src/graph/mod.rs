//! The coordinate graph: dimensions, and transforms between them that are followed both ways.
//!
//! Nodes are [dimensions](Dimension) with a size and a stride; edges are [transforms](Transform) with ordered inputs and outputs, or
//! [relations of storage](Dataflow). Bound coordinates determine others [forward and in reverse](CoordGraph::evaluate); evaluated on symbols the same
//! walk gives a [`Program`](crate::program::Program).
//!
//! ```
//! use coordinate_graph::graph::{CoordGraph, Dimension, Transform};
//! let mut graph = CoordGraph::new();
//! let i = graph.add(Dimension::new("i").size(2).stride(3))?;
//! let j = graph.add(Dimension::new("j").size(3).stride(1))?;
//! let k = graph.add(Dimension::new("k").size(6).stride(1))?;
//! graph.connect(Transform::Flatten, [i, j], [k])?;
//! assert_eq!(graph.forward(&[("i", 1), ("j", 0)], &["k"])?, [3]);
//! assert_eq!(graph.reverse(&[("k", 4)], &["i", "j"])?, [1, 1]);
//!
//! let error = graph.forward(&[("i", 1)], &["k"]).unwrap_err();
//! assert_eq!(error.to_string(), "`k` cannot be computed forward: missing `j`");
//! # Ok::<(), coordinate_graph::graph::GraphError>(())
//! ```

mod check;
mod derivation;
mod dimension;
mod draw;
mod edge;
mod error;
mod evaluation;
mod formula;
mod layout;
mod query;
mod schedule;
mod storage;
mod symbolic;
mod term;
mod transform;

pub use crate::program::{Expr, ExprOp};
pub use derivation::{Derivation, Step};
pub use dimension::{DimKind, Dimension};
pub use draw::visible;
pub use edge::{Dataflow, Edge, EdgeKind};
pub use error::{Direction, EdgeName, GraphError};
pub use layout_algebra::text::nearest;
pub use query::Query;
pub use symbolic::{Bound, Domain};
pub use transform::{Field, FieldName, ReadFields, Transform};

use crate::sorted::SortedMap;
use layout_algebra::heap::*;
use layout_algebra::value::Facts;

/// `Result` of a graph.
pub type Result<T> = core::result::Result<T, GraphError>;

/// A dimension of a graph, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct DimId(pub(crate) usize);

impl DimId {
    /// The number, in order of addition.
    pub const fn number(self) -> usize {
        self.0
    }
}

/// How the graph reads [`Flatten`](Transform::Flatten).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum FlattenMode {
    /// By strides where all inputs have one, by sizes where none has; an error where some have.
    #[default]
    Declared,
    /// By sizes, the first input slowest; strides are ignored.
    Sizes,
    /// By strides; sizes only bound.
    Strides,
}

/// A quantity that is known at launch, and what is known of it before.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name, unique among parameters and dimensions.
    pub name: String,
    /// Its known range and divisor.
    pub facts: Facts,
}

/// Dimensions, edges between them, and the parameters that sizes and strides may mention.
#[derive(Clone, Default, Debug)]
pub struct CoordGraph {
    dims: Vec<Dimension>,
    edges: Vec<Edge>,
    parameters: Vec<Parameter>,
    names: SortedMap<String, Name>,
    /// For each dimension the one whose storage it directly lies in.
    holders: Vec<Option<DimId>>,
    flatten: FlattenMode,
}

#[derive(Clone, Copy, Debug)]
enum Name {
    Dim(DimId),
    Parameter(usize),
}

impl CoordGraph {
    /// A graph without dimensions.
    pub fn new() -> Self {
        CoordGraph::default()
    }

    /// Reads Flatten this way.
    pub fn with_flatten(self, flatten: FlattenMode) -> Self {
        CoordGraph { flatten, ..self }
    }

    /// How Flatten is read.
    pub fn flatten_mode(&self) -> FlattenMode {
        self.flatten
    }

    /// Declares a quantity that is known at launch; sizes and strides mention it as [`Expr::param`].
    ///
    /// Fails where the name is taken.
    pub fn parameter(&mut self, name: impl Into<String>, facts: Facts) -> Result<()> {
        let name = name.into();
        self.claim(&name, Name::Parameter(self.parameters.len()))?;
        self.parameters.push(Parameter { name, facts });
        Ok(())
    }

    /// Adds a dimension.
    ///
    /// Fails where the name is taken, a parameter is not declared, or the size is negative.
    pub fn add(&mut self, dim: Dimension) -> Result<DimId> {
        self.check_dimension(&dim)?;
        let id = DimId(self.dims.len());
        self.claim(&dim.name, Name::Dim(id))?;
        self.dims.push(dim);
        self.holders.push(None);
        Ok(id)
    }

    /// Adds an edge: a [`Transform`] or a [`Dataflow`].
    ///
    /// Fails where the numbers of inputs and outputs, or the quantities of the edge, do not fit it.
    pub fn connect(
        &mut self,
        kind: impl Into<EdgeKind>,
        inputs: impl IntoIterator<Item = DimId>,
        outputs: impl IntoIterator<Item = DimId>,
    ) -> Result<()> {
        let edge = Edge { kind: kind.into(), inputs: inputs.into_iter().collect(), outputs: outputs.into_iter().collect() };
        self.check_edge(&edge)?;
        if let (EdgeKind::Dataflow(relation), [from], [to]) = (&edge.kind, &edge.inputs[..], &edge.outputs[..])
            && relation.shares_storage()
        {
            self.holders[to.0] = Some(*from);
        }
        self.edges.push(edge);
        Ok(())
    }

    fn claim(&mut self, name: &str, as_what: Name) -> Result<()> {
        if self.names.contains_key(name) {
            return Err(GraphError::DuplicateName { name: name.into() });
        }
        self.names.insert(name.into(), as_what);
        Ok(())
    }

    /// The dimensions, in order of addition.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dims
    }

    /// The edges, in order of addition.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The parameters, in order of declaration.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The dimension of that name.
    pub fn find(&self, name: &str) -> Result<DimId> {
        match self.names.get(name) {
            Some(Name::Dim(id)) => Ok(*id),
            _ => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> GraphError {
        let like = nearest(name, self.dims.iter().map(|dim| dim.name.as_str()));
        GraphError::NoSuchDimension { name: name.into(), like: like.map(String::from) }
    }

    /// The dimension of that number.
    ///
    /// Fails for a number of another graph, where this one has fewer dimensions.
    pub fn dimension(&self, id: DimId) -> Result<&Dimension> {
        self.dims.get(id.0).ok_or(GraphError::ForeignDimension { id: id.0 })
    }

    fn dim(&self, id: DimId) -> &Dimension {
        &self.dims[id.0]
    }

    /// The transforms with their numbers.
    fn transforms(&self) -> impl Iterator<Item = (usize, &Transform, &Edge)> {
        self.edges.iter().enumerate().filter_map(|(k, edge)| match &edge.kind {
            EdgeKind::Transform(transform) => Some((k, transform, edge)),
            EdgeKind::Dataflow(_) => None,
        })
    }

    /// The relations of storage.
    fn relations(&self) -> impl Iterator<Item = (Dataflow, &Edge)> {
        self.edges.iter().filter_map(|edge| match edge.kind {
            EdgeKind::Dataflow(relation) => Some((relation, edge)),
            EdgeKind::Transform(_) => None,
        })
    }

    /// The name that messages give one of the edges: `Tile(k -> i, j)`.
    pub fn edge_name(&self, edge: &Edge) -> EdgeName {
        let names = |dims: &[DimId]| dims.iter().map(|id| self.dim(*id).name.as_str()).collect::<Vec<_>>().join(", ");
        EdgeName(format!("{}({} -> {})", edge.kind.name(), names(&edge.inputs), names(&edge.outputs)))
    }
}
