//! The evaluation of a graph, on numbers or on symbols: it visits the edges of a schedule and keeps one value for each
//! dimension. `formula.rs` computes the values of a single edge; only `merge` here combines values of several edges.

use super::schedule::Schedule;
use super::term::Site;
use super::{CoordGraph, DimId, Direction, EdgeKind, Expr, Name};
use layout_algebra::LayoutError;
use layout_algebra::error::{Cause, Op};
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, SymInt, Truth};

/// The reason why a dimension has no value. It gives dimensions, edges and parameters by number;
/// [`GraphError`](super::GraphError) gives their names.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// The sources do not determine this dimension.
    Unreached(DimId),
    /// The edge with this number has no formula in the direction of the evaluation; the text says why.
    Undefined(usize, &'static str),
    MissingSize(DimId, usize),
    MissingStride(DimId, usize),
    MissingParameter(usize),
    Switch {
        edge: usize,
        value: i64,
        branches: usize,
    },
    Conflict {
        dim: DimId,
        edges: (usize, usize),
        values: Option<(i64, i64)>,
    },
    Entry(usize, i64),
    /// A quantity of an edge or the size of a dimension is less than its minimum.
    Range {
        edge: usize,
        dim: Option<DimId>,
        what: &'static str,
        value: i64,
        least: i64,
    },
    /// Arithmetic fails in an edge that is not known yet. `Fault::at` adds the edge and makes it `Arithmetic`.
    Layout(LayoutError),
    Arithmetic(usize, LayoutError),
}

impl From<LayoutError> for Fault {
    fn from(error: LayoutError) -> Self {
        Fault::Layout(error)
    }
}

impl Fault {
    /// Returns true if another edge may still give the dimension a value: this fault only says that one edge cannot.
    pub(super) const fn is_soft(&self) -> bool {
        matches!(
            self,
            Fault::Unreached(_) | Fault::Undefined(..) | Fault::MissingSize(..) | Fault::MissingStride(..) | Fault::MissingParameter(_)
        )
    }

    /// Returns true if the fault depends on the values: their arithmetic fails, or a quantity is below its minimum.
    pub(super) const fn is_of_values(&self) -> bool {
        matches!(self, Fault::Layout(_) | Fault::Arithmetic(..) | Fault::Range { .. })
    }

    fn at(self, edge: usize) -> Fault {
        match self {
            Fault::Layout(error) => Fault::Arithmetic(edge, error),
            other => other,
        }
    }
}

/// A coordinate `num`, and `valid`: 1 if `num` and all coordinates that it comes from lie in their sizes, else 0.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) num: SymInt,
    pub(super) valid: SymInt,
}

impl Value {
    /// Creates a valid value that depends on no coordinate.
    pub(super) const fn of(num: SymInt) -> Value {
        Value { num, valid: SymInt::ONE }
    }
}

pub(super) type Outcome<T> = core::result::Result<T, Fault>;

/// A pair of values that two edges gave to one dimension. Facts alone do not decide whether they are equal.
pub(super) struct Claim {
    pub(super) dim: DimId,
    pub(super) edges: (usize, usize),
    pub(super) values: (SymInt, SymInt),
}

/// The state of an evaluation: the value of each dimension that is known so far, and the expression graph `cx` of the
/// values.
pub(super) struct Evaluation<'a, 'g, const E: usize> {
    pub(super) graph: &'g CoordGraph,
    pub(super) direction: Direction,
    pub(super) cx: &'a mut ExprGraph<E>,
    /// The value of each parameter, by its number; `None` if it is not known.
    pub(super) parameters: Vec<Option<SymInt>>,
    states: Vec<Option<(Outcome<Value>, usize)>>,
    pub(super) claims: Vec<Claim>,
    /// The tables that lookups read, each with the number of the edge that it comes from.
    pub(super) tables: Vec<(usize, Vec<i64>)>,
    /// True if validity is computed. If it is false, every value counts as valid.
    pub(super) checked: bool,
}

