//! Divides a box of coordinates into affine blocks: nested loops of constant steps, within one place on every side.
//!
//! The coordinate splits into independent factors: its modes, and within a mode the ranges that all sides cut alike.
//! Each factor is refined and joined alone. The blocks of the box are the product of the factors, so their number is
//! known before they are made.

use super::copy::{Block, Loop, Point};
use super::digits::{ComponentStep, ModeDigits};
use super::error::{PlanError, Result};
use super::join::join;
use super::refine::{Progression, TooMany, independent, refine};
use super::region::Region;
use super::side::BoundPiece;
use crate::order;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Elements with one place on every side, as nested loops. Side 0 is the target.
#[derive(Clone, Debug)]
pub(crate) struct AffineBlock {
    /// The offset and then the place of the first element, for each side.
    pub start: Vec<Vec<i64>>,
    /// The count of each loop, and the step of the offset on each side, in elements.
    pub loops: Vec<(i64, Vec<i64>)>,
}

/// The limit on copies, and the number of blocks (`left`) that may still be made on the way to them.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub limit: usize,
    pub left: i64,
}

impl Budget {
    pub fn new(limit: usize) -> Self {
        // Joining reduces the number of blocks, so more blocks than copies may be made.
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

/// A factor of the coordinate that is refined alone: its numbers `lo..hi`, and its digits on the target and on each source.
pub(crate) struct Subproblem {
    /// The number of the mode; `None` for the replicas of the target.
    pub mode: Option<usize>,
    pub chains: Vec<ModeDigits>,
    pub lo: i64,
    pub hi: i64,
}

/// Splits `region` into independent factors. `sides` are a piece of the target and the pieces of the source that hold the box.
pub(crate) fn problems(region: &Region, sides: &[&BoundPiece]) -> Vec<Subproblem> {
    let mut out = vec![];
    for mode in 0..region.lo.len() {
        let chains = sides.iter().map(|part| ModeDigits::new(part.modes[mode].clone(), part.lo[mode])).collect();
        let parts = independent(chains, region.lo[mode], region.hi[mode]);
        out.extend(parts.into_iter().map(|(chains, lo, hi)| Subproblem { mode: Some(mode), chains, lo, hi }));
    }
    let target = sides[0];
    if target.replicas > 1 {
        let replica = |k: usize| ModeDigits::new(if k == 0 { target.replica.clone() } else { vec![] }, 0);
        out.push(Subproblem { mode: None, chains: (0..sides.len()).map(replica).collect(), lo: 0, hi: target.replicas });
    }
    out
}

/// Returns the affine blocks of `region`. `sides` begins with the target. `target` and `source` are the numbers of components on
/// each side: the offset and the numbers of a place. Fails if the blocks or the distinct places exceed the budget.
pub(crate) fn affine_blocks(
    region: &Region,
    sides: &[&BoundPiece],
    target: usize,
    source: usize,
    budget: &mut Budget,
) -> Result<Vec<AffineBlock>> {
    let problems = problems(region, sides);
    let strands = problems.iter().map(|problem| problem.strands(budget)).collect::<Result<Vec<_>>>()?;
    // If there are several sources, only one of them is taken, so only the places of the target certainly count.
    let sure = if sides.len() == 2 && sides[1].replicas == 1 { 2 } else { 1 };
    let longest = strands.iter().filter_map(|strands| strands.iter().max_by_key(|strand| places(strand)));
    let messages = least_places(longest.flat_map(|strand| &strand.loops), sure);
    let messages =
        problems.iter().zip(&strands).fold(messages, |least, (problem, strands)| least.max(problem.places(strands, sure, budget)));
    if usize::try_from(messages).map_or(true, |messages| messages > budget.limit) {
        return Err(budget.error(messages));
    }
    let atoms = |(problem, strands): (&Subproblem, &Vec<Progression>)| problem.atoms(strands, target, source, budget);
    let mut factors = problems.iter().zip(&strands).map(atoms).collect::<Result<Vec<_>>>()?;
    let total = factors.iter().try_fold(1_i64, |total, factor| total.checked_mul(factor.len() as i64)).unwrap_or(i64::MAX);
    budget.spend(total)?;
    let start = sides.iter().map(|part| part.base.clone()).collect();
    let mut all = vec![AffineBlock { start, loops: vec![] }];
    // Multiply the shortest factors first: this keeps the intermediate products small.
    factors.sort_by_key(Vec::len);
    for factor in factors {
        all = all.iter().flat_map(|one| factor.iter().map(|other| one.times(other))).collect();
    }
    Ok(all)
}

impl AffineBlock {
    fn times(&self, other: &AffineBlock) -> AffineBlock {
        let sum = |(a, b): (&Vec<i64>, &Vec<i64>)| a.iter().zip(b).map(|(a, b)| a + b).collect();
        AffineBlock { start: self.start.iter().zip(&other.start).map(sum).collect(), loops: [&self.loops[..], &other.loops].concat() }
    }
}

impl Subproblem {
    /// Returns progressions that cover the factor and are affine on all sides. Fails if they exceed the budget.
    pub fn strands(&self, budget: &Budget) -> Result<Vec<Progression>> {
        refine(&self.chains, self.lo, self.hi, budget.left).map_err(|TooMany(least)| budget.error(least))
    }

    /// Counts the distinct places, or pairs of places if `sides` is 2, of all progressions on the first `sides` sides. Returns 0
    /// if they cannot exceed the limit, or if counting would take too long.
    fn places(&self, strands: &[Progression], sides: usize, budget: &Budget) -> i64 {
        let total = strands.iter().try_fold(0_i64, |total, strand| total.checked_add(places(strand)?)).unwrap_or(i64::MAX);
        if strands.len() < 2 || usize::try_from(total).is_ok_and(|total| total <= budget.limit) || total > budget.left {
            return 0;
        }
        // Encode a place as one number: the unit of a component exceeds the reach of the components before it.
        let mut unit = 1_i128;
        let mut units: Vec<Vec<i128>> = vec![];
        for chain in &self.chains[..sides] {
            let most = chain.digits.iter().map(|digit| digit.component).max().unwrap_or(0);
            let mut own = vec![0];
            for component in 1..=most {
                let digits = chain.digits.iter().filter(|digit| digit.component == component);
                let reach: i128 = digits.map(|digit| i128::from(digit.count - 1).max(0) * i128::from(digit.step).abs()).sum();
                own.push(unit);
                let Some(next) = unit.checked_mul(2 * reach + 1).filter(|next| *next < 1 << 120) else { return 0 };
                unit = next;
            }
            units.push(own);
        }
        let mut all: Vec<i128> = vec![];
        for strand in strands {
            let of = |(chain, units): (&ModeDigits, &Vec<i128>)| {
                let mut value = vec![0; units.len()];
                chain.add_to(&mut value, strand.start);
                units.iter().zip(value).map(|(unit, number)| unit * i128::from(number)).sum::<i128>()
            };
            let first = all.len();
            all.push(self.chains.iter().zip(&units).map(of).sum());
            for (count, steps) in &strand.loops {
                let by: i128 = steps.iter().zip(&units).map(|(step, units)| units[step.component] * i128::from(step.by)).sum();
                if by != 0 {
                    let here = first..all.len();
                    (1..*count).for_each(|turn| all.extend(here.clone().map(|k| all[k] + i128::from(turn) * by).collect::<Vec<_>>()));
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all.len() as i64
    }

    /// Returns the affine blocks of these progressions, joined if there is one source. Fails if the blocks exceed the budget.
    pub fn atoms(&self, strands: &[Progression], target: usize, source: usize, budget: &mut Budget) -> Result<Vec<AffineBlock>> {
        let total = strands.iter().try_fold(0_i64, |total, strand| total.checked_add(places(strand)?));
        budget.spend(total.unwrap_or(i64::MAX))?;
        let mut out = vec![];
        for strand in strands {
            let start = self.chains.iter().enumerate().map(|(k, chain)| {
                let mut value = vec![0; if k == 0 { target } else { source }];
                chain.add_to(&mut value, strand.start);
                value
            });
            let (moving, loops): (Vec<_>, Vec<_>) = strand.loops.iter().partition(|(_, steps)| moves_place(steps));
            let loops = loops.iter().map(|(count, steps)| (*count, steps.iter().map(|step| step.by).collect())).collect();
            let mut here = vec![AffineBlock { start: start.collect(), loops }];
            for (count, steps) in moving {
                let on = |atom: &AffineBlock, i: i64| {
                    let mut atom = atom.clone();
                    atom.start.iter_mut().zip(steps).for_each(|(value, step)| value[step.component] += i * step.by);
                    atom
                };
                here = here.iter().flat_map(|atom| (0..*count).map(move |i| on(atom, i))).collect();
            }
            out.extend(here);
        }
        Ok(if self.chains.len() == 2 { joined(out) } else { out })
    }
}

fn moves_place(steps: &[ComponentStep]) -> bool {
    steps.iter().any(|step| step.component > 0 && step.by != 0)
}

/// Returns a lower bound on the number of places that loops visit on the first `sides` sides. A loop whose step
/// exceeds the reach of all loops of smaller steps visits another place in each turn.
fn least_places<'a>(loops: impl Iterator<Item = &'a (i64, Vec<ComponentStep>)>, sides: usize) -> i64 {
    let mut left: Vec<&(i64, Vec<ComponentStep>)> = loops.filter(|(_, steps)| moves_place(steps)).collect();
    let mut places = 1_i64;
    for side in 0..sides {
        let most = left.iter().map(|(_, steps)| steps[side].component).max().unwrap_or(0);
        for component in 1..=most {
            // Count each loop at the first component that it moves, and not again.
            let moves = |(_, steps): &&(i64, Vec<ComponentStep>)| steps[side].component == component && steps[side].by != 0;
            let (mut here, others): (Vec<_>, Vec<_>) = left.into_iter().partition(moves);
            order::by_key(&mut here, |(_, steps)| steps[side].by.abs());
            let mut reach = 0_i64;
            for (count, steps) in here {
                let step = steps[side].by.abs();
                if step > reach {
                    reach = reach.saturating_add((count - 1).saturating_mul(step));
                    places = places.saturating_mul(*count);
                }
            }
            left = others;
        }
    }
    places
}

/// Returns the number of affine blocks of a progression: the product of the loops that move a place. `None` if it overflows.
fn places(strand: &Progression) -> Option<i64> {
    strand.loops.iter().filter(|(_, steps)| moves_place(steps)).try_fold(1_i64, |total, (count, _)| total.checked_mul(*count))
}

/// Joins affine blocks of a target and one source, within the same pair of places.
fn joined(atoms: Vec<AffineBlock>) -> Vec<AffineBlock> {
    let mut groups: BTreeMap<Vec<Vec<i64>>, Vec<Block>> = BTreeMap::new();
    for AffineBlock { start, loops } in atoms {
        let point: Point = (start[0][0], start[1][0]);
        let places = start.iter().map(|value| value[1..].to_vec()).collect();
        let loops = loops.iter().map(|(count, steps)| Loop { count: *count, target: steps[0], source: steps[1] }).collect();
        groups.entry(places).or_default().push(Block { start: point, loops });
    }
    let mut out = vec![];
    for (places, blocks) in groups {
        out.extend(join(blocks, usize::MAX).into_iter().map(|block| AffineBlock {
            start: [block.start.0, block.start.1].iter().zip(&places).map(|(offset, place)| [&[*offset][..], place].concat()).collect(),
            loops: block.loops.iter().map(|turn| (turn.count, vec![turn.target, turn.source])).collect(),
        }));
    }
    out
}
