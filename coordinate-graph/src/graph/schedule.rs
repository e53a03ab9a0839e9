//! Schedules: the edges that determine the targets, and the order of their evaluation. No value is known here: a lazy edge
//! is scheduled if it may have one.

use super::term::ends;
use super::{CoordGraph, DimId, Direction, Transform};
use alloc::collections::VecDeque;
use layout_algebra::heap::*;

/// Tests whether the transform computes one product and may need only some of `sources`. Such an edge is called lazy.
fn lazy(transform: &Transform, sources: &[DimId], products: &[DimId]) -> bool {
    match transform {
        Transform::Sunder => products.len() == 1 && sources.len() > 1,
        Transform::PiecewiseAffineJoin { .. } => products.len() == 1,
        _ => false,
    }
}

/// The edges that compute the targets from the bound dimensions. Each comes after the edges that it depends on.
pub(super) struct Schedule {
    pub(super) direction: Direction,
    pub(super) order: Vec<usize>,
    /// The dimensions on cycles whose first value is used before the cycle computes another value for them.
    pub(super) early: Vec<DimId>,
}

/// The dimensions that the bound dimensions determine.
pub(super) struct Reach {
    /// For each dimension, its position in the order of discovery; `None` if it is not determined.
    rank: Vec<Option<usize>>,
    ready: Vec<bool>,
}

impl Reach {
    /// Finds the dimensions that `bound` determines, by edges `k` for which `usable(k)` is true. If `strict`, a lazy edge
    /// needs all of its sources.
    pub(super) fn new(graph: &CoordGraph, direction: Direction, bound: &[DimId], strict: bool, usable: impl Fn(usize) -> bool) -> Reach {
        let mut users = vec![Vec::new(); graph.dims.len()];
        let mut missing = vec![0; graph.edges.len()];
        let mut out = Reach { rank: vec![None; graph.dims.len()], ready: vec![false; graph.edges.len()] };
        let mut found: Vec<DimId> = Vec::new();
        out.discover(bound, &mut found);
        for (k, transform, edge) in graph.transforms().filter(|(k, ..)| usable(*k)) {
            let (sources, products) = ends(edge, direction);
            missing[k] = sources.len();
            sources.iter().for_each(|id| users[id.0].push((k, transform)));
            // An edge without sources is a constant, so it is ready at once.
            if out.fires(transform, sources, products, missing[k], strict) {
                out.ready[k] = true;
                out.discover(products, &mut found);
            }
        }
        let mut next = 0;
        while let Some(id) = found.get(next).copied() {
            next += 1;
            for (k, transform) in core::mem::take(&mut users[id.0]) {
                missing[k] -= 1;
                let (sources, products) = ends(&graph.edges[k], direction);
                if !out.ready[k] && out.fires(transform, sources, products, missing[k], strict) {
                    out.ready[k] = true;
                    out.discover(products, &mut found);
                }
            }
        }
        out
    }

    /// Gives the next rank to each dimension that has none yet, and appends it to `found`.
    fn discover(&mut self, ids: &[DimId], found: &mut Vec<DimId>) {
        for id in ids {
            if self.rank[id.0].is_none() {
                self.rank[id.0] = Some(found.len());
                found.push(*id);
            }
        }
    }

    fn fires(&self, transform: &Transform, sources: &[DimId], products: &[DimId], missing: usize, strict: bool) -> bool {
        missing == 0 || (!strict && lazy(transform, sources, products) && enough(transform, sources, &self.rank))
    }

    pub(super) fn has(&self, id: DimId) -> bool {
        self.rank[id.0].is_some()
    }
}

/// Tests whether a lazy edge may have a value: its switch and at least one branch have a rank, or all dimensions that its
/// condition reads have one.
fn enough(transform: &Transform, sources: &[DimId], rank: &[Option<usize>]) -> bool {
    let reached = |id: &DimId| rank[id.0].is_some();
    match transform {
        Transform::PiecewiseAffineJoin { condition, .. } => condition.arguments().iter().all(|k| sources.get(*k).is_some_and(reached)),
        _ => sources.split_last().is_some_and(|(switch, branches)| reached(switch) && branches.iter().any(reached)),
    }
}

impl Schedule {
    pub(super) fn new(graph: &CoordGraph, direction: Direction, bound: &[DimId], targets: &[DimId]) -> Schedule {
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
        // Mark the edges that the targets need.
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
        Schedule { direction, order, early }
    }
}

/// Returns the needed edges in an order in which each comes after the edges that produce its sources, and the dimensions
/// that are used early. On a cycle, the dimension that was reached first is used early.
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
    by_rank.sort_unstable_by_key(|k| (core::cmp::Reverse(reach.rank[*k]), *k));
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
        // The rest are cycles. The dimension that was reached first has a value before its cycle is complete, so it can
        // break the cycle. The evaluation checks that the cycle computes the same value.
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

/// Marks dimension `id` as final, and queues each edge whose other sources are all final.
fn settle(id: DimId, is_final: &mut [bool], users: &mut [Vec<usize>], waiting: &mut [usize], queue: &mut VecDeque<usize>) {
    is_final[id.0] = true;
    for k in core::mem::take(&mut users[id.0]) {
        waiting[k] -= 1;
        if waiting[k] == 0 {
            queue.push_back(k);
        }
    }
}
