//! Queries of a graph on numbers, and the errors of all queries by name. `symbolic.rs` answers the same questions on
//! symbols.

use super::evaluation::{Evaluation, Fault, Outcome, Value, known};
use super::schedule::{Reach, Schedule};
use super::term::{Site, ends};
use super::{CoordGraph, DimId, Direction, EdgeKind, GraphError, Name, Result};
use crate::program::NODES;
use crate::sorted::SortedSet;
use layout_algebra::LayoutError;
use layout_algebra::error::Op;
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, SymInt};

/// A query that is prepared once and evaluated for many coordinates. [`CoordGraph::query`] makes it.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
/// let mut graph = CoordGraph::new();
/// let x = graph.add(Dimension::new("x").size(10))?;
/// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(4))?];
/// graph.connect(Transform::Tile, [x], [t, i])?;
/// let query = graph.query(Direction::Reverse, &["t", "i"], &["x"])?;
/// assert_eq!((query.run(&[2, 1])?, query.is_valid(&[2, 1])?), (vec![9], true));
/// // The last tile has only two elements.
/// assert_eq!((query.run(&[2, 2])?, query.is_valid(&[2, 2])?), (vec![10], false));
/// assert_eq!(query.run(&[2]).unwrap_err().to_string(), "query: 1 values for 2 dimensions");
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
pub struct Query<'a> {
    graph: &'a CoordGraph,
    bound: Vec<Name>,
    pub(super) targets: Vec<DimId>,
    pub(super) schedule: Schedule,
}

