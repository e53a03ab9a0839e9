//! A tile: some elements of a tensor, decoded, which a kernel works on at a time.
//!
//! Its columns have a slot for each element. By fibers, they have a slot for each fiber, or for each group of fibers, of the coordinates that its elements
//! share; the coordinates that elements do not share, those of the leaf axis, have a slot for each element.

use crate::Indices;
use alloc::vec::Vec;
use core::ops::Range;

/// The elements of a tile.
pub(super) const TILE: usize = 1024;

/// Columns go on for so many slots behind the last, to be prefetched.
pub(super) const LOOKAHEAD: usize = 16;

/// An array that the elements of a tile are read from, value or coordinate by value or coordinate.
#[derive(Clone, Copy)]
pub(super) struct Streamed {
    /// The address of the first element of the tile.
    pub address: usize,
    /// The bytes of an element.
    pub bytes: usize,
}

/// Some elements, and the memory for them.
pub(super) struct Tile<'p, V> {
    /// The column of each axis. Behind its slots are the coordinates of the next ones, or the last one again, to be prefetched.
    pub coordinates: Vec<Vec<u64>>,
    /// By fibers, the leaf coordinates where the level stores them. Their column is empty then.
    pub stored_leaves: Option<&'p Indices<'p>>,
    /// The number of elements.
    pub len: usize,
    /// The number of the first element in the tensor. Without meaning for elements of blocks.
    pub first: usize,
    /// True where neighbours share a coordinate by chance alone.
    pub unordered: bool,
    /// True where it is by fibers.
    pub by_fiber: bool,
    /// The end of each fiber. A fiber may have no elements.
    pub fiber_ends: Vec<usize>,
    /// The end of each group of fibers, which share all coordinates but those of the fibers.
    pub group_ends: Vec<usize>,
    /// For each axis, whether its slots are groups.
    pub is_grouped: Vec<bool>,
    /// The entry of the levels that is the first fiber.
    pub first_fiber: usize,
    /// The positions among all values of elements of blocks. Empty for others.
    pub value_positions: Vec<usize>,
    /// The rows of a result that has one for each fiber, with those of the next fibers.
    pub fiber_rows: Vec<u64>,
    /// The arrays that elements are read from.
    pub(super) streamed: Vec<Streamed>,
    /// The stored elements for each element of the tile: more than 1 where some have been left out.
    pub(super) stored_per_element: usize,
    /// The values where they lie; else they are in `own`.
    pub(super) shared: Option<&'p [V]>,
    pub(super) own: Vec<V>,
    pub(super) scratch: Scratch,
}

/// Memory that steps of decoding leave to those of the next tile.
#[derive(Default)]
pub(super) struct Scratch {
    pub stored: Vec<Vec<u64>>,
    pub entries: Vec<Range<usize>>,
    pub ends: Vec<usize>,
    pub child_ends: Vec<usize>,
    pub column: Vec<u64>,
    pub in_blocks: Vec<(usize, usize)>,
}

impl<V> Tile<'_, V> {
    pub fn new() -> Self {
        Tile {
            coordinates: Vec::new(),
            stored_leaves: None,
            len: 0,
            first: 0,
            unordered: false,
            by_fiber: false,
            fiber_ends: Vec::new(),
            group_ends: Vec::new(),
            is_grouped: Vec::new(),
            first_fiber: 0,
            value_positions: Vec::new(),
            fiber_rows: Vec::new(),
            streamed: Vec::new(),
            stored_per_element: 1,
            shared: None,
            own: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Continues each column behind its slots with its last coordinate, where the next ones are not known. `leaf` is the axis of the coordinates that
    /// elements do not share.
    #[inline(always)]
    pub(super) fn extend_columns(&mut self, leaf: Option<usize>) {
        for (axis, column) in self.coordinates.iter_mut().enumerate() {
            let own = Some(axis) == leaf;
            if own && self.stored_leaves.is_some() {
                continue;
            }
            let slots = match self.by_fiber && !own {
                true if self.is_grouped[axis] => self.group_ends.len(),
                true => self.fiber_ends.len(),
                false => self.len,
            };
            let last = column.last().copied().unwrap_or(0);
            column.resize(slots + LOOKAHEAD, last);
        }
    }

    /// The coordinates of the slots in an axis, and of those `DISTANCE` further on.
    #[inline(always)]
    pub fn column<const DISTANCE: usize>(&self, axis: usize, slots: usize) -> [&[u64]; 2] {
        let column = &self.coordinates[axis];
        [&column[..slots], &column[DISTANCE..][..slots]]
    }

    /// The coordinates of the elements in a stored array of all, and those further on.
    #[inline(always)]
    pub fn part_of<'a, I>(&self, all: &'a [I]) -> [&'a [I]; 2] {
        let from = &all[self.first..];
        [&from[..self.len], &from[LOOKAHEAD..][..self.len]]
    }

    /// The number of fibers.
    #[inline(always)]
    pub fn fibers(&self) -> usize {
        self.fiber_ends.len()
    }

    /// The elements of a fiber, counted from the first of the tile.
    #[inline(always)]
    pub fn fiber(&self, slot: usize) -> Range<usize> {
        let begin = if slot == 0 { 0 } else { self.fiber_ends[slot - 1] };
        begin..self.fiber_ends[slot]
    }

    /// The values of the elements.
    pub fn values(&self) -> &[V] {
        self.shared.unwrap_or(&self.own)
    }

    /// The positions of the elements among all values.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        let counted = if self.value_positions.is_empty() { self.first..self.first + self.len } else { 0..0 };
        counted.chain(self.value_positions.iter().copied())
    }
}

/// Replaces `out` by each number as often as there are slots up to its end.
#[inline(always)]
pub(super) fn expand(numbers: &[u64], ends: &[usize], out: &mut Vec<u64>) {
    let slots = ends.last().copied().unwrap_or(0);
    // Two at once, as few have more in short fibers: what is too much is written again.
    out.resize(slots + 2, 0);
    let (mut from, column) = (0, &mut out[..]);
    for (number, end) in numbers.iter().zip(ends) {
        let Some(([first, second], rest)) = column[from..].split_first_chunk_mut() else { break };
        (*first, *second) = (*number, *number);
        let more = end.saturating_sub(from + 2);
        if more > 0 {
            rest[..more].fill(*number);
        }
        from = *end;
    }
    out.truncate(slots);
}
