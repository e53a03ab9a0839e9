//! Step 2 of a [`RowProduct`](super::row_product::RowProduct), and the input of every other kernel: the elements of any chain of levels, decoded a tile at
//! a time.
//!
//! A level that is branchless has the positions of the level before it: both are one position space. Decoding a tile takes these steps, from the elements up:
//!
//! 1. Range: the entries of each position space that the elements lie below. One search a space, from where that of the tile before ended.
//! 2. Leaves: the coordinates of the last space, read and widened to 64 bits, or left where they are stored.
//! 3. Parents: the coordinates of each space above. By fibers they are read once, with the end of each fiber; from the space on whose entries have four fibers
//!    or more, with the end of each group of fibers. Else each is written as often as there are elements below it.
//! 4. Values: where they lie, or, of blocks, copied out of these with the coordinates of each position.
//! 5. Map: coordinates of a mapped tensor are added up from the stored ones (`unmap.rs`).
//!
//! All of it stays in a first-level cache.

use super::Scalar;
use super::decode::{address, coordinates_into, ends_into};
use super::operands::{REPORT_INTERVAL, Watcher};
use super::tile::{LOOKAHEAD, Scratch, Streamed, TILE, Tile, expand};
use super::unmap::{Addend, unmap};
use crate::kernels::vector_width::{Task, run_widest};
use crate::{AxisMap, OperationError, SparseTensor};
use alloc::vec::Vec;
use array_kernels::LevelView;
use core::ops::Range;
use layout_levels::Consecutive;

/// The most times as many elements of a tile by fibers: most columns have a slot for each of these only, and what a tile costs is for more elements.
const FIBER_TILE: usize = 4;

/// The average number of fibers of an entry from which on fibers are in groups: what they share is worth a loop for each.
const FIBERS_PER_GROUP: usize = 4;

/// Levels with the same positions, each with the stored axis that its coordinates are of.
struct PositionSpace<'p> {
    /// The level that the others have their positions from.
    level: LevelView<'p>,
    columns: Vec<(LevelView<'p>, usize)>,
    /// The number of positions.
    entries: usize,
}

/// The elements of one tensor, to be decoded from any of them on.
pub(super) struct Stream<'p, V: Clone> {
    spaces: Vec<PositionSpace<'p>>,
    /// The number of elements, which are blocks where there are dense axes.
    pub elements: usize,
    /// The stored axes of a block, and the coordinates of its positions in each.
    block: Vec<(usize, Vec<u64>)>,
    values: &'p [V],
    /// The distance between values: 0 where one stands for all.
    value_stride: usize,
    fill: &'p V,
    stored_axes: usize,
    rank: usize,
    map: Option<Vec<Addend>>,
    /// For diagonals: one less than each extent but the last.
    diagonals: Vec<u64>,
    watcher: Option<Watcher<'p>>,
    /// The number of this pass over the elements, and how many there are.
    pub pass: [usize; 2],
    /// The axis of the first level, if elements come in its order.
    pub leading: Option<usize>,
}

/// What a kernel asks of its tiles.
pub(super) struct TileOptions {
    /// True for tiles by fibers, where there are any.
    pub by_fiber: bool,
    /// The kernel reads leaf coordinates where they are stored, if they are.
    pub stored_leaves: bool,
    /// The kernel prefetches values and leaf coordinates itself.
    pub has_lookahead: bool,
    /// The number of this pass among those over the same elements, and how many there are. Without one, no progress is reported.
    pub share: Option<[usize; 2]>,
}

impl TileOptions {
    /// Element by element, in one pass.
    pub const ELEMENTS: TileOptions = TileOptions { by_fiber: false, stored_leaves: false, has_lookahead: false, share: Some([0, 1]) };
}

