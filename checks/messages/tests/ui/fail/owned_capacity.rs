use crd2idx::prelude::*;

layout! { type Tile = (4, 8) : (9, 1); }

fn main() {
    let _ = Owned::<f32, Tile, 32>::filled(Tile, 0.0);
}
