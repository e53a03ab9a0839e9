//! Decodes the elements of any chain of levels, one tile at a time: step 2 of a
//! [`RowProduct`](super::row_product::RowProduct), and the input of all other kernels.
//!
//! A branchless level has the positions of the level above it, so both belong to one position space. Decoding a tile
//! takes five steps, from the elements up:
//!
//! 1. Range: finds the entries of each position space that contain the elements. It takes one search per space,
//!    which starts where the search of the previous tile ended.
//! 2. Leaves: reads the coordinates of the last space and widens them to 64 bits, or leaves them in their array.
//! 3. Parents: reads the coordinates of each space above. A tile by fibers reads them once per fiber, with the end
//!    of each fiber. If the entries of some space have four fibers or more on average, it reads the coordinates from
//!    this space up once per group of fibers. A tile without fibers repeats each coordinate for all elements below
//!    it.
//! 4. Values: borrows the values. Copies the values of blocks, together with the coordinates of each position.
//! 5. Map: adds up the coordinates of a mapped tensor from the stored ones (`unmap.rs`).
//!
//! All data of a tile stays in the first-level cache.

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

/// The largest factor by which a tile by fibers has more elements than other tiles. Most of its columns have only one
/// slot per fiber, so more elements share the cost of a tile.
const FIBER_TILE: usize = 4;

/// The least average number of fibers below an entry for which a tile has groups of fibers. A fiber is a run of elements
/// that differ only in the coordinate of the last level. An entry is a position of a level above, and the fibers below it
/// form a group. With fewer fibers, the loop over groups costs more than it saves.
const FIBERS_PER_GROUP: usize = 4;

/// Consecutive levels with the same positions: the first level, and the branchless levels after it.
struct PositionSpace<'p> {
    /// The first level of the space, which defines the positions.
    level: LevelView<'p>,
    /// The levels, each with the number of the stored axis of its coordinates.
    columns: Vec<(LevelView<'p>, usize)>,
    /// The number of positions.
    entries: usize,
}

/// The elements of one tensor. Decoding may start at any element.
pub(super) struct Stream<'p, V: Clone> {
    spaces: Vec<PositionSpace<'p>>,
    /// The number of elements. With dense axes, each block counts as one element.
    pub elements: usize,
    /// The dense axes of a block, each as its number and the coordinate in it of every position in the block.
    block: Vec<(usize, Vec<u64>)>,
    values: &'p [V],
    /// The distance from the value of one element to the next: 1, or 0 if one value stands for all.
    value_stride: usize,
    fill: &'p V,
    stored_axes: usize,
    rank: usize,
    map: Option<Vec<Addend>>,
    /// For a map to diagonals: one less than each extent except the last. Empty for other maps.
    diagonals: Vec<u64>,
    watcher: Option<Watcher<'p>>,
    /// The number of this pass over the elements, from 0, and the number of passes.
    pub pass: [usize; 2],
    /// The axis of the first level, if the elements are sorted by their coordinates in this axis. It is `None` if they are
    /// not, and for tensors with dense axes, with a coordinate map, or without levels.
    pub leading: Option<usize>,
}

/// The properties of the tiles that a kernel needs.
pub(super) struct TileOptions {
    /// True for tiles by fibers, if the tensor has fibers.
    pub by_fiber: bool,
    /// True if the kernel can read leaf coordinates in their stored array.
    pub stored_leaves: bool,
    /// True if the kernel prefetches values and leaf coordinates itself.
    pub has_lookahead: bool,
    /// The number of this pass over the elements, from 0, and the number of passes. With `None`, the tiles report no
    /// progress.
    pub share: Option<[usize; 2]>,
}

impl TileOptions {
    /// Tiles without fibers, in a single pass.
    pub const ELEMENTS: TileOptions = TileOptions { by_fiber: false, stored_leaves: false, has_lookahead: false, share: Some([0, 1]) };
}

impl<'p, V: Scalar> Stream<'p, V> {
    /// Returns the stream of a tensor that stores mapped coordinates; `None` is the identity. Fails if it stores no values.
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

