//! The layout of a tensor in shared memory, and the instructions of the accesses to it.

use crate::distribution::{Digit, Distribution, product};
use crate::program::{LEAVES, TileTensor};
use crate::target::{Machine, Target};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use layout_algebra::LayoutError;
use layout_algebra::error::Op;
use layout_algebra::expression::{Operand, Parser};
use layout_algebra::memory::{Access, SwizzleSearch, Threads};
use layout_algebra::value::ExprGraph;

/// An access to a tensor in shared memory: who holds which element, and the direction.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Use {
    /// The statement, and the distribution over the modes of the tensor.
    pub statement: usize,
    pub distribution: Distribution,
    pub store: bool,
}

/// The instruction that an access uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    /// A vector of `1 << digits` elements.
    Vector { digits: usize },
    /// `ldmatrix` of `1 << digits` matrices, transposed or not.
    Matrices { digits: usize, transposed: bool },
}

/// An access in a layout.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    pub statement: usize,
    pub store: bool,
    pub instruction: Instruction,
    /// The digits of a vector, or of a row of a matrix, the minor one first.
    pub vector: Vec<Digit>,
    /// The number of instructions of all warps.
    pub instructions: u64,
    /// The number of moves between registers of all warps that order elements below 32 bits for the vectors.
    pub moves: u64,
    pub wavefronts: u64,
}

/// A layout of a tensor in shared memory with all its accesses.
#[derive(Clone, Debug)]
pub(crate) struct SharedLayout {
    /// The layout in the notation.
    pub layout: String,
    pub accesses: Vec<Served>,
}

impl SharedLayout {
    /// Returns the numbers of wavefronts and of instructions.
    pub fn cost(&self) -> (u64, u64) {
        let sum = |of: fn(&Served) -> u64| self.accesses.iter().map(of).sum();
        (sum(|served| served.wavefronts), sum(|served| served.instructions + served.moves))
    }
}

/// An access with its instruction, and the digits of the lanes of an instruction and of a thread's instructions.
struct Plan {
    served: Served,
    lanes: Vec<Digit>,
    rest: Vec<Digit>,
}

/// The coordinates that each thread requests, and how many of them are a vector.
type Request = (Vec<Option<Vec<i64>>>, Access);

/// Layouts that were found, by the name of the tensor, the lowest digits, and the accesses.
#[derive(Default)]
pub(crate) struct Known(BTreeMap<(String, Vec<Digit>, Vec<Use>), SharedLayout>);

impl Known {
    /// Returns the layout of a tensor with the fewest wavefronts that the search finds, if the index begins with the digits `lowest`.
    pub fn layout(&mut self, tensor: &TileTensor, lowest: &[Digit], uses: &[Use], machine: &Machine) -> SharedLayout {
        let found = || search(tensor, lowest, uses, machine);
        self.0.entry((tensor.name.clone(), lowest.to_vec(), uses.to_vec())).or_insert_with(found).clone()
    }
}

fn search(tensor: &TileTensor, lowest: &[Digit], uses: &[Use], machine: &Machine) -> SharedLayout {
    let mut best: Option<SharedLayout> = None;
    // A layout that the program states, or consecutive rows, may not have these digits lowest. Then there are no vectors.
    for lowest in [lowest, &[]] {
        let plans: Vec<Plan> = uses.iter().map(|of| plan(tensor, of, lowest, machine)).collect();
        let requests: Vec<Request> = plans.iter().zip(uses).map(|(plan, of)| request(tensor, of, plan, machine)).collect();
        for layout in layouts(tensor, &requests, machine) {
            let Some(found) = served(&layout, &plans, &requests, machine) else { continue };
            if best.as_ref().is_none_or(|best| found.cost() < best.cost()) {
                best = Some(found);
            }
        }
        if best.is_some() {
            break;
        }
    }
    // Every layout serves accesses without vectors, so there is a best one, or there are no accesses.
    best.unwrap_or(SharedLayout { layout: rows(&tensor.extents), accesses: Vec::new() })
}

/// Returns the layouts to count: the one that the program states, or the one that the search finds and consecutive rows.
fn layouts(tensor: &TileTensor, requests: &[Request], machine: &Machine) -> Vec<String> {
    if let Some(stated) = &tensor.stated {
        return vec![stated.clone()];
    }
    // A search has one model of the banks. If loads and stores see two models, each proposes a layout, and `served` counts by both.
    let (stores, loads) = (machine.banks(true), machine.banks(false));
    let models = [Some(stores), (loads != stores).then_some(loads)];
    let proposed = models.into_iter().flatten().filter_map(|banks| {
        let answer = SwizzleSearch { shape: tensor.extents.clone(), banks, accesses: requests.to_vec() }.run();
        answer.map(|answer| answer.arrangement.to_string())
    });
    proposed.chain([rows(&tensor.extents)]).collect()
}

