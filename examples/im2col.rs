//! A convolution as a matrix product without a copied matrix. im2col is a layout whose windows overlap because of
//! their strides: `cargo run --example im2col`.

use crd2idx::prelude::*;

layout! {
    /// An image (channel, x, y) of 3 x 11 x 9, row by row. The channels of a pixel are contiguous.
    type Image = (3,11,9) : (1,3,33);
}
layout! {
    /// The matrix ((channel, x, y) in the window, (x, y) of the window) of windows 3 x 3 that move by 2. A step of
    /// either x moves along the row, and a step of either y moves down.
    type Windows = ((3,3,3),(5,4)) : ((1,3,33),(6,66));
}

/// Applies every filter to every window: sets `sums(f, window)` to the sum over taps of `filters(f, tap) windows(tap,
/// window)`.
fn convolve<F: TypedLayout, W: TypedLayout, S: Layout>(filters: View<i32, F>, windows: View<i32, W>, mut sums: ViewMut<i32, S>) {
    sums.for_each_at_mut(|(f, window): (usize, usize), sum| {
        let (filter, window) = (filters.slice((f, Keep)), windows.slice((Keep, window)));
        *sum = filter.iter().zip(window.iter()).map(|(a, b)| a * b).sum();
    });
}

/// Compares the sums of the convolution with loops over its definition.
pub fn main() -> Result<(), TensorError> {
    let count = 4;
    let pixels: Vec<i32> = (0..Image.size()).map(|x| (x * x % 23) as i32).collect();
    let image = Tensor::new(&pixels, Image)?;
    // An integer coordinate counts through the modes of its tuple, the leftmost fastest: `tap` is (channel, x, y).
    let windows = Tensor::new(&pixels, Windows)?;
    let (taps, places) = (windows.layout().mode_size::<0>(), windows.layout().mode_size::<1>());
    let weights: Vec<i32> = (0..count * taps).map(|x| (x % 7) as i32 - 3).collect();
    let filters = Tensor::new(&weights, row_major((count, taps)))?;
    let mut out = vec![0; count * places];
    convolve(filters, windows, Tensor::new(&mut out, row_major((count, places)))?);

    let filter = Tensor::new(&weights, make_layout((count, (Int::<3>, Int::<3>, Int::<3>)), (taps, (Int::<1>, Int::<3>, Int::<9>))))?;
    let sums = Tensor::new(&out, make_layout((count, Int::<5>, Int::<4>), (places, Int::<1>, Int::<5>)))?;
    sums.for_each_at(|(f, x, y): (usize, usize, usize), sum| {
        let mut want = 0;
        filter.slice((f, Keep)).for_each_at(|((c, dx, dy),): ((usize, usize, usize),), a| want += a * image[(c, 2 * x + dx, 2 * y + dy)]);
        assert_eq!(*sum, want, "filter {f} at ({x},{y})");
    });
    // The layout has more coordinates than the image has elements, because windows share elements.
    assert_eq!((windows.size(), image.size()), (540, 297));
    println!("{}: {} coordinates of {} numbers", Windows::NOTATION, windows.size(), image.size());

    // Padding has no elements, so no layout can describe it. With a padding of one pixel on all sides, the matrix
    // is copied, and the padding is 0.
    let padded = Convolution::new([3, 3, 3]).step([1, 2, 2]).padding([0, 1, 1], [0, 1, 1]);
    let [_, wide, high] = padded.places(image.shape());
    let mut matrix = Boxed::filled(col_major((taps, wide * high)), 0)?;
    matrix.assign_windows(&image, &padded, Boundary::Constant(&0))?;
    let mut out = vec![0; count * wide * high];
    convolve(filters, matrix.view(), Tensor::new(&mut out, row_major((count, wide * high)))?);
    let sums = Tensor::new(&out, make_layout((count, wide, high), (wide * high, Int::<1>, wide)))?;
    sums.for_each_at(|(f, x, y): (usize, usize, usize), sum| {
        let mut want = 0;
        filter.slice((f, Keep)).for_each_at(|([c, dx, dy],): ([usize; 3],), a| {
            let at = [c as isize, (2 * x + dx) as isize - 1, (2 * y + dy) as isize - 1];
            want += a * image.beyond(at, Boundary::Constant(&0));
        });
        assert_eq!(*sum, want, "filter {f} at ({x},{y}) with a pad");
    });
    println!("with a pad of 1: {wide} by {high} windows, {} coordinates", matrix.size());
    Ok(())
}