impl<'p, V: Scalar> Stream<'p, V> {
    pub fn new(map: Option<&'p AxisMap>, tensor: &'p SparseTensor<'p, V>, watcher: Option<Watcher<'p>>) -> Result<Self, OperationError> {
        let (pattern, format) = (tensor.pattern(), tensor.format());
        let mut spaces: Vec<PositionSpace> = Vec::new();
        for (k, level) in pattern.any_levels().into_iter().enumerate() {
            let column = format.axis_order()[..format.levels()].get(k).map(|axis| (level, *axis));
            match spaces.last_mut() {
                Some(space) if level.is_branchless() => space.columns.extend(column),
                _ => spaces.push(PositionSpace { level, columns: column.into_iter().collect(), entries: pattern.entries(k) }),
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
        let (values, value_stride) = tensor.values().strided()?;
        let leading = spaces.first().and_then(|space| space.columns.first()).filter(|(level, _)| level.is_ordered());
        let leading = leading.filter(|_| map.is_none() && format.dense_axes() == 0).map(|(_, axis)| *axis);
        Ok(Stream {
            spaces,
            elements: if positions == 0 { 0 } else { pattern.stored() },
            block,
            values,
            value_stride,
            fill: tensor.fill(),
            stored_axes: format.rank(),
            rank: map.map_or(format.rank(), |map| map.shape().len()),
            map: map.map(unmap),
            diagonals: map.filter(|map| map.is_diagonal()).map_or(Vec::new(), |map| {
                let (_, others) = map.shape().split_last().unwrap_or((&0, &[]));
                others.iter().map(|extent| extent.saturating_sub(1)).collect()
            }),
            watcher,
            pass: [0, 1],
            leading,
        })
    }

    /// The leaf axis, whose coordinate is an element's own, the others being those of its fiber. `None` where there are no fibers.
    pub fn leaf(&self) -> Option<usize> {
        match &self.spaces[..] {
            [.., _, PositionSpace { columns, .. }] if self.map.is_none() && self.block.is_empty() => match columns[..] {
                [(_, axis)] => Some(axis),
                _ => None,
            },
            _ => None,
        }
    }

    /// The average number of elements of a fiber, rounded down; 0 where there are no fibers.
    fn per_fiber(&self) -> usize {
        self.spaces.len().checked_sub(2).and_then(|above| self.elements.checked_div(self.spaces[above].entries)).unwrap_or(0)
    }

    /// Tests whether fibers have two elements or more, on average: what they share is worth a loop for each.
    pub fn shares(&self) -> bool {
        self.per_fiber() >= 2
    }

    /// The coordinate of an element in the axis of the first level.
    pub fn first_coordinate(&self, element: usize) -> usize {
        let Some((first, rest)) = self.spaces.split_first() else { return 0 };
        let entry = rest.iter().rev().fold(element, |entry, space| space.level.parent(entry));
        first.level.at(0, entry) as usize
    }

    /// The first of the elements after this one, and after all next to it with the same coordinate in the axis of the first level, but no more than `most`.
    pub fn next_coordinate(&self, element: usize, most: usize) -> usize {
        let Some((first, rest)) = self.spaces.split_first() else { return element };
        let entry = rest.iter().rev().fold(element, |entry, space| space.level.parent(entry));
        let x = first.level.at(0, entry);
        let (mut low, mut high) = (entry + 1, first.entries.min(entry + 1 + most));
        while low < high {
            let middle = low.midpoint(high);
            if first.level.at(0, middle) == x { low = middle + 1 } else { high = middle }
        }
        rest.iter().fold(low, |entry, space| space.level.below(entry..entry).start)
    }

    /// The first of the elements after the fiber of an element.
    pub fn next_fiber(&self, element: usize) -> usize {
        let next = self.fiber(element) + 1;
        self.spaces.last().map_or(element, |space| space.level.below(next..next).start)
    }

    /// The values of an element.
    pub fn positions(&self) -> usize {
        self.block.first().map_or(1, |(_, inner)| inner.len())
    }

    /// The entry of the levels that is the fiber of an element.
    pub fn fiber(&self, element: usize) -> usize {
        self.spaces.last().map_or(0, |space| space.level.parent(element))
    }

    /// The tiles of some of the elements, in their order.
    pub fn tiles(&self, elements: Range<usize>, options: TileOptions) -> Tiles<'_, 'p, V> {
        let by_fiber = options.by_fiber && self.leaf().is_some();
        let step = if by_fiber { TILE * self.per_fiber().clamp(1, FIBER_TILE) } else { (TILE / self.positions()).max(1) };
        Tiles { stream: self, start: elements.start, elements, step, options: TileOptions { by_fiber, ..options }, reported: 0 }
    }
}

/// The tiles of some elements of a stream.
pub(super) struct Tiles<'s, 'p, V: Clone> {
    stream: &'s Stream<'p, V>,
    elements: Range<usize>,
    /// The first element of the next tile.
    start: usize,
    step: usize,
    options: TileOptions,
    /// The number of elements that have been reported.
    reported: usize,
}

impl<'p, V: Scalar> Tiles<'_, 'p, V> {
    /// Decodes the next elements into `tile`. Returns false where there are none. Reports those of the tiles before as done.
    pub fn decode_next(&mut self, tile: &mut Tile<'p, V>) -> bool {
        self.report();
        if self.start >= self.elements.end {
            return false;
        }
        let end = (self.start + self.step).min(self.elements.end);
        run_widest(Decode { stream: self.stream, elements: self.start..end, options: &self.options, tile });
        self.start = end;
        true
    }

    fn report(&mut self) {
        let Some((watcher, [share, shares])) = self.stream.watcher.zip(self.options.share) else { return };
        // Of `n` elements pass `k` of `p` reports `(n + k) / p`: all of them in the end (Hermite's identity).
        let (pass, passes) = (self.stream.pass[0] * shares + share, self.stream.pass[1] * shares);
        let done = (self.start - self.elements.start + pass) / passes;
        if done >= self.reported + REPORT_INTERVAL || (self.start == self.elements.end && done > self.reported) {
            watcher(done - self.reported);
            self.reported = done;
        }
    }
}

/// Decodes one tile.
struct Decode<'d, 'p, V: Clone> {
    stream: &'d Stream<'p, V>,
    elements: Range<usize>,
    options: &'d TileOptions,
    tile: &'d mut Tile<'p, V>,
}

impl<V: Scalar> Task for Decode<'_, '_, V> {
    #[inline(always)]
    fn run(self) {
        self.stream.decode(self.elements, self.options, self.tile);
    }
}

impl<'p, V: Scalar> Stream<'p, V> {
    #[inline(always)]
    fn decode(&self, range: Range<usize>, options: &TileOptions, tile: &mut Tile<'p, V>) {
        tile.first = range.start;
        (tile.len, tile.stored_per_element) = (range.len(), 1);
        (tile.by_fiber, tile.unordered) = (options.by_fiber, self.map.is_some());
        tile.streamed.clear();
        let mut stored = core::mem::take(&mut tile.scratch.stored);
        stored.resize_with(self.stored_axes, Vec::new);
        // 1. Range, 2. Leaves, 3. Parents.
        self.columns(range.clone(), options, &mut stored, tile);
        // 4. Values.
        if self.block.is_empty() {
            match self.value_stride {
                0 => {
                    tile.own.clear();
                    tile.own.resize(range.len(), self.values[0]);
                    tile.shared = None;
                }
                _ => {
                    let values = &self.values[range.clone()];
                    tile.shared = Some(values);
                    tile.streamed.push(Streamed { address: values.as_ptr().addr(), bytes: size_of::<V>() });
                }
            }
            tile.value_positions.clear();
        } else {
            self.unfold(range.clone(), &mut stored, tile);
        }
        // 5. Map.
        match &self.map {
            None => core::mem::swap(&mut tile.coordinates, &mut stored),
            Some(addends) => {
                tile.coordinates.resize_with(self.rank, Vec::new);
                let slots = if self.block.is_empty() { self.with_lookahead(&range).len() } else { tile.len };
                for column in &mut tile.coordinates {
                    column.clear();
                    column.resize(slots, 0);
                }
                for addend in addends {
                    addend.add(&stored[addend.stored], &mut tile.coordinates[addend.axis]);
                }
                if let Some((last, others)) = tile.coordinates.split_last_mut() {
                    // A diagonal and a coordinate of the last axis give the other coordinate.
                    for (column, most) in others.iter_mut().zip(&self.diagonals) {
                        column.iter_mut().zip(&*last).for_each(|(x, last)| *x = last.wrapping_sub(*x).wrapping_add(*most));
                    }
                }
            }
        }
        tile.scratch.stored = stored;
        tile.extend_columns(self.leaf());
    }

