//! Drops the conditions of a program that follow from its other conditions. Results are not simplified here.

use super::forms::{Bounds, Forms};
use crate::program::{Decoded, Program, Time};
use crate::sorted::SortedMap;
use layout_algebra::error::Result;
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, Node, SymInt};

/// The choice of nodes that a proof may expand, among the nodes that other conditions bound. A node that is not expanded is
/// an atom, and only its bounds are known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looks {
    /// Expands no node that other conditions bound.
    Above,
    /// Expands only the nodes that the condition itself compares.
    At,
    /// Expands all nodes, so that their bounds become bounds of sums.
    Through,
}

impl Program {
    /// Drops the conditions that hold whenever the others do, after splitting conjunctions. A condition that never holds
    /// replaces all others.
    ///
    /// Post-condition: this prover cannot prove any condition from the others. The result is always `Ok`.
    pub(crate) fn prune_conditions(&mut self) -> Result<()> {
        let mut parts = Vec::new();
        for x in &self.conditions {
            self.conjuncts(*x, &mut parts);
        }
        self.conditions = super::build::conditions(&parts);
        if self.conditions.iter().any(|x| x.is(0)) {
            self.conditions = [SymInt::ZERO].into();
            return Ok(());
        }
        // A condition about a sum comes after the conditions about its terms. Dropping from the end therefore keeps the
        // simpler ones.
        while let Some(k) = (0..self.conditions.len()).rev().find(|k| self.follows(*k)) {
            self.conditions.remove(k);
        }
        Ok(())
    }

    /// Appends the operands of a conjunction to `out`. A conjunction is the minimum of two numbers that are 0 or 1.
    fn conjuncts(&self, x: SymInt, out: &mut Vec<SymInt>) {
        let is_flag = |x: SymInt| self.scope.facts(x).lo >= 0 && self.scope.facts(x).hi <= 1;
        let mut open = Vec::from([x]);
        while let Some(x) = open.pop() {
            match x.node().map(|k| self.node(k)) {
                Some(Decoded::Two(Node::Min, a, b)) if is_flag(a) && is_flag(b) => open.extend([b, a]),
                _ => out.push(x),
            }
        }
    }

    /// Returns true if condition `k` is proven from all other conditions.
    fn follows(&self, k: usize) -> bool {
        let others: Vec<SymInt> = self.conditions.iter().enumerate().filter(|(n, _)| *n != k).map(|(_, x)| *x).collect();
        [Looks::Above, Looks::At, Looks::Through].into_iter().any(|looks| self.holds(self.conditions[k], &others, looks))
    }

    /// Returns true if `target` is proven from `others`.
    fn holds(&self, target: SymInt, others: &[SymInt], looks: Looks) -> bool {
        let opaque = looks != Looks::Through;
        let mut fixed: SortedMap<usize, Bounds> = SortedMap::new();
        let mut facts: Vec<(usize, Facts)> = Vec::new();
        for x in others {
            facts.extend(x.node().map(|n| (n, Facts::exactly(1))));
            let Some((equal, a, b)) = self.comparison(*x) else { continue };
            // `a < b` gives one bound; `a == b` gives one in each direction.
            let mut bounds = Vec::from([(a, b, i64::from(!equal))]);
            if equal {
                bounds.push((b, a, 0));
            }
            for (small, large, gap) in bounds {
                match (small.value(), large.value()) {
                    (Some(c), _) => facts.extend(large.node().map(|n| (n, Facts { lo: c.saturating_add(gap), ..Facts::ANY }))),
                    (_, Some(c)) => facts.extend(small.node().map(|n| (n, Facts { hi: c.saturating_sub(gap), ..Facts::ANY }))),
                    // Only one side gets the bound: the side that differs between threads if the smaller side does not,
                    // else the smaller side.
                    _ if self.is_launch(small) && !self.is_launch(large) => {
                        large.node().into_iter().for_each(|n| fixed.or_insert(n, Bounds::default()).lower.push((small, gap)))
                    }
                    _ => small.node().into_iter().for_each(|n| fixed.or_insert(n, Bounds::default()).upper.push((large, -gap))),
                }
                if opaque {
                    let spoken = if small.is_known() || (self.is_launch(small) && !self.is_launch(large)) { large } else { small };
                    spoken.node().into_iter().for_each(|n| _ = fixed.or_insert(n, Bounds::default()));
                }
            }
        }
        match (looks, self.comparison(target)) {
            (Looks::Above, _) => {}
            (Looks::At, Some((_, a, b))) => fixed.retain(|n, _| ![a.node(), b.node()].contains(&Some(*n))),
            _ => fixed = SortedMap::new(),
        }
        let mut forms = Forms::new(self, fixed, &facts);
        forms.bind();
        if !opaque {
            for x in others {
                let Some((equal, a, b)) = self.comparison(*x) else { continue };
                let rise = forms.form(b).sub(&forms.form(a));
                let gaps = [rise.as_ref().and_then(|p| p.plus(-i64::from(!equal))), rise.as_ref().filter(|_| equal).map(|p| p.neg())];
                forms.assumed.extend(gaps.into_iter().flatten());
            }
        }
        if forms.form(target).value().is_some_and(|value| value != 0) {
            return true;
        }
        let Some((equal, a, b)) = self.comparison(target) else { return false };
        let (a, b) = (forms.form(a), forms.form(b));
        let Some(rise) = b.sub(&a) else { return false };
        let rise = forms.settle(rise);
        if equal { forms.is_natural(&rise) && forms.is_natural(&rise.neg()) } else { forms.is_positive(&rise) }
    }

    /// Returns `(is_equal, a, b)` for a node `a == b` (true) or `a < b` (false); `None` for other nodes.
    fn comparison(&self, x: SymInt) -> Option<(bool, SymInt, SymInt)> {
        match self.node(x.node()?) {
            Decoded::Two(node @ (Node::Equal | Node::Less), a, b) => Some((node == Node::Equal, a, b)),
            _ => None,
        }
    }

    fn is_launch(&self, x: SymInt) -> bool {
        let needed = self.reached(&[x], &|_| false);
        let thread = |k: usize| match self.node(k) {
            Decoded::Input(input) => self.inputs.get(input).is_none_or(|input| input.time == Time::Thread),
            _ => false,
        };
        !(0..self.scope.len).any(|k| needed[k] && thread(k))
    }
}
