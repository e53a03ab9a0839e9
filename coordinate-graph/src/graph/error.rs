//! Errors of graphs, by the names of dimensions.

use core::fmt::{Display, Formatter, Result};
use layout_algebra::LayoutError;
use layout_algebra::error::from_fn;
use layout_algebra::heap::*;

named! {
    /// Which way edges are followed.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum Direction {
        /// From inputs to outputs.
        Forward = "forward",
        /// From outputs to inputs.
        Reverse = "reverse",
    }
}

impl Direction {
    /// The other one.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Forward => Direction::Reverse,
            Direction::Reverse => Direction::Forward,
        }
    }

    /// `forward` or `in reverse`.
    const fn adverb(self) -> &'static str {
        match self {
            Direction::Forward => "forward",
            Direction::Reverse => "in reverse",
        }
    }
}

/// An edge as errors name it: `Tile(k -> i, j)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeName(pub String);

impl Display for EdgeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.0)
    }
}

layout_algebra::errors! {
    /// Why a graph, an edge or a query is refused.
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
        NoSuchDimension { name: String, /** A name like it. */ like: Option<String> } => "graph/no_such_dimension",
            "the graph has no dimension `{name}`{}", from_fn(|f| like.iter().try_for_each(|like| write!(f, "; is it `{like}`?")));
        /// No parameter has that name.
        NoSuchParameter { name: String } => "graph/no_such_parameter", "the graph has no parameter `{name}`";
        /// Two dimensions or parameters have that name.
        DuplicateName { name: String } => "graph/duplicate_name", "`{name}` is declared twice";
        /// A dimension of another graph.
        ForeignDimension { id: usize } => "graph/foreign_dimension", "dimension number {id} is not one of this graph";
        /// An edge names a dimension more than once on one side, or on both.
        RepeatedDimension { edge: EdgeName, dim: String } => "graph/repeated_dimension", "{edge}: `{dim}` occurs twice";
        /// The number of inputs and outputs does not fit the transform.
        Arity { edge: EdgeName, /** Numbers that it takes. */ takes: &'static str, inputs: usize, outputs: usize } => "graph/arity",
            "{edge}: takes {takes}, but has {inputs} input{} and {outputs} output{}", plural(*inputs), plural(*outputs);
        /// A list is not as long as the dimensions it is for.
        Length { edge: EdgeName, /** The name of the list. */ what: &'static str, found: usize, expected: usize } =>
            "graph/length", "{edge}: {found} {what} for {expected} dimensions";
        /// A quantity is outside what it may be.
        Range { /** The edge or the dimension. */ place: String, /** The name of the quantity. */ what: &'static str, value: i64, least: i64 } =>
            "graph/range", "{place}: the {what} {value} is less than {least}";
        /// An argument in a condition, beyond the dimensions of its edge, or outside of a condition.
        NoSuchArgument { /** The edge or the dimension. */ place: String, argument: usize, count: usize } =>
            "graph/no_such_argument", "{place}: argument {argument} does not exist, there are {count}";
        /// Sizes of both sides that contradict each other.
        Sizes { edge: EdgeName, computed: i64, dim: String, declared: i64 } =>
            "graph/sizes", "{edge}: `{dim}` has size {declared}, but the other side makes it {computed}";
        /// A coordinate is bound twice.
        BoundTwice { name: String } => "graph/bound_twice", "`{name}` is bound twice";
        /// The sources do not determine the target.
        Unreachable {
            target: String,
            /// Dimensions that would have to be bound.
            missing: Vec<String>,
            /// Which way.
            direction: Direction,
            /// Dimensions that would have to be bound the other way, where transforms lead to the target that way.
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
        /// The only way to a dimension goes through a transform that has no formula in this direction.
        UndefinedDirection { edge: EdgeName, /** Which way. */ direction: Direction, /** Why not. */ reason: &'static str } =>
            "graph/undefined_direction", "{edge} has no {} value: {reason}", direction.name();
        /// A size is needed.
        MissingSize { dim: String, /** The edge that needs it. */ edge: EdgeName } => "graph/missing_size", "{edge}: the size of `{dim}` is missing";
        /// A stride is needed.
        MissingStride { dim: String, /** The edge that needs it. */ edge: EdgeName } =>
            "graph/missing_stride", "{edge}: the stride of `{dim}` is missing";
        /// A parameter is needed.
        MissingParameter { name: String } => "graph/missing_parameter", "the parameter `{name}` is missing";
        /// A switch chooses a branch that is not there.
        SwitchOutOfRange { edge: EdgeName, value: i64, branches: usize } =>
            "graph/switch_out_of_range", "{edge}: the switch is {value}, but there are {branches} branches";
        /// Two edges give one dimension different values.
        Conflict { dim: String, edges: (EdgeName, EdgeName), /** The values, where they are numbers. */ values: Option<(i64, i64)> } =>
            "graph/conflict", "`{dim}` is {}", from_fn(|f| match values {
                Some((a, b)) => write!(f, "{a} by {}, but {b} by {}", edges.0, edges.1),
                None => write!(f, "computed by {} and by {}, which are not proven equal", edges.0, edges.1),
            });
        /// A table has no such entry, or has it more than once.
        Entry { edge: EdgeName, value: i64 } => "graph/no_such_entry", "{edge}: {value} is not the place or the value of exactly one entry";
        /// Arithmetic on the way.
        Arithmetic { /** The edge, or the dimension. */ place: String, error: LayoutError } =>
            "graph/arithmetic", "{place}: {}", error.reason().as_str();
        /// A dimension cannot lie in two storages, or in its own.
        Storage { edge: EdgeName, dim: String, lies_in: String } => "graph/storage", "{edge}: `{dim}` already lies in `{lies_in}`";
        /// A path that no layout computes.
        NotALayout { target: String, /** Why not. */ reason: String } =>
            "graph/not_a_layout", "`{target}` is not a layout of these coordinates: {reason}";
    }
}

/// The `s` of numbers other than one.
const fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Names in backticks, with commas between them.
fn list(names: &[String]) -> impl Display {
    from_fn(|f| names.iter().enumerate().try_for_each(|(k, name)| write!(f, "{}`{name}`", if k == 0 { "" } else { ", " })))
}

impl From<LayoutError> for GraphError {
    /// Arithmetic of the whole graph.
    fn from(error: LayoutError) -> Self {
        GraphError::Arithmetic { place: "the graph".into(), error }
    }
}
