//! A tile with padded rows in static storage, as on a microcontroller. There is no heap, and the compiler checks
//! that every index fits. `cargo run --example padded_tile`.

use crd2idx::prelude::*;

layout! {
    /// 8 x 16 pixels, rows padded to 20.
    type Tile = (8,16) : (20,1);
}

/// Compares a column with the values that were stored there.
pub fn main() {
    let mut tile = Owned::<u8, Tile, { 7 * 20 + 16 }>::filled(Tile, 0);
    for y in 0..8 {
        for x in 0..16 {
            tile[(y, x)] = (16 * y + x) as u8;
        }
    }
    // The transposed tile, without moving a pixel.
    let columns = Tile.select((Int::<1>, Int::<0>));
    let column: [u8; 8] = core::array::from_fn(|y| tile.as_slice()[columns.crd2idx((3, y))]);
    assert_eq!(column, core::array::from_fn(|y| (16 * y + 3) as u8));
    println!("{} holds column 3 = {column:?}", Tile::NOTATION);
}
