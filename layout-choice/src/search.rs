//! The search for the distribution of one component.
//!
//! A candidate puts each digit of the dimensions at a place: a register, a lane or a warp. Costs depend on the digits of the vectors, in
//! order, and on the sets of digits of lanes and of warps. The search tries the lowest digits of every transfer as a vector, with all
//! sets for lanes and for warps. Digits whose exchange changes no cost are one class: only their number counts.

use crate::component::{Component, Transfer};
use crate::cost::{Step, Steps, TileCost, reduction, stride};
use crate::distribution::{Digit, Distribution, digits, product};
use crate::error::Result;
use crate::program::{TileMemory, TileProgram, TileTensor};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use layout_algebra::value::gcd;

/// The maximum work for a component: candidates that are tried, and addresses that are computed for them.
const MOST_WORK: u64 = 1 << 24;

/// The maximum number of candidates that the search returns.
const MOST_KEPT: usize = 1 << 10;

/// A distribution, and the least that it costs: accesses to shared memory count as in the best layout for each alone.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub distribution: Distribution,
    pub cost: TileCost,
    /// The cost without accesses to shared memory.
    pub alone: TileCost,
    /// Decides between equal costs: lanes that are neighbours in global memory, then warps that are far apart.
    order: (Vec<usize>, Vec<Reverse<usize>>),
}

impl Candidate {
    /// Makes the only candidate of a component.
    pub fn only(program: &TileProgram, component: &Component, distribution: Distribution) -> Candidate {
        let (cost, alone) = cost(program, component, &distribution);
        Candidate { distribution, cost, alone, order: Default::default() }
    }
}

/// The candidates of a component, the best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    pub all: Vec<Candidate>,
    /// The least time of each transfer to global memory over all candidates.
    pub least: BTreeMap<usize, u64>,
    /// True if every distribution was tried.
    pub complete: bool,
    /// True if `all` lacks some of them, which cost no less.
    pub cut: bool,
}

/// A transfer, and its steps for the digits of the component.
pub(crate) struct View {
    pub memory: TileMemory,
    pub bytes: i64,
    pub store: bool,
    /// The step of each digit.
    steps: Vec<Step>,
}

/// The digits of a component, and all on which its costs depend.
struct Space<'a> {
    program: &'a TileProgram,
    component: &'a Component,
    digits: Vec<Digit>,
    views: Vec<View>,
}

/// A class of digits. Lanes take its first members, and warps its last.
type Class = Vec<usize>;

/// A transfer under a distribution.
pub(crate) struct Moved {
    pub memory: TileMemory,
    pub bytes: i64,
    pub store: bool,
    pub steps: Steps,
}

/// Returns the transfers of a component under a distribution.
pub(crate) fn moved(program: &TileProgram, component: &Component, distribution: &Distribution) -> Vec<Moved> {
    let of = |transfer: &Transfer| {
        let tensor = &program.tensors[transfer.tensor];
        let steps = Steps::of(distribution, |digit| step(tensor, transfer, digit));
        Moved { memory: tensor.memory, bytes: tensor.element.bytes, store: transfer.store, steps }
    };
    component.transfers.iter().map(of).collect()
}

/// Returns the distance in bytes of a digit in global memory, 0 in shared memory; `None` if the tensor lacks its dimension.
fn step(tensor: &TileTensor, transfer: &Transfer, digit: &Digit) -> Option<i64> {
    match &tensor.fixed {
        Some(layout) if tensor.memory == TileMemory::Global => stride(digit, transfer, layout, tensor.element.bytes),
        _ => transfer.dimensions.iter().any(|dimension| Some(*dimension) == digit.mode).then_some(0),
    }
}

/// Returns the cost of a distribution of a component, with accesses to shared memory as in the best layout for each alone; and the cost
/// without these accesses.
fn cost(program: &TileProgram, component: &Component, distribution: &Distribution) -> (TileCost, TileCost) {
    let moved = moved(program, component, distribution);
    let (cost, alone, _) = total(program, component, distribution, moved.iter().map(|of| (of.memory, of.bytes, of.store, &of.steps)));
    (cost, alone)
}