/// The edge number that stands for "no edge": the dimension is bound.
const BOUND: usize = usize::MAX;

impl<'a, 'g, const E: usize> Evaluation<'a, 'g, E> {
    pub(super) fn new(graph: &'g CoordGraph, direction: Direction, cx: &'a mut ExprGraph<E>, checked: bool) -> Self {
        Evaluation {
            graph,
            direction,
            cx,
            parameters: vec![None; graph.parameters.len()],
            states: vec![None; graph.dims.len()],
            claims: Vec::new(),
            tables: Vec::new(),
            checked,
        }
    }

    /// Makes each parameter an input of the expression graph, in order. Fails if the expression graph is full.
    pub(super) fn declare_parameters(&mut self) -> Outcome<()> {
        for (k, parameter) in self.graph.parameters.iter().enumerate() {
            self.parameters[k] = Some(self.cx.input(parameter.facts)?);
        }
        Ok(())
    }

    /// Binds dimension `id` to `num`. Fails if validity is computed and the size has no value.
    pub(super) fn bind(&mut self, id: DimId, num: SymInt) -> Outcome<()> {
        let valid = self.inside(id, num, SymInt::ONE)?;
        self.states[id.0] = Some((Ok(Value { num, valid }), BOUND));
        Ok(())
    }

    /// Evaluates the edges of `schedule`.
    ///
    /// If a cycle gives a dimension a value that differs from the value it started from, the dimension and every dimension
    /// that is computed from it get a fault.
    pub(super) fn run(&mut self, schedule: &Schedule) {
        let mut given = if schedule.early.is_empty() { Vec::new() } else { self.states.clone() };
        loop {
            self.fire_all(schedule);
            let mut failed = false;
            for id in &schedule.early {
                if let Some((Err(fault), edge)) = self.states[id.0]
                    && edge != BOUND
                    && !fault.is_soft()
                {
                    given[id.0] = Some((Err(fault), BOUND));
                    failed = true;
                }
            }
            if !failed {
                return;
            }
            self.states.clone_from(&given);
        }
    }

    fn fire_all(&mut self, schedule: &Schedule) {
        for k in &schedule.order {
            let graph = self.graph;
            let EdgeKind::Transform(transform) = &graph.edges[*k].kind else { continue };
            let site = Site::new(graph, *k, self.direction);
            let values = self.fire(&site, transform).map_err(|fault| fault.at(*k));
            for (place, id) in site.products.iter().enumerate() {
                self.merge(*id, *k, values.as_ref().map(|values| values[place]).map_err(|fault| *fault));
            }
        }
    }

    /// Returns the value of dimension `id`, or the fault for which it has none.
    pub(super) fn value(&self, id: DimId) -> Outcome<Value> {
        self.states[id.0].map_or(Err(Fault::Unreached(id)), |(outcome, _)| outcome)
    }

    /// Returns the number of the edge that first gave dimension `id` a value or a fault; `None` for a bound dimension or
    /// one that no edge reached.
    pub(super) fn giver(&self, id: DimId) -> Option<usize> {
        self.states[id.0].map(|(_, edge)| edge).filter(|edge| *edge != BOUND)
    }

    fn merge(&mut self, id: DimId, edge: usize, outcome: Outcome<Value>) {
        let outcome = outcome.and_then(|value| {
            let valid = self.inside(id, value.num, value.valid).map_err(|fault| fault.at(edge))?;
            Ok(Value { valid, ..value })
        });
        let merged = match (self.states[id.0], outcome) {
            (None, outcome) => (outcome, edge),
            (Some((_, BOUND)), _) => return,
            (Some((Err(fault), _)), Ok(value)) if fault.is_soft() => (Ok(value), edge),
            (Some((Ok(_), _)), Err(fault)) if fault.is_soft() => return,
            (Some((Err(_), _)), _) => return,
            (_, Err(fault)) => (Err(fault), edge),
            (Some((Ok(first), other)), Ok(second)) => {
                let edges = (other, edge);
                match self.cx.equal(first.num, second.num) {
                    Truth::Yes => {}
                    Truth::No => {
                        let values = first.num.value().zip(second.num.value());
                        self.states[id.0] = Some((Err(Fault::Conflict { dim: id, edges, values }), edge));
                        return;
                    }
                    Truth::Unknown => self.claims.push(Claim { dim: id, edges, values: (first.num, second.num) }),
                }
                match self.cx.min(first.valid, second.valid) {
                    Ok(valid) => (Ok(Value { num: first.num, valid }), other),
                    Err(error) => (Err(Fault::Arithmetic(edge, error)), edge),
                }
            }
        };
        self.states[id.0] = Some(merged);
    }

