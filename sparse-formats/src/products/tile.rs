//! A tile: up to a few thousand consecutive elements of a tensor, decoded for a kernel.
//!
//! A tile has one column of coordinates for each axis. A tile without fibers has one slot per element in every
//! column. A tile by fibers has one slot per element only in the leaf axis. The coordinates of the other axes are
//! shared: they have one slot per fiber, or one slot per group of fibers.

use crate::Indices;
use alloc::vec::Vec;
use core::ops::Range;

/// The number of elements in a tile without fibers.
pub(super) const TILE: usize = 1024;

/// The number of extra slots after the last one of a column: the coordinates that a kernel prefetches.
pub(super) const LOOKAHEAD: usize = 16;

/// An array with one value or one coordinate per stored element that a tile is decoded from.
#[derive(Clone, Copy)]
pub(super) struct Streamed {
    /// The address of the value or coordinate of the first element of the tile.
    pub address: usize,
    /// The number of bytes per element.
    pub bytes: usize,
}

/// Decoded elements, and the memory that they are decoded into.
pub(super) struct Tile<'p, V> {
    /// The column of each axis. `LOOKAHEAD` more coordinates follow the slots, for prefetches: the first ones of the
    /// next tile, or copies of the last one.
    pub coordinates: Vec<Vec<u64>>,
    /// The stored array of leaf coordinates, if a tile by fibers reads it in place. The column of the leaf axis is
    /// then empty.
    pub stored_leaves: Option<&'p Indices<'p>>,
    /// The number of elements.
    pub len: usize,
    /// The number of the first element in the tensor. It has no meaning for elements of blocks.
    pub first: usize,
    /// True if neighbours share a coordinate only by chance, so that a kernel does not test for it.
    pub unordered: bool,
    /// True for a tile by fibers.
    pub by_fiber: bool,
    /// The end of each fiber. A fiber may have no elements.
    pub fiber_ends: Vec<usize>,
    /// The end of each group, counted in fibers. The fibers of a group share their coordinate in every axis of
    /// `is_grouped`.
    pub group_ends: Vec<usize>,
    /// A flag for each axis: true if its column has one slot per group.
    pub is_grouped: Vec<bool>,
    /// The entry of the last level above the leaf that is the first fiber.
    pub first_fiber: usize,
    /// For elements of blocks, their positions in the array of all values. Empty for other elements.
    pub value_positions: Vec<usize>,
    /// The row numbers of the fibers and of the fibers after the tile, if the result has one row per fiber.
    pub fiber_rows: Vec<u64>,
    /// The arrays that the elements are decoded from: the values, and the leaf coordinates if they are stored.
    pub(super) streamed: Vec<Streamed>,
    /// The average number of stored elements per element of the tile, rounded up. It exceeds 1 if elements were
    /// filtered out.
    pub(super) stored_per_element: usize,
    /// The values in the storage of the tensor. With `None`, the values are in `own`.
    pub(super) shared: Option<&'p [V]>,
    pub(super) own: Vec<V>,
    pub(super) scratch: Scratch,
}

/// Buffers that decoding reuses from one tile to the next.
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

    /// Extends each column to `LOOKAHEAD` slots after its last one, with copies of its last coordinate where the
    /// following ones were not decoded. `leaf` is the leaf axis.
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

    /// Returns the column of an axis, and the same column `DISTANCE` slots further on.
    #[inline(always)]
    pub fn column<const DISTANCE: usize>(&self, axis: usize, slots: usize) -> [&[u64]; 2] {
        let column = &self.coordinates[axis];
        [&column[..slots], &column[DISTANCE..][..slots]]
    }

    /// Returns the slice of a stored array that belongs to the elements of the tile, and the same slice `LOOKAHEAD`
    /// elements further on.
    #[inline(always)]
    pub fn part_of<'a, I>(&self, all: &'a [I]) -> [&'a [I]; 2] {
        let from = &all[self.first..];
        [&from[..self.len], &from[LOOKAHEAD..][..self.len]]
    }

    /// Returns the number of fibers.
    #[inline(always)]
    pub fn fibers(&self) -> usize {
        self.fiber_ends.len()
    }

    /// Returns the range of the elements of fiber number `slot`, counted from the first element of the tile.
    #[inline(always)]
    pub fn fiber(&self, slot: usize) -> Range<usize> {
        let begin = if slot == 0 { 0 } else { self.fiber_ends[slot - 1] };
        begin..self.fiber_ends[slot]
    }

    /// Returns the values of the elements.
    pub fn values(&self) -> &[V] {
        self.shared.unwrap_or(&self.own)
    }

    /// Iterates over the positions of the elements in the array of all values.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        let counted = if self.value_positions.is_empty() { self.first..self.first + self.len } else { 0..0 };
        counted.chain(self.value_positions.iter().copied())
    }
}

/// Fills `out` so that slot `k` holds `numbers[i]` for the first `i` with `k < ends[i]`.
#[inline(always)]
pub(super) fn expand(numbers: &[u64], ends: &[usize], out: &mut Vec<u64>) {
    let slots = ends.last().copied().unwrap_or(0);
    // Always write two slots, because few short fibers have more. The next number overwrites a slot too many.
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