/// Returns both costs, and the time of each transfer to global memory.
fn total<'s>(
    program: &TileProgram,
    component: &Component,
    distribution: &Distribution,
    steps: impl Iterator<Item = (TileMemory, i64, bool, &'s Steps)>,
) -> (TileCost, TileCost, Vec<u64>) {
    let (mut cost, mut shared, mut times) = (TileCost::default(), TileCost::default(), Vec::new());
    for (memory, bytes, store, steps) in steps {
        if memory == TileMemory::Shared {
            shared += steps.shared_at_least(bytes, store, &program.machine);
            continue;
        }
        let access = steps.global(bytes, store, &program.machine);
        let time = access.time(&program.machine, program.threads);
        times.push(time);
        let warps = (program.threads / program.machine.lanes) as u64;
        cost += TileCost {
            global: time,
            sectors: access.sectors as u64,
            instructions: access.instructions as u64 * warps,
            ..TileCost::default()
        };
    }
    for of in &component.reductions {
        cost += reduction(of, distribution);
    }
    for (tensor, dimensions) in &component.tensors {
        let values: i64 =
            distribution.registers.iter().filter(|d| d.mode.is_some_and(|m| dimensions.contains(&m))).map(|d| d.radix).product();
        cost.registers += ((values * program.tensors[*tensor].element.bytes) as u64).div_ceil(4);
    }
    let alone = cost;
    cost += shared;
    (cost, alone, times)
}

/// Returns the candidates of a component that no statement fixes. `special` are digits, by dimension and weight, that others distinguish.
pub(crate) fn candidates(program: &TileProgram, component: &Component, special: &[(usize, i64)]) -> Result<Candidates> {
    let space = Space::new(program, component)?;
    let classes = space.classes(special);
    let mut found = Found { space: &space, best: BTreeMap::new(), least: BTreeMap::new(), work: 0, each: space.work() };
    for vector in space.vectors() {
        let left: Vec<Class> = classes.iter().map(|class| class.iter().copied().filter(|d| !vector.contains(d)).collect()).collect();
        let mut lanes = Vec::new();
        found.choose_lanes(&vector, &left, 0, program.machine.lanes, &mut lanes);
    }
    let mut all: Vec<Candidate> = found.best.into_values().flatten().collect();
    if all.is_empty() {
        let (size, threads) = (component.extents.iter().product::<i64>(), program.threads);
        return Err(component.refuse(program, format!("{threads} threads cannot share {size} elements equally: {:?}", component.extents)));
    }
    all.sort_by(|a, b| (a.cost, &a.order).cmp(&(b.cost, &b.order)));
    let cut = all.len() > MOST_KEPT;
    all.truncate(MOST_KEPT);
    Ok(Candidates { all, cut, least: found.least, complete: found.work < MOST_WORK })
}

