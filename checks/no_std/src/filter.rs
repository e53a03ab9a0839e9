//! A blur of an image that arrives line by line, for a microcontroller. It keeps three lines in static storage and
//! its weights in flash, and needs no heap and no division.

use crd2idx::prelude::*;
use crd2idx::table;

/// The number of pixels of a line.
pub const WIDTH: usize = 32;

layout! {
    /// Three lines of 32 pixels, padded to 40.
    pub type Lines = (3,32) : (40,1);
    /// For each pixel with two neighbours, the three pixels around it in each line. The values are coordinates of `Lines`,
    /// and the sets of pixels overlap.
    type Around = (3,3,30) : (1,3,3);
    /// For each number of the oldest line, the weights of the three lines.
    type Weights = (3,3) : (3,1);
}

table! {
    /// Weights in quarters: 1, and 2 for the line in the middle.
    #[cfg_attr(any(target_os = "linux", target_os = "none"), unsafe(link_section = ".rodata.weights"))]
    static WEIGHTS: u8, Weights = |oldest, line| 1 + ((line + 3 - oldest) % 3 == 1) as u8;
}

/// The number of a line. Its type has three values, so that no access to a line needs a check.
#[derive(Clone, Copy)]
enum Line {
    First,
    Second,
    Third,
}

impl Line {
    /// Returns the line that comes after this one.
    const fn next(self) -> Line {
        match self {
            Line::First => Line::Second,
            Line::Second => Line::Third,
            Line::Third => Line::First,
        }
    }
}

/// A filter that keeps the last three lines of an image.
pub struct Blur {
    lines: Owned<u8, Lines, { 2 * 40 + WIDTH }>,
    /// The line that the next line replaces: the oldest one.
    oldest: Line,
    /// The number of lines so far, counted up to two.
    filled: usize,
}

impl Blur {
    /// Creates a filter that has no lines yet.
    pub const fn new() -> Self {
        Blur { lines: Owned::filled(Lines, 0), oldest: Line::First, filled: 0 }
    }

    /// Takes the next line of the image. Returns true from the third line on, and then writes the blurred previous line to
    /// `out`. The pixels at both ends lack a neighbour and become 0.
    pub fn push(&mut self, line: &[u8; WIDTH], out: &mut [u8; WIDTH]) -> bool {
        self.lines.slice_mut((self.oldest as usize, Keep)).for_each_at_mut(|(x,): (usize,), pixel| *pixel = line[x]);
        self.oldest = self.oldest.next();
        if self.filled < 2 {
            self.filled += 1;
            return false;
        }
        *out = [0; WIDTH];
        let (weights, around) = (WEIGHTS.slice((self.oldest as usize, Keep)), self.lines.view().composition(Around));
        for x in 0..WIDTH - 2 {
            let mut sum = 8;
            for line in 0..3 {
                let pixel = |k| u32::from(around[(line, k, x)]);
                sum += u32::from(weights[line]) * (pixel(0) + 2 * pixel(1) + pixel(2));
            }
            out[x + 1] = (sum >> 4) as u8;
        }
        true
    }
}

impl Default for Blur {
    fn default() -> Self {
        Blur::new()
    }
}
