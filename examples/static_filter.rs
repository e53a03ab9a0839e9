//! A filter as a microcontroller runs it: all state is a `static` of constant size, and lines go in and come out.
//! The filter is in `checks/no_std/src/filter.rs`, which is also built without std for Cortex-M:
//! `cargo run --example static_filter`.

#[path = "../checks/no_std/src/filter.rs"]
mod filter;

use crd2idx::prelude::*;
use filter::{Blur, Lines, WIDTH};
use std::sync::Mutex;

/// On a microcontroller, this is all the memory that the filter needs, and it is there before the program starts.
static BLUR: Mutex<Blur> = Mutex::new(Blur::new());

const HEIGHT: usize = 20;

/// Compares the lines with sums over neighbours in the whole image.
pub fn main() {
    let image: Vec<[u8; WIDTH]> = (0..HEIGHT).map(|y| std::array::from_fn(|x| (x * x + 31 * y * y % 251) as u8)).collect();
    let mut blur = BLUR.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *blur = Blur::default();
    let mut line = [0; WIDTH];
    let mut blurred = Vec::new();
    for row in &image {
        if blur.push(row, &mut line) {
            blurred.push(line);
        }
    }
    assert_eq!(blurred.len(), HEIGHT - 2);
    for y in 1..HEIGHT - 1 {
        for x in 1..WIDTH - 1 {
            let mut sum = 0;
            for (dy, a) in [1, 2, 1].into_iter().enumerate() {
                for (dx, b) in [1, 2, 1].into_iter().enumerate() {
                    sum += a * b * u32::from(image[y + dy - 1][x + dx - 1]);
                }
            }
            assert_eq!(u32::from(blurred[y - 1][x]), (sum + 8) / 16, "({x},{y})");
        }
    }
    println!("{} lines through {} in {} bytes", HEIGHT, Lines::NOTATION, size_of::<Blur>());
    assert_eq!(Lines.crd2idx((2, 31)) + 1, 112);
}
