use crd2idx::prelude::*;

layout! { type Tile = (4, 4) : (5, 1); }
const AT: usize = Tile.crd2idx((1, 2));

fn main() {}
