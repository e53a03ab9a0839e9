//! Conversions: elements that move from one distribution to another.

use crate::component::Operand;
use crate::cost::TileCost;
use crate::distribution::{Digit, Distribution};
use crate::interface::{Interface, Sequence, digits, sequences};
use crate::program::{Statement, TileMemory, TileProgram, TileTensor};
use crate::search::Candidate;
use crate::shared::{Known, SharedLayout, Use};
use crate::shuffle::{Shuffles, shuffles};
use crate::target::Machine;
use alloc::vec::Vec;

/// The way in which a conversion moves elements.
#[derive(Clone, Debug)]
pub(crate) enum Conversion {
    /// Each element stays in its thread.
    None,
    /// Each element stays in its warp.
    Shuffles(Shuffles),
    /// Through shared memory, in this layout.
    Shared(SharedLayout),
}

/// The cheapest conversion of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Converted {
    pub conversion: Conversion,
    /// The numbers for all warps: wavefronts of shared memory or of shuffles, and instructions.
    pub cost: (u64, u64),
}

impl Converted {
    /// Returns the cost for all warps.
    pub fn cost(&self) -> TileCost {
        let (shared, instructions) = self.cost;
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
    if stays(&source, &target) {
        return Converted { conversion: Conversion::None, cost: (0, 0) };
    }
    let shuffled = shuffles(&source, &target, tensor.element.bytes).map(|found| {
        let count = found.count(tensor.element.bytes);
        Converted { cost: (count * warps, (count + found.choices) * warps), conversion: Conversion::Shuffles(found) }
    });
    // No way through shared memory has fewer wavefronts than its bytes.
    let least: u64 = [true, false].map(|store| tensor.bytes().div_ceil(program.machine.wavefront(store))).iter().sum();
    if let Some(found) = shuffled.as_ref().filter(|found| found.cost.0 < least) {
        return found.clone();
    }
    let scratch = TileTensor { memory: TileMemory::Shared, fixed: None, stated: None, ..tensor.clone() };
    let of = |distribution: &Distribution, store| Use { statement: number, distribution: distribution.clone(), store };
    let uses = [of(&source, true), of(&target, false)];
    let through = known.layout(&scratch, &lowest(&scratch, &uses, &program.machine), &uses, &program.machine);
    match shuffled {
        Some(found) if found.cost <= through.cost() => found,
        _ => Converted { cost: through.cost(), conversion: Conversion::Shared(through) },
    }
}

/// Tests whether each thread has all elements already.
fn stays(source: &Distribution, target: &Distribution) -> bool {
    let own = target.registers.iter().all(|digit| source.registers.contains(digit));
    own && source.lanes == target.lanes && source.warps == target.warps
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
