//! The pairs of accesses that no barrier orders.

use crate::kernel::{Access, Expr, Kernel, Name, Role, Statement};
use crate::linear::{Names, Space};
use alloc::vec::Vec;

/// A statement around an access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Around<'k> {
    Loop(Name),
    If(&'k Expr),
}

/// An access with the loops and the conditions around it, the outermost first.
#[derive(Clone, Debug)]
pub(crate) struct Site<'k> {
    pub access: &'k Access,
    pub around: Vec<Around<'k>>,
}

impl Site<'_> {
    /// Returns the counters of the loops, the outermost first.
    pub fn loops(&self) -> Vec<Name> {
        self.around.iter().filter_map(|around| if let Around::Loop(name) = around { Some(*name) } else { None }).collect()
    }
}

/// Returns the accesses of a kernel, in the order of the text.
pub(crate) fn sites(kernel: &Kernel) -> Vec<Site<'_>> {
    fn add<'k>(body: &'k [Statement], around: &[Around<'k>], out: &mut Vec<Site<'k>>) {
        for statement in body {
            let mut inner = around.to_vec();
            match statement {
                Statement::Access(access) => out.push(Site { access, around: inner }),
                Statement::Loop { counter, body, .. } => {
                    inner.push(Around::Loop(*counter));
                    add(body, &inner, out);
                }
                Statement::If { conditions, body, .. } => {
                    inner.extend(conditions.iter().map(Around::If));
                    add(body, &inner, out);
                }
                Statement::Barrier { .. } => {}
            }
        }
    }
    let mut out = Vec::new();
    add(&kernel.body, &[], &mut out);
    out
}

/// The pass of a loop in which an access is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pass {
    First,
    Last,
}

/// An access next to a barrier: its number, and the passes of the loops that end or begin between.
type Edge = (usize, Vec<(Name, Pass)>);

/// Two accesses between which threads pass no barrier.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub sites: [usize; 2],
    /// The loops whose counter is the same for both.
    pub same: Vec<Name>,
    /// The loop whose counter is greater by 1 for the second access.
    pub next: Option<Name>,
    pub passes: [Vec<(Name, Pass)>; 2],
}

/// Returns the pairs of accesses that may conflict in two threads of a block or, if `grid`, in two blocks.
pub(crate) fn pairs(kernel: &Kernel, sites: &[Site], grid: bool) -> Pairs {
    let mut walk = Walk { kernel, sites, grid, at: 0, same: Vec::new(), found: Pairs::default() };
    walk.sequence(&kernel.body);
    walk.found
}

/// Pairs of accesses, and the loops in step: no thread is two passes ahead of another.
#[derive(Default)]
pub(crate) struct Pairs {
    pub pairs: Vec<Pair>,
    /// The counters of the loops that have a barrier in every pass.
    pub in_step: Vec<Name>,
}

struct Walk<'w, 'k> {
    kernel: &'k Kernel,
    sites: &'w [Site<'k>],
    grid: bool,
    /// The number of the next access.
    at: usize,
    /// The loops around that have a barrier.
    same: Vec<Name>,
    found: Pairs,
}

/// The accesses before the first barrier, and those after the last one.
struct Ends {
    head: Vec<Edge>,
    tail: Vec<Edge>,
    /// True if there is a barrier for sure.
    closed: bool,
}

impl Walk<'_, '_> {
    fn sequence(&mut self, body: &[Statement]) -> Ends {
        let (mut head, mut open, mut closed) = (Vec::<Edge>::new(), Vec::<Edge>::new(), false);
        for statement in body {
            if self.in_step(statement, &mut head, &mut open, &mut closed) {
                continue;
            }
            match statement {
                Statement::Barrier { .. } if statement.has_barrier(self.grid) => {
                    open.clear();
                    closed = true;
                }
                _ => {
                    let group: Vec<Edge> = (self.at..self.at + count(statement)).map(|site| (site, Vec::new())).collect();
                    self.at += group.len();
                    self.pair(&open, &group, None);
                    for k in 0..group.len() {
                        self.pair(&group[k..=k], &group[k..], None);
                    }
                    if !closed {
                        head.extend(group.iter().cloned());
                    }
                    open.extend(group);
                }
            }
        }
        Ends { head, tail: open, closed }
    }

    /// Adds the pairs of a loop that has a barrier in every pass. Returns false, without a change, for other statements.
    fn in_step(&mut self, statement: &Statement, head: &mut Vec<Edge>, open: &mut Vec<Edge>, closed: &mut bool) -> bool {
        let Statement::Loop { counter, body, .. } = statement else { return false };
        if !statement.has_barrier(self.grid) {
            return false;
        }
        let before = (self.at, self.found.pairs.len(), self.found.in_step.len());
        self.same.push(*counter);
        let mut inner = self.sequence(body);
        self.same.pop();
        if !inner.closed {
            self.at = before.0;
            self.found.pairs.truncate(before.1);
            self.found.in_step.truncate(before.2);
            return false;
        }
        self.found.in_step.push(*counter);
        self.pair(&inner.tail, &inner.head, Some(*counter));
        inner.head.iter_mut().for_each(|(_, passes)| passes.push((*counter, Pass::First)));
        inner.tail.iter_mut().for_each(|(_, passes)| passes.push((*counter, Pass::Last)));
        self.pair(open, &inner.head, None);
        if !*closed {
            head.extend(inner.head);
        }
        // A loop without passes has no barrier.
        if self.has_passes(*counter) {
            open.clear();
            *closed = true;
        }
        open.extend(inner.tail);
        true
    }

    /// Tests whether a loop is proven to have a pass.
    fn has_passes(&self, counter: Name) -> bool {
        let Role::Loop(extent) = &self.kernel.roles[counter] else { return false };
        let mut space = Space::new(self.kernel);
        space.form(&mut Names::new(), extent).is_some_and(|extent| space.is_nonnegative(&extent.minus_one()))
    }

    /// Adds the pairs that may conflict.
    fn pair(&mut self, first: &[Edge], second: &[Edge], next: Option<Name>) {
        for (a, before) in first {
            for (b, after) in second {
                let [x, y] = [a, b].map(|site| self.sites[*site].access);
                let shared = !self.grid || self.kernel.memories[x.memory].global;
                if x.memory == y.memory && x.kind.conflicts(y.kind) && shared {
                    self.found.pairs.push(Pair { sites: [*a, *b], same: self.same.clone(), next, passes: [before.clone(), after.clone()] });
                }
            }
        }
    }
}

/// Returns the number of accesses of a statement.
fn count(statement: &Statement) -> usize {
    match statement {
        Statement::Access(_) => 1,
        Statement::Loop { body, .. } | Statement::If { body, .. } => body.iter().map(count).sum(),
        Statement::Barrier { .. } => 0,
    }
}
