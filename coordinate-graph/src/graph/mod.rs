//! The coordinate graph: dimensions, and transforms between them that work in both directions.
//!
//! Nodes are [dimensions](Dimension) with a size and a stride. Edges are [transforms](Transform) with ordered
//! inputs and outputs, or [relations of storage](Dataflow). [`CoordGraph::evaluate`] computes coordinates from
//! bound coordinates, forward or in reverse. [`CoordGraph::program`] runs the same evaluation on symbols and
//! returns a [`Program`](crate::program::Program).
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

// `transform` declares the transforms, and `check` tests edges when they are added. `schedule` orders the edges of a
// query, `evaluation` visits them, and `formula` computes each from the terms of `term`. `query` evaluates on
// numbers, `symbolic` on symbols, and `derivation` writes the formulas. A new transform is a row of the table in
// `transform`.
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
pub use transform::{FieldName, FieldValue, ReadFields, Transform};

use crate::sorted::SortedMap;
use layout_algebra::heap::*;
use layout_algebra::value::Facts;

/// The result of a graph function; its error is [`GraphError`].
///
/// ```
/// use coordinate_graph::graph::{self, CoordGraph, Dimension};
/// fn matrix(rows: i64) -> graph::Result<CoordGraph> {
///     let mut graph = CoordGraph::new();
///     graph.add(Dimension::new("row").size(rows))?;
///     Ok(graph)
/// }
/// assert_eq!(matrix(8)?.dimensions().len(), 1);
/// assert_eq!(matrix(-8).unwrap_err().to_string(), "`row`: the size -8 is less than 0");
/// # graph::Result::Ok(())
/// ```
pub type Result<T> = core::result::Result<T, GraphError>;

/// The number of a dimension in its graph, from 0.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension};
/// let mut graph = CoordGraph::new();
/// let [i, j] = [graph.add(Dimension::new("i"))?, graph.add(Dimension::new("j"))?];
/// assert_eq!((i.number(), j.number()), (0, 1));
/// assert_eq!(graph.dimensions()[j.number()].name, "j");
/// assert_eq!(graph.find("j")?, j);
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct DimId(pub(crate) usize);

impl DimId {
    /// Returns the number. Numbers count up from 0 in the order of addition.
    pub const fn number(self) -> usize {
        self.0
    }
}

/// The choice whether [`Flatten`](Transform::Flatten) uses strides or sizes.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, FlattenMode, Transform};
/// fn index(mode: FlattenMode) -> coordinate_graph::graph::Result<Vec<i64>> {
///     let mut graph = CoordGraph::new().with_flatten(mode);
///     // Strides of a matrix of 2 by 3 that is stored column by column.
///     let i = graph.add(Dimension::new("i").size(2).stride(1))?;
///     let j = graph.add(Dimension::new("j").size(3).stride(2))?;
///     let k = graph.add(Dimension::new("k"))?;
///     graph.connect(Transform::Flatten, [i, j], [k])?;
///     graph.forward(&[("i", 1), ("j", 2)], &["k"])
/// }
/// assert_eq!(index(FlattenMode::Declared)?, [1 + 2 * 2]);
/// assert_eq!(index(FlattenMode::Strides)?, [1 + 2 * 2]);
/// assert_eq!(index(FlattenMode::Sizes)?, [1 * 3 + 2]);
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum FlattenMode {
    /// Uses strides if all inputs have a stride, and sizes if none has a stride. It is an error if only some have one.
    #[default]
    Declared,
    /// Uses sizes; the first input is the slowest. Strides are ignored.
    Sizes,
    /// Uses strides. Sizes are used only to test validity.
    Strides,
}

/// A quantity that is known at launch, with the facts that are known of it before.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Parameter};
/// use layout_algebra::value::Facts;
/// let mut graph = CoordGraph::new();
/// let facts = Facts { lo: 64, hi: 4096, div: 8 }; // a multiple of 8
/// graph.parameter("ld", facts)?;
/// assert_eq!(graph.parameters(), [Parameter { name: "ld".into(), facts }]);
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The name, unique among parameters and dimensions.
    pub name: String,
    /// The range and the divisor that are known before the launch.
    pub facts: Facts,
}

/// A coordinate graph: dimensions, edges between them, and parameters that sizes and strides may mention.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, Expr, FlattenMode, Transform};
/// use layout_algebra::value::Facts;
/// // A matrix whose rows are `ld` elements apart. The launch gives `ld`.
/// let mut graph = CoordGraph::new();
/// graph.parameter("ld", Facts::POSITIVE)?;
/// let row = graph.add(Dimension::new("row").size(8).stride(Expr::param("ld")))?;
/// let column = graph.add(Dimension::new("column").size(64).stride(1))?;
/// let index = graph.add(Dimension::new("index"))?;
/// graph.connect(Transform::Join, [row, column], [index])?;
/// assert_eq!(graph.forward(&[("ld", 100), ("row", 2), ("column", 5)], &["index"])?, [205]);
///
/// assert_eq!((graph.dimensions().len(), graph.edges().len(), graph.parameters().len()), (3, 1, 1));
/// assert_eq!(graph.dimension(graph.find("row")?)?.size, Some(Expr::Int(8)));
/// assert_eq!(graph.edge_name(&graph.edges()[0]).to_string(), "Join(row, column -> index)");
/// assert_eq!(graph.flatten_mode(), FlattenMode::Declared);
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct CoordGraph {
    dims: Vec<Dimension>,
    edges: Vec<Edge>,
    parameters: Vec<Parameter>,
    names: SortedMap<String, Name>,
    /// For each dimension, the dimension whose storage directly contains it; `None` if it is its own storage.
    holders: Vec<Option<DimId>>,
    flatten: FlattenMode,
}

