//! Elements of any chain of levels, a tile at a time: coordinates of axes in columns, fibers where levels have them.

use super::Scalar;
use super::decode::{address, coordinates_into, ends_into};
use super::operands::{TOLD, Watcher};
use super::tile::{Tile, expand};
use crate::kernels::wide::{Task, add_bits, widest};
use crate::{AxisMap, OperationError, SparseTensor};
use alloc::vec::Vec;
use array_kernels::LevelView;
use core::ops::Range;
use layout_levels::Consecutive;

/// Elements of a tile: what it has of them stays in a first-level cache.
pub(super) const TILE: usize = 1024;

/// The most times as many elements of a tile by fibers: most columns have a slot for each of these only, and what a tile costs is for more elements.
const LONGER: usize = 4;

/// Fibers are in groups where these have so many, on average: what they have in common is worth a loop for each.
const GROUP: usize = 4;

/// Columns go on for so many slots after the last, for those who fetch ahead.
pub(super) const AHEAD: usize = 16;

/// How a digit of a stored coordinate becomes one of an axis.
#[derive(Clone, Copy)]
enum Move {
    /// All of the coordinate, which counts `step`.
    Whole { step: u64 },
    /// All of it, which counts `1 << shift`.
    Shifted { shift: u32 },
    /// The bits under a mask, the lowest of which counts `1 << shift`.
    Bits { mask: u64, shift: u32 },
    /// `coordinate / weight % count * step`.
    Digit { weight: u64, count: u64, step: u64 },
}

/// Levels with the same positions, each with the stored axis that its coordinates are of.
struct Stage<'p> {
    level: LevelView<'p>,
    columns: Vec<(LevelView<'p>, usize)>,
    /// How many positions there are.
    entries: usize,
}

/// The elements of one tensor, to be gone through from any of them on.
pub(super) struct Stream<'p, V: Clone> {
    stages: Vec<Stage<'p>>,
    /// Elements, which are blocks where there are dense axes.
    pub elements: usize,
    /// The stored axes of a block, and the coordinates of its positions in each.
    block: Vec<(usize, Vec<u64>)>,
    values: &'p [V],
    unit: usize,
    fill: &'p V,
    stored_axes: usize,
    rank: usize,
    moves: Option<Vec<(usize, usize, Move)>>,
    /// Of diagonals, one less than each extent but the last.
    along: Vec<u64>,
    watcher: Option<Watcher<'p>>,
    /// Which pass over the elements this is, of how many.
    pub pass: [usize; 2],
    /// The axis of the first level, if elements come in its order.
    pub leading: Option<usize>,
}

impl<'p, V: Scalar> Stream<'p, V> {
    pub fn new(map: Option<&'p AxisMap>, tensor: &'p SparseTensor<'p, V>, watcher: Option<Watcher<'p>>) -> Result<Self, OperationError> {
        let (pattern, format) = (tensor.pattern(), tensor.format());
        let mut stages: Vec<Stage> = Vec::new();
        for (k, level) in pattern.any_levels().into_iter().enumerate() {
            let column = format.axis_order()[..format.levels()].get(k).map(|axis| (level, *axis));
            match stages.last_mut() {
                Some(stage) if level.is_branchless() => stage.columns.extend(column),
                _ => stages.push(Stage { level, columns: column.into_iter().collect(), entries: pattern.entries(k) }),
            }
        }
        let extents = pattern.block_shape();
        let positions = pattern.block();
        let axes = format.axis_order()[format.levels()..].iter().enumerate();
        let inner = |k: usize| {
            let below: u64 = extents[k + 1..].iter().product();
            (0..positions as u64).map(|position| position / below.max(1) % extents[k].max(1)).collect()
        };
        let block = if positions == 0 { Vec::new() } else { axes.map(|(k, axis)| (*axis, inner(k))).collect() };
        let (values, unit) = tensor.values().strided()?;
        let leading = stages.first().and_then(|stage| stage.columns.first()).filter(|(level, _)| level.is_ordered());
        let leading = leading.filter(|_| map.is_none() && format.dense_axes() == 0).map(|(_, axis)| *axis);
        Ok(Stream {
            stages,
            elements: if positions == 0 { 0 } else { pattern.stored() },
            block,
            values,
            unit,
            fill: tensor.fill(),
            stored_axes: format.rank(),
            rank: map.map_or(format.rank(), |map| map.shape().len()),
            moves: map.map(moves),
            along: map.filter(|map| map.is_diagonal()).map_or(Vec::new(), |map| {
                let (_, others) = map.shape().split_last().unwrap_or((&0, &[]));
                others.iter().map(|extent| extent.saturating_sub(1)).collect()
            }),
            watcher,
            pass: [0, 1],
            leading,
        })
    }

