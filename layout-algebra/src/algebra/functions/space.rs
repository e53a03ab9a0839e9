//! Spaces over F2 with the columns that make each vector.

use super::columns::PARTS;

/// The span of columns. Each vector has a highest bit of its own, and the mask of the columns that it is the sum of.
pub(super) struct Space {
    vector: [u64; 64],
    columns: [u128; 64],
}

const _: () = assert!(PARTS <= 128, "a mask has a bit for each column");

impl Space {
    pub const EMPTY: Space = Space { vector: [0; 64], columns: [0; 64] };

    /// Returns what the span leaves of `x`, and the columns whose sum is the difference. The rest is 0 if `x` is in the span.
    pub const fn reduce(&self, x: u64) -> (u64, u128) {
        let (mut rest, mut columns) = (x, 0);
        let mut bit = 64;
        while bit > 0 {
            bit -= 1;
            if rest >> bit & 1 == 1 && self.vector[bit] != 0 {
                rest ^= self.vector[bit];
                columns ^= self.columns[bit];
            }
        }
        (rest, columns)
    }

    /// Adds column number `number`. Returns the columns whose sum is 0 if it is in the span already.
    pub const fn insert(&mut self, column: u64, number: usize) -> Option<u128> {
        let (rest, columns) = self.reduce(column);
        let columns = columns ^ 1 << number;
        if rest == 0 {
            return Some(columns);
        }
        let bit = 63 - rest.leading_zeros() as usize;
        (self.vector[bit], self.columns[bit]) = (rest, columns);
        None
    }

    /// Returns the greatest sum of `x` and a vector of the span, or the least one, and the columns of the vector.
    pub const fn extreme(&self, x: u64, greatest: bool) -> (u64, u128) {
        let (mut sum, mut columns) = (x, 0);
        let mut bit = 64;
        while bit > 0 {
            bit -= 1;
            if self.vector[bit] != 0 && (sum >> bit & 1 == 1) != greatest {
                sum ^= self.vector[bit];
                columns ^= self.columns[bit];
            }
        }
        (sum, columns)
    }
}
