use crd2idx::layouts::Const;
use crd2idx::prelude::*;

layout! { type Tile = (4, 8) : (8, 1); }

const _: usize = Const::<Tile, shape!(1, (2, 3))>::VALUE;

fn main() {}
