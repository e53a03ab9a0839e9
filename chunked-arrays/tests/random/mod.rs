//! Random numbers, and random lengths of chunks.

use chunked_arrays::Axis;

/// A generator of numbers (PCG).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit.max(1)
    }

    /// Returns an axis with a list of lengths.
    pub fn listed(&mut self, extent: u64) -> Axis {
        let mut lengths = Vec::new();
        let mut left = extent;
        while left > 0 {
            lengths.push(1 + self.below(left));
            left -= lengths[lengths.len() - 1];
        }
        Axis::rectilinear(lengths)
    }
}
