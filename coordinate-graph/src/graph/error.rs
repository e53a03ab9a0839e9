//! Errors of graphs. They name dimensions and edges in words, not by number. `evaluation.rs` has the faults by number, and
//! `query.rs` names them.

use core::fmt::{Display, Formatter, Result};
use layout_algebra::LayoutError;
use layout_algebra::error::from_fn;
use layout_algebra::heap::*;

named_enum! {
    /// The direction in which edges are evaluated.
    ///
    /// ```
    /// use coordinate_graph::graph::Direction;
    /// assert_eq!(Direction::Forward.name(), "forward");
    /// assert_eq!(Direction::from_name("reverse"), Some(Direction::Reverse));
    /// assert!(Direction::ALL.iter().all(|direction| direction.opposite() != *direction));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum Direction {
        /// Outputs are computed from inputs.
        Forward = "forward",
        /// Inputs are computed from outputs.
        Reverse = "reverse",
    }
}

impl Direction {
    /// Returns `Reverse` for `Forward`, and `Forward` for `Reverse`.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Forward => Direction::Reverse,
            Direction::Reverse => Direction::Forward,
        }
    }

    /// Returns the direction as an adverb: `forward` or `in reverse`.
    const fn adverb(self) -> &'static str {
        match self {
            Direction::Forward => "forward",
            Direction::Reverse => "in reverse",
        }
    }
}

/// The name of an edge in errors: `Tile(k -> i, j)`.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, EdgeName, GraphError, Transform};
/// let mut graph = CoordGraph::new();
/// let [k, i, j] = [graph.add(Dimension::new("k"))?, graph.add(Dimension::new("i"))?, graph.add(Dimension::new("j"))?];
/// graph.connect(Transform::Tile, [k], [i, j])?;
/// let edge = EdgeName("Tile(k -> i, j)".into());
/// assert_eq!(graph.forward(&[("k", 7)], &["j"]), Err(GraphError::MissingSize { dim: "j".into(), edge: edge.clone() }));
/// assert_eq!(edge.to_string(), "Tile(k -> i, j)");
/// # Ok::<(), GraphError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeName(pub String);

impl Display for EdgeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.0)
    }
}

