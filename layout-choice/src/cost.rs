//! The costs of transfers and reductions under a distribution.

use crate::component::{Reduction, Transfer};
use crate::distribution::{Digit, Distribution};
use crate::program::LEAVES;
use crate::target::Machine;
use alloc::vec::Vec;
use core::ops::AddAssign;
use layout_algebra::DynLayout;

/// The cost of statements for a block of threads. Costs compare field by field, the first field first.
///
/// ```
/// use layout_choice::TileProgram;
/// let program = TileProgram::parse("tile t\nthreads 128\nglobal a f32 (128, 64)\nregisters x f32 (128, 64)\nx[i, j] <- a[i, j]")?;
/// let cost = program.choose()?.cost();
/// // 32 KiB in vectors of 16 bytes: 16 loads in each of 4 warps, and 64 registers in each thread.
/// assert_eq!((cost.global, cost.sectors, cost.shared), (32768, 1024, 0));
/// assert_eq!((cost.instructions, cost.registers), (64, 64));
/// # Ok::<(), layout_choice::ChoiceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct TileCost {
    /// The time of global memory in bytes: the bytes of the sectors of each transfer, or the bytes that its instructions could move, if
    /// these are more.
    pub global: u64,
    /// The number of sectors of global memory.
    pub sectors: u64,
    /// The number of wavefronts of shared memory and of shuffles.
    pub shared: u64,
    /// The number of instructions of all warps that move elements.
    pub instructions: u64,
    /// The number of 32-bit registers of a thread.
    pub registers: u64,
}

impl AddAssign for TileCost {
    fn add_assign(&mut self, other: TileCost) {
        self.global += other.global;
        self.sectors += other.sectors;
        self.shared += other.shared;
        self.instructions += other.instructions;
        self.registers += other.registers;
    }
}

/// A digit as an access sees it: the radix, and the distance of its values in bytes; `None` if it numbers copies.
pub(crate) type Step = (i64, Option<i64>);

/// The digits of a distribution as an access sees them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    pub registers: Vec<Step>,
    pub lanes: Vec<Step>,
    pub warps: Vec<Step>,
}

/// The cost of an access to global memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct GlobalAccess {
    /// The number of bytes of a vector.
    pub vector: i64,
    /// The number of instructions of a thread.
    pub instructions: i64,
    /// The number of sectors of all instructions of all warps.
    pub sectors: i64,
}

impl GlobalAccess {
    /// Returns the time in bytes.
    pub fn time(&self, machine: &Machine, threads: i64) -> u64 {
        (self.sectors * machine.sector).max(self.instructions * threads * machine.vector) as u64
    }
}

fn radices(steps: &[Step]) -> i64 {
    steps.iter().map(|(radix, _)| radix).product()
}

/// Calls `visit` with every sum of the values of the digits, the values of the first digit in turn first.
pub(crate) fn sums(steps: &[Step], from: i64, visit: &mut impl FnMut(i64)) {
    match steps {
        [] => visit(from),
        [rest @ .., (radix, stride)] => (0..*radix).for_each(|value| sums(rest, from + value * stride.unwrap_or(0), visit)),
    }
}

impl Steps {
    /// Returns the steps without the register digits that the access lacks: a value is moved once.
    pub fn of(distribution: &Distribution, stride: impl Fn(&Digit) -> Option<i64>) -> Steps {
        let of = |digits: &[Digit]| digits.iter().map(|digit| (digit.radix, stride(digit))).collect::<Vec<Step>>();
        let mut registers = of(&distribution.registers);
        registers.retain(|(_, stride)| stride.is_some());
        Steps { registers, lanes: of(&distribution.lanes), warps: of(&distribution.warps) }
    }

    /// Returns the number of register digits that are a vector, and the bytes of the vector: at most `most`.
    fn vector(&self, bytes: i64, most: i64) -> (usize, i64) {
        let (mut len, mut vector) = (0, bytes);
        while let Some((2, Some(stride))) = self.registers.get(len)
            && *stride == vector
            && vector * 2 <= most
        {
            vector *= 2;
            len += 1;
        }
        // Vectors are aligned if every other digit moves by whole vectors.
        while len > 0 && self.registers[len..].iter().chain(&self.lanes).chain(&self.warps).any(|(_, s)| s.unwrap_or(0) % vector != 0) {
            len -= 1;
            vector /= 2;
        }
        (len, vector)
    }

    /// Returns the number of register digits that are a vector in global memory.
    pub fn global_vector(&self, bytes: i64, machine: &Machine) -> usize {
        self.vector(bytes, machine.vector).0
    }

    /// Returns the cost of an access to global memory by elements of `bytes` bytes. Only the first of equal copies stores.
    pub fn global(&self, bytes: i64, store: bool, machine: &Machine) -> GlobalAccess {
        let (len, vector) = self.vector(bytes, machine.vector);
        let rest = &self.registers[len..];
        let instructions = radices(rest);
        let active: i64 = self.warps.iter().map(|(radix, stride)| if store && stride.is_none() { 1 } else { *radix }).product();
        let sectors = match self.sectors_of_lanes(rest, vector, machine.sector) {
            Some(sectors) => sectors * instructions * active,
            None => self.counted(rest, vector, machine.sector, store),
        };
        GlobalAccess { vector, instructions, sectors }
    }