/// Returns the indices of the integer coordinates below `size` in a layout in the notation.
pub(crate) fn indices(layout: &str, size: i64) -> Result<Vec<i64>, LayoutError> {
    let operand: Operand<LEAVES> = Parser::whole(layout, &mut ExprGraph::<0>::new(Op::Parse))?;
    let all = Threads::at(&operand, (0..size.min(1 << 20)).map(|at| Some(vec![vec![at]])).collect())?;
    Ok(all.into_indices().into_iter().flatten().flatten().collect())
}

/// Returns the digits by which the index of a stated layout grows by 1, 2, 4 and so on, up to a vector.
pub(crate) fn lowest(layout: &str, extents: &[i64], most: usize) -> Vec<Digit> {
    let mut out: Vec<Digit> = Vec::new();
    let all = indices(layout, extents.iter().product()).unwrap_or_default();
    let twos =
        |mode: usize, extent: i64| (0..extent.trailing_zeros()).map(move |bit| Digit { mode: Some(mode), weight: 1 << bit, radix: 2 });
    let digits: Vec<Digit> = extents.iter().enumerate().flat_map(|(mode, extent)| twos(mode, *extent)).collect();
    let Some(zero) = all.first() else { return out };
    let at = |digit: &Digit| all.get(coordinate(digit, extents) as usize).map_or(0, |index| index - zero);
    while out.len() < most
        && let Some(next) = digits.iter().find(|digit| at(digit) == 1 << out.len())
    {
        out.push(*next);
    }
    out
}

/// Estimates the wavefronts of an access to a stated layout from some instructions of the first warp. Returns them with the number of
/// instructions and moves; `None` if its vectors are not consecutive and aligned there.
pub(crate) fn sampled(tensor: &TileTensor, layout: &str, of: &Use, lowest: &[Digit], machine: &Machine) -> Option<(u64, u64)> {
    let mut plan = plan(tensor, of, lowest, machine);
    let mut first = of.clone();
    first.distribution.warps.clear();
    let mut values = 1;
    plan.rest = plan
        .rest
        .iter()
        .copied()
        .take_while(|digit| {
            values *= digit.radix;
            values <= 4
        })
        .collect();
    let request = request(tensor, &first, &plan, machine);
    let sample = product(&plan.rest) as u64;
    let found = served(layout, &[plan], &[request], machine)?.accesses.pop()?;
    Some((found.wavefronts * found.instructions / sample.max(1), found.instructions + found.moves))
}

/// Returns the text of a layout as the notation prints it.
pub(crate) fn normal(layout: &str) -> Result<String, LayoutError> {
    Ok(Parser::whole::<LEAVES, 0>(layout, &mut ExprGraph::<0>::new(Op::Parse))?.to_string())
}

/// Returns the layout of consecutive rows in the notation.
pub(crate) fn rows(extents: &[i64]) -> String {
    let strides: Vec<String> = (0..extents.len()).map(|mode| extents[mode + 1..].iter().product::<i64>().to_string()).collect();
    let extents: Vec<String> = extents.iter().map(i64::to_string).collect();
    alloc::format!("({}):({})", extents.join(","), strides.join(","))
}

/// Counts the wavefronts of the requests in a layout; `None` if a vector is not consecutive and aligned there.
fn served(layout: &str, plans: &[Plan], requests: &[Request], machine: &Machine) -> Option<SharedLayout> {
    let operand: Operand<LEAVES> = Parser::whole(layout, &mut ExprGraph::<0>::new(Op::Parse)).ok()?;
    let mut accesses = Vec::new();
    for (plan, (threads, access)) in plans.iter().zip(requests) {
        let coordinates = threads.iter().map(|of| of.as_ref().map(|of| of.iter().map(|c| vec![*c]).collect())).collect();
        let report = Threads::at(&operand, coordinates).ok()?.banks(*access, machine.banks(plan.served.store)).ok()?;
        accesses.push(Served { wavefronts: report.wavefronts(), ..plan.served.clone() });
    }
    Some(SharedLayout { layout: layout.to_string(), accesses })
}