    /// Returns 1 if `valid` is 1 and `num` lies in the size of dimension `id`, else 0. Returns `valid` if validity is not
    /// computed or there is no size. Fails if the size has no value.
    fn inside(&mut self, id: DimId, num: SymInt, valid: SymInt) -> Outcome<SymInt> {
        match &self.graph.dim(id).size {
            Some(size) if self.checked => {
                let size = self.quantity(size)?;
                self.within(num, size, valid)
            }
            _ => Ok(valid),
        }
    }

    /// Returns 1 if `valid` is 1 and `0 <= num < size`, else 0. Fails if the expression graph is full.
    pub(super) fn within(&mut self, num: SymInt, size: SymInt, valid: SymInt) -> Outcome<SymInt> {
        let natural = self.cx.is_less(MINUS_ONE, num)?;
        let below = self.cx.is_less(num, size)?;
        let valid = self.cx.min(valid, natural)?;
        Ok(self.cx.min(valid, below)?)
    }

    /// Returns the value of a quantity without arguments. Fails if a parameter has no value or arithmetic fails.
    pub(super) fn quantity(&mut self, expr: &Expr) -> Outcome<SymInt> {
        Ok(self.expression(expr, &[])?.num)
    }

    /// Returns the value of an expression; argument `k` is the coordinate of dimension `arguments[k]`. Fails if an argument
    /// or a parameter has no value, or if arithmetic fails.
    pub(super) fn expression(&mut self, expr: &Expr, arguments: &[DimId]) -> Outcome<Value> {
        if let Expr::Int(value) = expr {
            return Ok(Value::of(known(*value)?));
        }
        // `expr.evaluate` borrows the expression graph, so the values of the leaves are collected first.
        let (mut leaves, mut valid) = (Vec::new(), Vec::new());
        let mut fault = None;
        expr.visit(&mut |leaf| {
            let value = match leaf {
                Expr::Op(..) => return,
                Expr::Int(value) => known(*value).map_err(Fault::from),
                Expr::Arg(k) => self.value(arguments[*k]).map(|value| {
                    valid.push(value.valid);
                    value.num
                }),
                Expr::Param(name) => self.parameter(name),
            };
            match value {
                Ok(value) => leaves.push(value),
                Err(other) => fault = fault.or(Some(other)),
            }
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        let mut leaves = leaves.into_iter();
        let num = expr.evaluate(self.cx, &mut |_, _| leaves.next().ok_or(Fault::Unreached(DimId(0))))?;
        let mut out = Value::of(num);
        for valid in valid {
            out.valid = self.cx.min(out.valid, valid)?;
        }
        Ok(out)
    }

    fn parameter(&self, name: &str) -> Outcome<SymInt> {
        match self.graph.names.get(name) {
            Some(Name::Parameter(k)) => self.parameters[*k].ok_or(Fault::MissingParameter(*k)),
            _ => Err(Fault::MissingParameter(0)),
        }
    }
}

pub(super) const MINUS_ONE: SymInt = match SymInt::known(-1) {
    Some(num) => num,
    None => SymInt::ZERO,
};

/// Returns a known number, or an error for `i64::MIN`, which no symbolic integer can hold.
pub(super) fn known(value: i64) -> layout_algebra::error::Result<SymInt> {
    SymInt::known(value).ok_or_else(|| LayoutError::plain(Op::Identity, Cause::TooLow, SymInt::MIN, 0))
}
