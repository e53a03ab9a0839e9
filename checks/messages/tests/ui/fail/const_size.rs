use crd2idx::prelude::*;

layout! { type Tile = (4, 4) : (5, 1); }
const SIZE: usize = Tile.size();

fn main() {}
