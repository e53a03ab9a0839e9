//! What a graph refuses, by the names of its dimensions.

use crate::LayoutError;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

/// Which way edges are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Direction {
    /// From inputs to outputs.
    Forward,
    /// From outputs to inputs.
    Reverse,
}

impl Direction {
    /// `forward` or `reverse`.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Forward => "forward",
            Direction::Reverse => "reverse",
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

/// Why a graph, an edge or a query is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphError {
    /// No dimension has that name.
    NoSuchDimension(String),
    /// No parameter has that name.
    NoSuchParameter(String),
    /// Two dimensions or parameters have that name.
    DuplicateName(String),
    /// A dimension of another graph.
    ForeignDimension(usize),
    /// An edge names a dimension more than once on one side, or on both.
    RepeatedDimension {
        /// The edge.
        edge: EdgeName,
        /// The dimension.
        dim: String,
    },
    /// The number of inputs and outputs does not fit the transform.
    Arity {
        /// The edge.
        edge: EdgeName,
        /// What it takes.
        takes: &'static str,
        /// Inputs given.
        inputs: usize,
        /// Outputs given.
        outputs: usize,
    },
    /// A list in an edge is as long as the dimensions it is for.
    Length {
        /// The edge.
        edge: EdgeName,
        /// What the list is.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// A quantity is outside what it may be.
    Range {
        /// The edge or the dimension.
        place: String,
        /// What the quantity is.
        what: &'static str,
        /// Its value.
        value: i64,
        /// The least it may be.
        least: i64,
    },
    /// An argument in a condition, beyond the dimensions of its edge, or outside of a condition.
    NoSuchArgument {
        /// The edge or the dimension.
        place: String,
        /// The argument.
        argument: usize,
        /// How many there are.
        count: usize,
    },
    /// Sizes of both sides that contradict each other.
    Sizes {
        /// The edge.
        edge: EdgeName,
        /// What the size would be.
        computed: i64,
        /// The dimension.
        dim: String,
        /// What it says.
        declared: i64,
    },
    /// The same coordinate is bound twice.
    BoundTwice(String),
    /// What is bound does not determine the target.
    Unreachable {
        /// The target.
        target: String,
        /// Dimensions that would have to be bound.
        missing: Vec<String>,
        /// Which way.
        direction: Direction,
    },
    /// The only way to a dimension goes through a transform that has no formula in this direction.
    UndefinedDirection {
        /// The edge.
        edge: EdgeName,
        /// Which way.
        direction: Direction,
        /// Why not.
        reason: &'static str,
    },
    /// A size is needed.
    MissingSize {
        /// The dimension.
        dim: String,
        /// The edge that needs it.
        edge: EdgeName,
    },
    /// A stride is needed.
    MissingStride {
        /// The dimension.
        dim: String,
        /// The edge that needs it.
        edge: EdgeName,
    },
    /// A parameter is needed.
    MissingParameter(String),
    /// A switch chooses a branch that is not there.
    SwitchOutOfRange {
        /// The edge.
        edge: EdgeName,
        /// The value of the switch.
        value: i64,
        /// How many branches there are.
        branches: usize,
    },
    /// Two edges give one dimension different values.
    Conflict {
        /// The dimension.
        dim: String,
        /// The edges.
        edges: (EdgeName, EdgeName),
        /// The values, where they are numbers.
        values: Option<(i64, i64)>,
    },
    /// A table has no such entry, or has it more than once.
    Entry {
        /// The edge.
        edge: EdgeName,
        /// What was looked up.
        value: i64,
    },
    /// Arithmetic on the way.
    Arithmetic {
        /// The edge, or the dimension.
        place: String,
        /// What failed.
        error: LayoutError,
    },
    /// A dimension cannot lie in two storages, or in its own.
    Storage {
        /// The edge.
        edge: EdgeName,
        /// The dimension.
        dim: String,
        /// Where it lies already.
        lies_in: String,
    },
    /// A path that no layout computes.
    NotALayout {
        /// The target.
        target: String,
        /// Why not.
        reason: String,
    },
}

impl GraphError {
    /// The name of this kind of error, the same in every version: `unreachable`, `missing_size`.
    ///
    /// ```
    /// use layout_core::graph::{CoordGraph, Dimension};
    /// let mut graph = CoordGraph::new();
    /// graph.add(Dimension::new("k"))?;
    /// assert_eq!(graph.forward(&[], &["k"]).unwrap_err().kind(), "unreachable");
    /// # Ok::<(), layout_core::graph::GraphError>(())
    /// ```
    pub const fn kind(&self) -> &'static str {
        match self {
            GraphError::NoSuchDimension(_) => "no_such_dimension",
            GraphError::NoSuchParameter(_) => "no_such_parameter",
            GraphError::DuplicateName(_) => "duplicate_name",
            GraphError::ForeignDimension(_) => "foreign_dimension",
            GraphError::RepeatedDimension { .. } => "repeated_dimension",
            GraphError::Arity { .. } => "arity",
            GraphError::Length { .. } => "length",
            GraphError::Range { .. } => "range",
            GraphError::NoSuchArgument { .. } => "no_such_argument",
            GraphError::Sizes { .. } => "sizes",
            GraphError::BoundTwice(_) => "bound_twice",
            GraphError::Unreachable { .. } => "unreachable",
            GraphError::UndefinedDirection { .. } => "undefined_direction",
            GraphError::MissingSize { .. } => "missing_size",
            GraphError::MissingStride { .. } => "missing_stride",
            GraphError::MissingParameter(_) => "missing_parameter",
            GraphError::SwitchOutOfRange { .. } => "switch_out_of_range",
            GraphError::Conflict { .. } => "conflict",
            GraphError::Entry { .. } => "no_such_entry",
            GraphError::Arithmetic { .. } => "arithmetic",
            GraphError::Storage { .. } => "storage",
            GraphError::NotALayout { .. } => "not_a_layout",
        }
    }
}

