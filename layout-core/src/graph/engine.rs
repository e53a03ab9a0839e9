//! The walk over a graph: which edges, in which order, on numbers or on symbols.

use super::edge::Transform;
use super::{CoordGraph, DimId, Direction, Edge, EdgeKind, Expr, Name};
use crate::LayoutError;
use crate::value::{ExprGraph, SymInt, Truth};
use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

/// Why a dimension has no value, by numbers; [`GraphError`](super::GraphError) is the same by names.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// What is bound does not determine this dimension.
    Unreached(DimId),
    /// No formula in this direction.
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
    /// A quantity of an edge, or the size of a dimension, that is less than it may be.
    Range {
        edge: usize,
        dim: Option<DimId>,
        what: &'static str,
        value: i64,
        least: i64,
    },
    /// Arithmetic, before and after the edge is known.
    Layout(LayoutError),
    Arithmetic(usize, LayoutError),
}

impl From<LayoutError> for Fault {
    fn from(error: LayoutError) -> Self {
        Fault::Layout(error)
    }
}

impl Fault {
    /// Whether another edge may still give the dimension a value.
    pub(super) const fn is_soft(&self) -> bool {
        matches!(
            self,
            Fault::Unreached(_) | Fault::Undefined(..) | Fault::MissingSize(..) | Fault::MissingStride(..) | Fault::MissingParameter(_)
        )
    }

    /// Whether arithmetic refuses the values, not the graph.
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

/// A coordinate, and whether it lies in the array: 0 or 1.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) num: SymInt,
    pub(super) valid: SymInt,
}

pub(super) type Outcome<T> = core::result::Result<T, Fault>;

/// Two edges gave this dimension these values, which facts alone do not decide to be equal.
pub(super) struct Claim {
    pub(super) dim: DimId,
    pub(super) edges: (usize, usize),
    pub(super) values: (SymInt, SymInt),
}

/// The sources and the products of an edge in this direction.
pub(super) fn ends(edge: &Edge, direction: Direction) -> (&[DimId], &[DimId]) {
    match direction {
        Direction::Forward => (&edge.inputs, &edge.outputs),
        Direction::Reverse => (&edge.outputs, &edge.inputs),
    }
}

/// Whether the transform is a function from `sources` to one product that reads only some of them.
fn lazy<'a>(transform: &'a Transform, sources: &[DimId], products: &[DimId]) -> Option<&'a Transform> {
    match transform {
        Transform::Sunder if products.len() == 1 && sources.len() > 1 => Some(transform),
        Transform::PiecewiseAffineJoin { .. } if products.len() == 1 => Some(transform),
        _ => None,
    }
}

/// The edges that determine the targets from the bound dimensions, each after those it depends on.
pub(super) struct Plan {
    pub(super) direction: Direction,
    order: Vec<usize>,
    /// The dimensions of cycles whose first value is used before the cycle makes another.
    early: Vec<DimId>,
}

/// Which dimensions are determined by those that are bound.
pub(super) struct Reach {
    /// The place in the order of discovery.
    rank: Vec<Option<usize>>,
    ready: Vec<bool>,
}

impl Reach {
    /// What `bound` determines. `usable` says of an edge whether it counts; lazy edges need all of their sources if `strict`.
    pub(super) fn new(graph: &CoordGraph, direction: Direction, bound: &[DimId], strict: bool, usable: impl Fn(usize) -> bool) -> Reach {
        let mut users = vec![Vec::new(); graph.dims.len()];
        let mut missing = vec![usize::MAX; graph.edges.len()];
        let mut out = Reach { rank: vec![None; graph.dims.len()], ready: vec![false; graph.edges.len()] };
        let mut queue = VecDeque::new();
        let mut found = 0;
        let mut reach = |id: DimId, out: &mut Reach, queue: &mut VecDeque<DimId>| {
            if out.rank[id.0].is_none() {
                out.rank[id.0] = Some(found);
                found += 1;
                queue.push_back(id);
            }
        };
        for id in bound {
            reach(*id, &mut out, &mut queue);
        }
        for (k, transform, edge) in graph.transforms().filter(|(k, ..)| usable(*k)) {
            let (sources, products) = ends(edge, direction);
            missing[k] = sources.len();
            for id in sources {
                users[id.0].push(k);
            }
            // An edge without sources is a constant.
            if sources.is_empty() || (!strict && lazy(transform, sources, products).is_some_and(|t| enough(t, sources, &out.rank))) {
                out.ready[k] = true;
                for id in products {
                    reach(*id, &mut out, &mut queue);
                }
            }
        }
        while let Some(id) = queue.pop_front() {
            for k in core::mem::take(&mut users[id.0]) {
                missing[k] -= 1;
                let edge = &graph.edges[k];
                let (sources, products) = ends(edge, direction);
                let EdgeKind::Transform(transform) = &edge.kind else { continue };
                let some = !strict && lazy(transform, sources, products).is_some_and(|t| enough(t, sources, &out.rank));
                if !out.ready[k] && (missing[k] == 0 || some) {
                    out.ready[k] = true;
                    for id in products {
                        reach(*id, &mut out, &mut queue);
                    }
                }
            }
        }
        out
    }