    /// The coordinates of elements, or of fibers and of the elements in them, as the levels store them.
    #[inline(always)]
    fn columns(&self, range: Range<usize>, options: &TileOptions, stored: &mut [Vec<u64>], tile: &mut Tile<'p, V>) {
        let Some(last) = self.spaces.len().checked_sub(1) else { return };
        let Tile { stored_leaves, fiber_ends, group_ends, is_grouped, first_fiber, streamed, scratch, .. } = tile;
        let Scratch { entries, ends, child_ends, column, .. } = scratch;
        let by_fiber = options.by_fiber;
        // 1. Range.
        entries.resize(last + 1, 0..0);
        entries[last] = range.clone();
        for s in (0..last).rev() {
            let (level, below) = (self.spaces[s + 1].level, entries[s + 1].clone());
            // Tiles follow each other: parents begin where those of the tile before end, and are not many more.
            let start = level.parent_near(entries[s].end.saturating_sub(1), below.start);
            entries[s] = start..level.parent_near(start, below.end - 1) + 1;
        }
        // 2. Leaves.
        let ahead = self.with_lookahead(&range);
        *stored_leaves = None;
        for (level, axis) in &self.spaces[last].columns {
            // Where the next ones are read too, they have to be there.
            *stored_leaves = level
                .stored()
                .map(|stored| stored.indices)
                .filter(|_| by_fiber && options.stored_leaves && ahead.len() == range.len() + LOOKAHEAD);
            match stored_leaves {
                Some(_) => stored[*axis].clear(),
                None => coordinates_into(level, ahead.clone(), !options.has_lookahead, &mut stored[*axis]),
            }
            streamed.extend(address(level, range.start).map(|[address, bytes]| Streamed { address, bytes }));
        }
        // 3. Parents. `slots` is the space whose entries are slots: elements, or fibers, and above some space groups of these.
        let base = if by_fiber { last - 1 } else { last };
        let mut slots = base;
        group_ends.clear();
        is_grouped.clear();
        if by_fiber {
            is_grouped.resize(self.stored_axes, false);
            *first_fiber = entries[base].start;
            ends_into(&self.spaces[last].level, entries[base].clone(), &range, fiber_ends);
            self.space_columns(base, &entries[base], stored);
        } else {
            fiber_ends.clear();
        }
        for s in (0..base).rev() {
            // How many slots there are up to each entry: those of the last of these spaces are slots themselves.
            ends_into(&self.spaces[s + 1].level, entries[s].clone(), &entries[s + 1], child_ends);
            if s + 1 < slots {
                for end in child_ends.iter_mut().filter(|end| **end > 0) {
                    *end = ends[*end - 1];
                }
            }
            core::mem::swap(ends, child_ends);
            if by_fiber && group_ends.is_empty() && fiber_ends.len() >= FIBERS_PER_GROUP * entries[s].len() {
                core::mem::swap(group_ends, ends);
                self.spaces[..=s].iter().flat_map(|space| &space.columns).for_each(|(_, axis)| is_grouped[*axis] = true);
                self.space_columns(s, &entries[s], stored);
                slots = s;
                continue;
            }
            for (level, axis) in &self.spaces[s].columns {
                coordinates_into(level, entries[s].clone(), true, column);
                expand(column, ends, &mut stored[*axis]);
            }
        }
        if by_fiber && group_ends.is_empty() {
            group_ends.push(fiber_ends.len());
        }
    }

