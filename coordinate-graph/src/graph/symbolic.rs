//! Evaluation on symbols: makes the program of a query. `query.rs` answers the same questions on numbers.

use super::evaluation::{Claim, Evaluation, Outcome, Value, known};
use super::schedule::Schedule;
use super::{CoordGraph, DimId, Direction, GraphError, Name, Result};
use crate::program::{LookupTable, Program, ProgramOutput, Time};
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, SymInt};

/// A source of a program, with the time at which its value is known.
///
/// ```
/// use coordinate_graph::graph::{Bound, CoordGraph, Dimension, Direction, Domain, Transform};
/// let mut graph = CoordGraph::new();
/// let [i, j] = [graph.add(Dimension::new("i"))?, graph.add(Dimension::new("j").size(8))?];
/// let k = graph.add(Dimension::new("k"))?;
/// graph.connect(Transform::Flatten, [i, j], [k])?;
/// let program = |sources: &[Bound]| graph.program(Direction::Forward, sources, &["k"], Domain::Declared);
/// assert_eq!(program(&[Bound::Launch("i"), Bound::Thread("j")])?.run(&[3, 5])?, [29]);
/// // A constant is not an input, and a name alone is a coordinate of each thread.
/// assert_eq!(program(&[Bound::Constant("i", 3), "j".into()])?.run(&[5])?, [29]);
/// assert_eq!(Bound::Constant("i", 3).name(), "i");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound<'a> {
    /// A coordinate that has its own value in each thread.
    Thread(&'a str),
    /// A coordinate that is the same for a whole launch.
    Launch(&'a str),
    /// A dimension or a parameter with this value. Numbers that depend only on constants are computed when the program is
    /// made, and a constant switch leaves one branch.
    Constant(&'a str, i64),
}

impl<'a> Bound<'a> {
    /// Returns the name of the dimension or the parameter.
    pub const fn name(self) -> &'a str {
        match self {
            Bound::Thread(name) | Bound::Launch(name) | Bound::Constant(name, _) => name,
        }
    }
}

impl<'a> From<&'a str> for Bound<'a> {
    fn from(name: &'a str) -> Self {
        Bound::Thread(name)
    }
}

/// The range that a program may assume for the coordinates `x` of its sources.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Transform};
/// let mut graph = CoordGraph::new();
/// let x = graph.add(Dimension::new("x").size(64))?;
/// let [tile, i] = [graph.add(Dimension::new("tile"))?, graph.add(Dimension::new("i").size(64))?];
/// graph.connect(Transform::Tile, [x], [tile, i])?;
/// let tile = |domain| graph.program(Direction::Forward, &["x".into()], &["tile"], domain);
/// // `x / 64` is 0 for every `x` below 64.
/// assert_eq!(tile(Domain::Declared)?.constant(0), Some(0));
/// assert_eq!(tile(Domain::Natural)?.run(&[130])?, [2]);
/// assert_eq!(tile(Domain::Any)?.run(&[-1])?, [-1]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Domain {
    /// `0 <= x < size` for a declared size, and `0 <= x` otherwise.
    #[default]
    Declared,
    /// `0 <= x`.
    Natural,
    /// Any integer.
    Any,
}