impl CoordGraph {
    /// Evaluates the targets forward from the bound dimensions and parameters.
    ///
    /// `bind` gives each bound name its value. Fails as [`evaluate`](CoordGraph::evaluate) does.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [row, column] = [graph.add(Dimension::new("row"))?, graph.add(Dimension::new("column").size(16))?];
    /// let index = graph.add(Dimension::new("index"))?;
    /// graph.connect(Transform::Flatten, [row, column], [index])?;
    /// assert_eq!(graph.forward(&[("row", 2), ("column", 3)], &["index"])?, [2 * 16 + 3]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn forward(&self, bind: &[(&str, i64)], targets: &[&str]) -> Result<Vec<i64>> {
        self.evaluate(Direction::Forward, bind, targets)
    }

    /// Evaluates the targets in reverse from the bound dimensions and parameters.
    ///
    /// `bind` gives each bound name its value. Fails as [`evaluate`](CoordGraph::evaluate) does.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [row, column] = [graph.add(Dimension::new("row"))?, graph.add(Dimension::new("column").size(16))?];
    /// let index = graph.add(Dimension::new("index"))?;
    /// graph.connect(Transform::Flatten, [row, column], [index])?;
    /// assert_eq!(graph.reverse(&[("index", 35)], &["row", "column"])?, [2, 3]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn reverse(&self, bind: &[(&str, i64)], targets: &[&str]) -> Result<Vec<i64>> {
        self.evaluate(Direction::Reverse, bind, targets)
    }

    /// Returns the values of the targets, in order, computed from the bound dimensions and parameters.
    ///
    /// Arithmetic is exact and division rounds down. Coordinates outside their size are used as they are;
    /// [`is_valid`](CoordGraph::is_valid) tests for them. A Sunder and a PiecewiseAffineJoin evaluate only the
    /// branch that they choose.
    ///
    /// Fails if a dimension, a size or a stride is missing, a transform has no formula in this direction, or a
    /// switch is out of range. Fails also if two edges give a dimension different values, or if a number overflows.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
    /// let mut graph = CoordGraph::new();
    /// let f = graph.add(Dimension::new("f"))?;
    /// let [i, j] = [graph.add(Dimension::new("i").size(5))?, graph.add(Dimension::new("j").size(7))?];
    /// let s = graph.add(Dimension::new("s").size(2))?;
    /// graph.connect(Transform::Sunder, [f], [i, j, s])?;
    /// assert_eq!(graph.evaluate(Direction::Reverse, &[("j", 3), ("s", 1)], &["f"])?, [8]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn evaluate(&self, direction: Direction, bind: &[(&str, i64)], targets: &[&str]) -> Result<Vec<i64>> {
        let (names, values) = split(bind);
        self.query(direction, &names, targets)?.run(&values)
    }

    /// Tests whether every coordinate that the targets are computed from, bound ones included, lies in its size
    /// and not in padding.
    ///
    /// Fails as [`evaluate`](CoordGraph::evaluate) does, and if one of these sizes has no value.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
    /// let mut graph = CoordGraph::new();
    /// let row = graph.add(Dimension::new("row").size(100))?;
    /// let [tile, i] = [graph.add(Dimension::new("tile"))?, graph.add(Dimension::new("i").size(16))?];
    /// graph.connect(Transform::Tile, [row], [tile, i])?;
    /// assert!(graph.is_valid(Direction::Reverse, &[("tile", 6), ("i", 3)], &["row"])?);
    /// assert!(!graph.is_valid(Direction::Reverse, &[("tile", 6), ("i", 4)], &["row"])?);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn is_valid(&self, direction: Direction, bind: &[(&str, i64)], targets: &[&str]) -> Result<bool> {
        let (names, values) = split(bind);
        self.query(direction, &names, targets)?.is_valid(&values)
    }

    /// Returns every dimension that the bound dimensions and parameters determine, with its value, in the order of
    /// addition. Bound dimensions are not in the list.
    ///
    /// A dimension is left out if no edge computes it, or only edges that have no formula in this direction or
    /// miss a size, a stride or a parameter. All other errors of [`evaluate`](CoordGraph::evaluate) are returned.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [x, t, i] = [graph.add(Dimension::new("x"))?, graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(4))?];
    /// graph.add(Dimension::new("elsewhere"))?;
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// assert_eq!(graph.determined(Direction::Forward, &[("x", 7)])?, [("t", 1), ("i", 3)]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn determined(&self, direction: Direction, bind: &[(&str, i64)]) -> Result<Vec<(&str, i64)>> {
        let (names, values) = split(bind);
        let bound: SortedSet<&str> = names.iter().copied().collect();
        let all: Vec<&str> = self.dims.iter().map(|dim| dim.name.as_str()).filter(|name| !bound.contains(name)).collect();
        let mut query = self.query(direction, &names, &all)?;
        let targets = core::mem::take(&mut query.targets);
        query.walk(&values, false, |walk| {
            let mut out = Vec::new();
            for (id, name) in targets.iter().zip(&all) {
                match walk.value(*id) {
                    Ok(value) => out.push((*name, value.num.value().unwrap_or(0))),
                    Err(fault) if fault.is_soft() => {}
                    Err(fault) => return Err(fault),
                }
            }
            Ok(out)
        })
    }

    /// Returns the change of each target when the coordinate `dim` grows by `by`: `f(dim + by) - f(dim)`, carries included.
    ///
    /// Fails as [`evaluate`](CoordGraph::evaluate) does, at `dim` or at `dim + by`, and if `dim` is not bound.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x"))?;
    /// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(4))?];
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// assert_eq!(graph.delta(Direction::Forward, &[("x", 3)], "x", 1, &["t", "i"])?, [1, -3]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn delta(&self, direction: Direction, bind: &[(&str, i64)], dim: &str, by: i64, targets: &[&str]) -> Result<Vec<i64>> {
        self.find(dim)?;
        let (names, mut values) = split(bind);
        let unbound = || GraphError::Unreachable { target: dim.into(), missing: vec![dim.into()], direction, opposite: None };
        let at = names.iter().position(|name| *name == dim).ok_or_else(unbound)?;
        let query = self.query(direction, &names, targets)?;
        let before = query.run(&values)?;
        let overflow = || self.overflow(dim);
        values[at] = values[at].checked_add(by).ok_or_else(overflow)?;
        let after = query.run(&values)?;
        after.iter().zip(before).map(|(after, before)| after.checked_sub(before).ok_or_else(overflow)).collect()
    }

    /// Tests whether values of the dimensions `bound` determine all targets, by edges that have a formula in this direction
    /// and whose sources are all determined. Fails if the graph has no dimension of one of the names.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Expr, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [x, u] = [graph.add(Dimension::new("x"))?, graph.add(Dimension::new("u"))?];
    /// graph.connect(Transform::Modulo { modulus: Expr::Int(8) }, [x], [u])?;
    /// assert!(graph.has_path(Direction::Reverse, &["u"], &["x"])?);
    /// // Modulo has no formula forward, but it connects `x` with `u`.
    /// assert!(!graph.has_path(Direction::Forward, &["x"], &["u"])?);
    /// assert!(graph.is_connected(Direction::Forward, &["x"], &["u"])?);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn has_path(&self, direction: Direction, bound: &[&str], targets: &[&str]) -> Result<bool> {
        // Without parameters every quantity is a number, so the expression graph needs no room.
        let formulas = if self.parameters.is_empty() { self.formulas::<0>(direction) } else { self.formulas::<NODES>(direction) };
        self.reaches(direction, bound, targets, |edge| formulas[edge])
    }

    /// Tests whether edges lead from the dimensions `bound` to all targets, with or without a formula in this direction.
    /// Fails if the graph has no dimension of one of the names.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [x, y, z] = [graph.add(Dimension::new("x"))?, graph.add(Dimension::new("y"))?, graph.add(Dimension::new("z"))?];
    /// graph.connect(Transform::PassThrough, [x], [y])?;
    /// assert!(graph.is_connected(Direction::Forward, &["x"], &["y"])?);
    /// assert!(!graph.is_connected(Direction::Forward, &["x"], &["y", "z"])?);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn is_connected(&self, direction: Direction, bound: &[&str], targets: &[&str]) -> Result<bool> {
        self.reaches(direction, bound, targets, |_| true)
    }

    fn reaches(&self, direction: Direction, bound: &[&str], targets: &[&str], usable: impl Fn(usize) -> bool) -> Result<bool> {
        let bound = bound.iter().map(|name| self.find(name)).collect::<Result<Vec<_>>>()?;
        let reach = Reach::new(self, direction, &bound, true, usable);
        let mut all = true;
        for target in targets {
            all &= reach.has(self.find(target)?);
        }
        Ok(all)
    }

    /// Returns for each edge, by number, whether it is a transform and its sizes, strides and parameters give it a formula
    /// in this direction.
    fn formulas<const E: usize>(&self, direction: Direction) -> Vec<bool> {
        let mut cx = Box::new(ExprGraph::<E>::new(Op::Identity));
        let mut walk = Evaluation::new(self, direction, &mut cx, false);
        let bound = (0..self.dims.len()).try_for_each(|k| walk.bind(DimId(k), SymInt::ZERO));
        let mut fires = |edge: usize| {
            let EdgeKind::Transform(transform) = &self.edges[edge].kind else { return false };
            // Each edge starts with an empty expression graph, because the expressions of other edges may have
            // filled it.
            *walk.cx = ExprGraph::new(Op::Identity);
            let outcome =
                bound.and_then(|()| walk.declare_parameters()).and_then(|()| walk.fire(&Site::new(self, edge, direction), transform));
            !outcome.is_err_and(|fault| fault.is_soft())
        };
        (0..self.edges.len()).map(&mut fires).collect()
    }

    /// Prepares the evaluation of the targets from the bound dimensions and parameters, for many values of them.
    ///
    /// Fails if the graph does not have one of the names, or if a name is bound twice.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [k, i] = [graph.add(Dimension::new("k"))?, graph.add(Dimension::new("i").size(8).stride(-1))?];
    /// graph.connect(Transform::Join, [i], [k])?;
    /// let query = graph.query(Direction::Forward, &["i"], &["k"])?;
    /// assert_eq!((query.run(&[2])?, query.run(&[7])?), (vec![-2], vec![-7]));
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn query(&self, direction: Direction, bound: &[&str], targets: &[&str]) -> Result<Query<'_>> {
        let mut names = Vec::with_capacity(bound.len());
        let mut seen = SortedSet::new();
        for name in bound {
            if !seen.insert(name) {
                return Err(GraphError::BoundTwice { name: (*name).into() });
            }
            names.push(*self.names.get(*name).ok_or_else(|| self.unknown(name))?);
        }
        let targets = targets.iter().map(|name| self.find(name)).collect::<Result<Vec<_>>>()?;
        let schedule = Schedule::new(self, direction, &dims(&names), &targets);
        Ok(Query { graph: self, bound: names, targets, schedule })
    }

    fn overflow(&self, dim: &str) -> GraphError {
        let error = LayoutError::plain(Op::Identity, layout_algebra::error::Cause::TooLong, 0, 0);
        GraphError::Arithmetic { place: format!("`{dim}`"), error }
    }

    /// Converts a fault to an error with names. `bound` are the dimensions to which the query gives values.
    pub(super) fn name_fault(&self, fault: Fault, direction: Direction, bound: &[DimId]) -> GraphError {
        let name = |id: DimId| self.dim(id).name.clone();
        let edge = |k: usize| self.edge_name(&self.edges[k]);
        match fault {
            Fault::Unreached(id) => {
                let lacking = self.missing(id, direction.opposite(), bound);
                let opposite = (lacking != [name(id)]).then_some(lacking);
                GraphError::Unreachable { target: name(id), missing: self.missing(id, direction, bound), direction, opposite }
            }
            Fault::Undefined(k, reason) => GraphError::UndefinedDirection { edge: edge(k), direction, reason },
            Fault::MissingSize(id, k) => GraphError::MissingSize { dim: name(id), edge: edge(k) },
            Fault::MissingStride(id, k) => GraphError::MissingStride { dim: name(id), edge: edge(k) },
            Fault::MissingParameter(k) => GraphError::MissingParameter { name: self.parameters[k].name.clone() },
            Fault::Switch { edge: k, value, branches } => GraphError::SwitchOutOfRange { edge: edge(k), value, branches },
            Fault::Conflict { dim, edges: (a, b), values } => GraphError::Conflict { dim: name(dim), edges: (edge(a), edge(b)), values },
            Fault::Entry(k, value) => GraphError::Entry { edge: edge(k), value },
            Fault::Range { edge: k, dim, what, value, least } => {
                let place = dim.map_or_else(|| edge(k).to_string(), |id| format!("`{}`", name(id)));
                GraphError::Range { place, what, value, least }
            }
            Fault::Arithmetic(k, error) => GraphError::Arithmetic { place: edge(k).to_string(), error },
            Fault::Layout(error) => GraphError::Arithmetic { place: "the graph".into(), error },
        }
    }

    /// Returns the names of the dimensions that `target` depends on, that no edge computes, and that `bound` does not
    /// determine.
    fn missing(&self, target: DimId, direction: Direction, bound: &[DimId]) -> Vec<String> {
        let reach = Reach::new(self, direction, bound, false, |_| true);
        let mut producers = vec![Vec::new(); self.dims.len()];
        for (_, _, edge) in self.transforms() {
            let (sources, products) = ends(edge, direction);
            for id in products {
                producers[id.0].push(sources);
            }
        }
        let mut seen = vec![false; self.dims.len()];
        let mut stack = vec![target];
        let mut out = Vec::new();
        while let Some(id) = stack.pop() {
            if reach.has(id) || core::mem::replace(&mut seen[id.0], true) {
                continue;
            }
            if producers[id.0].is_empty() {
                out.push(self.dim(id).name.clone());
            }
            for sources in producers[id.0].iter().rev() {
                stack.extend(sources.iter().rev());
            }
        }
        out
    }
}

