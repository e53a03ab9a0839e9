use crd2idx::prelude::*;

const LD: usize = 32;
const BM: usize = 5;

layout! {
    /// The tile.
    pub type Tile = (32, LD) : (LD, 1);
    /// Does not divide.
    pub type Tiles = zipped_divide(Tile, (BM, 8));
}

fn main() {
    println!("{} {}", Tile.size(), Tiles.size());
}