    /// The axis whose coordinate is an element's own, the others being those of its fiber; none where there are no fibers.
    pub fn leaf(&self) -> Option<usize> {
        match &self.stages[..] {
            [.., _, Stage { columns, .. }] if self.moves.is_none() && self.block.is_empty() => match columns[..] {
                [(_, axis)] => Some(axis),
                _ => None,
            },
            _ => None,
        }
    }

    /// How many elements a fiber has on average, rounded down; 0 where there are no fibers.
    fn per_fiber(&self) -> usize {
        self.stages.len().checked_sub(2).and_then(|above| self.elements.checked_div(self.stages[above].entries)).unwrap_or(0)
    }

    /// Tests whether fibers have two elements or more, on average: what they have in common is worth a loop for each.
    pub fn shares(&self) -> bool {
        self.per_fiber() >= 2
    }

    /// The coordinate of an element in the axis of the first level.
    pub fn first_coordinate(&self, element: usize) -> usize {
        let Some((first, rest)) = self.stages.split_first() else { return 0 };
        let entry = rest.iter().rev().fold(element, |entry, stage| stage.level.parent(entry));
        first.level.at(0, entry) as usize
    }

    /// The first of the elements after this one, and after all next to it with the same coordinate in the axis of the first level, but no more than `most`.
    pub fn next_coordinate(&self, element: usize, most: usize) -> usize {
        let Some((first, rest)) = self.stages.split_first() else { return element };
        let entry = rest.iter().rev().fold(element, |entry, stage| stage.level.parent(entry));
        let x = first.level.at(0, entry);
        let (mut low, mut high) = (entry + 1, first.entries.min(entry + 1 + most));
        while low < high {
            let middle = low.midpoint(high);
            if first.level.at(0, middle) == x { low = middle + 1 } else { high = middle }
        }
        rest.iter().fold(low, |entry, stage| stage.level.below(entry..entry).start)
    }

    /// The first of the elements after the fiber of an element.
    pub fn next_fiber(&self, element: usize) -> usize {
        let next = self.fiber(element) + 1;
        self.stages.last().map_or(element, |stage| stage.level.below(next..next).start)
    }

    /// How many values an element has.
    pub fn positions(&self) -> usize {
        self.block.first().map_or(1, |(_, inner)| inner.len())
    }

    /// The entry of the levels that the fiber of an element is.
    pub fn fiber(&self, element: usize) -> usize {
        self.stages.last().map_or(0, |stage| stage.level.parent(element))
    }

