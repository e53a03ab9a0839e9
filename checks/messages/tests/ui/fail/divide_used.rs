use crd2idx::prelude::*;

fn main() {
    let tiles = layout!((30, 16) : (1, 30)).zipped_divide(shape!((8)));
    println!("{} {}", tiles.crd2idx((1, 2)), tiles.size());
}