    /// Returns the leaf axis: each element has its own coordinate there, and the elements of a fiber share all other
    /// coordinates. Returns `None` if the tensor has no fibers.
    pub fn leaf(&self) -> Option<usize> {
        match &self.spaces[..] {
            [.., _, PositionSpace { columns, .. }] if self.map.is_none() && self.block.is_empty() => match columns[..] {
                [(_, axis)] => Some(axis),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the average number of elements per fiber, rounded down, or 0 without fibers.
    fn per_fiber(&self) -> usize {
        self.spaces.len().checked_sub(2).and_then(|above| self.elements.checked_div(self.spaces[above].entries)).unwrap_or(0)
    }

    /// Tests whether fibers have at least two elements on average. With fewer, a loop over fibers costs more than it
    /// saves.
    pub fn shares(&self) -> bool {
        self.per_fiber() >= 2
    }

    /// Returns the coordinate of element `element` in the axis of the first level.
    pub fn first_coordinate(&self, element: usize) -> usize {
        let Some((first, rest)) = self.spaces.split_first() else { return 0 };
        let entry = rest.iter().rev().fold(element, |entry, space| space.level.parent(entry));
        first.level.at(0, entry) as usize
    }

    /// Returns the first element after `element` with another coordinate in the axis of the first level. It searches
    /// at most `most` entries of that level, and returns the first element after these if all of them have the same
    /// coordinate.
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

    /// Returns the first element after the fiber of element `element`.
    pub fn next_fiber(&self, element: usize) -> usize {
        let next = self.fiber(element) + 1;
        self.spaces.last().map_or(element, |space| space.level.below(next..next).start)
    }

    /// Returns the number of values per element: 1, or the size of a block.
    pub fn positions(&self) -> usize {
        self.block.first().map_or(1, |(_, inner)| inner.len())
    }

    /// Returns the fiber of an element: its entry in the last level above the leaf.
    pub fn fiber(&self, element: usize) -> usize {
        self.spaces.last().map_or(0, |space| space.level.parent(element))
    }

    /// Returns the tiles of a range of elements, in their order.
    pub fn tiles(&self, elements: Range<usize>, options: TileOptions) -> Tiles<'_, 'p, V> {
        let by_fiber = options.by_fiber && self.leaf().is_some();
        let step = if by_fiber { TILE * self.per_fiber().clamp(1, FIBER_TILE) } else { (TILE / self.positions()).max(1) };
        Tiles { stream: self, start: elements.start, elements, step, options: TileOptions { by_fiber, ..options }, reported: 0 }
    }
}

/// A cursor over the tiles of a range of elements. It decodes into a tile that the caller keeps.
pub(super) struct Tiles<'s, 'p, V: Clone> {
    stream: &'s Stream<'p, V>,
    elements: Range<usize>,
    /// The first element of the next tile.
    start: usize,
    step: usize,
    options: TileOptions,
    /// The number of elements reported so far.
    reported: usize,
}

impl<'p, V: Scalar> Tiles<'_, 'p, V> {
    /// Decodes the next elements into `tile`, or returns false if none are left. Reports the elements of the previous
    /// tiles as done.
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

    /// Reports the elements of the tiles so far, if enough are unreported or the range has ended.
    fn report(&mut self) {
        let Some((watcher, [share, shares])) = self.stream.watcher.zip(self.options.share) else { return };
        // Pass `k` of `p` over `n` elements reports `(n + k) / p` of them. All passes together report `n` (Hermite's
        // identity).
        let (pass, passes) = (self.stream.pass[0] * shares + share, self.stream.pass[1] * shares);
        let done = (self.start - self.elements.start + pass) / passes;
        if done >= self.reported + REPORT_INTERVAL || (self.start == self.elements.end && done > self.reported) {
            watcher(done - self.reported);
            self.reported = done;
        }
    }
}

/// The task that decodes one tile.
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
        // Steps 1 to 3: find the range, and read the coordinates of leaves and parents.
        self.columns(range.clone(), options, &mut stored, tile);
        // Step 4: borrow or copy the values.
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
        // Step 5: map the stored coordinates to those of the tensor.
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
                    // The number of a diagonal and the coordinate in the last axis determine the other coordinate.
                    for (column, most) in others.iter_mut().zip(&self.diagonals) {
                        column.iter_mut().zip(&*last).for_each(|(x, last)| *x = last.wrapping_sub(*x).wrapping_add(*most));
                    }
                }
            }
        }
        tile.scratch.stored = stored;
        tile.extend_columns(self.leaf());
    }

    /// Decodes the stored coordinates of all axes, the ends of fibers and groups: steps 1 to 3.
    #[inline(always)]
    fn columns(&self, range: Range<usize>, options: &TileOptions, stored: &mut [Vec<u64>], tile: &mut Tile<'p, V>) {
        let Some(last) = self.spaces.len().checked_sub(1) else { return };
        let Tile { stored_leaves, fiber_ends, group_ends, is_grouped, first_fiber, streamed, scratch, .. } = tile;
        let Scratch { entries, ends, child_ends, column, .. } = scratch;
        let by_fiber = options.by_fiber;
        // Step 1: find the range of each position space.
        entries.resize(last + 1, 0..0);
        entries[last] = range.clone();
        for s in (0..last).rev() {
            let (level, below) = (self.spaces[s + 1].level, entries[s + 1].clone());
            // Tiles follow each other, so the parents begin where the previous tile ended, and the search goes only a
            // few entries further.
            let start = level.parent_near(entries[s].end.saturating_sub(1), below.start);
            entries[s] = start..level.parent_near(start, below.end - 1) + 1;
        }
        // Step 2: read the coordinates of the leaves.
        let ahead = self.with_lookahead(&range);
        *stored_leaves = None;
        for (level, axis) in &self.spaces[last].columns {
            // The kernel also reads `LOOKAHEAD` coordinates past the range, so it may read in place only if they
            // exist.
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
        // Step 3: read the coordinates of the parents. A slot is an entry of the space `slots`: an element or a fiber or,
        // from some space up, a group of fibers.
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
            // Find the number of slots up to the end of each entry. The children of an entry are slots themselves if
            // their space is `slots`.
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

    /// Decodes the coordinates of the entries of a space, and of up to `LOOKAHEAD` entries after them for prefetches.
    #[inline(always)]
    fn space_columns(&self, space: usize, entries: &Range<usize>, stored: &mut [Vec<u64>]) {
        let beyond = (entries.end + LOOKAHEAD).min(self.spaces[space].entries);
        for (level, axis) in &self.spaces[space].columns {
            coordinates_into(level, entries.start..beyond, true, &mut stored[*axis]);
        }
    }

    /// Returns the range extended by up to `LOOKAHEAD` elements for prefetches. It is not extended for blocks, nor
    /// for mapped tensors with several position spaces.
    fn with_lookahead(&self, range: &Range<usize>) -> Range<usize> {
        let further = if self.block.is_empty() && (self.map.is_none() || self.spaces.len() == 1) { LOOKAHEAD } else { 0 };
        range.start..(range.end + further).min(self.elements.max(range.end))
    }

    /// Copies the elements of blocks with their coordinates. Skips values equal to the fill value if the tensor is
    /// mapped.
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
