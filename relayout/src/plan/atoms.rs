//! The blocks of a box of coordinates with one target and the sources that hold it: each with one place on every side.
//!
//! The coordinate splits in independent parts, its modes and what all sides cut alike. Each part is refined and joined alone; the blocks of
//! the box are the product, so their number is known before they are made.

use super::copy::{Block, Point};
use super::digits::{Chain, Step};
use super::error::{PlanError, Result};
use super::join::join;
use super::refine::{Strand, TooMany, independent, refine};
use super::region::Region;
use super::side::Part;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Elements with one place on every side. Side 0 is the target.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    /// For each side, where the first element lies: the offset, then the place.
    pub start: Vec<Vec<i64>>,
    /// Loops, with the step of the offset of each side.
    pub loops: Vec<(i64, Vec<i64>)>,
}

/// How many copies there may be, and how many blocks on the way to them.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub limit: usize,
    pub left: i64,
}

impl Budget {
    pub fn new(limit: usize) -> Self {
        // What is made before blocks are joined may be more than what is left.
        Budget { limit, left: i64::try_from(limit).unwrap_or(i64::MAX).saturating_mul(4).saturating_add(1 << 16) }
    }

    pub fn error(&self, copies: i64) -> PlanError {
        PlanError::Limit { copies, limit: self.limit }
    }

    pub fn spend(&mut self, blocks: i64) -> Result<()> {
        self.left = self.left.saturating_sub(blocks);
        if self.left < 0 { Err(self.error(blocks)) } else { Ok(()) }
    }
}

/// The atoms of `region`; `sides` begins with the target.
pub(crate) fn atoms(region: &Region, sides: &[&Part], components: &[usize], budget: &mut Budget) -> Result<Vec<Atom>> {
    let mut problems = vec![];
    for mode in 0..region.lo.len() {
        let chains = sides.iter().map(|part| Chain::new(part.modes[mode].clone(), part.lo[mode])).collect();
        problems.extend(independent(chains, region.lo[mode], region.hi[mode]));
    }
    let target = sides[0];
    if target.replicas > 1 {
        let replica = sides.iter().enumerate().map(|(k, _)| Chain::new(if k == 0 { target.replica.clone() } else { vec![] }, 0)).collect();
        problems.push((replica, 0, target.replicas));
    }
    let mut factors = vec![];
    for (chains, lo, hi) in &problems {
        let found = line(chains, *lo, *hi, components, budget)?;
        factors.push(if sides.len() == 2 { joined(found) } else { found });
    }
    let total = factors.iter().try_fold(1_i64, |total, factor| total.checked_mul(factor.len() as i64)).unwrap_or(i64::MAX);
    budget.spend(total)?;
    let base = sides
        .iter()
        .zip(components)
        .map(|(part, n)| {
            let mut base = part.base.clone();
            base.resize(*n, 0);
            base
        })
        .collect();
    let mut all = vec![Atom { start: base, loops: vec![] }];
    for factor in factors {
        all = all.iter().flat_map(|one| factor.iter().map(|other| one.times(other))).collect();
    }
    Ok(all)
}

impl Atom {
    fn times(&self, other: &Atom) -> Atom {
        let sum = |(a, b): (&Vec<i64>, &Vec<i64>)| a.iter().zip(b).map(|(a, b)| a + b).collect();
        Atom { start: self.start.iter().zip(&other.start).map(sum).collect(), loops: [&self.loops[..], &other.loops].concat() }
    }
}

/// The atoms of one independent part of the coordinate.
fn line(chains: &[Chain], lo: i64, hi: i64, components: &[usize], budget: &mut Budget) -> Result<Vec<Atom>> {
    let strands = refine(chains, lo, hi, budget.left).map_err(|TooMany(least)| budget.error(least))?;
    let total = strands.iter().try_fold(0_i64, |total, strand| total.checked_add(places(strand)?));
    budget.spend(total.unwrap_or(i64::MAX))?;
    let mut out = vec![];
    for strand in &strands {
        let start = chains.iter().zip(components).map(|(chain, n)| {
            let mut value = vec![0; *n];
            chain.add_to(&mut value, strand.start);
            value
        });
        let (moving, loops): (Vec<_>, Vec<_>) = strand.loops.iter().partition(|(_, steps)| moves_place(steps));
        let loops = loops.iter().map(|(count, steps)| (*count, steps.iter().map(|step| step.by).collect())).collect();
        let mut here = vec![Atom { start: start.collect(), loops }];
        for (count, steps) in moving {
            let on = |atom: &Atom, i: i64| {
                let mut atom = atom.clone();
                atom.start.iter_mut().zip(steps).for_each(|(value, step)| value[step.component] += i * step.by);
                atom
            };
            here = here.iter().flat_map(|atom| (0..*count).map(move |i| on(atom, i))).collect();
        }
        out.extend(here);
    }
    Ok(out)
}

fn moves_place(steps: &[Step]) -> bool {
    steps.iter().any(|step| step.component > 0 && step.by != 0)
}

/// How many atoms a strand is.
fn places(strand: &Strand) -> Option<i64> {
    strand.loops.iter().filter(|(_, steps)| moves_place(steps)).try_fold(1_i64, |total, (count, _)| total.checked_mul(*count))
}

/// Atoms of a target and one source, joined where their places are the same.
fn joined(atoms: Vec<Atom>) -> Vec<Atom> {
    let mut groups: BTreeMap<Vec<Vec<i64>>, Vec<Block>> = BTreeMap::new();
    for Atom { start, loops } in atoms {
        let point: Point = (start[0][0], start[1][0]);
        let places = start.iter().map(|value| value[1..].to_vec()).collect();
        groups.entry(places).or_default().push(Block {
            start: point,
            loops: loops.iter().map(|(count, steps)| super::copy::Loop { count: *count, target: steps[0], source: steps[1] }).collect(),
        });
    }
    let atom = |places: &Vec<Vec<i64>>, block: Block| Atom {
        start: [block.start.0, block.start.1].iter().zip(places).map(|(offset, place)| [&[*offset][..], place].concat()).collect(),
        loops: block.loops.iter().map(|turn| (turn.count, vec![turn.target, turn.source])).collect(),
    };
    groups.into_iter().flat_map(|(places, blocks)| join(blocks).into_iter().map(|block| atom(&places, block)).collect::<Vec<_>>()).collect()
}
