use crd2idx::prelude::*;

layout! { type Tile = (4, 8) : (8, 1); }

fn main() {
    let _ = Tile.crd2idx((1, 2, 3));
}