    pub(super) fn has(&self, id: DimId) -> bool {
        self.rank[id.0].is_some()
    }
}

/// Whether a lazy edge may have a value: its switch and a branch, or what its condition reads, is reached.
fn enough(transform: &Transform, sources: &[DimId], rank: &[Option<usize>]) -> bool {
    let reached = |id: &DimId| rank[id.0].is_some();
    match transform {
        Transform::PiecewiseAffineJoin { condition, .. } => condition.arguments().iter().all(|k| sources.get(*k).is_some_and(reached)),
        _ => sources.split_last().is_some_and(|(switch, branches)| reached(switch) && branches.iter().any(reached)),
    }
}

impl Plan {
    pub(super) fn new(graph: &CoordGraph, direction: Direction, bound: &[DimId], targets: &[DimId]) -> Plan {
        let reach = Reach::new(graph, direction, bound, false, |_| true);
        let is_bound = {
            let mut is_bound = vec![false; graph.dims.len()];
            bound.iter().for_each(|id| is_bound[id.0] = true);
            is_bound
        };
        let mut producers = vec![Vec::new(); graph.dims.len()];
        for (k, _, edge) in graph.transforms() {
            if reach.ready[k] {
                for id in ends(edge, direction).1 {
                    if !is_bound[id.0] {
                        producers[id.0].push(k);
                    }
                }
            }
        }
        // What the targets need.
        let mut needed = vec![false; graph.edges.len()];
        let mut wanted = vec![false; graph.dims.len()];
        let mut stack: Vec<DimId> = targets.to_vec();
        while let Some(id) = stack.pop() {
            if core::mem::replace(&mut wanted[id.0], true) {
                continue;
            }
            for k in &producers[id.0] {
                if !core::mem::replace(&mut needed[*k], true) {
                    stack.extend(ends(&graph.edges[*k], direction).0);
                }
            }
        }
        let (order, early) = order(graph, direction, &reach, &producers, &needed, &is_bound);
        Plan { direction, order, early }
    }
}

/// The needed edges, each after the edges that produce its sources; on a cycle, after those that were reached first: these dimensions are given too.
fn order(
    graph: &CoordGraph,
    direction: Direction,
    reach: &Reach,
    producers: &[Vec<usize>],
    needed: &[bool],
    is_bound: &[bool],
) -> (Vec<usize>, Vec<DimId>) {
    let mut pending: Vec<usize> = producers.iter().map(|p| p.iter().filter(|k| needed[**k]).count()).collect();
    let mut is_final: Vec<bool> = (0..graph.dims.len()).map(|k| is_bound[k]).collect();
    let mut waiting = vec![0; graph.edges.len()];
    let mut users = vec![Vec::new(); graph.dims.len()];
    let mut queue = VecDeque::new();
    for k in (0..graph.edges.len()).filter(|k| needed[*k]) {
        for id in ends(&graph.edges[k], direction).0 {
            if reach.has(*id) && !is_bound[id.0] {
                waiting[k] += 1;
                users[id.0].push(k);
            }
        }
        if waiting[k] == 0 {
            queue.push_back(k);
        }
    }
    let mut by_rank: Vec<usize> = (0..graph.dims.len()).filter(|k| pending[*k] > 0 && !is_bound[*k]).collect();
    by_rank.sort_by_key(|k| core::cmp::Reverse(reach.rank[*k]));
    let mut fired = vec![false; graph.edges.len()];
    let (mut out, mut early) = (Vec::new(), Vec::new());
    loop {
        while let Some(k) = queue.pop_front() {
            if core::mem::replace(&mut fired[k], true) {
                continue;
            }
            out.push(k);
            for id in ends(&graph.edges[k], direction).1 {
                if is_final[id.0] {
                    continue;
                }
                pending[id.0] -= 1;
                if pending[id.0] == 0 {
                    settle(*id, &mut is_final, &mut users, &mut waiting, &mut queue);
                }
            }
        }
        // On a cycle, the dimension that was reached first has a value already; what the cycle makes of it must be the same.
        while by_rank.last().is_some_and(|k| is_final[*k]) {
            by_rank.pop();
        }
        match by_rank.pop() {
            Some(k) => {
                early.push(DimId(k));
                settle(DimId(k), &mut is_final, &mut users, &mut waiting, &mut queue);
            }
            None => return (out, early),
        }
    }
}

/// The dimension has the value it will have.
fn settle(id: DimId, is_final: &mut [bool], users: &mut [Vec<usize>], waiting: &mut [usize], queue: &mut VecDeque<usize>) {
    is_final[id.0] = true;
    for k in core::mem::take(&mut users[id.0]) {
        waiting[k] -= 1;
        if waiting[k] == 0 {
            queue.push_back(k);
        }
    }
}