/// Returns the ways in which `ldmatrix` serves a load: the digits of a row, the digits that number rows, and if it is transposed.
pub(crate) fn matrices(tensor: &TileTensor, of: &Use, machine: &Machine) -> Vec<(Vec<Digit>, Vec<Digit>, bool)> {
    let (registers, lanes) = (&of.distribution.registers, &of.distribution.lanes);
    let twos = |digits: &[Digit]| digits.iter().all(|digit| digit.radix == 2 && digit.mode.is_some());
    if of.store || tensor.element.bytes != 2 || machine.target != Target::Nvidia || machine.lanes != 32 || lanes.len() != 5 || !twos(lanes)
    {
        return Vec::new();
    }
    let Some(first) = registers.first().filter(|digit| twos(&[**digit])) else { return Vec::new() };
    let (pairs, eights) = (vec![*first, lanes[0], lanes[1]], lanes[2..].to_vec());
    vec![(pairs.clone(), eights.clone(), false), (eights, pairs, true)]
}

/// Returns the integer coordinate of a digit.
fn coordinate(digit: &Digit, extents: &[i64]) -> i64 {
    digit.mode.map_or(0, |mode| digit.weight * extents[..mode].iter().product::<i64>())
}

/// Returns the sums of the values of digits, the minor digit first; `None` for copies after the first if `once`.
pub(crate) fn sums(digits: &[Digit], extents: &[i64], once: bool) -> Vec<Option<i64>> {
    let mut out = vec![Some(0)];
    for digit in digits {
        let step = coordinate(digit, extents);
        let of = |value: i64, first: &Option<i64>| first.filter(|_| !(once && digit.mode.is_none() && value > 0)).map(|f| f + value * step);
        out = (0..digit.radix).flat_map(|value| out.iter().map(move |first| of(value, first)).collect::<Vec<_>>()).collect();
    }
    out
}

/// Returns an access with the instruction that suits a sequence of lowest digits.
fn plan(tensor: &TileTensor, of: &Use, sequence: &[Digit], machine: &Machine) -> Plan {
    let (bytes, registers) = (tensor.element.bytes, &of.distribution.registers);
    let matrix = matrices(tensor, of, machine).into_iter().find(|(row, _, _)| sequence.starts_with(row));
    let (instruction, vector, lanes, rest) = match matrix {
        Some((row, rows, transposed)) => {
            // The next digits of the registers number the matrices of one instruction.
            let next: Vec<Digit> = registers[1..].iter().take(2).take_while(|digit| digit.radix == 2).copied().collect();
            let rest = registers[1 + next.len()..].to_vec();
            let digits = next.len();
            (Instruction::Matrices { digits, transposed }, row, rows.into_iter().chain(next).collect::<Vec<_>>(), rest)
        }
        None => {
            let most = ((machine.vector / bytes).max(1)).ilog2() as usize;
            let digits = sequence.iter().take(most).take_while(|digit| registers.contains(digit)).count();
            let vector = sequence[..digits].to_vec();
            let rest = registers.iter().filter(|digit| !vector.contains(digit)).copied().collect();
            (Instruction::Vector { digits }, vector, of.distribution.lanes.clone(), rest)
        }
    };
    let first =
        |digits: &[Digit]| digits.iter().filter(|digit| !of.store || digit.mode.is_some()).map(|digit| digit.radix).product::<i64>();
    let active = first(&of.distribution.warps) as u64;
    let instructions = product(&rest) as u64 * active;
    // A vector of elements below 32 bits whose registers are in another order costs a move for each register.
    let ordered = matches!(instruction, Instruction::Matrices { .. }) || registers.starts_with(&vector);
    let moves = if ordered || bytes >= 4 { 0 } else { ((of.distribution.values() * bytes) as u64).div_ceil(4) * active };
    let served = Served { statement: of.statement, store: of.store, instruction, vector, instructions, moves, wavefronts: 0 };
    Plan { served, lanes, rest }
}

/// Returns the coordinates that each thread requests, all vectors one after the other.
fn request(tensor: &TileTensor, of: &Use, plan: &Plan, machine: &Machine) -> Request {
    let extents = &tensor.extents;
    let (within, lanes) = (sums(&plan.served.vector, extents, false), sums(&plan.lanes, extents, of.store));
    let (warps, values) = (sums(&of.distribution.warps, extents, of.store), sums(&plan.rest, extents, false));
    let mut threads = Vec::new();
    for warp in &warps {
        for lane in 0..machine.lanes as usize {
            let first = warp.zip(lanes.get(lane).copied().flatten());
            let all = |(warp, lane): (i64, i64)| {
                let vectors = values.iter().flatten();
                vectors.flat_map(|value| within.iter().flatten().map(move |within| warp + lane + value + within)).collect()
            };
            threads.push(first.map(all));
        }
    }
    (threads, Access::vector(tensor.element.bytes as u32 * 8, 1 << plan.served.vector.len()))
}
