use crd2idx::prelude::*;

fn main() {
    let n = 4;
    let _ = layout!((2, (4, 3)) : (1, 2));
    let _ = layout!((2, n) : (1, 2, n));
    layout! { type Tile = (4, 8) : (8, (1, 2)); }
}
