//! Combinations of candidates and of the lowest digits of shared tensors, in the order of what they could cost.

use crate::component::{Components, Transfer};
use crate::convert::nearest;
use crate::cost::TileCost;
use crate::interface::{Interface, Sequence, sequences};
use crate::program::{Action, TileMemory, TileProgram};
use crate::search::Candidate;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// The maximum number of candidates of a component that are combined for one sequence of lowest digits.
const MOST_TIED: usize = 4;

/// The maximum number of combinations of sequences that are all tried.
const MOST_SEQUENCES: usize = 1 << 12;

/// The maximum number of times that the sequences of all tensors are improved.
const MOST_SWEEPS: usize = 4;

/// The maximum number of combinations that the search for layouts in shared memory may try.
const MOST_COMBINED: usize = 64;

/// The parts of the combinations.
pub(crate) struct Plan<'a> {
    program: &'a TileProgram,
    components: &'a Components,
    /// For each component, the candidates that differ in what they cost alone or in what shared tensors see, the first few of each kind.
    kinds: Vec<Vec<Kind>>,
    /// True if no statement converts, and no shared layout is stated: what these cost is not known for all distributions.
    complete: bool,
}

/// A candidate: its number, the cost alone, and the accesses to shared tensors.
#[derive(Clone, Debug)]
struct Kind {
    candidate: usize,
    alone: TileCost,
    interfaces: Vec<(usize, Interface)>,
}

/// A combination: the least that it costs, the lowest digits of each shared tensor, and the candidate of each component.
pub(crate) type Combination = (TileCost, BTreeMap<usize, Sequence>, Vec<usize>);

