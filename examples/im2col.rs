//! A convolution as a matrix product without the matrix: im2col is a layout, whose windows overlap because their strides do:
//! `cargo run --example im2col`.

use crd2idx::prelude::*;

/// Extents of the image and the filters; the windows move by `STEP`.
const H: usize = 9;
const W: usize = 11;
const C: usize = 3;
const K: usize = 3;
const STEP: usize = 2;
const HO: usize = (H - K) / STEP + 1;
const WO: usize = (W - K) / STEP + 1;

layout! {
    /// Row by row, the channels of a pixel together.
    type Image = (9,11,3) : (33,3,1);
}
layout! {
    /// The matrix ((channel, x, y) in the window, (x, y) of the window): a step of either x moves along the row, of either y down.
    type Windows = ((3,3,3),(5,4)) : ((1,3,33),(6,66));
}

/// Every filter over every window: `out[f][window]`.
fn convolve(image: &[i32], filters: &[i32], count: usize) -> Vec<i32> {
    let (taps, windows) = (C * K * K, WO * HO);
    // Filters as the window is: channels fastest, then x, then y.
    let (filter, out) = (row_major((count, taps)), row_major((count, windows)));
    let mut sums = vec![0; count * windows];
    for f in 0..count {
        for window in 0..windows {
            // An integer coordinate runs through the modes of its tuple, the leftmost fastest.
            let products = (0..taps).map(|tap| filters[filter.crd2idx((f, tap))] * image[Windows.crd2idx((tap, window))]);
            sums[out.crd2idx((f, window))] = products.sum();
        }
    }
    sums
}

/// Compares with the loops of the definition, and with the copy that a matrix of all windows would be.
pub fn main() {
    let image: Vec<i32> = (0..Image.size()).map(|x| (x * x % 23) as i32).collect();
    let count = 4;
    let filters: Vec<i32> = (0..count * C * K * K).map(|x| (x % 7) as i32 - 3).collect();
    let sums = convolve(&image, &filters, count);
    for f in 0..count {
        for oy in 0..HO {
            for ox in 0..WO {
                let mut sum = 0;
                for ky in 0..K {
                    for kx in 0..K {
                        for c in 0..C {
                            let pixel = image[((oy * STEP + ky) * W + ox * STEP + kx) * C + c];
                            sum += filters[((f * K + ky) * K + kx) * C + c] * pixel;
                        }
                    }
                }
                assert_eq!(sums[(f * HO + oy) * WO + ox], sum, "filter {f} at ({ox},{oy})");
            }
        }
    }
    // The layout has more coordinates than the image has numbers: windows share them.
    assert_eq!((Windows.size(), Image.size()), (540, 297));
    println!("{}: {} coordinates of {} numbers", Windows::NOTATION, Windows.size(), Image.size());
}