#[derive(Clone, Copy, Debug)]
enum Name {
    Dim(DimId),
    Parameter(usize),
}

impl CoordGraph {
    /// Creates a graph without dimensions.
    pub fn new() -> Self {
        CoordGraph::default()
    }

    /// Sets the mode in which this graph reads Flatten.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, FlattenMode};
    /// let graph = CoordGraph::new().with_flatten(FlattenMode::Sizes);
    /// assert_eq!(graph.flatten_mode(), FlattenMode::Sizes);
    /// ```
    pub fn with_flatten(self, flatten: FlattenMode) -> Self {
        CoordGraph { flatten, ..self }
    }

    /// Returns the mode in which this graph reads Flatten.
    pub fn flatten_mode(&self) -> FlattenMode {
        self.flatten
    }

    /// Declares a quantity that is known at launch. Sizes and strides mention it as [`Expr::param`].
    ///
    /// Fails if the name is taken.
    pub fn parameter(&mut self, name: impl Into<String>, facts: Facts) -> Result<()> {
        let name = name.into();
        self.claim(&name, Name::Parameter(self.parameters.len()))?;
        self.parameters.push(Parameter { name, facts });
        Ok(())
    }

    /// Adds a dimension and returns its number.
    ///
    /// Fails if the name is taken, if a parameter is not declared, or if the size is negative.
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
    /// Fails if a dimension is not in this graph or occurs twice, if the edge does not allow these numbers of
    /// inputs and outputs, or if one of its quantities is out of range, has the wrong length, or mentions a parameter
    /// that is not declared. Fails also if the declared size behind a Pad or a Slice differs from the computed one, or
    /// if a dimension would lie in two storages.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Expr, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [x, u] = [graph.add(Dimension::new("x").size(10))?, graph.add(Dimension::new("u").size(12))?];
    /// let error = graph.connect(Transform::Pad { left: Expr::Int(1), right: Expr::Int(2) }, [x], [u]).unwrap_err();
    /// assert_eq!(error.to_string(), "Pad(x -> u): `u` has size 12, but the other side makes it 13");
    /// let error = graph.connect(Transform::Flatten, [x, x], [u]).unwrap_err();
    /// assert_eq!(error.to_string(), "Flatten(x, x -> u): `x` occurs twice");
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
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

    /// Returns the dimensions in the order of addition.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dims
    }

    /// Returns the edges in the order of addition.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the parameters in the order of declaration.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Returns the number of the dimension with this name.
    ///
    /// Fails if no dimension has this name.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension};
    /// let mut graph = CoordGraph::new();
    /// let column = graph.add(Dimension::new("column"))?;
    /// assert_eq!(graph.find("column")?, column);
    /// assert_eq!(graph.find("colum").unwrap_err().to_string(), "the graph has no dimension `colum`; is it `column`?");
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
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

    /// Returns the dimension with number `id`.
    ///
    /// Fails if this graph has no dimension with this number. A number from another graph returns a wrong dimension if it
    /// is in range here.
    pub fn dimension(&self, id: DimId) -> Result<&Dimension> {
        self.dims.get(id.0).ok_or(GraphError::ForeignDimension { id: id.0 })
    }

    fn dim(&self, id: DimId) -> &Dimension {
        &self.dims[id.0]
    }

    /// Iterates over the edges that are transforms, as `(number of the edge, transform, edge)`.
    fn transforms(&self) -> impl Iterator<Item = (usize, &Transform, &Edge)> {
        self.edges.iter().enumerate().filter_map(|(k, edge)| match &edge.kind {
            EdgeKind::Transform(transform) => Some((k, transform, edge)),
            EdgeKind::Dataflow(_) => None,
        })
    }

    /// Iterates over the edges that are relations of storage, as `(relation, edge)`.
    fn relations(&self) -> impl Iterator<Item = (Dataflow, &Edge)> {
        self.edges.iter().filter_map(|edge| match edge.kind {
            EdgeKind::Dataflow(relation) => Some((relation, edge)),
            EdgeKind::Transform(_) => None,
        })
    }

    /// Returns the name of an edge in error messages: `Tile(k -> i, j)`.
    pub fn edge_name(&self, edge: &Edge) -> EdgeName {
        let names = |dims: &[DimId]| dims.iter().map(|id| self.dim(*id).name.as_str()).collect::<Vec<_>>().join(", ");
        EdgeName(format!("{}({} -> {})", edge.kind.name(), names(&edge.inputs), names(&edge.outputs)))
    }
}