    /// Calls `f` with tiles of some of the elements: by fibers, where there are any and `fibers` are wanted, else element by element.
    pub fn tiles(&self, elements: Range<usize>, fibers: bool, tile: &mut Tile<'p, V>, mut f: impl FnMut(&mut Tile<'p, V>)) {
        let fibers = fibers && self.leaf().is_some();
        let step = if fibers { TILE * self.per_fiber().clamp(1, LONGER) } else { (TILE / self.positions()).max(1) };
        let told_of = self.watcher.zip(tile.share);
        let (mut start, mut told) = (elements.start, 0);
        while start < elements.end {
            let end = (start + step).min(elements.end);
            widest(Fill { stream: self, range: start..end, by_fiber: fibers, tile });
            f(tile);
            start = end;
            if let Some((watcher, [share, shares])) = told_of {
                // Of `n` elements pass `k` of `p` tells of `(n + k) / p`: of all of them in the end (Hermite's identity).
                let (pass, passes) = (self.pass[0] * shares + share, self.pass[1] * shares);
                let gone = (end - elements.start + pass) / passes;
                if gone >= told + TOLD || (end == elements.end && gone > told) {
                    watcher(gone - told);
                    told = gone;
                }
            }
        }
    }

    #[inline(always)]
    fn fill(&self, range: Range<usize>, by_fiber: bool, tile: &mut Tile<'p, V>) {
        tile.first = range.start;
        (tile.len, tile.spread) = (range.len(), 1);
        (tile.by_fiber, tile.scattered) = (by_fiber, self.moves.is_some());
        tile.further.clear();
        let mut stored = core::mem::take(&mut tile.stored);
        stored.resize_with(self.stored_axes, Vec::new);
        self.columns(range.clone(), by_fiber, &mut stored, tile);
        if self.block.is_empty() {
            match self.unit {
                0 => {
                    tile.own.clear();
                    tile.own.resize(range.len(), self.values[0]);
                    tile.shared = None;
                }
                _ => {
                    let values = &self.values[range.clone()];
                    tile.shared = Some(values);
                    tile.further.push([values.as_ptr().addr(), size_of::<V>()]);
                }
            }
            tile.places.clear();
        } else {
            self.unfold(range.clone(), &mut stored, tile);
        }
        match &self.moves {
            None => core::mem::swap(&mut tile.coordinates, &mut stored),
            Some(moves) => {
                tile.coordinates.resize_with(self.rank, Vec::new);
                let slots = if self.block.is_empty() { self.fetched(&range).len() } else { tile.len };
                for column in &mut tile.coordinates {
                    column.clear();
                    column.resize(slots, 0);
                }
                for (axis, target, of) in moves {
                    of.add(&stored[*target], &mut tile.coordinates[*axis]);
                }
                if let Some((last, others)) = tile.coordinates.split_last_mut() {
                    // A diagonal and a coordinate of the last axis give the other coordinate.
                    for (column, most) in others.iter_mut().zip(&self.along) {
                        column.iter_mut().zip(&*last).for_each(|(x, last)| *x = last.wrapping_sub(*x).wrapping_add(*most));
                    }
                }
            }
        }
        tile.stored = stored;
        tile.go_on(self.leaf());
    }

    /// The coordinates of elements, or of fibers and of the elements in them, as the levels store them.
    #[inline(always)]
    fn columns(&self, range: Range<usize>, by_fiber: bool, stored: &mut [Vec<u64>], tile: &mut Tile<'p, V>) {
        let Some(last) = self.stages.len().checked_sub(1) else { return };
        let Tile { leaves, takes_leaves, ranges, upto, ends, groups, above, first_fiber, one, children, further, asks, .. } = tile;
        ranges.resize(last + 1, 0..0);
        ranges[last] = range.clone();
        for s in (0..last).rev() {
            let (level, below) = (self.stages[s + 1].level, ranges[s + 1].clone());
            // Tiles follow each other: parents begin where those of the tile before end, and are not many more.
            let start = level.parent_near(ranges[s].end.saturating_sub(1), below.start);
            ranges[s] = start..level.parent_near(start, below.end - 1) + 1;
        }
        let fetched = self.fetched(&range);
        *leaves = None;
        for (level, axis) in &self.stages[last].columns {
            // As those that are fetched are read too, these have to be there.
            *leaves =
                level.stored().map(|stored| stored.indices).filter(|_| by_fiber && *takes_leaves && fetched.len() == range.len() + AHEAD);
            match leaves {
                Some(_) => stored[*axis].clear(),
                None => coordinates_into(level, fetched.clone(), !*asks, &mut stored[*axis]),
            }
            further.extend(address(level, range.start));
        }
        // The stage whose entries are slots: elements, or fibers, and above some stage groups of these.
        let base = if by_fiber { last - 1 } else { last };
        let mut slots = base;
        groups.clear();
        above.clear();
        if by_fiber {
            above.resize(self.stored_axes, false);
            *first_fiber = ranges[base].start;
            ends_into(&self.stages[last].level, ranges[base].clone(), &range, ends);
            self.decode(base, &ranges[base], stored);
        } else {
            ends.clear();
        }
        for s in (0..base).rev() {
            // How many slots there are up to each entry: those of the last of these stages are slots themselves.
            ends_into(&self.stages[s + 1].level, ranges[s].clone(), &ranges[s + 1], children);
            if s + 1 < slots {
                for end in children.iter_mut().filter(|end| **end > 0) {
                    *end = upto[*end - 1];
                }
            }
            core::mem::swap(upto, children);
            if by_fiber && groups.is_empty() && ends.len() >= GROUP * ranges[s].len() {
                core::mem::swap(groups, upto);
                self.stages[..=s].iter().flat_map(|stage| &stage.columns).for_each(|(_, axis)| above[*axis] = true);
                self.decode(s, &ranges[s], stored);
                slots = s;
                continue;
            }
            for (level, axis) in &self.stages[s].columns {
                coordinates_into(level, ranges[s].clone(), true, one);
                expand(one, upto, &mut stored[*axis]);
            }
        }
        if by_fiber && groups.is_empty() {
            groups.push(ends.len());
        }
    }

    /// The coordinates of entries of a stage, and of those after them that are fetched.
    #[inline(always)]
    fn decode(&self, stage: usize, entries: &Range<usize>, stored: &mut [Vec<u64>]) {
        let beyond = (entries.end + AHEAD).min(self.stages[stage].entries);
        for (level, axis) in &self.stages[stage].columns {
            coordinates_into(level, entries.start..beyond, true, &mut stored[*axis]);
        }
    }

    /// The elements whose coordinates are known in a tile of some: those after it too that are fetched before the next one, if all coordinates are their own.
    fn fetched(&self, range: &Range<usize>) -> Range<usize> {
        let further = if self.block.is_empty() && (self.moves.is_none() || self.stages.len() == 1) { AHEAD } else { 0 };
        range.start..(range.end + further).min(self.elements.max(range.end))
    }

    /// Blocks taken apart: of those whose coordinates are mapped, only what is not the fill value.
    fn unfold(&self, blocks: Range<usize>, stored: &mut [Vec<u64>], tile: &mut Tile<'p, V>) {
        let positions = self.positions();
        (tile.shared, tile.len) = (None, 0);
        tile.own.clear();
        tile.places.clear();
        tile.numbers.clear();
        for block in blocks.clone() {
            for position in 0..positions {
                let place = block * positions + position;
                let value = self.values[place * self.unit];
                if self.moves.is_none() || value != *self.fill {
                    tile.own.push(value);
                    tile.places.push(place);
                    tile.numbers.push((block - blocks.start, position));
                }
            }
        }
        for stage in &self.stages {
            for (_, axis) in &stage.columns {
                tile.one.clear();
                tile.one.extend(tile.numbers.iter().map(|(block, _)| stored[*axis][*block]));
                core::mem::swap(&mut tile.one, &mut stored[*axis]);
            }
        }
        for (axis, inner) in &self.block {
            stored[*axis].clear();
            stored[*axis].extend(tile.numbers.iter().map(|(_, position)| inner[*position]));
        }
        tile.len = tile.own.len();
    }
}