layout_algebra::errors! {
    /// The reason why a graph refuses a dimension, an edge or a query.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension};
    /// let mut graph = CoordGraph::new();
    /// graph.add(Dimension::new("k"))?;
    /// assert_eq!(graph.forward(&[], &["k"]).unwrap_err().class(), "graph/unreachable");
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    GraphError {
        /// No dimension has that name.
        NoSuchDimension { name: String, /** A similar name of the graph, if there is one. */ like: Option<String> } => "graph/no_such_dimension",
            "the graph has no dimension `{name}`{}", from_fn(|f| like.iter().try_for_each(|like| write!(f, "; is it `{like}`?")));
        /// No parameter has that name.
        NoSuchParameter { name: String } => "graph/no_such_parameter", "the graph has no parameter `{name}`";
        /// Two dimensions or parameters have that name.
        DuplicateName { name: String } => "graph/duplicate_name", "`{name}` is declared twice";
        /// The number of a dimension is not in this graph, because it comes from another graph.
        ForeignDimension { id: usize } => "graph/foreign_dimension", "dimension number {id} does not belong to this graph";
        /// An edge contains a dimension more than once, on one side or on both.
        RepeatedDimension { edge: EdgeName, dim: String } => "graph/repeated_dimension", "{edge}: `{dim}` occurs twice";
        /// The transform does not allow this number of inputs and outputs.
        Arity { edge: EdgeName, /** The numbers of inputs and outputs that the transform allows. */ takes: &'static str, inputs: usize, outputs: usize } => "graph/arity",
            "{edge}: takes {takes}, but has {inputs} input{} and {outputs} output{}", plural(*inputs), plural(*outputs);
        /// A list is not as long as the dimensions that it belongs to.
        Length { edge: EdgeName, /** The name of the list. */ what: &'static str, found: usize, expected: usize } =>
            "graph/length", "{edge}: {found} {what} for {expected} dimensions";
        /// A quantity is less than its minimum.
        Range { /** The edge or the dimension. */ place: String, /** The name of the quantity. */ what: &'static str, value: i64, least: i64 } =>
            "graph/range", "{place}: the {what} {value} is less than {least}";
        /// An expression uses an argument that its edge does not have. Only conditions may have arguments.
        NoSuchArgument { /** The edge or the dimension. */ place: String, argument: usize, count: usize } =>
            "graph/no_such_argument", "{place}: argument {argument} does not exist; the number of arguments is {count}";
        /// The declared size of a dimension differs from the size that its edge computes.
        Sizes { edge: EdgeName, computed: i64, dim: String, declared: i64 } =>
            "graph/sizes", "{edge}: `{dim}` has size {declared}, but the other side makes it {computed}";
        /// A coordinate is bound twice.
        BoundTwice { name: String } => "graph/bound_twice", "`{name}` is bound twice";
        /// The bound dimensions and parameters do not determine the target.
        Unreachable {
            target: String,
            /// The dimensions that must be bound too.
            missing: Vec<String>,
            /// The direction of the query.
            direction: Direction,
            /// The dimensions that must be bound for the opposite direction, if transforms lead to the target in
            /// that direction.
            opposite: Option<Vec<String>>
        } => "graph/unreachable", "`{target}` cannot be computed {}{}", direction.adverb(), from_fn(|f| {
            let other = direction.opposite().adverb();
            let is_cut_off = missing == core::slice::from_ref(target);
            match opposite {
                Some(lacking) if lacking.is_empty() => write!(f, ", but {other} it can"),
                Some(lacking) if is_cut_off => write!(f, ": no transform leads to it that way; {other} it can with {}", list(lacking)),
                None if is_cut_off => f.write_str(": no transform leads to it, so it must be given"),
                _ if missing.is_empty() => Ok(()),
                _ => write!(f, ": missing {}", list(missing)),
            }
        });
        /// A dimension can be computed only through a transform that has no formula in this direction.
        UndefinedDirection { edge: EdgeName, /** The direction of the query. */ direction: Direction, /** Why it has no formula. */ reason: &'static str } =>
            "graph/undefined_direction", "{edge} has no {} value: {reason}", direction.name();
        /// A transform needs the size of a dimension that has none.
        MissingSize { dim: String, /** The edge that needs it. */ edge: EdgeName } => "graph/missing_size", "{edge}: the size of `{dim}` is missing";
        /// A transform needs the stride of a dimension that has none.
        MissingStride { dim: String, /** The edge that needs it. */ edge: EdgeName } =>
            "graph/missing_stride", "{edge}: the stride of `{dim}` is missing";
        /// A size or a stride needs a parameter that has no value.
        MissingParameter { name: String } => "graph/missing_parameter", "the parameter `{name}` is missing";
        /// The value of a switch is not the number of a branch.
        SwitchOutOfRange { edge: EdgeName, value: i64, branches: usize } =>
            "graph/switch_out_of_range", "{edge}: the switch is {value}, but there are {branches} branches";
        /// Two edges compute different values for one dimension.
        Conflict { dim: String, edges: (EdgeName, EdgeName), /** The two values, if they are numbers. */ values: Option<(i64, i64)> } =>
            "graph/conflict", "`{dim}` is {}", from_fn(|f| match values {
                Some((a, b)) => write!(f, "{a} by {}, but {b} by {}", edges.0, edges.1),
                None => write!(f, "computed by {} and by {}, which are not proven equal", edges.0, edges.1),
            });
        /// A number is not the index of an entry of a table, or it is the value of no entry or of several entries.
        Entry { edge: EdgeName, value: i64 } => "graph/no_such_entry", "{edge}: {value} is not the index or the value of exactly one entry";
        /// The arithmetic of an edge or of a dimension fails, for example because a number overflows.
        Arithmetic { /** The edge, or the dimension. */ place: String, error: LayoutError } =>
            "graph/arithmetic", "{place}: {}", error.reason().as_str();
        /// A dimension would lie in two storages, or in its own.
        Storage { edge: EdgeName, dim: String, lies_in: String } => "graph/storage", "{edge}: `{dim}` already lies in `{lies_in}`";
        /// No layout computes the path to the target.
        NotALayout { target: String, /** The reason, in words. */ reason: String } =>
            "graph/not_a_layout", "`{target}` is not a layout of these coordinates: {reason}";
    }
}

/// Returns the ending of a noun that counts `n` things: empty for 1, else `s`.
const fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Returns a text of these names, each in backticks, with commas between them.
fn list(names: &[String]) -> impl Display {
    from_fn(|f| names.iter().enumerate().try_for_each(|(k, name)| write!(f, "{}`{name}`", if k == 0 { "" } else { ", " })))
}

impl From<LayoutError> for GraphError {
    /// Returns the error for arithmetic that fails in no single edge or dimension.
    fn from(error: LayoutError) -> Self {
        GraphError::Arithmetic { place: "the graph".into(), error }
    }
}
