use crd2idx::prelude::*;

fn main() {
    let m = 4;
    layout! { type Tile = (m, 8) : (8, 1); }
}
