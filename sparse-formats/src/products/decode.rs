//! Decodes a range of positions of one level into a column of a tile: their coordinates, or the ends of their
//! parents.

use crate::kernels::prefetch::prefetch_stream;
use crate::with_indices;
use alloc::vec::Vec;
use array_kernels::{LevelView, Ranges};
use core::ops::Range;
use layout_levels::{Consecutive, Index, Level};

/// Replaces `out` by `end - positions.start` for each parent, where `end` is the end of its positions in `level`, but at
/// most `positions.end`.
#[inline(always)]
pub(super) fn ends_into(level: &LevelView, parents: Range<usize>, positions: &Range<usize>, out: &mut Vec<usize>) {
    out.resize(parents.len(), 0);
    match level.ranges() {
        Ranges::Pointers(pointers) => with_indices!(pointers, array => {
            let array = &array[parents.start + 1..parents.end + 1];
            prefetch_stream(array);
            for (slot, end) in out.iter_mut().zip(array) {
                *slot = end.to_usize().min(positions.end) - positions.start;
            }
        }),
        _ => {
            let end = |parent: usize| level.begin(parent + 1).min(positions.end) - positions.start;
            out.iter_mut().zip(parents).for_each(|(slot, parent)| *slot = end(parent));
        }
    }
}

/// Returns the address of the stored coordinate of a position, and its number of bytes. Returns `None` for a level
/// that stores no coordinates.
pub(super) fn address(level: &LevelView, position: usize) -> Option<[usize; 2]> {
    let stored = level.stored()?;
    with_indices!(stored.indices, array => {
        let address = array.as_ptr().wrapping_add(position);
        Some([address.addr(), size_of_val(&array[..]) / array.len().max(1)])
    })
}

/// Replaces `out` by the coordinates of a range of positions. The level must not derive coordinates from pointers.
/// With `ahead`, it prefetches the coordinates a page further on.
#[inline(always)]
pub(super) fn coordinates_into(level: &LevelView, positions: Range<usize>, ahead: bool, out: &mut Vec<u64>) {
    out.resize(positions.len(), 0);
    match level.stored() {
        Some(stored) => with_indices!(stored.indices, array => {
            let array = &array[positions];
            if ahead {
                prefetch_stream(array);
            }
            for (slot, x) in out.iter_mut().zip(array) {
                *slot = x.to_u64();
            }
        }),
        None => {
            let extent = level.extent(0).max(1);
            let mut next = positions.start % extent;
            for slot in out {
                *slot = next as u64;
                next = if next + 1 == extent { 0 } else { next + 1 };
            }
        }
    }
}
