//! A blur of an image that arrives line by line, for a microcontroller: three lines in static storage, no heap, no division.

use crd2idx::prelude::*;

/// Pixels of a line.
pub const WIDTH: usize = 32;

layout! {
    /// Three lines of 32 pixels, padded to 40.
    pub type Lines = (3,32) : (40,1);
}

/// Weights of the neighbours in 1/16: those of a line times those of a column.
const WEIGHTS: [u32; 3] = [1, 2, 1];

/// The last three lines, and how many came.
pub struct Blur {
    lines: Owned<u8, Lines, { 2 * 40 + WIDTH }>,
    /// Where the next line goes.
    next: usize,
    /// How many lines there are, at most three.
    filled: usize,
}

impl Blur {
    /// No line yet.
    pub const fn new() -> Self {
        Blur { lines: Owned::filled(Lines, 0), next: 0, filled: 0 }
    }

    /// Takes a line. From the third on, gives the blurred line before it; pixels at the ends have no left or right neighbour and stay 0.
    pub fn push(&mut self, line: &[u8; WIDTH], out: &mut [u8; WIDTH]) -> bool {
        for (x, pixel) in line.iter().enumerate() {
            self.lines[(self.next, x)] = *pixel;
        }
        self.next = if self.next == 2 { 0 } else { self.next + 1 };
        if self.filled < 2 {
            self.filled += 1;
            return false;
        }
        *out = [0; WIDTH];
        for (x, blurred) in out.iter_mut().enumerate().take(WIDTH - 1).skip(1) {
            let mut sum = 8;
            for (row, weight) in [self.next, self.next + 1, self.next + 2].into_iter().zip(WEIGHTS) {
                let row = if row >= 3 { row - 3 } else { row };
                for (k, other) in WEIGHTS.into_iter().enumerate() {
                    sum += weight * other * u32::from(self.lines[(row, x + k - 1)]);
                }
            }
            *blurred = (sum >> 4) as u8;
        }
        true
    }
}

impl Default for Blur {
    fn default() -> Self {
        Blur::new()
    }
}
