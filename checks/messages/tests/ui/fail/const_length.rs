use crd2idx::prelude::*;

layout! { type Tile = (4, 4) : (5, 1); }
static BUFFER: [f32; Tile::COSIZE] = [0.0; 19];

fn main() {}