impl<'a> Space<'a> {
    fn new(program: &'a TileProgram, component: &'a Component) -> Result<Space<'a>> {
        let Some(size) = component.size().filter(|size| *size <= 1 << 30) else {
            return Err(component.refuse(program, format!("the extents {:?} have more than 2^30 elements", component.extents)));
        };
        let mut digits: Vec<Digit> = component.extents.iter().enumerate().flat_map(|(mode, extent)| digits(mode, *extent)).collect();
        // Threads beyond the elements hold copies.
        let copies = program.threads / gcd(size, program.threads);
        digits.extend(self::digits(0, copies).into_iter().map(|digit| Digit { mode: None, ..digit }));
        let mut views = Vec::new();
        for transfer in &component.transfers {
            let tensor = &program.tensors[transfer.tensor];
            let steps = digits.iter().map(|digit| (digit.radix, step(tensor, transfer, digit))).collect();
            views.push(View { memory: tensor.memory, bytes: tensor.element.bytes, store: transfer.store, steps });
        }
        let mut space = Space { program, component, digits, views };
        space.sort();
        Ok(space)
    }

    /// Orders the digits by their distance in the first transfer to global memory. Digits that it lacks are the last.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.digits.len()).collect();
        let view = self.views.iter().find(|view| view.memory == TileMemory::Global);
        let key = |k: &usize| {
            (self.digits[*k].mode.is_none(), view.map_or((false, 0), |view| (view.steps[*k].1.is_none(), view.steps[*k].1.unwrap_or(0))))
        };
        order.sort_by_key(key);
        self.digits = order.iter().map(|k| self.digits[*k]).collect();
        for view in &mut self.views {
            view.steps = order.iter().map(|k| view.steps[*k]).collect();
        }
    }

    /// Returns the digits in classes.
    fn classes(&self, special: &[(usize, i64)]) -> Vec<Class> {
        let sector = self.program.machine.sector;
        let mut classes: BTreeMap<Vec<i64>, Class> = BTreeMap::new();
        for (k, digit) in self.digits.iter().enumerate() {
            let mut key = vec![digit.radix, i64::from(digit.mode.is_none())];
            for view in &self.views {
                // The presence of a digit beyond a sector matters, and not its distance.
                match (view.memory, view.steps[k].1) {
                    (_, None) => key.push(-1),
                    (TileMemory::Global, Some(stride)) if !(stride > 0 && stride % sector == 0 && self.nested(view)) => {
                        key.push(stride + 1)
                    }
                    _ => key.push(0),
                }
            }
            for of in &self.component.reductions {
                key.push(digit.mode.map_or(2, |mode| i64::from(of.kept.contains(&mode)) + 2 * i64::from(!of.from.contains(&mode))));
            }
            for (_, dimensions) in &self.component.tensors {
                key.push(i64::from(digit.mode.is_some_and(|mode| dimensions.contains(&mode))));
            }
            if let Some(mode) = digit.mode.filter(|mode| special.contains(&(*mode, digit.weight))) {
                key.extend([mode as i64, digit.weight]);
            }
            classes.entry(key).or_default().push(k);
        }
        classes.into_values().collect()
    }

    /// Returns the work for one candidate: where strides are not nested, sectors are counted address by address.
    fn work(&self) -> u64 {
        let size: i64 = self.component.extents.iter().product();
        let counted =
            |view: &&View| view.memory == TileMemory::Global && !(self.nested(view) && view.steps.iter().all(|step| self.clean(step)));
        1 + self.views.iter().filter(counted).count() as u64 * size as u64
    }

    /// Tests whether a digit stays within a sector, or moves by whole ones.
    fn clean(&self, step: &Step) -> bool {
        let sector = self.program.machine.sector;
        step.1.is_none_or(|stride| stride * step.0 <= sector || stride % sector == 0)
    }

    /// Tests whether each digit of a view lies above the sum of all smaller ones, so that sums of digits do not carry.
    fn nested(&self, view: &View) -> bool {
        let mut strides: Vec<(i64, i64)> = view.steps.iter().filter_map(|(radix, stride)| stride.map(|stride| (stride, *radix))).collect();
        strides.sort_unstable();
        let mut reach = 0;
        strides.iter().all(|(stride, radix)| {
            let above = *stride > reach;
            reach += stride * (radix - 1);
            above
        })
    }

    /// Returns the vectors to try: for each transfer its lowest digits, and no digits.
    fn vectors(&self) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new()];
        for view in self.views.iter().filter(|view| view.memory == TileMemory::Global) {
            let (mut vector, mut bytes) = (Vec::new(), view.bytes);
            while let Some(k) = view.steps.iter().position(|step| *step == (2, Some(bytes)))
                && bytes * 2 <= self.program.machine.vector
            {
                vector.push(k);
                bytes *= 2;
                if !out.contains(&vector) {
                    out.push(vector.clone());
                }
            }
        }
        out
    }
}

/// The best candidates so far.
struct Found<'a> {
    space: &'a Space<'a>,
    /// The candidates, by time of global memory and sectors.
    best: BTreeMap<(u64, u64), Vec<Candidate>>,
    least: BTreeMap<usize, u64>,
    work: u64,
    /// The work for one candidate.
    each: u64,
}

