//! Converts images from NCHW to NCHW8c, in which eight channels are contiguous for the lanes of a vector. One
//! kernel accepts both: `cargo run --example channel_blocks`.

use crd2idx::Boxed;
use crd2idx::prelude::*;

/// Returns the sum of each channel over images and pixels, for any layout (image, channel, row, column).
fn sums_of_channels<L: Layout>(images: View<f32, L>, channels: usize) -> Vec<f32> {
    let mut sums = vec![0.0; channels];
    images.for_each_at(|(_, c, _, _): (usize, usize, usize, usize), x| sums[c] += x);
    sums
}

/// Compares the elements and the sums of the channels in both layouts.
pub fn main() -> Result<(), TensorError> {
    let (n, c, h, w) = (2, 19, 5, 7);
    let data: Vec<f32> = (0..n * c * h * w).map(|x| (x % 17) as f32).collect();
    let nchw = Tensor::new(&data, row_major((n, c, h, w)))?;

    // Channels are digits (lane, block). Channels that the last block lacks are 0.
    let blocks = c.div_ceil(8);
    let plane = 8 * h * w;
    let layout = make_layout((n, (Int::<8>, blocks), h, w), (blocks * plane, (Int::<1>, plane), 8 * w, Int::<8>));
    let mut padded = Boxed::filled(layout, 0.0)?;
    padded.window_mut((0, 0, 0, 0), (n, c, h, w))?.assign(&nchw);

    let nchw8c = padded.window((0, 0, 0, 0), (n, c, h, w))?;
    nchw8c.for_each_at(|at: (usize, usize, usize, usize), x| assert_eq!(*x, nchw[at]));
    assert_eq!(padded.iter().sum::<f32>(), nchw.iter().sum::<f32>());
    assert_eq!(sums_of_channels(nchw8c, c), sums_of_channels(nchw, c));
    println!("{c} channels in {blocks} blocks of 8: {} numbers become {}", nchw.size(), padded.size());
    Ok(())
}
