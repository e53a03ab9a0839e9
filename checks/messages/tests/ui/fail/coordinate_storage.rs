use crd2idx::prelude::*;

layout! { type Tile = (4, 8) : (8, 1); }

fn main() {
    let tile = Owned::<f32, Tile, 32>::filled(Tile, 0.0);
    let _ = tile.get((1, 2, 3));
}