impl Found<'_> {
    /// Tries all sets of lanes: from class `k` on, lanes of `left` values in all.
    fn choose_lanes(&mut self, vector: &[usize], classes: &[Class], k: usize, left: i64, lanes: &mut Vec<usize>) {
        if left == 1 {
            let rest: Vec<Class> = classes.iter().map(|class| class.iter().copied().filter(|d| !lanes.contains(d)).collect()).collect();
            let warps = self.space.program.threads / self.space.program.machine.lanes;
            self.choose_warps(vector, &rest, 0, warps, lanes, &mut Vec::new());
            return;
        }
        let Some(class) = classes.get(k).filter(|_| self.work < MOST_WORK) else { return };
        self.choose_lanes(vector, classes, k + 1, left, lanes);
        let (before, mut left) = (lanes.len(), left);
        for digit in class {
            let radix = self.space.digits[*digit].radix;
            if left % radix != 0 {
                break;
            }
            left /= radix;
            lanes.push(*digit);
            self.choose_lanes(vector, classes, k + 1, left, lanes);
        }
        lanes.truncate(before);
    }

    /// Tries all sets of warps, likewise.
    fn choose_warps(&mut self, vector: &[usize], classes: &[Class], k: usize, left: i64, lanes: &[usize], warps: &mut Vec<usize>) {
        if left == 1 {
            self.visit(vector, classes, lanes, warps);
            return;
        }
        let Some(class) = classes.get(k).filter(|_| self.work < MOST_WORK) else { return };
        self.choose_warps(vector, classes, k + 1, left, lanes, warps);
        let (before, mut left) = (warps.len(), left);
        for digit in class.iter().rev() {
            let radix = self.space.digits[*digit].radix;
            if left % radix != 0 {
                break;
            }
            left /= radix;
            warps.push(*digit);
            self.choose_warps(vector, classes, k + 1, left, lanes, warps);
        }
        warps.truncate(before);
    }

    /// Records the candidate with these digits at lanes and warps, and all others in registers.
    fn visit(&mut self, vector: &[usize], classes: &[Class], lanes: &[usize], warps: &[usize]) {
        let space = self.space;
        let mut registers: Vec<usize> = classes.iter().flatten().copied().filter(|digit| !warps.contains(digit)).collect();
        if self.work >= MOST_WORK || registers.iter().any(|digit| space.digits[*digit].mode.is_none()) {
            return;
        }
        self.work += self.each;
        registers.sort_unstable();
        let (mut lanes, mut warps) = (lanes.to_vec(), warps.to_vec());
        lanes.sort_unstable();
        warps.sort_unstable();
        registers.splice(0..0, vector.iter().copied());
        let of = |places: &[usize]| places.iter().map(|k| space.digits[*k]).collect::<Vec<Digit>>();
        let distribution = Distribution { registers: of(&registers), lanes: of(&lanes), warps: of(&warps) };
        debug_assert_eq!(product(&distribution.lanes) * product(&distribution.warps), space.program.threads);
        let steps: Vec<Steps> = space.views.iter().map(|view| view.steps(&registers, &lanes, &warps)).collect();
        let each = space.views.iter().zip(&steps).map(|(view, steps)| (view.memory, view.bytes, view.store, steps));
        let (cost, alone, times) = total(space.program, space.component, &distribution, each);
        let global = space.component.transfers.iter().zip(&space.views).filter(|(_, view)| view.memory == TileMemory::Global);
        for ((transfer, _), time) in global.zip(times) {
            let least = self.least.entry(transfer.statement).or_insert(time);
            *least = time.min(*least);
        }
        // Only the least time of global memory can win, then the fewest sectors: no component shares them with another.
        let key = (cost.global, cost.sectors);
        if self.best.keys().next().is_none_or(|best| key <= *best) {
            self.best.retain(|best, _| *best <= key);
            self.best.entry(key).or_default().push(Candidate {
                distribution,
                cost,
                alone,
                order: (lanes, warps.into_iter().map(Reverse).collect()),
            });
        }
    }
}

impl View {
    fn steps(&self, registers: &[usize], lanes: &[usize], warps: &[usize]) -> Steps {
        let of = |places: &[usize]| places.iter().map(|k| self.steps[*k]).collect::<Vec<Step>>();
        let mut registers = of(registers);
        registers.retain(|(_, stride)| stride.is_some());
        Steps { registers, lanes: of(lanes), warps: of(warps) }
    }
}
