//! Conversions: elements that move from one distribution to another.

use crate::component::Operand;
use crate::cost::TileCost;
use crate::distribution::{Digit, Distribution, product};
use crate::interface::{Interface, Sequence, digits, sequences};
use crate::program::{Machine, Statement, TileMemory, TileProgram, TileTensor};
use crate::search::Candidate;
use crate::shared::{Known, SharedLayout, Use};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// The way in which a conversion moves elements.
#[derive(Clone, Debug)]
pub(crate) enum Conversion {
    /// Each element stays in its thread.
    None,
    /// Each element stays in its warp: the number of shuffles of a warp, and the layout of a way through shared memory.
    Shuffles(u64, SharedLayout),
    /// Through shared memory, in this layout.
    Shared(SharedLayout),
}

/// The cheapest conversion of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Converted {
    pub conversion: Conversion,
    /// The number of warps.
    pub warps: u64,
}

impl Converted {
    /// Returns the cost for all warps.
    pub fn cost(&self) -> TileCost {
        let (shared, instructions) = match &self.conversion {
            Conversion::None => (0, 0),
            Conversion::Shuffles(count, _) => (count * self.warps, count * self.warps),
            Conversion::Shared(layout) => layout.cost(),
        };
        TileCost { shared, instructions, ..TileCost::default() }
    }
}

/// Returns the cheapest conversion between the distributions of a statement.
pub(crate) fn conversion(
    program: &TileProgram,
    number: usize,
    operands: &[Operand],
    distributions: &[Distribution],
    known: &mut Known,
) -> Converted {
    let statement = &program.statements[number];
    let of = |operand: &Operand| distributions[operand.component].projected(&operand.dimensions);
    let (target, source) = (of(&operands[0]), aligned(statement, &of(&operands[1])));
    let warps = (program.threads / program.machine.lanes) as u64;
    let tensor = &program.tensors[statement.target.tensor];
    let conversion = match shuffles(&source, &target, &program.machine, tensor) {
        Some(0) => Conversion::None,
        shuffles => {
            let scratch = TileTensor { memory: TileMemory::Shared, fixed: None, stated: None, ..tensor.clone() };
            let of = |distribution: &Distribution, store| Use { statement: number, distribution: distribution.clone(), store };
            let uses = [of(&source, true), of(&target, false)];
            let through = known.layout(&scratch, &lowest(&scratch, &uses, &program.machine), &uses, &program.machine);
            match shuffles {
                Some(count) if count * warps <= through.cost().0 => Conversion::Shuffles(count, through),
                _ => Conversion::Shared(through),
            }
        }
    };
    Converted { conversion, warps }
}

/// Returns the lowest digits of the index with which the accesses cost the least without conflicts.
fn lowest(tensor: &TileTensor, uses: &[Use], machine: &Machine) -> Vec<Digit> {
    let all: Vec<Interface> = uses.iter().map(|of| Interface::new(tensor, &of.distribution, of.store, machine)).collect();
    let cost = |sequence: &Sequence| all.iter().map(|of| of.cost(sequence)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    sequences(tensor, machine).iter().min_by_key(|sequence| cost(sequence)).map_or(Vec::new(), |sequence| digits(sequence))
}

/// Returns the distribution of the source, over its own modes, over the modes of the target.
fn aligned(statement: &Statement, source: &Distribution) -> Distribution {
    let variables = &statement.sources[0].variables;
    source.mapped(|mode| statement.target.variables.iter().position(|variable| *variable == variables[mode]))
}

/// Returns the least number of shuffles of a warp that move all elements to their lanes; `None` if elements change warps.
///
/// Each lane sends and receives one element, or half of a wider one, per shuffle. The moves are the edges of a bipartite graph of senders
/// and receivers, which decomposes into matchings; their number is its greatest degree (König, 1916).
fn shuffles(source: &Distribution, target: &Distribution, machine: &Machine, tensor: &TileTensor) -> Option<u64> {
    // If there are no copies, each element has one warp, and the digits of the warps tell it.
    let copied = |of: &Distribution| of.all().any(|digit| digit.mode.is_none());
    if source.warps != target.warps && !copied(source) && !copied(target) {
        return None;
    }
    let modes = tensor.extents.len();
    let warps = product(&target.warps);
    let mut most = 0;
    for warp in 0..warps {
        // The lanes of this warp that hold each element.
        let mut holders: BTreeMap<Vec<i64>, Vec<i64>> = BTreeMap::new();
        for lane in 0..machine.lanes {
            for value in 0..source.values() {
                holders.entry(source.at(value, lane, warp, modes).0).or_default().push(lane);
            }
        }
        let (mut sent, mut received) = (vec![0; machine.lanes as usize], vec![0; machine.lanes as usize]);
        for lane in 0..machine.lanes {
            for value in 0..target.values() {
                let lanes = holders.get(&target.at(value, lane, warp, modes).0)?;
                if lanes.contains(&lane) {
                    continue;
                }
                let from = *lanes.iter().min_by_key(|from| sent[**from as usize])?;
                sent[from as usize] += 1;
                received[lane as usize] += 1;
            }
        }
        most = sent.into_iter().chain(received).chain([most]).max().unwrap_or(0);
    }
    Some(most * (tensor.element.bytes as u64).div_ceil(4))
}

/// Replaces the candidate of one side of a conversion by the one from which, or to which, the fewest digits move.
///
/// The side with more candidates changes. Alone, the new candidate costs no more.
pub(crate) fn nearest(statement: &Statement, operands: &[Operand], lists: &[Vec<Candidate>], chosen: &mut [usize]) {
    let [target, source] = [operands[0].component, operands[1].component];
    let (moving, other) = if lists[target].len() >= lists[source].len() { (target, source) } else { (source, target) };
    if moving == other {
        return;
    }
    let least = lists[moving][chosen[moving]].cost;
    let best = (0..lists[moving].len()).filter(|k| lists[moving][*k].cost <= least).min_by_key(|k| {
        let of = |component: usize| if component == moving { *k } else { chosen[component] };
        let distribution = |operand: &Operand| lists[operand.component][of(operand.component)].distribution.projected(&operand.dimensions);
        let (target, source) = (distribution(&operands[0]), aligned(statement, &distribution(&operands[1])));
        let moved = |a: &[Digit], b: &[Digit]| a.iter().zip(b).filter(|(a, b)| a != b).count() + a.len().abs_diff(b.len());
        (moved(&target.warps, &source.warps), moved(&target.lanes, &source.lanes), *k)
    });
    chosen[moving] = best.unwrap_or(chosen[moving]);
}
