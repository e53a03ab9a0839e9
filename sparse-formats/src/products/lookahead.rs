//! Prefetches of the arrays that a tile is read from, two tiles ahead, while its elements are worked on.

use super::tile::{Streamed, TILE, Tile};
use crate::kernels::prefetch::{LINE, prefetch_address};

/// The number of elements whose successors are prefetched together.
const BATCH: usize = 32;

/// The most elements of a fiber that lie in one or two lines of an array.
const FEW: usize = 8;

/// How many elements ahead arrays are prefetched.
const DISTANCE: usize = 2 * TILE;

/// Prefetches for a kernel that reads the elements of a tile one after the other.
pub(super) struct ElementLookahead<'t> {
    streamed: &'t [Streamed],
    /// The stored elements for each element of the tile.
    stored_per_element: usize,
    /// The first element whose successors are not prefetched yet.
    next: usize,
}

impl ElementLookahead<'_> {
    /// Returns the end of the next batch of elements from `start` on, and prefetches what lies as far ahead of it.
    #[inline(always)]
    pub fn batch(&mut self, start: usize, end: usize) -> usize {
        let end = end.min(start + BATCH);
        while self.next < end {
            for Streamed { address, bytes } in self.streamed {
                prefetch_batch(
                    address.wrapping_add((self.next * self.stored_per_element + DISTANCE) * bytes),
                    self.stored_per_element * bytes,
                );
            }
            self.next += BATCH;
        }
        end
    }
}

/// Prefetches so many bytes for each element of a batch.
#[inline(always)]
fn prefetch_batch(from: usize, bytes: usize) {
    (0..BATCH * bytes).step_by(LINE).for_each(|at| prefetch_address(from.wrapping_add(at)));
}

/// Prefetches for a kernel that reads the elements of a tile fiber by fiber: of values, and of the coordinates that elements do not share.
pub(super) struct FiberLookahead {
    /// The addresses of what lies ahead of the first element.
    from: [usize; 2],
    /// The bytes for each element.
    bytes: [usize; 2],
    /// The first element of long fibers whose successors are not prefetched yet.
    next: usize,
}

impl FiberLookahead {
    /// Returns the end of the next batch of elements of a fiber from `start` on, and prefetches what lies as far ahead of it.
    #[inline(always)]
    pub fn batch(&mut self, start: usize, end: usize) -> usize {
        // One line is as much as a short fiber reads, and takes no decision.
        for k in 0..2 {
            prefetch_address(self.from[k].wrapping_add(start.wrapping_mul(self.bytes[k])));
        }
        if end - start > FEW { self.long_batch(start, end) } else { end }
    }

    #[inline(always)]
    fn long_batch(&mut self, start: usize, end: usize) -> usize {
        let end = if end - start <= 2 * BATCH { end } else { start + BATCH };
        self.next = self.next.max(start);
        // The same number of lines each time, wherever batches end, so that processors predict the ends of these loops.
        while self.next < end {
            for k in 0..2 {
                prefetch_batch(self.from[k].wrapping_add(self.next.wrapping_mul(self.bytes[k])), self.bytes[k]);
            }
            self.next += BATCH;
        }
        end
    }
}

impl<V> Tile<'_, V> {
    /// The prefetches for a pass over the elements in their order.
    #[inline(always)]
    pub fn element_lookahead(&self) -> ElementLookahead<'_> {
        ElementLookahead { streamed: &self.streamed, stored_per_element: self.stored_per_element, next: 0 }
    }

    /// The prefetches for a pass over the fibers in their order.
    #[inline(always)]
    pub fn fiber_lookahead(&self) -> FiberLookahead {
        let first = self.streamed.first().copied().unwrap_or(Streamed { address: self.own.as_ptr().addr(), bytes: 0 });
        let both = [first, self.streamed.get(1).copied().unwrap_or(first)];
        FiberLookahead {
            from: both.map(|Streamed { address, bytes }| address.wrapping_add(DISTANCE * bytes)),
            bytes: both.map(|Streamed { bytes, .. }| bytes * self.stored_per_element),
            next: 0,
        }
    }
}