/// Fills a tile.
struct Fill<'f, 'p, V: Clone> {
    stream: &'f Stream<'p, V>,
    range: Range<usize>,
    by_fiber: bool,
    tile: &'f mut Tile<'p, V>,
}

impl<V: Scalar> Task for Fill<'_, '_, V> {
    #[inline(always)]
    fn run(self) {
        self.stream.fill(self.range, self.by_fiber, self.tile);
    }
}

impl Move {
    fn add(self, stored: &[u64], out: &mut [u64]) {
        match self {
            Move::Shifted { shift } => out.iter_mut().zip(stored).for_each(|(slot, x)| *slot += x << shift),
            Move::Whole { step } => out.iter_mut().zip(stored).for_each(|(slot, x)| *slot += x * step),
            Move::Bits { mask, shift } => add_bits(stored, mask, shift, out),
            Move::Digit { weight, count, step } => {
                out.iter_mut().zip(stored).for_each(|(slot, x)| *slot += x / weight % count.max(1) * step);
            }
        }
    }
}

/// The way back of a map: bits of one axis that lie in one stored coordinate in their order move together.
fn moves(map: &AxisMap) -> Vec<(usize, usize, Move)> {
    let mut out: Vec<(usize, usize, Move)> = Vec::new();
    let mut digits = map.digits().to_vec();
    digits.sort_by_key(|digit| (digit.axis, digit.target, digit.step));
    let mut next = 0;
    for digit in digits {
        let alone = map.digits().iter().filter(|other| other.target == digit.target).count() == 1;
        let powers = [digit.step, digit.count, digit.weight].iter().all(|n| n.is_power_of_two());
        if alone && digit.weight == 1 && digit.step.is_power_of_two() {
            out.push((digit.axis, digit.target, Move::Shifted { shift: digit.step.trailing_zeros() }));
            continue;
        }
        if alone && digit.weight == 1 {
            out.push((digit.axis, digit.target, Move::Whole { step: digit.step }));
            continue;
        }
        if !powers {
            out.push((digit.axis, digit.target, Move::Digit { weight: digit.weight, count: digit.count, step: digit.step }));
            continue;
        }
        let bits = (digit.count - 1) * digit.weight;
        match out.last_mut() {
            Some((axis, target, Move::Bits { mask, .. }))
                if (*axis, *target, next) == (digit.axis, digit.target, digit.step) && *mask < bits =>
            {
                *mask |= bits
            }
            _ => out.push((digit.axis, digit.target, Move::Bits { mask: bits, shift: digit.step.trailing_zeros() })),
        }
        next = digit.step.saturating_mul(digit.count);
    }
    out
}