    /// The coordinates of entries of a space, and of those behind them that are prefetched.
    #[inline(always)]
    fn space_columns(&self, space: usize, entries: &Range<usize>, stored: &mut [Vec<u64>]) {
        let beyond = (entries.end + LOOKAHEAD).min(self.spaces[space].entries);
        for (level, axis) in &self.spaces[space].columns {
            coordinates_into(level, entries.start..beyond, true, &mut stored[*axis]);
        }
    }

    /// The elements of a tile, and those behind it that are prefetched before the next one, if all coordinates are their own.
    fn with_lookahead(&self, range: &Range<usize>) -> Range<usize> {
        let further = if self.block.is_empty() && (self.map.is_none() || self.spaces.len() == 1) { LOOKAHEAD } else { 0 };
        range.start..(range.end + further).min(self.elements.max(range.end))
    }

    /// Takes blocks apart: of those whose coordinates are mapped, only what is not the fill value.
    fn unfold(&self, blocks: Range<usize>, stored: &mut [Vec<u64>], tile: &mut Tile<'p, V>) {
        let positions = self.positions();
        (tile.shared, tile.len) = (None, 0);
        tile.own.clear();
        tile.value_positions.clear();
        let Scratch { column, in_blocks, .. } = &mut tile.scratch;
        in_blocks.clear();
        for block in blocks.clone() {
            for position in 0..positions {
                let at = block * positions + position;
                let value = self.values[at * self.value_stride];
                if self.map.is_none() || value != *self.fill {
                    tile.own.push(value);
                    tile.value_positions.push(at);
                    in_blocks.push((block - blocks.start, position));
                }
            }
        }
        for space in &self.spaces {
            for (_, axis) in &space.columns {
                column.clear();
                column.extend(in_blocks.iter().map(|(block, _)| stored[*axis][*block]));
                core::mem::swap(column, &mut stored[*axis]);
            }
        }
        for (axis, inner) in &self.block {
            stored[*axis].clear();
            stored[*axis].extend(in_blocks.iter().map(|(_, position)| inner[*position]));
        }
        tile.len = tile.own.len();
    }
}