impl Display for GraphError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            GraphError::NoSuchDimension(name) => write!(f, "the graph has no dimension `{name}`"),
            GraphError::NoSuchParameter(name) => write!(f, "the graph has no parameter `{name}`"),
            GraphError::DuplicateName(name) => write!(f, "`{name}` is declared twice"),
            GraphError::ForeignDimension(id) => write!(f, "dimension number {id} is not one of this graph"),
            GraphError::RepeatedDimension { edge, dim } => write!(f, "{edge}: `{dim}` occurs twice"),
            GraphError::Arity { edge, takes, inputs, outputs } => {
                let s = |n: usize| if n == 1 { "" } else { "s" };
                write!(f, "{edge}: takes {takes}, but has {inputs} input{} and {outputs} output{}", s(*inputs), s(*outputs))
            }
            GraphError::Length { edge, what, found, expected } => {
                write!(f, "{edge}: {found} {what} for {expected} dimensions")
            }
            GraphError::Range { place, what, value, least } => write!(f, "{place}: the {what} {value} is less than {least}"),
            GraphError::NoSuchArgument { place, argument, count } => {
                write!(f, "{place}: argument {argument} does not exist, there are {count}")
            }
            GraphError::Sizes { edge, computed, dim, declared } => {
                write!(f, "{edge}: `{dim}` has size {declared}, but the other side makes it {computed}")
            }
            GraphError::BoundTwice(name) => write!(f, "`{name}` is bound twice"),
            GraphError::Unreachable { target, missing, direction } => {
                write!(f, "`{target}` cannot be computed {}", direction.name())?;
                for (k, name) in missing.iter().enumerate() {
                    write!(f, "{}`{name}`", if k == 0 { ": missing " } else { ", " })?;
                }
                Ok(())
            }
            GraphError::UndefinedDirection { edge, direction, reason } => {
                write!(f, "{edge} has no {} value: {reason}", direction.name())
            }
            GraphError::MissingSize { dim, edge } => write!(f, "{edge}: the size of `{dim}` is missing"),
            GraphError::MissingStride { dim, edge } => write!(f, "{edge}: the stride of `{dim}` is missing"),
            GraphError::MissingParameter(name) => write!(f, "the parameter `{name}` is missing"),
            GraphError::SwitchOutOfRange { edge, value, branches } => {
                write!(f, "{edge}: the switch is {value}, but there are {branches} branches")
            }
            GraphError::Conflict { dim, edges: (first, second), values: Some((a, b)) } => {
                write!(f, "`{dim}` is {a} by {first}, but {b} by {second}")
            }
            GraphError::Conflict { dim, edges: (first, second), values: None } => {
                write!(f, "`{dim}` is computed by {first} and by {second}, which are not proven equal")
            }
            GraphError::Entry { edge, value } => write!(f, "{edge}: {value} is not the place or the value of exactly one entry"),
            GraphError::Arithmetic { place, error } => write!(f, "{place}: {}", error.reason().as_str()),
            GraphError::Storage { edge, dim, lies_in } => write!(f, "{edge}: `{dim}` already lies in `{lies_in}`"),
            GraphError::NotALayout { target, reason } => write!(f, "`{target}` is not a layout of these coordinates: {reason}"),
        }
    }
}

impl core::error::Error for GraphError {}

impl From<LayoutError> for GraphError {
    /// Arithmetic of the whole graph.
    fn from(error: LayoutError) -> Self {
        GraphError::Arithmetic { place: "the graph".into(), error }
    }
}
