//! Prefetches the arrays that tiles are decoded from, two tiles ahead, while a kernel works on the elements of the
//! current tile.

use super::tile::{Streamed, TILE, Tile};
use crate::kernels::prefetch::{LINE, prefetch_address};

/// The number of elements in a batch, whose prefetches are issued together.
const BATCH: usize = 32;

/// The largest number of elements of a short fiber, for which one prefetch per array is enough.
const FEW: usize = 8;

/// The distance of prefetches, in elements.
const DISTANCE: usize = 2 * TILE;

/// The prefetches of a kernel that reads a tile element by element.
pub(super) struct ElementLookahead<'t> {
    streamed: &'t [Streamed],
    /// The average number of stored elements per element of the tile: 1, or more if elements were filtered out.
    stored_per_element: usize,
    /// The first element whose prefetches have not been issued.
    next: usize,
}

impl ElementLookahead<'_> {
    /// Returns the end of the batch of elements that begins at `start`, and issues its prefetches.
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

/// Prefetches `bytes` bytes for each element of a batch.
#[inline(always)]
fn prefetch_batch(from: usize, bytes: usize) {
    (0..BATCH * bytes).step_by(LINE).for_each(|at| prefetch_address(from.wrapping_add(at)));
}

/// The prefetches of a kernel that reads a tile fiber by fiber. They cover two arrays: the values, and the leaf
/// coordinates.
pub(super) struct FiberLookahead {
    /// The addresses to prefetch for the first element, one in each array.
    from: [usize; 2],
    /// The number of bytes per element of the tile in each array.
    bytes: [usize; 2],
    /// The first element of a long fiber whose prefetches have not been issued.
    next: usize,
}

impl FiberLookahead {
    /// Returns the end of the batch of elements that begins at `start` in a fiber, and issues its prefetches.
    #[inline(always)]
    pub fn batch(&mut self, start: usize, end: usize) -> usize {
        // One line covers a short fiber, and needs no branch.
        for k in 0..2 {
            prefetch_address(self.from[k].wrapping_add(start.wrapping_mul(self.bytes[k])));
        }
        if end - start > FEW { self.long_batch(start, end) } else { end }
    }

    #[inline(always)]
    fn long_batch(&mut self, start: usize, end: usize) -> usize {
        let end = if end - start <= 2 * BATCH { end } else { start + BATCH };
        self.next = self.next.max(start);
        // Issue the same number of prefetches each time, wherever a batch ends, so that the processor predicts the
        // ends of these loops.
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
    /// Returns the prefetches for a pass over the elements in their order.
    #[inline(always)]
    pub fn element_lookahead(&self) -> ElementLookahead<'_> {
        ElementLookahead { streamed: &self.streamed, stored_per_element: self.stored_per_element, next: 0 }
    }

    /// Returns the prefetches for a pass over the fibers in their order.
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