/// A walk: what is known of each dimension so far.
pub(super) struct Walk<'a, const E: usize> {
    pub(super) graph: &'a CoordGraph,
    pub(super) direction: Direction,
    pub(super) cx: &'a mut ExprGraph<E>,
    /// Values of the parameters.
    pub(super) parameters: Vec<Option<SymInt>>,
    states: Vec<Option<(Outcome<Value>, usize)>>,
    pub(super) claims: Vec<Claim>,
    /// Tables that lookups refer to, with the edges they come from.
    pub(super) tables: Vec<(usize, Vec<i64>)>,
    /// Whether to compute validity; without, every value counts as valid.
    pub(super) checked: bool,
}

/// No edge: the dimension is bound.
const BOUND: usize = usize::MAX;

impl<'a, const E: usize> Walk<'a, E> {
    pub(super) fn new(graph: &'a CoordGraph, direction: Direction, cx: &'a mut ExprGraph<E>, checked: bool) -> Self {
        Walk {
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

    /// Makes each parameter an input of the scope, in order.
    pub(super) fn declare_parameters(&mut self) -> Outcome<()> {
        for (k, parameter) in self.graph.parameters.iter().enumerate() {
            self.parameters[k] = Some(self.cx.input(parameter.facts)?);
        }
        Ok(())
    }

    /// Binds a dimension to a number.
    pub(super) fn bind(&mut self, id: DimId, num: SymInt) -> Outcome<()> {
        let valid = self.inside(id, num, SymInt::ONE)?;
        self.states[id.0] = Some((Ok(Value { num, valid }), BOUND));
        Ok(())
    }

    /// Fires the edges of `plan`.
    ///
    /// Where a cycle makes another value of a dimension than the one it started from, what follows from that dimension fails like it.
    pub(super) fn run(&mut self, plan: &Plan) {
        let mut given = if plan.early.is_empty() { Vec::new() } else { self.states.clone() };
        loop {
            self.fire_all(plan);
            let mut failed = false;
            for id in &plan.early {
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

    fn fire_all(&mut self, plan: &Plan) {
        for k in &plan.order {
            let graph = self.graph;
            let EdgeKind::Transform(transform) = &graph.edges[*k].kind else { continue };
            let (_, products) = ends(&graph.edges[*k], self.direction);
            match self.fire(*k, transform) {
                Ok(values) => {
                    for (id, value) in products.iter().zip(values) {
                        self.merge(*id, *k, Ok(value));
                    }
                }
                Err(fault) => {
                    for id in products {
                        self.merge(*id, *k, Err(fault.at(*k)));
                    }
                }
            }
        }
    }

    /// The value of a dimension.
    pub(super) fn value(&self, id: DimId) -> Outcome<Value> {
        self.states[id.0].map_or(Err(Fault::Unreached(id)), |(outcome, _)| outcome)
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

    /// `valid`, and `num` lies in the size of the dimension.
    fn inside(&mut self, id: DimId, num: SymInt, valid: SymInt) -> Outcome<SymInt> {
        match &self.graph.dim(id).size {
            Some(size) if self.checked => {
                let size = self.quantity(size)?;
                self.within(num, size, valid)
            }
            _ => Ok(valid),
        }
    }

    /// `valid`, and `0 <= num < size`.
    pub(super) fn within(&mut self, num: SymInt, size: SymInt, valid: SymInt) -> Outcome<SymInt> {
        let natural = self.cx.is_less(MINUS_ONE, num)?;
        let below = self.cx.is_less(num, size)?;
        let valid = self.cx.min(valid, natural)?;
        Ok(self.cx.min(valid, below)?)
    }

    /// The value of a quantity without arguments.
    pub(super) fn quantity(&mut self, expr: &Expr) -> Outcome<SymInt> {
        self.expression(expr, &|_, _| Err(Fault::Unreached(DimId(0))))
    }

    /// The value of an expression, with the arguments from `argument`.
    pub(super) fn expression(&mut self, expr: &Expr, argument: &dyn Fn(&Self, usize) -> Outcome<SymInt>) -> Outcome<SymInt> {
        if let Expr::Int(value) = expr {
            return Ok(known(*value)?);
        }
        // The scope is lent to the expression, so what the leaves are comes first.
        let mut leaves = Vec::new();
        let mut fault = None;
        expr.visit(&mut |leaf| {
            let value = match leaf {
                Expr::Op(..) => return,
                Expr::Int(value) => known(*value).map_err(Fault::from),
                Expr::Arg(k) => argument(self, *k),
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
        expr.evaluate(self.cx, &mut |_, _| leaves.next().ok_or(Fault::Unreached(DimId(0))))
    }

    fn parameter(&self, name: &str) -> Outcome<SymInt> {
        match self.graph.names.get(name) {
            Some(Name::Parameter(k)) => self.parameters[*k].ok_or(Fault::MissingParameter(*k)),
            _ => Err(Fault::MissingParameter(0)),
        }
    }
}

const MINUS_ONE: SymInt = match SymInt::known(-1) {
    Some(num) => num,
    None => SymInt::ZERO,
};

/// A known number.
pub(super) fn known(value: i64) -> crate::error::Result<SymInt> {
    use crate::error::{Cause, Op};
    SymInt::known(value).ok_or_else(|| LayoutError::plain(Op::Identity, Cause::TooLow, SymInt::MIN, 0))
}