    /// Returns the number of sectors of one instruction of a warp, if it is the same for all, by the digits alone.
    fn sectors_of_lanes(&self, rest: &[Step], vector: i64, sector: i64) -> Option<i64> {
        let strides =
            || rest.iter().chain(&self.lanes).chain(&self.warps).filter_map(|(radix, stride)| stride.map(|stride| (*radix, stride)));
        let within: i64 =
            vector + strides().filter(|(_, stride)| *stride < sector).map(|(radix, stride)| (radix - 1) * stride).sum::<i64>();
        if within > sector || strides().any(|(_, stride)| stride < 0 || stride >= sector && stride % sector != 0) {
            return None;
        }
        // The digits of lanes past a sector reach distinct sectors if each lies above all smaller ones.
        let mut above: Vec<(i64, i64)> = self.lanes.iter().filter_map(|(r, s)| s.filter(|s| *s >= sector).map(|s| (s, *r))).collect();
        above.sort_unstable();
        let mut reach = 0;
        for (stride, radix) in &above {
            if *stride <= reach {
                return None;
            }
            reach += stride * (radix - 1);
        }
        Some(above.iter().map(|(_, radix)| radix).product())
    }

    /// Counts the sectors of every instruction.
    fn counted(&self, rest: &[Step], vector: i64, sector: i64, store: bool) -> i64 {
        let first = |steps: &[Step]| -> Vec<Step> { steps.iter().filter(|(_, stride)| !store || stride.is_some()).copied().collect() };
        let (lanes, mut outer) = (first(&self.lanes), first(&self.warps));
        outer.extend(rest);
        let (mut total, mut touched) = (0, Vec::new());
        sums(&outer, 0, &mut |base| {
            touched.clear();
            sums(&lanes, base, &mut |first| touched.extend([first.div_euclid(sector), (first + vector - 1).div_euclid(sector)]));
            touched.sort_unstable();
            touched.dedup();
            total += touched.len() as i64;
        });
        total
    }

    /// Returns the least cost of an access to shared memory in any layout: wavefronts that fill all banks, and instructions of all warps.
    pub fn shared_at_least(&self, bytes: i64, store: bool, machine: &Machine) -> TileCost {
        let count = |steps: &[Step]| steps.iter().filter(|(_, stride)| stride.is_some()).map(|(radix, _)| radix).product::<i64>();
        let warps = if store { count(&self.warps) } else { radices(&self.warps) };
        let (values, lanes) = (count(&self.registers), count(&self.lanes));
        let twos: i64 = self.registers.iter().filter(|(radix, _)| *radix == 2).map(|(radix, _)| radix).product();
        let vector = twos.min((machine.vector / bytes).max(1));
        let instructions = (values / vector).max(1) * warps;
        let wavefronts = ((values * lanes * bytes) as u64).div_ceil(machine.wavefront(store)) * warps as u64;
        TileCost { shared: wavefronts.max(instructions as u64), instructions: instructions as u64, ..TileCost::default() }
    }
}

/// Returns the distance in bytes of a digit in a tensor of global memory; `None` if the tensor lacks its dimension.
pub(crate) fn stride(digit: &Digit, transfer: &Transfer, layout: &DynLayout<LEAVES>, bytes: i64) -> Option<i64> {
    let mode = transfer.dimensions.iter().position(|dimension| Some(*dimension) == digit.mode)?;
    let mut at = alloc::vec![0; transfer.dimensions.len()];
    let index = |at: &[usize]| layout.index(at).map_or(0, |index| index as i64);
    let zero = index(&at);
    at[mode] = digit.weight as usize;
    Some((index(&at) - zero) * bytes)
}

/// Returns the cost of a reduction: shuffles between lanes, and passes through shared memory between warps.
pub(crate) fn reduction(reduction: &Reduction, distribution: &Distribution) -> TileCost {
    let kept = |digit: &&Digit| digit.mode.is_some_and(|mode| reduction.kept.contains(&mode));
    let gone = |digit: &&Digit| digit.mode.is_some_and(|mode| reduction.from.contains(&mode) && !reduction.kept.contains(&mode));
    let results: i64 = distribution.registers.iter().filter(kept).map(|digit| digit.radix).product();
    let warps: i64 = distribution.warps.iter().map(|digit| digit.radix).product();
    let rounds: i64 = distribution.lanes.iter().filter(gone).map(|digit| i64::from((digit.radix - 1).max(1).ilog2()) + 1).sum();
    let parts: i64 = distribution.warps.iter().filter(gone).map(|digit| digit.radix).product();
    let between = if parts > 1 { results * (1 + parts) } else { 0 };
    let all = ((results * rounds + between) * warps) as u64;
    TileCost { shared: all, instructions: all, ..TileCost::default() }
}
