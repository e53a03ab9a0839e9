//! Simplification: every node becomes a polynomial over atoms, which cannot be expanded, and programs are built
//! again from the polynomials.
//!
//! The quotients and remainders of mixed-radix digits cancel, and comparisons that the extents decide become
//! numbers. The result never has more operations than the program had. To add a rule: quotients and remainders are
//! in `divide.rs`, other nodes in `normalize.rs`, proofs in `prove.rs`, and the way back to nodes in `build.rs`
//! and `sums.rs`.

mod build;
mod conditions;
mod divide;
mod floor_sums;
mod forms;
mod normalize;
mod operations;
mod poly;
mod prove;
mod rules;
mod sums;
#[cfg(test)]
mod tests;

pub use operations::Operations;

use super::{Decoded, NODES, Program, ProgramOutput, Time};
use crate::sorted::SortedMap;
use build::Builder;
use forms::{Forms, Kind};
use layout_algebra::error::Result;
use layout_algebra::heap::*;
use layout_algebra::value::SymInt;
use poly::Poly;

/// A condition with its supposed answer: not 0 if `holds`, else 0.
pub(super) struct Supposed {
    pub condition: SymInt,
    pub holds: bool,
}

/// The maximum number of remainders for which `ways` also tries to keep each one while it joins the others.
const WAYS: usize = 4;

/// The maximum number of results that are tried one by one with their original nodes.
const TRIED: usize = 16;

/// Returns the ways to write the results `split`: unchanged, with all remainders joined to their quotients, and with each
/// remainder in turn kept while the others are joined.
fn ways(forms: &mut Forms<'_>, split: Vec<Poly>) -> Vec<Vec<Poly>> {
    let mut gone = Vec::new();
    let whole: Vec<Poly> = split.iter().map(|p| forms.in_whole(p, None, &mut gone)).collect();
    if gone.is_empty() {
        return vec![split];
    }
    let mut out = vec![split, whole];
    if (2..=WAYS).contains(&gone.len()) {
        for x in gone {
            let but = out[0].iter().map(|p| forms.in_whole(p, Some(x), &mut Vec::new())).collect();
            out.push(but);
        }
    }
    out
}