impl<'a> Plan<'a> {
    pub fn new(program: &'a TileProgram, components: &'a Components, lists: &[Vec<Candidate>]) -> Plan<'a> {
        let mut kinds = Vec::new();
        for (component, list) in components.all.iter().zip(lists) {
            let shared = || component.transfers.iter().filter(|transfer| program.tensors[transfer.tensor].memory == TileMemory::Shared);
            let (mut of, mut count) = (Vec::new(), BTreeMap::new());
            for (candidate, Candidate { distribution, alone, .. }) in list.iter().enumerate() {
                let interface = |transfer: &Transfer| {
                    let (tensor, own) = (&program.tensors[transfer.tensor], distribution.projected(&transfer.dimensions));
                    (transfer.tensor, Interface::new(tensor, &own, transfer.store, &program.machine))
                };
                let interfaces: Vec<(usize, Interface)> = shared().map(interface).collect();
                let tied = count.entry((*alone, interfaces.clone())).or_insert(0);
                if *tied < MOST_TIED {
                    *tied += 1;
                    of.push(Kind { candidate, alone: *alone, interfaces });
                }
            }
            kinds.push(of);
        }
        let converts = components.joints.iter().any(|(statement, _)| program.statements[*statement].action == Action::Convert);
        let stated = program.tensors.iter().any(|tensor| tensor.stated.is_some());
        Plan { program, components, kinds, complete: !converts && !stated }
    }

    /// Returns the combinations in the order of their least costs, and true if none that is left out can cost less than all of them.
    ///
    /// Given the lowest digits of all shared tensors, each component has its own best candidates. A shared tensor that no component has in
    /// common with another one is still tried with all its sequences.
    pub fn combinations(&self, lists: &[Vec<Candidate>]) -> (Vec<Combination>, bool) {
        let tensors: BTreeSet<usize> = self.kinds.iter().flatten().flat_map(|kind| &kind.interfaces).map(|(tensor, _)| *tensor).collect();
        let tensors: Vec<usize> = tensors.into_iter().collect();
        // The best candidates of a component depend on the sequences of its own tensors alone.
        let (mut out, mut complete) = (Vec::<Combination>::new(), self.complete);
        for group in self.groups(&tensors) {
            let (parts, whole) = self.group(&group, lists.len());
            complete &= whole;
            out = match out.is_empty() {
                true => parts,
                false => {
                    let joined = |(a, b): (&Combination, &Combination)| {
                        let mut cost = a.0;
                        cost += b.0;
                        let sequences = a.1.iter().chain(&b.1).map(|(k, v)| (*k, v.clone())).collect();
                        let candidates = a.2.iter().zip(&b.2).map(|(x, y)| *x.min(y)).collect();
                        (cost, sequences, candidates)
                    };
                    out.iter().flat_map(|a| parts.iter().map(move |b| (a, b))).map(joined).collect()
                }
            };
            out.sort_by_key(|of| of.0);
            out.truncate(MOST_COMBINED);
        }
        for (statement, operands) in &self.components.joints {
            if self.program.statements[*statement].action == Action::Convert {
                let of = &self.program.statements[*statement];
                for (_, _, candidates) in &mut out {
                    nearest(of, operands, lists, candidates);
                }
            }
        }
        (out, complete)
    }

    /// Returns the components and shared tensors in groups that have nothing in common.
    fn groups(&self, tensors: &[usize]) -> Vec<(Vec<usize>, Vec<usize>)> {
        let of = |component: usize| -> BTreeSet<usize> {
            self.kinds[component].iter().flat_map(|kind| &kind.interfaces).map(|(tensor, _)| *tensor).collect()
        };
        let mut groups: Vec<(Vec<usize>, BTreeSet<usize>)> = Vec::new();
        for component in 0..self.kinds.len() {
            let own = of(component);
            let (near, mut far): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(_, tensors)| !tensors.is_disjoint(&own));
            let mut joined = (vec![component], own);
            for (components, tensors) in near {
                joined.0.extend(components);
                joined.1.extend(tensors);
            }
            far.push(joined);
            groups = far;
        }
        let listed = |own: BTreeSet<usize>| tensors.iter().copied().filter(|tensor| own.contains(tensor)).collect();
        groups.into_iter().map(|(components, own)| (components, listed(own))).collect()
    }

    /// Returns the combinations of a group, and true if none that is left out can cost less than all of them. The candidates of other
    /// components are `usize::MAX`.
    fn group(&self, (components, tensors): &(Vec<usize>, Vec<usize>), count: usize) -> (Vec<Combination>, bool) {
        let lists: Vec<Vec<Sequence>> = tensors.iter().map(|of| sequences(&self.program.tensors[*of], &self.program.machine)).collect();
        let number = lists.iter().try_fold(1usize, |number, list| number.checked_mul(list.len())).unwrap_or(usize::MAX);
        let tried = if number <= MOST_SEQUENCES { every(tensors, &lists) } else { self.descent(components, tensors, &lists) };
        let mut out = Vec::new();
        for sequences in tried {
            let (mut least, mut ranked) = (TileCost::default(), Vec::new());
            for component in components {
                let best = self.ranked(*component, &sequences);
                least += best[0].0;
                ranked.push(best);
            }
            // Each tied candidate is combined with the best of the others.
            for (k, best) in ranked.iter().enumerate() {
                for (place, (cost, candidate)) in best.iter().enumerate().skip(usize::from(k > 0)) {
                    let mut candidates = vec![usize::MAX; count];
                    components.iter().zip(&ranked).for_each(|(component, best)| candidates[*component] = best[0].1);
                    candidates[components[k]] = *candidate;
                    let mut total = least;
                    if place > 0 {
                        total = TileCost::default();
                        ranked.iter().enumerate().for_each(|(other, best)| total += if other == k { *cost } else { best[0].0 });
                    }
                    out.push((total, sequences.clone(), candidates));
                }
            }
        }
        out.sort_by_key(|of| of.0);
        out.truncate(MOST_COMBINED);
        let complete = number <= MOST_SEQUENCES || out.first().is_some_and(|best| best.0 == self.bound(components, &lists, tensors));
        (out, complete)
    }

    /// Returns sequences found by improving one tensor after the other, until none improves.
    fn descent(&self, components: &[usize], tensors: &[usize], lists: &[Vec<Sequence>]) -> Vec<BTreeMap<usize, Sequence>> {
        let mut best: BTreeMap<usize, Sequence> = tensors.iter().zip(lists).map(|(tensor, list)| (*tensor, list[0].clone())).collect();
        let mut visited = Vec::new();
        for _ in 0..MOST_SWEEPS {
            let before = best.clone();
            for (tensor, list) in tensors.iter().zip(lists) {
                // The cost of each candidate of a component without this tensor, and its accesses to it.
                let near = components.iter().map(|component| self.around(*component, *tensor, &best));
                let near: Vec<Vec<(TileCost, Vec<&Interface>)>> =
                    near.filter(|kinds| kinds.iter().any(|(_, own)| !own.is_empty())).collect();
                let cost = |sequence: &Sequence| {
                    let mut all = TileCost::default();
                    near.iter()
                        .for_each(|kinds| all += kinds.iter().map(|(cost, own)| with(*cost, own, sequence)).min().unwrap_or_default());
                    all
                };
                if let Some(sequence) = list.iter().min_by_key(|sequence| cost(sequence)) {
                    best.insert(*tensor, sequence.clone());
                }
            }
            visited.push(best.clone());
            if best == before {
                break;
            }
        }
        visited.dedup();
        visited
    }

    /// Returns what each candidate of a component costs without the accesses to a tensor, and these accesses.
    fn around<'k>(&'k self, component: usize, tensor: usize, sequences: &BTreeMap<usize, Sequence>) -> Vec<(TileCost, Vec<&'k Interface>)> {
        let parts = |kind: &'k Kind| {
            let (own, others): (Vec<_>, Vec<_>) = kind.interfaces.iter().partition(|(of, _)| *of == tensor);
            let cost = others.into_iter().fold(kind.alone, |cost, (of, access)| with(cost, &[access], &sequences[of]));
            (cost, own.into_iter().map(|(_, access)| access).collect())
        };
        self.kinds[component].iter().map(parts).collect()
    }

    /// Returns a lower bound: each component at its best, and each of its accesses with the best sequence for it alone.
    fn bound(&self, components: &[usize], lists: &[Vec<Sequence>], tensors: &[usize]) -> TileCost {
        let mut all = TileCost::default();
        for component in components {
            let of = |kind: &Kind| {
                let mut cost = kind.alone;
                for (tensor, interface) in &kind.interfaces {
                    let list = tensors.iter().position(|known| known == tensor).map_or(&[][..], |k| &lists[k]);
                    let (wavefronts, instructions) = list.iter().map(|sequence| interface.cost(sequence)).min().unwrap_or_default();
                    cost.shared += wavefronts;
                    cost.instructions += instructions;
                }
                cost
            };
            if let Some(least) = self.kinds[*component].iter().map(of).min() {
                all += least;
            }
        }
        all
    }

    /// Returns the candidates of a component with what they cost under these lowest digits without conflicts, the best first.
    fn ranked(&self, component: usize, sequences: &BTreeMap<usize, Sequence>) -> Vec<(TileCost, usize)> {
        let mut out: Vec<(TileCost, usize)> = Vec::new();
        for kind in &self.kinds[component] {
            let cost = kind.interfaces.iter().fold(kind.alone, |cost, (tensor, interface)| with(cost, &[interface], &sequences[tensor]));
            let place = out.partition_point(|(known, _)| *known <= cost);
            if place < MOST_TIED {
                out.insert(place, (cost, kind.candidate));
                out.truncate(MOST_TIED);
            }
        }
        out
    }
}

/// Returns a cost and what accesses cost under a sequence of lowest digits.
fn with(mut cost: TileCost, accesses: &[&Interface], sequence: &[u8]) -> TileCost {
    for access in accesses {
        let (wavefronts, instructions) = access.cost(sequence);
        cost.shared += wavefronts;
        cost.instructions += instructions;
    }
    cost
}

/// Returns all combinations of a sequence for each tensor.
fn every(tensors: &[usize], lists: &[Vec<Sequence>]) -> Vec<BTreeMap<usize, Sequence>> {
    let mut all: Vec<BTreeMap<usize, Sequence>> = vec![BTreeMap::new()];
    for (tensor, list) in tensors.iter().zip(lists) {
        let with = |known: &BTreeMap<usize, Sequence>| {
            let longer = |sequence: &Sequence| known.iter().map(|(k, v)| (*k, v.clone())).chain([(*tensor, sequence.clone())]).collect();
            list.iter().map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}