impl<'a> Query<'a> {
    /// Returns the targets, in order. `values` are the values of the bound names, in the order of the query.
    ///
    /// Fails as [`CoordGraph::evaluate`] does, and if the number of values differs from the number of bound names.
    pub fn run(&self, values: &[i64]) -> Result<Vec<i64>> {
        self.walk(values, false, |walk| {
            let numbers = self.targets.iter().map(|id| Ok(walk.value(*id)?.num.value().unwrap_or(0)));
            numbers.collect()
        })
    }

    /// Tests whether `values`, and all coordinates that the targets are computed from, lie in their sizes and not in
    /// padding.
    ///
    /// Fails as [`run`](Query::run) does, and if a size has no value.
    pub fn is_valid(&self, values: &[i64]) -> Result<bool> {
        let values: Vec<Value> = self.walk(values, true, |walk| self.targets.iter().map(|id| walk.value(*id)).collect())?;
        Ok(values.iter().all(|value| !value.valid.is(0)))
    }

    /// Evaluates the graph with these values of the bound names and returns the result of `read`. Fails if `read` does, if
    /// a bound value fails, or if the number of values is wrong.
    pub(super) fn walk<T>(&self, values: &[i64], checked: bool, read: impl FnOnce(&mut Evaluation<'_, 'a, 0>) -> Outcome<T>) -> Result<T> {
        let graph = self.graph;
        if values.len() != self.bound.len() {
            return Err(GraphError::Length {
                edge: super::EdgeName("query".into()),
                what: "values",
                found: values.len(),
                expected: self.bound.len(),
            });
        }
        let mut cx = ExprGraph::<0>::new(Op::Identity);
        let mut walk = Evaluation::new(graph, self.schedule.direction, &mut cx, checked);
        let answer: Outcome<T> = (|| {
            for (name, value) in self.bound.iter().zip(values) {
                if let Name::Parameter(k) = name {
                    walk.parameters[*k] = Some(known(*value)?);
                }
            }
            for (name, value) in self.bound.iter().zip(values) {
                if let Name::Dim(id) = name {
                    walk.bind(*id, known(*value)?)?;
                }
            }
            walk.run(&self.schedule);
            read(&mut walk)
        })();
        answer.map_err(|fault| graph.name_fault(fault, self.schedule.direction, &dims(&self.bound)))
    }
}

fn split<'a>(bind: &[(&'a str, i64)]) -> (Vec<&'a str>, Vec<i64>) {
    bind.iter().copied().unzip()
}

/// Returns the dimensions among the names, without the parameters.
fn dims(names: &[Name]) -> Vec<DimId> {
    names.iter().filter_map(|name| if let Name::Dim(id) = name { Some(*id) } else { None }).collect()
}
