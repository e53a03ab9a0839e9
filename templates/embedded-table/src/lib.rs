//! Without a heap: a table that the compiler fills and the linker puts into flash, and a buffer with padded lines.
#![no_std]

use crd2idx::prelude::*;

layout! {
    /// Neighbours of a pixel: rows, columns.
    pub type Neighbours = (3, 3) : (3, 1);
}

table! {
    /// The weights of the neighbours: 4 in the middle, 2 beside it, 1 at the corners.
    pub static WEIGHTS: i16, Neighbours = |row, column| (if row == 1 { 2 } else { 1 }) * (if column == 1 { 2 } else { 1 });
}

layout! {
    /// 8 lines of 16 pixels, 20 apart, as a DMA controller writes them.
    pub type Frame = (8, 16) : (20, 1);
}

/// The storage of a frame: the last line needs no padding.
pub type Pixels = Owned<u8, Frame, { 7 * 20 + 16 }>;

/// Returns the weighted mean of the neighbours of pixel `(row, column)`, which is not at the edge.
pub fn blurred(frame: &Pixels, row: usize, column: usize) -> u8 {
    let mut sum = 8;
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        sum += WEIGHTS[(i, j)] * i16::from(frame[(row + i - 1, column + j - 1)]);
    }
    (sum >> 4) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bright_pixel_is_spread() {
        let mut frame = Pixels::filled(Frame, 0);
        frame[(3, 4)] = 160;
        assert_eq!([blurred(&frame, 3, 4), blurred(&frame, 3, 5), blurred(&frame, 2, 5), blurred(&frame, 3, 6)], [40, 20, 10, 0]);
    }
}