impl CoordGraph {
    /// Returns the targets as a straight-line function of the sources, simplified under the facts that are known
    /// of them. Its conditions test that every coordinate lies in its size. Parameters that are not sources become
    /// inputs of the launch.
    ///
    /// Fails as [`evaluate`](CoordGraph::evaluate) does for errors that do not depend on values. Fails also if two
    /// edges compute values for a dimension that are not proven equal.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Bound, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(1000))?;
    /// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(64))?];
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// let program = graph.program(Direction::Reverse, &[Bound::Thread("t"), Bound::Thread("i")], &["x"], Domain::Declared)?;
    /// assert_eq!(program.run(&[3, 5]), Ok(vec![197]));
    /// assert_eq!((program.is_valid(&[15, 39]), program.is_valid(&[15, 40])), (Ok(true), Ok(false)));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn program(&self, direction: Direction, sources: &[Bound<'_>], targets: &[&str], domain: Domain) -> Result<Program> {
        self.unsimplified(direction, sources, targets, domain)?.minimal().map_err(GraphError::from)
    }

    /// Returns the program that computes, from the sources, the change of each target when the source `dim` grows
    /// by `by`, carries included.
    ///
    /// If the change is the same for all coordinates, the program returns a constant: the stride. Fails as
    /// [`program`](CoordGraph::program) does.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Bound, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(1024))?;
    /// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(64))?];
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// let sources = [Bound::Thread("t"), Bound::Thread("i")];
    /// let stride = graph.delta_program(Direction::Reverse, &sources, "t", 1, &["x"], Domain::Declared)?;
    /// assert_eq!(stride.constant(0), Some(64));
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn delta_program(
        &self,
        direction: Direction,
        sources: &[Bound<'_>],
        dim: &str,
        by: i64,
        targets: &[&str],
        domain: Domain,
    ) -> Result<Program> {
        self.require_source(direction, sources, dim)?;
        self.trace(direction, sources, Some((dim, by)), targets, domain)?.minimal().map_err(GraphError::from)
    }

    /// Returns the program of the runs of the targets along the source `dim` (see [`Program::runs`]). Its outputs
    /// are an index and a step for each target, then `count` and `valid`.
    ///
    /// Fails as [`program`](CoordGraph::program) does.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Bound, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(1000))?;
    /// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(64))?];
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// let runs = graph.run_program(Direction::Reverse, &["t".into(), "i".into()], "i", &["x"], Domain::Declared)?;
    /// // The last tile has 40 elements.
    /// assert_eq!(runs.run(&[15, 0])?, [960, 1, 40, 1]);
    /// assert_eq!(runs.run(&[15, 40])?[3], 0);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn run_program(&self, direction: Direction, sources: &[Bound<'_>], dim: &str, targets: &[&str], domain: Domain) -> Result<Program> {
        self.require_source(direction, sources, dim)?;
        self.program(direction, sources, targets, domain)?.runs(dim).map_err(GraphError::from)
    }

    /// Fails if the graph has no dimension `dim`, or if `dim` is not one of the sources.
    fn require_source(&self, direction: Direction, sources: &[Bound<'_>], dim: &str) -> Result<()> {
        self.find(dim)?;
        match sources.iter().any(|source| source.name() == dim) {
            true => Ok(()),
            false => Err(GraphError::Unreachable { target: dim.into(), missing: [dim.into()].into(), direction, opposite: None }),
        }
    }

    /// Returns the program of the targets as the transforms give it, formula by formula, without simplification.
    ///
    /// Fails as [`program`](CoordGraph::program) does.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Domain, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x"))?;
    /// let [t, i] = [graph.add(Dimension::new("t"))?, graph.add(Dimension::new("i").size(12))?];
    /// let y = graph.add(Dimension::new("y"))?;
    /// graph.connect(Transform::Tile, [x], [t, i])?;
    /// graph.connect(Transform::Flatten, [t, i], [y])?;
    /// // The formulas are x / 12 * 12 + x % 12. That is x.
    /// let raw = graph.unsimplified(Direction::Forward, &["x".into()], &["y"], Domain::Natural)?;
    /// assert_eq!(raw.operations().to_string(), "1 add, 1 mul, 1 div, 1 rem");
    /// let program = graph.program(Direction::Forward, &["x".into()], &["y"], Domain::Natural)?;
    /// assert_eq!(program.operations().to_string(), "none");
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn unsimplified(&self, direction: Direction, sources: &[Bound<'_>], targets: &[&str], domain: Domain) -> Result<Program> {
        self.trace(direction, sources, None, targets, domain)
    }

    /// Returns the program of the targets, without simplification. With `grows` = `(dim, by)`, its outputs are the changes
    /// of the targets when `dim` grows by `by`. Fails as `program` does.
    fn trace(
        &self,
        direction: Direction,
        sources: &[Bound<'_>],
        grows: Option<(&str, i64)>,
        targets: &[&str],
        domain: Domain,
    ) -> Result<Program> {
        let mut bound: Vec<(Name, Bound<'_>)> = Vec::with_capacity(sources.len());
        for (k, source) in sources.iter().enumerate() {
            let name = source.name();
            if sources[..k].iter().any(|other| other.name() == name) {
                return Err(GraphError::BoundTwice { name: name.into() });
            }
            bound.push((*self.names.get(name).ok_or_else(|| self.unknown(name))?, *source));
        }
        let dims: Vec<DimId> = bound.iter().filter_map(|(name, _)| if let Name::Dim(id) = name { Some(*id) } else { None }).collect();
        let targets = targets.iter().map(|name| self.find(name)).collect::<Result<Vec<_>>>()?;
        let schedule = Schedule::new(self, direction, &dims, &targets);
        let grows = grows.map(|(name, by)| Ok::<_, GraphError>((self.find(name)?, by))).transpose()?;
        let mut tracing = Tracing { graph: self, schedule, domain, program: Program::new(), parameters: Vec::new(), tables: Vec::new() };
        let claims = tracing.walk(&bound, grows, &targets).map_err(|fault| self.name_fault(fault, direction, &dims))?;
        let mut program = tracing.program;
        for Claim { dim, edges, values: (a, b) } in claims {
            if !program.proves_equal(a, b) {
                let edge = |k: usize| self.edge_name(&self.edges[k]);
                let edges = (edge(edges.0), edge(edges.1));
                return Err(GraphError::Conflict { dim: self.dim(dim).name.clone(), edges, values: None });
            }
        }
        program.drop_unused(&|input| self.parameters.iter().any(|parameter| parameter.name == input.name));
        Ok(program)
    }
}

/// The state of tracing: the program so far, with its parameters and tables.
struct Tracing<'g> {
    graph: &'g CoordGraph,
    schedule: Schedule,
    domain: Domain,
    program: Program,
    /// The value of each parameter of the graph, by its number.
    parameters: Vec<Option<SymInt>>,
    /// The tables that lookups read, each with the number of the edge that it comes from.
    tables: Vec<(usize, Vec<i64>)>,
}

impl Tracing<'_> {
    /// Evaluates the schedule on symbols and adds outputs, conditions and tables to the program. Returns the pairs of
    /// values whose equality must still be proven. Fails if a target has no value.
    fn walk(&mut self, bound: &[(Name, Bound<'_>)], grows: Option<(DimId, i64)>, targets: &[DimId]) -> Outcome<Vec<Claim>> {
        for (k, parameter) in self.graph.parameters.iter().enumerate() {
            let source = bound.iter().find(|(name, _)| matches!(name, Name::Parameter(n) if *n == k));
            self.parameters.push(Some(match source {
                Some((_, Bound::Constant(_, value))) => known(*value)?,
                Some((_, Bound::Thread(name))) => self.program.input(name, Time::Thread, parameter.facts, None)?,
                _ => self.program.input(&parameter.name, Time::Launch, parameter.facts, None)?,
            }));
        }
        let mut nums = Vec::with_capacity(bound.len());
        for (name, source) in bound {
            let Name::Dim(id) = name else { continue };
            let num = match source {
                Bound::Constant(_, value) => known(*value)?,
                Bound::Thread(name) => self.coordinate(*id, name, Time::Thread)?,
                Bound::Launch(name) => self.coordinate(*id, name, Time::Launch)?,
            };
            nums.push((*id, num));
        }
        let (mut values, mut claims) = self.walk_once(&nums, targets)?;
        if let Some((dim, by)) = grows {
            for (_, num) in nums.iter_mut().filter(|(id, _)| *id == dim) {
                *num = self.program.scope.add(*num, known(by)?)?;
            }
            let (after, more) = self.walk_once(&nums, targets)?;
            claims.extend(more);
            for (before, after) in values.iter_mut().zip(after) {
                let num = self.program.scope.sub(after.num, before.num)?;
                *before = Value { num, valid: self.program.scope.min(before.valid, after.valid)? };
            }
        }
        for (id, value) in targets.iter().zip(&values) {
            self.program.outputs.push(ProgramOutput { name: self.graph.dim(*id).name.clone(), value: value.num });
            self.program.conditions.push(value.valid);
        }
        for (number, (edge, entries)) in core::mem::take(&mut self.tables).into_iter().enumerate() {
            let from = self.graph.edges[edge].inputs.first().map_or("table", |id| &self.graph.dim(*id).name);
            self.program.tables.push(LookupTable { name: format!("{from}_table{number}"), entries });
        }
        Ok(claims)
    }

    /// Returns the values of the targets for these values of the bound dimensions, and the pairs of values that must be
    /// equal for them. Fails if a target has no value.
    fn walk_once(&mut self, bound: &[(DimId, SymInt)], targets: &[DimId]) -> Outcome<(Vec<Value>, Vec<Claim>)> {
        let tables = core::mem::take(&mut self.tables);
        let mut walk = Evaluation::new(self.graph, self.schedule.direction, &mut self.program.scope, true);
        walk.parameters.clone_from(&self.parameters);
        walk.tables = tables;
        for (id, num) in bound {
            walk.bind(*id, *num)?;
        }
        walk.run(&self.schedule);
        let values = targets.iter().map(|id| walk.value(*id)).collect::<Outcome<Vec<_>>>()?;
        self.tables = walk.tables;
        Ok((values, walk.claims))
    }

    /// Adds an input for the coordinate of dimension `id`, and returns its node. Fails if the size has no value or the
    /// program is full.
    fn coordinate(&mut self, id: DimId, name: &str, time: Time) -> Outcome<SymInt> {
        let size = match (self.domain, &self.graph.dim(id).size) {
            (Domain::Declared, Some(size)) => {
                let mut walk = Evaluation::new(self.graph, Direction::Forward, &mut self.program.scope, false);
                walk.parameters.clone_from(&self.parameters);
                Some(walk.quantity(size)?)
            }
            _ => None,
        };
        let facts = match size.map(|size| self.program.scope.facts(size)) {
            // A size of 0 has no coordinates, so it gives no range.
            Some(size) if size.hi > 0 && size.hi < i64::MAX => Facts { lo: 0, hi: size.hi - 1, div: 1 },
            _ if self.domain == Domain::Any => Facts::ANY,
            _ => Facts::NATURAL,
        };
        let below = size.filter(|size| !size.is_known());
        Ok(self.program.input(name, time, facts, below)?)
    }
}

impl core::fmt::Display for Bound<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Bound::Constant(name, value) => write!(f, "{name}={value}"),
            other => f.write_str(other.name()),
        }
    }
}