impl Program {
    /// Returns an equal program with no more operations, without unused nodes and without conditions that always hold.
    ///
    /// The programs are equal for inputs within their ranges, if no number overflows 64 bits in either program;
    /// intermediate numbers may differ. An input with a bound is assumed to be less than the bound, so the extent of a
    /// coordinate is assumed to be positive. This does not fail: a rewritten program that would be too large is not built.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Program};
    /// let raw = Program::parse_layout_unsimplified("(8,16):(1,8)", Coordinates::Linear)?;
    /// // i % 8 + i / 8 * 8 is i.
    /// let program = raw.simplified()?;
    /// assert_eq!((program.operations().to_string(), program.run(&[37])?), ("none".to_string(), vec![37]));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn simplified(&self) -> Result<Program> {
        self.simplified_where(None)
    }

    /// Returns a program that is equal for inputs that give the condition its supposed answer. For other inputs its results
    /// are arbitrary. This does not fail: a rewritten program that would be too large is not built.
    pub(super) fn simplified_where(&self, supposed: Option<Supposed>) -> Result<Program> {
        let mut forms = Forms::new(self, SortedMap::new(), &[]);
        if let Some(Supposed { condition, holds }) = supposed {
            forms.suppose(condition, holds);
        }
        let results = self.results();
        let split: Vec<Poly> = results.iter().map(|x| forms.form(*x)).collect();
        let ways = ways(&mut forms, split);
        let bounds = self.inputs.iter().filter_map(|input| input.below);
        let nodes = self.reached(&results.iter().copied().chain(bounds).collect::<Vec<_>>(), &|_| false);
        let stated = build::stated(&forms, &nodes);
        let as_it_was = self.with_decided(&forms);
        let mut raw = vec![false; results.len()];
        let build = |forms_of: &[Poly], raw: &[bool], hints: bool| Builder::program(&forms, &stated, &nodes, forms_of, raw, hints).ok();
        let tried = ways.iter().flat_map(|way| [true, false].map(|hints| build(way, &raw, hints).map(|program| (program, way))));
        let Some((mut best, way)) = tried.flatten().min_by_key(|(program, _)| program.work()) else { return Ok(as_it_was) };
        for k in 0..results.len().min(TRIED) {
            if forms.have(results[k]).value().is_some() {
                continue;
            }
            raw[k] = true;
            match build(way, &raw, true).filter(|program| program.work() < best.work()) {
                Some(better) => best = better,
                None => raw[k] = false,
            }
        }
        Ok(if as_it_was.work() < best.work() { as_it_was } else { best })
    }

    /// Returns the inputs whose range follows if `condition` is not 0 (if `holds`) or is 0, each as `(node, least,
    /// greatest)`.
    pub(super) fn ranges_where(&self, condition: SymInt, holds: bool) -> Vec<(SymInt, i64, i64)> {
        let mut forms = Forms::new(self, SortedMap::new(), &[]);
        let p = forms.form(condition);
        let told = forms.told(&p, holds);
        let ranges = told.iter().filter_map(|p| forms.range(p)).filter_map(|(x, lo, hi)| match forms.atoms[x as usize].kind {
            Kind::Input(number) => Some((self.input_node(number)?, lo, hi)),
            _ => None,
        });
        ranges.collect()
    }

    /// Returns true if the normal forms prove `a == b` for every input.
    pub(crate) fn proves_equal(&self, a: SymInt, b: SymInt) -> bool {
        let mut forms = Forms::new(self, SortedMap::new(), &[]);
        let (a, b) = (forms.form(a), forms.form(b));
        let Some(difference) = a.sub(&b) else { return a == b };
        let difference = forms.settle(difference);
        difference.is_zero() || forms.without_remainders(&difference).is_some_and(|p| p.is_zero())
    }

    /// Returns this program with constants for the results that are known numbers, and without the conditions that
    /// always hold.
    fn with_decided(&self, forms: &Forms<'_>) -> Program {
        let mut out = self.clone();
        let decided = |x: &mut SymInt| {
            if let Some(value) = forms.have(*x).value().and_then(SymInt::known) {
                *x = value;
            }
        };
        out.outputs.iter_mut().for_each(|output| decided(&mut output.value));
        out.conditions.iter_mut().for_each(decided);
        out.conditions = build::conditions(&out.conditions);
        out.cleaned()
    }

    /// Returns the cost to minimise: the number of operations, then of operations in each thread, then of
    /// divisions, then of multiplications.
    fn work(&self) -> [usize; 4] {
        let operations = self.operations();
        let needed = self.reached(&self.results(), &|_| false);
        let scope = &self.scope;
        let mut launch = vec![true; scope.len];
        let mut threads = operations.total();
        for k in 0..scope.len {
            let node = self.node(k);
            launch[k] = match node {
                Decoded::Input(input) => self.inputs.get(input).is_some_and(|input| input.time == Time::Launch),
                _ => [scope.a[k], scope.b[k]].into_iter().filter_map(|word| SymInt::raw(word).node()).all(|n| launch[n]),
            };
            let computes = !matches!(node, Decoded::Input(_) | Decoded::Pair);
            threads -= usize::from(needed[k] && launch[k] && computes);
        }
        // A quotient and a remainder of the same operands cost one division.
        let mut divisions: Vec<(i64, i64)> =
            (0..scope.len).filter(|k| needed[*k] && self.divides(*k)).map(|k| (scope.a[k], scope.b[k])).collect();
        divisions.sort_unstable();
        divisions.dedup();
        [operations.total(), threads, divisions.len(), operations.mul]
    }

    /// Returns this program without the nodes that nothing needs. All inputs stay.
    fn cleaned(mut self) -> Program {
        let bounds = self.inputs.iter().filter_map(|input| input.below);
        let needed = self.reached(&self.results().into_iter().chain(bounds).collect::<Vec<_>>(), &|_| false);
        let mut used = Box::new([false; NODES]);
        for k in 0..self.scope.len {
            used[k] = needed[k] || matches!(self.node(k), Decoded::Input(_));
        }
        let (scope, map) = self.scope.keep(&used);
        *self.scope = scope;
        let moved = |x: SymInt| x.node().map_or(x, |k| map[k]);
        let outputs = self.outputs.into_iter().map(|output| ProgramOutput { value: moved(output.value), ..output });
        self.outputs = outputs.collect();
        self.conditions.iter_mut().for_each(|x| *x = moved(*x));
        self.inputs.iter_mut().for_each(|input| input.below = input.below.map(moved));
        self
    }
}
